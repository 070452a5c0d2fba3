"""Which shape of answer a question asks for, and how much must be read to give it."""

import re
from typing import Final

from pincite.types.question import Granularity, Shape
from pincite.types.record import Record


class Asked(Record, frozen=True, kw_only=True):
    """The shape, and for counts and amounts what is counted or measured."""

    shape: Shape
    granularity: Granularity
    counts: bool = False
    subject: str | None = None


_I: Final = re.IGNORECASE
_COUNT: Final = re.compile(
    r"\bhow many\s+(?P<noun>(?:[\w-]+\s+){0,3}?[\w-]+)|\b(?:the )?number of\s+(?P<noun2>[\w-]+)", _I
)
_COMPARISON: Final = re.compile(r"\b(compare|comparison|difference[s]? between|versus|vs\.?|differ from)\b", _I)
_TABLE: Final = re.compile(r"\b(as a table|in a table|tabulate|table (of|with|showing))\b", _I)
_LIST: Final = re.compile(
    r"^\W*(?:please\s+)?(?:(?:can|could) you\s+)?"
    r"(?:list|enumerate|name|give me|show me|tell me)\s+(?:all|the|every|each|me)\b"
    r"|^\W*(?:list|enumerate)\b|\b(?:list all|list of|all the|which of the)\b"
    r"|^\W*what (?:are|were) (?:the |all |its |their |some |possible |different )*(?P<plural>[\w-]+\s){0,4}?"
    r"|^\W*(?:what|which) (?:kinds|types|sorts|options|steps|parts|components|functions|categories|reasons|methods"
    r"|features|factors|elements|benefits|risks|principles|requirements|conditions|examples)\b",
    _I,
)
_PLURAL_SUBJECT: Final = re.compile(
    r"^\W*(?:what|which)\s+(?:[\w-]+\s+){0,2}?(?P<noun>[\w-]{3,}s)\s+"
    r"(?:are|were|have|do|did|can|may|must|should|need|\w+ed)\b",
    _I,
)
_SINGULAR_S: Final = re.compile(r"(?:ss|us|is|ics|ous|news|series|species|gas|bus|has|was|does)$", _I)
_DATE: Final = re.compile(
    r"^\W*(?:\w+\s+){0,2}?when\b|\b(?:what|which)\s+(?:\w+\s+)?(?:date|day|year|month)\b"
    r"|\b(?:until|since|by|from) when\b",
    _I,
)
_SHARE: Final = re.compile(r"\b(?:what|which) (?:percentage|percent|share|proportion|fraction)\b", _I)
_OFTEN: Final = re.compile(r"\bhow (often|frequently)\b", _I)
_MEASURES: Final = (
    "price|cost|fee|fine|charge|rate|value|amount|sum|total|weight|mass|length|width|height|depth|size|area|volume|distance"
    "|speed|temperature|pressure|torque|power|voltage|resistance|capacity|limit|percentage|percent|share|ratio|score|accuracy"
    "|revenue|income|profit|budget|salary|duration|age|angle|frequency|dose|concentration|probability|threshold|number"
    "|dimension|dimensionality|margin|expenditure|spending|earnings|assets|debt|ebitda|penalty|tariff|interval"
)
_AMOUNT: Final = re.compile(
    rf"\bhow (?:much|long|wide|high|deep|far|heavy|old|tall|fast|big|large|thick|hot|cold|strong|steep)\b"
    rf"|\bwhat (?:is|was|are|were)?\s*(?:the |its |their )?(?:[\w-]+\s+){{0,4}}?(?:{_MEASURES})\b"
    rf"|\b(?:what|which)\s+(?:[\w-]+\s+){{0,3}}?(?:{_MEASURES})\b|\bwhat percentage\b"
    r"|\bwhat does .+ (?:cost|weigh|pay|measure)\b",
    _I,
)
_BOOLEAN: Final = re.compile(
    r"^\W*(?:is|are|was|were|does|do|did|can|could|may|must|should|shall|has|have|had|will|would)(?:n't)?\s", _I
)


def asked_shape(question: str) -> Asked:
    """Return the shape a question asks for; the first rule that holds decides.

    >>> [asked_shape(q).shape for q in ("Which models have no torque?", "When was it built?", "Is it safe?")]
    ['list', 'date', 'boolean']
    >>> asked_shape("How many GPUs were used?").counts
    True
    """
    if _COMPARISON.search(question):
        return Asked(shape="comparison", granularity="section")
    if _TABLE.search(question):
        return Asked(shape="table", granularity="section")
    count = _COUNT.search(question)
    if count is not None:
        return Asked(shape="amount", granularity="window", counts=True, subject=count["noun"] or count["noun2"])
    if _SHARE.search(question):
        return Asked(shape="amount", granularity="window")
    if _is_list(question):
        return Asked(shape="list", granularity="section")
    if _OFTEN.search(question):
        return Asked(shape="text", granularity="window")
    if _BOOLEAN.search(question) and not re.search(r"\bor\b", question, _I):
        return Asked(shape="boolean", granularity="window")
    if _DATE.search(question):
        return Asked(shape="date", granularity="window")
    if _AMOUNT.search(question):
        return Asked(shape="amount", granularity="window")
    return Asked(shape="text", granularity="window")


def _is_list(question: str) -> bool:
    match = re.match(r"^\W*what (?:are|were)\s+(?P<rest>.+)", question, _I)
    if match is not None:
        return _names_plural(match["rest"])
    if re.search(r"^\W*(?:what|which) (?:is|was)\b", question, _I):
        return False
    if _PLURAL_SUBJECT.search(question) is not None:
        noun = _PLURAL_SUBJECT.search(question)
        return noun is not None and not _SINGULAR_S.search(noun["noun"])
    return bool(_LIST.search(question)) and match is None


def _names_plural(rest: str) -> bool:
    """Say whether the words after "what are" begin with a plural: "the options for …", not "the odds of …"."""
    head = re.split(
        r"\b(?:of|for|in|on|to|that|which|used|with|at|from|by|defined|listed|described)\b", rest, maxsplit=1
    )[0]
    nouns = [w for w in re.findall(r"[\w-]+", head) if not _SINGULAR_S.search(w)]
    return (bool(nouns) and nouns[-1].lower().endswith("s")) or bool(
        re.search(r"\b(and|criteria|people|data|men|women|children)\b", head)
    )
