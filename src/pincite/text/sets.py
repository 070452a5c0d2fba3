"""The set of like things that a question counts or lists, and the texts that name one of them."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from pincite.text.characters import strip_accents
from pincite.text.stopwords import ALL_STOP_WORDS, ENGLISH
from pincite.text.tokens import stem

#: This many things that are named alike are a set.
FEWEST_RECORDS: Final = 3


@dataclass(frozen=True)
class Noun:
    """What the things of a set are called, as the question writes it; `is_foreign` when the question is not English."""

    word: str
    is_foreign: bool = False

    @cached_property
    def forms(self) -> frozenset[str]:
        """The stems of the word, singular and plural."""
        bare = strip_accents(self.word.lower())
        singulars = {bare, *_IRREGULAR.get(bare, ())}
        stems = frozenset(stem(word) for word in singulars)
        return stems | endings_cut(self.word) if self.is_foreign else stems

    def is_word(self, word: str) -> bool:
        """Say whether a word is this noun, in singular or plural.

        >>> Noun("ships").is_word("Ship"), Noun("people").is_word("person"), Noun("Geräte", True).is_word("Gerät")
        (True, True, True)
        """
        return stem(strip_accents(word.lower())) in self.forms

    def is_one(self, word: str) -> bool:
        """Say whether a word is this noun and may name one thing: "Ship" of "ships", not "Ships"."""
        is_many = not self.is_foreign and word.lower().endswith("s") and word.lower() == self.word.lower()
        return self.is_word(word) and not is_many

    def names_set(self, title: str) -> bool:
        """Say whether a title, caption or column name is that of the set: "Sensors", "Park rules", "List of ships".

        >>> [Noun("rules").names_set(t) for t in ("Park rules", "Rules of the park", "Who sets rules for boats")]
        [True, True, False]
        """
        words = _WORD.findall(_CLAUSE_END.split(title, maxsplit=1)[0])
        head = [w for w in _AFTER_HEAD.split(" ".join(words), maxsplit=1)[0].split() if w.lower() not in ALL_STOP_WORDS]
        listed = re.match(
            r"\W*(?:a |the )?(?:list|register|table|index|inventory|overview|liste|tabelle) (?:of|der|von|des)\b",
            title,
            re.IGNORECASE,
        )
        if listed is not None:
            return any(self.is_word(w) for w in _WORD.findall(title[listed.end() :])[:3])
        if _ASKS.match(title) or _SAYS.search(title):
            return False
        return len(head) <= _MOST_TITLE_WORDS and any(self.is_word(w) for w in (*head[-1:], *head[:1]))

    def introduces(self, lead: str) -> bool:
        """Say whether a sentence before a list says that it lists these: "These ships …:", "every sensor of …".

        >>> leads = "You need the following tools:", "The tools are:", "Tools are kept by the crew:"
        >>> [Noun("tools").introduces(lead) for lead in leads]
        [True, True, False]
        """
        for match in _POINTING.finditer(lead):
            if any(self.is_one(w) or self.is_word(w) for w in _WORD.findall(lead[match.end() :])[:2]):
                return True
        if not lead.rstrip().endswith((":", "：")):
            return False
        last = _WORD.findall(lead)
        is_last = bool(last) and self.is_word(last[-1]) and not _PREPOSED.search(lead)
        return is_last or self.names_set(_ARE.sub("", lead))

    def name_in(self, text: str) -> str | None:
        """Return the name that a line begins with, the noun and what tells one from another, or `None`.

        >>> Noun("patients").name_in("Patient 001 was admitted in May."), Noun("ships").name_in("- Ship Alma: docked")
        ('Patient 001', 'Ship Alma')
        >>> Noun("patients").name_in("Patients 1 to 9 went home"), Noun("ships").name_in("Ship owners pay.")
        (None, None)
        """
        bare = _FRONT.sub("", text)
        match = _NAMED.match(bare)
        return match.group().strip() if match is not None and self.is_one(match["noun"]) else None

    def begins(self, title: str) -> bool:
        """Say whether a title begins with the noun and goes on: "Ship Alma", "T-001 Task name 1", not "Ships".

        >>> [Noun("tasks").begins(t) for t in ("Task 1", "T-001 Task name 1", "Tasks 2031", "Task")]
        [True, True, False, False]
        """
        words = re.findall(r"[^\W\d_]{3,}", title)
        return bool(words) and self.is_one(words[0]) and len(re.findall(r"[^\W_]+", title)) > 1

    def names_file(self, name: str) -> bool:
        """Say whether a file is called after the noun and a number or name.

        >>> [Noun("vessels").names_file(n) for n in ("vessel-03.md", "ships/Vessel Alma.txt", "vessels.md")]
        [True, True, False]
        """
        spaced = re.sub(r"(?<=[^\W\d_])(?=\d)", " ", name.rsplit("/", maxsplit=1)[-1])
        words = re.findall(r"[^\W_]+", spaced)
        return len(words) > 2 and self.is_one(words[0])

    def is_in(self, text: str) -> bool:
        """Say whether the noun stands anywhere in a text."""
        return any(self.is_word(word) for word in re.findall(r"[^\W\d_]+", text))


@dataclass(frozen=True, slots=True)
class AskedSet:
    """Whether a set is counted or listed, what its things may be called (likeliest first), and the rest as asked."""

    counts: bool
    nouns: tuple[Noun, ...]
    rest: str


_FOREIGN_ENDINGS: Final = ("e", "en", "em", "er", "ern", "n", "nen", "s", "es", "x")


def endings_cut(word: str) -> frozenset[str]:
    """Return the stems of a German or French word without each ending it may have.

    >>> "offen" in endings_cut("offenen")
    True
    """
    bare = strip_accents(word.lower())
    cut = (bare.removesuffix(ending) for ending in _FOREIGN_ENDINGS if bare.endswith(ending))
    return frozenset(stem(rest) for rest in cut if len(rest) > 2)


_IRREGULAR: Final[dict[str, tuple[str, ...]]] = {
    "people": ("person",), "persons": ("person", "people"), "men": ("man",), "women": ("woman",), "staff": ("person",),
    "children": ("child",), "feet": ("foot",), "mice": ("mouse",), "indices": ("index",), "appendices": ("appendix",),
    "matrices": ("matrix",), "vertices": ("vertex",), "analyses": ("analysis",), "criteria": ("criterion",),
    "knives": ("knife",), "shelves": ("shelf",), "wolves": ("wolf",), "lives": ("life",), "leaves": ("leaf",),
}  # fmt: skip
_WORD: Final = re.compile(r"[^\W\d_]+(?:[-’'][^\W\d_]+)*")
_CLAUSE_END: Final = re.compile(r"[:.;(\[|–—]")
_AFTER_HEAD: Final = re.compile(
    r"\b(?:of|in|at|on|for|from|by|with|to|under|der|des|von|im|in|de|du|des)\b", re.IGNORECASE
)
_MOST_TITLE_WORDS: Final = 4
_ASKS: Final = re.compile(r"\W*(?:who|what|which|when|where|why|how|wer|was|wie)\b", re.IGNORECASE)
_ARE: Final = re.compile(
    r"\s+(?:are|were|include|sind|sont)(?: (?:the following|as follows|listed below))?\s*[:：]\s*$"
)
_PREPOSED: Final = re.compile(
    r"\b(?:to|of|for|on|in|at|from|by|with|into|der|des|auf|im|von|zu|de|du)\s+(?:the\s+|our\s+|its\s+|den\s+)?[\w-]+\s*[:：]\s*$",
    re.IGNORECASE,
)
#: A title with a verb of its own is a sentence about something.
_SAYS: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|must|should|shall|may|can|will|do|does|ist|sind|hat|haben|est|sont|ont)\b",
    re.IGNORECASE,
)
_POINTING: Final = re.compile(
    r"\b(?:following|these|below|each|every|all(?: the)?|(?:list|register|table)s? of(?: the)?|folgenden?|diese|alle"
    r"|jede[srn]?|suivants?|suivantes?|ces|chaque|tous les|toutes les)\s+",
    re.IGNORECASE,
)
#: What may stand before the words of a line: bullets, hashes, numbers of sections and items.
_FRONT: Final = re.compile(r"^\s*(?:#{1,6}\s+|[-*+•‣▪●○◦■□–·]\s+|\(?\d{1,4}(?:\.\d+)*[.)]?\s+|\*\*|__|§\s*)*")
_NAMED: Final = re.compile(
    r"(?P<noun>[^\W\d_]+(?:-[^\W\d_]+)*)\s+(?:(?:no|nr|number|nummer|id)\.?\s*|[#№:]\s*)?"
    r"(?:[\w./-]*\d[\w/-]*(?:\.\d+)*|[A-ZÄÖÜÉ][\w’'-]*(?:\s+[A-ZÄÖÜÉ\d][\w’'-]*){0,3})",
    re.UNICODE,
)

_COUNT: Final = re.compile(
    r"\bhow many\b|^\W*(?:what (?:is|was) )?(?:the )?(?:total )?number of\b|^\W*count\b"
    r"|(?P<foreign>\bwie ?viele?\b|\banzahl (?:der|von|aller)\b|\bcombien d(?:e\b|['’])|\bnombre d(?:e\b|['’]))",
    re.IGNORECASE,
)
_LIST: Final = re.compile(
    r"^\W*(?:please\s+|(?:can|could) you\s+)*(?:list|enumerate|name|give me|show me|tell me|show|find)\b"
    r"(?=\s+(?:me\s+)?(?:alle?|the|every|each|any|names? of|[\w-]+s\b|[\w-]+\s+[\w-]+s\b))"
    r"|^\W*what (?:are|were)\b(?=\s+(?:all\s+)?(?:the\s+)?)|^\W*(?:what|which)\b"
    r"|(?P<foreign>^\W*(?:bitte\s+)?(?:nenne|liste|zeige)\w*\b|^\W*welche[rn]?\b|^\W*quel(?:le)?s\b|^\W*liste[rz]?\b)",
    re.IGNORECASE,
)
_LEADING: Final = frozenset(
    """all the every each any of these those our its their his her your my different distinct various other me names
    name total alle aller die der den dem das mir uns les des tous toutes de la le same individual single
    separate""".split()
)
_PLURAL_VERB: Final = re.compile(
    r"^\s*(?:are|were|have|do|did|sind|waren|haben|wurden|werden|hatten|sont|ont|étaient)\b", re.IGNORECASE
)
#: "What tools do I need" asks for tools, "what happens to" for none.
_WHAT: Final = re.compile(r"^\W*what (?!are\b|were\b)", re.IGNORECASE)
_AUXILIARY: Final = re.compile(
    r"^\s*(?:are|were|have|has|had|do|does|did|can|could|may|must|should|will|would)\b", re.IGNORECASE
)
_SINGULAR_S: Final = re.compile(r"(?:ss|us|is|ics|ous|news|gas|bus|has|was|does)$", re.IGNORECASE)
_NO_NOUN: Final = frozenset("times much often more kind kinds sort sorts type types way ways thing things".split())


def asked_set(question: str) -> AskedSet | None:
    """Return the set that a question counts or lists, or `None` when it asks for neither.

    >>> [n.word for n in asked_set("Which ships fly the flag of Malta?").nouns]
    ['ships', 'fly']
    >>> asked_set("Which ship is the largest?"), asked_set("How much is it?")
    (None, None)
    """
    count = _COUNT.search(question)
    match = count or _LIST.search(question)
    if match is None:
        return None
    is_foreign = match["foreign"] is not None or bool(_FOREIGN_ALL.match(question[match.end() :]))
    phrase, rest = _noun_phrase(question[match.end() :])
    words = [w for w in phrase if w.lower() not in _NO_NOUN]
    many = [w for w in words if _is_plural(w)]
    if count is None and not is_foreign and _WHAT.match(question) and not _AUXILIARY.match(rest):
        return None
    if count is None and not many and not _names_many(question, is_foreign=is_foreign, rest=rest):
        return None
    if is_foreign:
        words.sort(key=lambda w: not w[0].isupper())
    ordered = dict.fromkeys([*([] if is_foreign else many), *([] if is_foreign else reversed(words)), *words])
    if not ordered:
        return None
    nouns = tuple(Noun(word, is_foreign) for word in ordered)
    return AskedSet(count is not None, nouns, question[: match.start()] + " " + question[match.end() :])


def _noun_phrase(text: str) -> tuple[list[str], str]:
    """Return the words up to the first that ends a noun phrase, and what comes after them."""
    words: list[str] = []
    for match in re.finditer(r"[^\s]+", text):
        token = match.group().strip("\"'“”?!.,;:()")
        ends = match.group()[-1] in "?!.,;:"
        if not words and token.lower() in _LEADING:
            continue
        if token.lower() in ALL_STOP_WORDS or token.lower() in _VERBS or not re.fullmatch(r"[^\W\d_][\w’'-]*", token):
            return words, text[match.start() :]
        words.append(token)
        if ends or len(words) == 5:
            return words, text[match.end() :]
    return words, ""


_VERBS: Final = frozenset("gibt gab stehen steht existieren enthält fehlen existent existe contient".split())


def _is_plural(word: str) -> bool:
    lower = word.lower()
    return lower in _IRREGULAR or (len(lower) > 3 and lower.endswith("s") and not _SINGULAR_S.search(lower))


_FOREIGN_ALL: Final = re.compile(r"\s*(?:mir |uns |moi )?(?:alle[rn]?|tous|toutes)\b", re.IGNORECASE)


def _names_many(question: str, *, is_foreign: bool, rest: str) -> bool:
    if is_foreign and re.match(r"^\W*(?:bitte\s+)?(?:nenn|list|zeig)", question, re.IGNORECASE):
        return bool(re.search(r"\b(?:alle[rn]?|tous|toutes|les)\b", question, re.IGNORECASE))
    is_request = bool(re.match(r"^\W*(?:please\s+)?(?:list|enumerate|name|give|show|find)\b", question, re.IGNORECASE))
    return bool(_PLURAL_VERB.match(rest)) or (
        is_request and bool(re.search(r"\b(?:all|every|each)\b", question, re.IGNORECASE))
    )


#: Words that a question about a set needs for its grammar: they are no condition.
GRAMMAR: Final = ENGLISH | ALL_STOP_WORDS | frozenset(
    """alle aller allen alles tous toutes dort hier there exist exists existing total altogether overall
    list lists listed register registered document documents file files table tables mentioned named
    liste listen tabelle tabellen verzeichnis dokument datei fichier
    described given taken made shown contain contains contained include includes included every please say says stand
    stands currently now today gibt gab insgesamt aufgeführt enthält steht stehen genannt existe existent
    contient au total nicht kein keine keinen ohne""".split()
)  # fmt: skip
