"""The date or time that a unit holds, as a short text and a typed value."""

import re
from functools import lru_cache
from typing import Final

from pincite.answering.asked import Asked
from pincite.answering.clauses import Places
from pincite.answering.facts import REFERENCE, Fact
from pincite.answering.units import Unit
from pincite.text.dates import DateAt, dates_are_day_first, find_dates, find_times
from pincite.text.kinds import kinds
from pincite.text.language import question_language
from pincite.text.tokens import stem
from pincite.types.question import GenerationBrief


def date_in(unit: Unit, brief: GenerationBrief, asked: Asked, *, document_text: str) -> Fact | None:
    """Return the date in a unit that answers the question; a time of day answers "when" as well.

    Which of day and month comes first in 5/4/26 is read from the other dates of the document.
    """
    proof = dates_are_day_first(document_text) if re.search(r"\d[/.]\d", unit.text) else None
    dates = [d for d in find_dates(unit.text, day_first=proof is not False) if d.value.original not in brief.question]
    references = [m.span() for m in REFERENCE.finditer(unit.text)]
    dates = [d for d in dates if not any(a <= d.span.start and d.span.end <= b for a, b in references)]
    if not dates:
        return Fact(text=unit.text, value=None) if find_times(unit.text) else None

    places = Places.of(unit.text, asked)

    def fit(date: DateAt) -> tuple[float, int, int]:
        return places.nearness(date.span.start), len(date.value.iso), -date.span.start

    best = max(dates, key=fit)
    return Fact(text=best.value.original, value=best.value, is_sure=len(dates) == 1)


#: What says when without a date, by the language of the question.
_TIME_TOLD: Final = {
    "en": r"\b(?:at|on|in|by|from|until|till|after|before|during|every|each|once|since|within|whenever|when|as soon as)"
    r"\s+\w|\b(?:daily|weekly|monthly|yearly|annually|always|never|today|tomorrow|yesterday|noon|midnight|dawn|dusk"
    r"|sunrise)\b",
    "de": r"\b(?:im|am|um|ab|bis|nach|vor|seit|während|wenn|falls|sobald|jede[nmrs]?|innerhalb|binnen|spätestens"
    r"|zwischen)\s+\w|\b(?:nie|niemals|immer|heute|morgen|gestern|nachts|mittags|morgens|abends|tagsüber|ganztags|werktags"
    r"|(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs|täglich|wöchentlich|monatlich|jährlich|mitternacht)\b",
    "fr": r"\b(?:en|au|le|à|dès|depuis|avant|après|pendant|durant|chaque|lorsque|quand|dans|tou(?:s|tes) les)\s+\w"
    r"|\bjusqu['’]|\b(?:toujours|jamais|aujourd['’]hui|midi|minuit|demain|hier)\b",
}
#: Days, months and seasons by name.
_NAMED_TIMES: Final = ("day", "month", "season")
#: A unit without a date answers "when" only if it holds nearly all of the question.
_TOLD_COVERAGE: Final = 0.75
#: Less will do where a day was asked for and the unit names one.
_KIND_COVERAGE: Final = 0.5


def time_told(unit: Unit, asked: Asked) -> Fact | None:
    """Return a unit that says when without a date ("at six", "after the storm"), if it is about all that was asked."""
    told = _TIME_TOLD.get(question_language(asked.question), _TIME_TOLD["en"])
    if not re.search(told, unit.text, re.IGNORECASE) and not unit.terms & _named_times():
        return None
    least = _KIND_COVERAGE if asked.holds_kind(unit) else _TOLD_COVERAGE
    is_about_it = asked.own_coverage(unit) >= least or asked.is_labelled(unit)
    return Fact(text=unit.text, value=None) if is_about_it else None


@lru_cache(maxsize=1)
def _named_times() -> frozenset[str]:
    return frozenset(term for kind in _NAMED_TIMES for term in kinds()[stem(kind)])


def has_date(unit: Unit) -> bool:
    """Say whether a unit holds a date or a time of day."""
    return bool(find_dates(unit.text) or find_times(unit.text))
