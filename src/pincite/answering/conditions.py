"""What a question asks of the records of a set, and whether a record meets it: values, denials, comparisons."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

from pincite.answering.units import Unit
from pincite.text.amounts import find_quantities
from pincite.text.sets import GRAMMAR, Noun, endings_cut
from pincite.text.tokens import is_stop_term, token_terms

Holding = Literal["affirmed", "denied", "absent"]


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that a record says: a cell under its column name, the value of a label, or a clause."""

    label: str
    value: str
    unit: Unit


@dataclass(frozen=True, slots=True)
class Wanted:
    """One word of a condition: `terms` are all its index terms, `own` those of the whole word in its forms.

    `others` are joined to it by "or", `before` is the word right before it, `field` the one it is the value of
    ("flag of Malta"). `is_linking` says that grammar and another word follow ("written by …"), `is_placed` that it
    may name what the set belongs to ("of the fleet").
    """

    surface: str
    terms: frozenset[str]
    own: frozenset[str]
    is_denied: bool = False
    before: frozenset[str] = frozenset()
    field: frozenset[str] = frozenset()
    is_linking: bool = False
    is_placed: bool = False
    others: tuple["Wanted", ...] = ()

    @property
    def is_number(self) -> bool:
        """Whether it is a number, bare or after the word that it goes with: "room 2"."""
        return self.surface.split()[-1].replace(".", "").isdigit()


@dataclass(frozen=True, slots=True)
class Comparison:
    """A number that a field is compared with: `least` and `most` are its limits, both included."""

    field: frozenset[str]
    least: float
    most: float
    surface: str


