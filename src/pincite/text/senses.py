"""Words that say the same of a rule or a state, and those that say the opposite: allowed, permitted; forbidden."""

import re
from functools import lru_cache
from typing import Final

#: Per line: words that say that it is so, words that say that it is not, as beginnings where a hyphen follows.
_SENSES: Final = (
    "allowed permitted authorised authorized | forbidden prohibited banned disallowed",
    "limited capped restricted | unlimited uncapped unrestricted",
    "open | closed shut",
    "mandatory compulsory obligatory required | optional voluntary",
    "approved accepted granted adopted | rejected refused declined denied",
    "refundable reimbursable | non-refundable nonrefundable",
    "erlaubt gestattet zulässig genehmigt zugelassen | verboten untersagt unzulässig",
    "begrenzt beschränkt limitiert | unbegrenzt unbeschränkt",
    "befristet | unbefristet",
    "offen geöffnet | geschlossen",
    "kostenlos kostenfrei gratis unentgeltlich | kostenpflichtig gebührenpflichtig",
    "verpflichtend obligatorisch vorgeschrieben | freiwillig optional",
    "autorisé- permis- admis- | interdit- défendu- prohib-",
    "limité- plafonné- | illimité-",
    "ouvert- | fermé-",
    "gratuit gratuits gratuite gratuites | payant-",
    "obligatoire- | facultati-",
    "permitid- autorizad- | prohibid-",
    "limitad- | ilimitad-",
    "abiert- | cerrad-",
    "obligatori- | opcional- voluntari-",
)


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    return tuple((_pattern(yes), _pattern(no)) for yes, no in (line.split(" | ") for line in _SENSES))


def _pattern(words: str) -> re.Pattern[str]:
    told = (re.escape(w[:-1]) + r"\w*" if w.endswith("-") else re.escape(w) for w in words.split())
    return re.compile(rf"(?<![\w-])(?:{'|'.join(told)})(?!\w)", re.IGNORECASE)


def senses_in(text: str) -> dict[int, bool | None]:
    """Return the senses that a text has words of: whether it says that it is so; `None` where it says both.

    >>> list(senses_in("Dogs are permitted.").values()), list(senses_in("Rauchen ist verboten.").values())
    ([True], [False])
    """
    found: dict[int, bool | None] = {}
    for number, (yes, no) in enumerate(_patterns()):
        is_so, is_not = yes.search(text) is not None, no.search(text) is not None
        if is_so or is_not:
            found[number] = None if is_so and is_not else is_so
    return found


def without_senses(text: str, senses: frozenset[int]) -> str:
    """Return a text without its words of these senses."""
    for number in senses:
        for pattern in _patterns()[number]:
            text = pattern.sub(" ", text)
    return text


def words_of_sense(word: str) -> tuple[tuple[str, bool], ...]:
    """Return the other words for a word, and whether each says the same as it: only those given in full.

    >>> [w for w, is_same in words_of_sense("permitted") if is_same]
    ['allowed', 'authorised', 'authorized']
    """
    out: list[tuple[str, bool]] = []
    for line, (yes, no) in zip(_SENSES, _patterns(), strict=True):
        sides = line.split(" | ")
        held = next((side for side, pattern in enumerate((yes, no)) if pattern.fullmatch(word)), None)
        if held is None:
            continue
        out += [
            (form, side == held)
            for side, words in enumerate(sides)
            for other in words.split()
            for form in _forms(other)
            if form.lower() != word.lower()
        ]
    return tuple(out)


#: Endings of a word that is given by its beginning.
_ENDINGS: Final = (
    "",
    "e",
    "s",
    "es",
    "o",
    "a",
    "os",
    "as",
    "if",
    "ifs",
    "ive",
    "ives",
    "é",
    "ée",
    "és",
    "ées",
    "f",
    "fs",
)


def _forms(word: str) -> tuple[str, ...]:
    return tuple(word[:-1] + ending for ending in _ENDINGS) if word.endswith("-") else (word,)
