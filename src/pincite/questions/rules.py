"""A question to what pincite understood, by rules alone: typos, shape, places, names, acronyms, concepts."""

import calendar
import datetime as dt
import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from pincite.errors import QuestionError
from pincite.questions.concepts import expert_words
from pincite.questions.corpus import ConceptKeyword, Corpus
from pincite.questions.hints import find_hints
from pincite.questions.instructions import without_courtesy, without_instructions
from pincite.questions.keywords import QUOTED, TOKEN, find_keywords
from pincite.questions.shapes import asked_shape
from pincite.questions.symbols import with_symbols
from pincite.questions.typos import Correction, correct
from pincite.text.amounts import NUMBER_WORDS
from pincite.text.characters import INVISIBLE
from pincite.text.dates import find_dates
from pincite.text.language import guess_language
from pincite.text.mentions import is_place_word, roman_value
from pincite.text.stopwords import ALL_STOP_WORDS, ASKING
from pincite.text.tokens import index_terms
from pincite.text.units import UNIT_WORDS, unit_name
from pincite.types.question import Granularity, Hints, ParsedQuestion, Shape

_IDENTIFIER: Final = re.compile(r"(?=.*\d)[\w.,/:#§()+-]*[^\W_][\w.,/:#§()+-]*")
_SILENT: Final = ALL_STOP_WORDS | ASKING
_YEAR: Final = re.compile(r"(?:1[89]|20|21)\d\d")


def parse_question(
    text: str,
    corpus: Corpus,
    *,
    shape: Shape | None = None,
    concepts: Sequence[ConceptKeyword] = (),
    max_chars: int = 4000,
) -> ParsedQuestion:
    """Return the parsed question; `notes` say what was corrected or assumed.

    A `shape` that is given wins over the rules.

    Raises:
        QuestionError: the question is empty or longer than `max_chars`.

    """
    original = clean_question(text, max_chars=max_chars)
    counts = corpus.term_counts(index_terms(original))
    corrections = correct(original, corpus.words(), counts, expert=expert_words(concepts))
    corrected, told = without_instructions(with_symbols(_apply(original, corrections), corpus))
    corrected = without_courtesy(corrected)
    asked = asked_shape(corrected)
    hints = find_hints(corrected, corpus.document_names())
    found = find_keywords(corrected, hints, corrections, corpus, concepts)
    chosen = shape or asked.shape
    return ParsedQuestion(
        original=original,
        corrected=corrected,
        language=guess_language(original),
        keywords=found.keywords,
        shape=chosen,
        granularity=_granularity(chosen, asked.granularity, hints),
        sub_questions=_sub_questions(corrected),
        hints=hints,
        must_distinguish=must_distinguish(corrected, hints),
        notes=(*(f"“{c.typed}” was read as “{c.meant}”" for c in corrections), *found.notes, *_on_form(told)),
        counts=asked.counts,
        unit=asked.subject,
        acronyms=found.acronyms,
    )


def _on_form(told: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"“{sentence}” says how to answer: it was not searched for" for sentence in told)


def clean_question(text: str, *, max_chars: int) -> str:
    """Return the question without control characters, on one line.

    Raises:
        QuestionError: nothing is left, or more than `max_chars`.

    """
    valid = text.encode("utf-8", "replace").decode("utf-8")
    kept = "".join(" " if unicodedata.category(c) == "Cc" else c for c in valid if c not in INVISIBLE)
    question = " ".join(unicodedata.normalize("NFC", kept).split())
    if not question:
        raise QuestionError("the question is empty: ask something, for example “What is the fee?”")
    if len(question) > max_chars:
        raise QuestionError(f"the question has {len(question)} characters; at most {max_chars} are allowed")
    return question


def _apply(text: str, corrections: Sequence[Correction]) -> str:
    for correction in corrections:
        pattern = rf"(?<![\w-]){re.escape(correction.typed)}(?![\w-])"
        meant = correction.meant.capitalize() if correction.typed.istitle() else correction.meant
        text = re.sub(pattern, meant.replace("\\", r"\\"), text)
    return text


def _granularity(shape: Shape, asked: Granularity, hints: Hints) -> Granularity:
    if hints.pages:
        return "page"
    if hints.sections and not any(s.isdigit() for s in hints.sections):
        return "section"
    return "section" if shape in ("list", "table", "comparison") else asked