@dataclass(frozen=True, slots=True)
class Condition:
    """All that a record has to meet; `is_unread` says that the question compares in a way that is not understood."""

    wanted: tuple[Wanted, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    is_unread: bool = False

    def __bool__(self) -> bool:
        """Whether anything is asked of the records."""
        return bool(self.wanted or self.comparisons)

    @property
    def surface(self) -> str:
        """The condition in the words of the question."""
        words = [("not " if w.is_denied else "") + " or ".join(o.surface for o in (w, *w.others)) for w in self.wanted]
        return " ".join((*words, *(c.surface for c in self.comparisons)))


_NEGATORS: Final = (
    r"not|no|never|without|cannot|lacks?|lacking|missing|except|nicht|keine?[mnrs]?|ohne|sans|pas|aucune?"
)
_NEGATOR: Final = re.compile(rf"(?:{_NEGATORS})$|\w+n['’]t$", re.IGNORECASE)
_ENDS_DENIAL: Final = frozenset("and but und aber et mais which that whose who".split())
_OR: Final = frozenset("or oder ou".split())
_TOKEN: Final = re.compile(r"[^\s\"“”?!;()]+")


#: What stands before the name of a whole: "of the fleet", "does the park have".
_PLACED: Final = re.compile(
    r"\b(?:of|in|for|from|at|on|within|does|do|did|has|have|der|des|im|vom|de|du|dans)\s+(?:(?:the|this|its|our|their|die|das)\s+)?$",
    re.IGNORECASE,
)
_VALUE_FOLLOWS: Final = frozenset("of is was are were equals von ist war de est".split())


def condition(rest: str, noun: Noun) -> Condition:
    """Return what a question asks of its records beside their noun; `rest` is the question without what asks.

    >>> from pincite.text.sets import Noun
    >>> condition("ships are docked or scrapped and not insured?", Noun("ships")).surface
    'docked or scrapped not insured'
    """
    comparisons, rest, is_unread = _comparisons(rest, noun)
    wanted: list[Wanted] = []
    denied = joins = False
    before = field = frozenset[str]()
    for match in _TOKEN.finditer(rest):
        token = match.group().strip(".,:'’")
        low = token.lower()
        if _NEGATOR.match(low):
            denied, before = True, frozenset()
        elif low in _OR:
            joins = bool(wanted)
        elif low in _ENDS_DENIAL:
            denied, joins, before = False, False, frozenset()
        elif not token or noun.is_word(token):
            before = frozenset()
        elif _is_grammar(token):
            if wanted:
                wanted[-1] = replace(wanted[-1], is_linking=True)
            field = before if low in _VALUE_FOLLOWS else field if before == frozenset() else frozenset()
            before = frozenset()
        else:
            terms = frozenset(token_terms(token))
            own = frozenset(token_terms(token)[:1]) | (endings_cut(token) if noun.is_foreign else frozenset())
            follows = bool(wanted) and wanted[-1].is_placed and bool(before)
            is_placed = follows or _PLACED.search(rest[: match.start()]) is not None
            one = Wanted(token, terms, own, denied, before, field, is_placed=is_placed)
            if before and wanted and one.is_number:
                wanted[-1] = _numbered(wanted[-1], one)
            elif joins:
                wanted[-1] = replace(wanted[-1], others=(*wanted[-1].others, one))
            elif terms:
                wanted.append(one)
            joins, before, field = False, frozenset() if one.is_number else terms, frozenset()
    return Condition(tuple(wanted), tuple(comparisons), is_unread)


def _numbered(wanted: Wanted, number: Wanted) -> Wanted:
    """Return a word with the number after it, as one thing that is wanted: "room 2"."""
    if wanted.others:
        return replace(wanted, others=(*wanted.others[:-1], _numbered(wanted.others[-1], number)))
    return replace(wanted, surface=f"{wanted.surface} {number.surface}", own=number.own, before=number.before)


def _is_grammar(word: str) -> bool:
    # A single capital is a name ("crane A"), a capital inside a question may be ("the It").
    is_name = len(word) == 1 and word.isupper() and word != "I"
    return not is_name and (word.lower() in GRAMMAR or word.lower().removesuffix("'s") in GRAMMAR)


_NUMBER: Final = r"(?P<number>\d[\d.,]*)"
_LEAST: Final = r"at least|no (?:less|fewer) than|since|from|mindestens|seit|au moins"
_MOST: Final = r"at most|no more than|up to|until|höchstens|bis|au plus"
_OVER: Final = (
    r"(?:more|greater|larger|higher|longer|later|older) than|over|above|exceeding|after|mehr als|über|nach|plus de"
)
_UNDER: Final = (
    r"(?:less|fewer|lower|smaller|shorter|earlier|younger) than|under|below|before|weniger als|unter|vor|moins de"
)
_COMPARED: Final = re.compile(
    rf"(?P<field>[^\W\d_]+(?:\s+(?:is|are|was|were|of|has|have|liegt))?\s+)?"
    rf"\b(?:(?P<least>{_LEAST})|(?P<most>{_MOST})|(?P<over>{_OVER})|(?P<under>{_UNDER}))\s+"
    rf"(?:[$€£]\s?)?{_NUMBER}(?!\w)(?P<unit>\s+[^\W\d_]+)?",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(
    r"\b(?:between|zwischen|entre)\s|\b(?:more|less|fewer|greater|later|earlier|mehr|weniger)\s+(?:than|als)\b"
    r"|\b(?:after|before|since|until|nach|vor|seit)\s+(?:(?:early|late|mid)\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"|\b(?:the )?(?:most|least|largest|smallest|highest|lowest|longest|oldest|newest|latest|earliest|cheapest)\b",
    re.IGNORECASE,
)


def _comparisons(rest: str, noun: Noun) -> tuple[list[Comparison], str, bool]:
    found: list[Comparison] = []
    for match in _COMPARED.finditer(rest):
        number = float(match["number"].rstrip(".,").replace(",", ""))
        words = re.findall(r"[^\W\d_]+", f"{match['field'] or ''} {match['unit'] or ''}")
        field = frozenset(t for w in words if not noun.is_word(w) and not _is_grammar(w) for t in token_terms(w))
        least, most = float("-inf"), float("inf")
        if match["least"] or match["over"]:
            least = number if match["least"] else _next(number)
        else:
            most = number if match["most"] else _before(number)
        said = match.group()[len(match["field"] or "") :].strip()
        found.append(Comparison(field, least, most, said))
    left = _COMPARED.sub(" ", rest)
    return found, left, bool(_BETWEEN.search(left))


def _next(number: float) -> float:
    return number + 1e-9


def _before(number: float) -> float:
    return number - 1e-9


_LABELLED: Final = re.compile(r"^\W*(?P<label>[^\W\d_][^:.;,]{0,38}?)\s*[:：]\s+(?P<value>\S.*)$")
_CLAUSES: Final = re.compile(r"(?<=[.;,])\s+|;\s*|\s[–—]\s|\s-\s")


def statements(units: Sequence[Unit]) -> Iterator[Statement]:
    """Yield what the units of a record say, cell by cell, label by label, clause by clause."""
    for unit in units:
        line = unit.line
        if unit.kind == "row" and line.header and line.cells:
            for label, value in zip(line.header, line.cells, strict=False):
                if not is_blank(value):
                    yield Statement(label, value.strip(), unit)
            continue
        box = _BOX.match(line.line.text) if unit.kind == "item" else None
        if box is not None:
            is_done = box["mark"] != " "
            yield Statement(_DONE, "yes" if is_done else "no", unit)
            yield Statement(_UNDONE, "no" if is_done else "yes", unit)
        for text in _texts(unit):
            for clause in (c.strip() for c in _CLAUSES.split(text)):
                match = _LABELLED.match(clause)
                if clause and not clause.endswith((":", "：")):
                    yield Statement(match["label"] if match else "", match["value"] if match else clause, unit)


#: A box before a task: "- [x] Paint the gate".
_BOX: Final = re.compile(r"^\W*\[(?P<mark>[ xX✓✔])\]\s")
_DONE: Final = "done completed complete finished ticked checked erledigt fertig fait"
_UNDONE: Final = "open pending undone unfinished unchecked outstanding incomplete todo offen"


def _texts(unit: Unit) -> list[str]:
    """Return the text of a unit, parted before each line that begins with a label: "Crew: 12"."""
    lines = [p.line.line.text[p.start : p.end].strip() for p in unit.pieces]
    starts = [n for n, line in enumerate(lines) if n and (_LABELLED.match(line) or line.endswith(":"))]
    if not starts:
        return [unit.text]
    return [" ".join(lines[a:b]) for a, b in pairwise([0, *starts, len(lines)])]


_BLANK: Final = re.compile(
    r"\W*(?:n\s?/?\s?a\.?|n\.\s?a\.|none given|not stated|k\.\s?A\.|s\.?\s?o\.?)?\W*", re.IGNORECASE
)
_NO: Final = re.compile(r"\W*(?:no|none|nein|non|false|0|never|nie|keine?|✗|✘)\W*", re.IGNORECASE)


def is_blank(cell: str) -> bool:
    """Say whether a cell states nothing: empty, a dash, "n/a".

    >>> is_blank(" – "), is_blank("n/a"), is_blank("no"), is_blank("0")
    (True, True, False, False)
    """
    return _BLANK.fullmatch(cell) is not None


def holding(wanted: Wanted, said: Sequence[Statement]) -> tuple[Holding, Unit | None]:
    """Return whether a record says a word or denies it, and the unit that does; affirming wins."""
    denied: Unit | None = None
    fields = [s for s in said if wanted.field & {t for w in s.label.split() for t in token_terms(w)}]
    for one in fields or said:
        for alternative in (wanted, *wanted.others):
            held = _held(alternative, one)
            if held == "affirmed":
                return "affirmed", one.unit
            denied = one.unit if held == "denied" and denied is None else denied
    return ("denied", denied) if denied is not None else ("absent", None)


def _held(wanted: Wanted, one: Statement) -> Holding:
    tokens = one.value.split()
    for position, token in enumerate(tokens):
        if not _is_token(wanted, token):
            continue
        if wanted.before and wanted.is_number and not _follows(wanted, tokens[:position], one.label):
            continue
        near = [t.strip(".,:()'\"") for t in tokens[max(0, position - 3) : position]]
        is_denial = any(_NEGATOR.match(t) for t in near) or re.match(r"\W*non-", token, re.IGNORECASE)
        return "denied" if is_denial else "affirmed"
    if not wanted.is_number and any(_is_token(wanted, t) for t in one.label.split()):
        return "denied" if _NO.fullmatch(one.value) else "affirmed"
    return "absent"


def _is_token(wanted: Wanted, token: str) -> bool:
    terms = token_terms(token)
    if not terms:
        return False
    # Parts of a compound word count ("on-shelf"), parts of a code do not ("T-005" is not "5").
    return not wanted.own.isdisjoint(terms[:1] if any(c.isdigit() for c in token) else terms)


def _follows(wanted: Wanted, before: Sequence[str], label: str) -> bool:
    """Say whether a number stands after the word that the question has before it: "Person 3", "Client: 7"."""
    near = before[-1:] if before else label.split()[-1:]
    near = before[-2:] if before and before[-1].lower().strip(".") in ("no", "nr", "number", "#") else near
    return any(wanted.before & set(token_terms(t)) for t in near)


def has_field(comparison: Comparison, said: Sequence[Sequence[Statement]]) -> bool:
    """Say whether any record has the field that a comparison names: "crew", not "written" in "written after 1996"."""
    return any(_fields(comparison, one) for one in said)


def _fields(comparison: Comparison, said: Sequence[Statement]) -> list[Statement]:
    return [s for s in said if comparison.field & content_terms(f"{s.label} {s.value}")]


def compares(comparison: Comparison, said: Sequence[Statement]) -> tuple[bool | None, Unit | None]:
    """Return whether a record's number is inside the limits, and its unit; `None` when no number can be meant."""
    fields = _fields(comparison, said)
    limit = comparison.least if comparison.least != float("-inf") else comparison.most
    is_year = 1000 <= limit <= 2200 and not comparison.field
    for one in fields if comparison.field and fields else (said if is_year else ()):
        numbers = [float(q.value.number) for q in find_quantities(one.value) if not q.in_words]
        numbers = [n for n in numbers if not is_year or (1000 <= n <= 2200 and n == int(n))]
        if len(numbers) == 1:
            return comparison.least <= numbers[0] <= comparison.most, one.unit
    return None, None


def all_terms(text: str) -> frozenset[str]:
    """Return the index terms of a text, stop words among them."""
    return frozenset(t for token in text.split() for t in token_terms(token))


def content_terms(text: str) -> frozenset[str]:
    """Return the index terms of a text without stop words."""
    return frozenset(t for t in all_terms(text) if not is_stop_term(t))
