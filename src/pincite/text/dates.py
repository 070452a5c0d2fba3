"""Dates and times of day in text, as they are written and as ISO 8601."""

import re
from dataclasses import dataclass
from typing import Final

from pincite.types.answer import DateValue
from pincite.types.citation import Span

_MONTHS: Final = "january february march april may june july august september october november december".split()
_MONTH_OF: Final = {name[:n]: i + 1 for i, name in enumerate(_MONTHS) for n in (3, len(name))} | {"sept": 9}
_MONTH: Final = r"(?P<month>" + "|".join(sorted(_MONTH_OF, key=len, reverse=True)) + r")\.?"
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR: Final = r"(?P<year>(?:1[5-9]|20|21)\d{2})"
_DATE_FORMS: Final = tuple(
    re.compile(rf"(?<![\w.]){form}(?![\w])", re.IGNORECASE)
    for form in (
        r"(?P<year>\d{4})-(?P<month_num>\d{2})-(?P<day>\d{2})",
        r"(?P<year>\d{4})年(?P<month_num>\d{1,2})月(?:(?P<day>\d{1,2})日)?",
        rf"{_DAY}(?:\s+(?:of\s+)?|-|\.\s?){_MONTH}(?:,?\s+|-){_YEAR}",
        rf"{_MONTH}\s+{_DAY},?\s+{_YEAR}",
        r"(?P<first>\d{1,2})(?P<mark>[/.])(?P<second>\d{1,2})(?P=mark)(?P<short_year>\d{4}|\d{2})",
        rf"{_MONTH},?\s+{_YEAR}",
        rf"{_DAY}\s+(?:of\s+)?{_MONTH}",
        rf"{_MONTH}\s+{_DAY}",
        rf"(?<!(?-i:[A-Z])-){_YEAR}",  # no part of a code: CVE-2031-0042
    )
)


@dataclass(frozen=True, slots=True)
class DateAt:
    """A date and where it stands."""

    span: Span
    value: DateValue


def find_dates(text: str, *, day_first: bool = True) -> tuple[DateAt, ...]:
    """Return the dates in `text`, in order, as far as they are known.

    A month is "2027-03", a day without its year "--05-12" (ISO 8601:2000, 5.2.1.3).

    >>> [d.value.iso for d in find_dates("on 12 May 2027, March 2026, 5/4/26 and 12 May")]
    ['2027-05-12', '2026-03', '2026-04-05', '--05-12']
    """
    found: list[DateAt] = []
    for form in _DATE_FORMS:
        for match in form.finditer(text):
            if any(d.span.start < match.end() and match.start() < d.span.end for d in found):
                continue
            if match.groupdict().get("month") == "may" and not match.groupdict().get("year"):
                continue  # the verb: "Contract 16 may be ended"
            iso = _iso(match.groupdict(), day_first=day_first)
            if iso is not None:
                span = Span(start=match.start(), end=match.start() + len(match.group().rstrip(".")))
                found.append(DateAt(span, DateValue(iso=iso, original=match.group().rstrip("."))))
    return tuple(sorted(found, key=lambda d: d.span.start))


def _iso(parts: dict[str, str | None], *, day_first: bool) -> str | None:
    year, month, day = parts.get("year"), 0, int(parts.get("day") or 0)
    if parts.get("first"):
        first, second = int(parts["first"] or 0), int(parts["second"] or 0)
        day, month = (first, second) if (day_first and second <= 12) or first > 12 else (second, first)
        short = parts["short_year"] or ""
        year = short if len(short) == 4 else ("20" if int(short) < 70 else "19") + short
    elif parts.get("month_num"):
        month = int(parts["month_num"] or 0)
    elif parts.get("month"):
        month = _MONTH_OF[(parts["month"] or "").lower()]
    if month > 12 or day > 31 or (month == 0 and year is None):
        return None
    if year is None:
        return f"--{month:02d}-{day:02d}" if day else None
    return year + (f"-{month:02d}" if month else "") + (f"-{day:02d}" if day else "")


def dates_are_day_first(text: str) -> bool | None:
    """Return which order the numeric dates of a text prove, or `None` when none of them decides.

    A first number above 12 proves day first, a second one month first; so does the same day written out.

    >>> dates_are_day_first("Minutes, 03/04/2026. The council met on April 3rd.")
    True
    """
    named = {d.value.iso[-5:] for d in find_dates(text) if re.search(r"[^\W\d_]{3}", d.value.original)}
    for match in _DATE_FORMS[4].finditer(text):
        first, second = int(match["first"]), int(match["second"])
        if first > 12 or f"{second:02d}-{first:02d}" in named:
            return True
        if second > 12 or f"{first:02d}-{second:02d}" in named:
            return False
    return None


_TIME: Final = re.compile(
    r"(?<![\w:])(?:[01]?\d|2[0-3])[:.h][0-5]\d(?!\d)(?:\s?[ap]\.?m\.?)?|\b\d{1,2}\s?[ap]\.?m\b", re.IGNORECASE
)


def find_times(text: str) -> tuple[Span, ...]:
    """Return where times of day stand.

    >>> [t.start for t in find_times("from 06:00 to 10 pm")]
    [5, 14]
    """
    return tuple(Span(start=m.start(), end=m.end()) for m in _TIME.finditer(text))