def must_distinguish(question: str, hints: Hints) -> tuple[str, ...]:
    """Return what an answer's lines have to carry themselves: codes, numbered names, quoted phrases.

    A number with a unit ("a 9 metre boat") describes; a number after a name ("lock 5") tells one from its twin.

    >>> must_distinguish("What is the sill depth of lock 5?", Hints())
    ('5',)
    >>> must_distinguish("What does a 9 metre boat pay?", Hints())
    ()
    """
    pages = {part for page in hints.pages for part in (page, *re.split(r"[–\s]", page))}
    placed = {*pages, *hints.sections, *(o.split()[-1] for o in hints.objects)}
    tokens = [t.strip(".:'’") for t in TOKEN.findall(question)]
    found = list(QUOTED.findall(question))
    measures = asked_shape(question).shape == "amount"
    for position, token in enumerate(tokens):
        after = tokens[position + 1] if position + 1 < len(tokens) else ""
        before = tokens[position - 1].lower() if position else ""
        if _is_roman_name(token, before):
            found.append(token)
            continue
        if _is_letter_name(token, before) and not question.isupper():
            found.append(token)
            continue
        if not _IDENTIFIER.fullmatch(token) or token in placed or not any(c.isalnum() for c in token):
            continue
        is_number = not any(c.isalpha() for c in token) and not _YEAR.fullmatch(token)
        if is_number and not before:
            continue
        if is_number and _is_unit(after) and (token.isdigit() or measures):
            continue
        found.append(token)
    return tuple(dict.fromkeys(found))


def _is_letter_name(token: str, before: str) -> bool:
    """Say whether a token is a name of one letter ("lot B", "C driver") or of letters and signs ("C#", "C++")."""
    if re.fullmatch(r"[A-Za-z]{1,2}[#+]{1,2}", token):
        return True
    is_word = token in ("A", "I")
    return len(token) == 1 and token.isupper() and bool(before) and not (is_word and before in _SILENT)


def _is_roman_name(token: str, before: str) -> bool:
    """Say whether a token is the Roman number of a part ("Title III"): its neighbour is another part."""
    return len(token) > 1 and token.isupper() and roman_value(token) is not None and is_place_word(before)


def day_meant(question: str) -> str | None:
    """Return the last day of the time that a question names, as an ISO date: of its last date with a year.

    >>> day_meant("What did it cost on 15 March 2022?"), day_meant("in March 2022"), day_meant("in 2021")
    ('2022-03-15', '2022-03-31', '2021-12-31')
    >>> day_meant("What did it cost before March 2022?")
    '2022-02-28'
    """
    dates = [d for d in find_dates(question) if not d.value.iso.startswith("--")]
    if not dates:
        return None
    year, month, day = ([int(n) for n in dates[-1].value.iso.split("-")] + [0, 0])[:3]
    if _BEFORE.search(question[: dates[-1].span.start]) and year > 1:
        return (dt.date(year, month or 1, day or 1) - dt.timedelta(days=1)).isoformat()
    month = month or 12
    return f"{year:04d}-{month:02d}-{day or calendar.monthrange(year, month)[1]:02d}"


def without_dates(question: ParsedQuestion) -> ParsedQuestion:
    """Return a question whose dates say which version is meant: the version itself need not repeat them."""
    dates = [d for d in find_dates(question.corrected) if not d.value.iso.startswith("--")]
    words = {w.strip(".,").lower() for d in dates for w in (d.value.original, *d.value.original.split())}
    asked = question.corrected
    for date in reversed(dates):
        asked = _AT.sub("", asked[: date.span.start]) + asked[date.span.end :]
    return replace(
        question,
        corrected=" ".join(asked.split()),
        keywords=tuple(k for k in question.keywords if k.text.lower() not in words),
        must_distinguish=tuple(name for name in question.must_distinguish if name.lower() not in words),
    )


_BEFORE: Final = re.compile(
    r"\b(?:before|prior to|earlier than|vor|avant)\s+(?:the\s+|dem\s+|le\s+)?(?:year\s+|jahre?\s+)?$", re.IGNORECASE
)
#: What joins a date to a question.
_AT: Final = re.compile(
    r"\s*\b(?:on|in|at|by|during|as of|as at|for|of|before|prior to|earlier than|until|till|since|am|im|vom|vor|bis"
    r"|seit|en|le|au|avant|jusqu['’]en|depuis)?\s*(?:the\s+)?(?:year\s+|jahre?\s+)?$",
    re.IGNORECASE,
)


def _is_unit(word: str) -> bool:
    lower = word.lower()
    singular = lower.removesuffix("s").replace("metre", "meter")
    return unit_name(word) is not None or singular in UNIT_WORDS or singular in _COUNTED or lower in NUMBER_WORDS


_COUNTED: Final = frozenset(
    "year month week day hour minute second crown dollar euro page percent people person time".split()
)


def _sub_questions(question: str) -> tuple[str, ...]:
    parts = re.split(r"(?<=\?)\s+|\s+and\s+(?=(?:what|when|where|who|which|how|why)\b)", question, flags=re.IGNORECASE)
    return tuple(p.strip() for p in parts if p.strip()) if len(parts) > 1 else ()
