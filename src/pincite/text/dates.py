"""Dates and times of day in text, as they are written and as ISO 8601."""

import calendar
import re
from dataclasses import dataclass
from typing import Final

from pincite.text.months import ALSO_WORDS, MONTHS
from pincite.types.answer import DateValue
from pincite.types.citation import Span

_MONTH: Final = r"(?P<month>" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\.?"
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|º|°)?"
_YEAR: Final = r"(?P<year>(?:1[5-9]|20|21)\d{2})"
_OF: Final = r"(?:(?:of|de|di|d['’])\s*)?"
_NUMERIC: Final = re.compile(
    r"(?<![\w.-])(?P<first>\d{1,2})(?P<mark>[/.-])(?P<second>\d{1,2})(?P=mark)"
    r"(?P<short_year>\d{4}|(?<!-)\d{2})(?![\w-]|\.\d)"
)
_DATE_FORMS: Final = (
    *(
        re.compile(rf"(?<![\w.]){form}(?:(?!\w)|(?=T\d\d:))", re.IGNORECASE)
        for form in (
            r"(?P<year>\d{4})(?P<iso_mark>[-/.])(?P<month_num>\d{1,2})(?P=iso_mark)(?P<day>\d{1,2})",
            r"(?P<year>\d{4})年(?P<month_num>\d{1,2})月(?:(?P<day>\d{1,2})日)?",
            rf"{_DAY}(?:\s+{_OF}|-|\.\s?){_MONTH}(?:,?\s+(?:del?\s+)?|-){_YEAR}",
            rf"{_MONTH}\s+{_DAY},?\s+{_YEAR}",
            rf"{_DAY}\s+{_OF}{_MONTH},?\s+['’](?P<two_digits>\d\d)",
            rf"{_MONTH}(?:\s+{_DAY})?,?\s+['’](?P<two_digits>\d\d)",
        )
    ),
    _NUMERIC,
    *(
        re.compile(rf"(?<![\w.]){form}(?![\w])", re.IGNORECASE)
        for form in (
            rf"{_MONTH},?\s+(?:del?\s+)?{_YEAR}",
            rf"{_DAY}\.?\s+{_OF}{_MONTH}",
            rf"{_MONTH}\s+{_DAY}",
            rf"(?<!(?-i:[A-Z])-){_YEAR}",  # no part of a code: CVE-2031-0042
        )
    ),
)
_NUMBERED: Final = re.compile(
    r"(?:\b(?:version|release|rev|revision|section|sec|clause|chapter|article|art|part|item|step|rule|v)\.?|§)\s*$",
    re.IGNORECASE,
)
#: Words before a date: "on 12 march" is a day, "16 may be ended" is none.
_BEFORE_DATE: Final = re.compile(
    r"(?:^|\b(?:on|in|by|since|until|till|from|to|before|after|of|during|dated?|le|am|ab|bis|vom|im|el|il)\s+"
    r"(?:the\s+)?|[,:;(]\s*)$",
    re.IGNORECASE,
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
            if _is_other_word(match, text):
                continue
            iso = _iso(match.groupdict(), day_first=day_first)
            if iso is not None:
                span = Span(start=match.start(), end=match.start() + len(match.group().rstrip(".")))
                found.append(DateAt(span, DateValue(iso=iso, original=match.group().rstrip("."))))
    return tuple(sorted(found, key=lambda d: d.span.start))


def _is_other_word(match: re.Match[str], text: str) -> bool:
    """Say whether what could be a date is none: "Contract 16 may be ended", "version 1.2.10"."""
    parts = match.groupdict()
    if parts.get("mark") == "." and len(parts["short_year"] or "") == 2:
        return _NUMBERED.search(text[max(0, match.start() - 20) : match.start()]) is not None
    month = parts.get("month") or ""
    if parts.get("day") and parts.get("year"):
        return False
    if month == "Mars":
        return True  # the planet: French writes its month in lower case
    if month not in ALSO_WORDS:
        return False
    return _BEFORE_DATE.search(text[max(0, match.start() - 20) : match.start()]) is None or bool(
        parts.get("day") and re.match(r"\s+be\b", text[match.end() :])
    )


def _iso(parts: dict[str, str | None], *, day_first: bool) -> str | None:
    year, month, day = parts.get("year"), 0, int(parts.get("day") or 0)
    if parts.get("first"):
        first, second = int(parts["first"] or 0), int(parts["second"] or 0)
        day, month = (first, second) if (day_first and second <= 12) or first > 12 else (second, first)
        short = parts["short_year"] or ""
        year = short if len(short) == 4 else _century(short) + short
    elif parts.get("two_digits"):
        year = _century(parts["two_digits"] or "") + (parts["two_digits"] or "")
        month = MONTHS[(parts["month"] or "").lower()]
    elif parts.get("month_num"):
        month = int(parts["month_num"] or 0)
    elif parts.get("month"):
        month = MONTHS[(parts["month"] or "").lower()]
    if month > 12 or day > _DAYS[month] or (month == 0 and year is None):
        return None
    if year is not None and month == 2 and day == 29 and not calendar.isleap(int(year)):
        return None
    if year is None:
        return f"--{month:02d}-{day:02d}" if day else None
    return year + (f"-{month:02d}" if month else "") + (f"-{day:02d}" if day else "")


def _century(two_digits: str) -> str:
    return "20" if int(two_digits) < _FIRST_OF_1900S else "19"


#: Years of two digits from here on are of the twentieth century.
_FIRST_OF_1900S: Final = 70
#: Days of each month; a month that is not known may have 31.
_DAYS: Final = (31, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_DAY_FIRST: Final = re.compile(
    r"\b(?:dd?\s*[/.-]\s*mm?\s*[/.-]\s*(?:yy){1,2}|(?:tt)[/.]mm[/.](?:jj){1,2}"
    r"|day\s*[/,.-]?\s*month\s*[/,.-]?\s*year|day[- ]first|day (?:comes |goes )?before (?:the )?month"
    r"|(?:european|british) (?:date )?(?:order|format|notation|style|dates))\b",
    re.IGNORECASE,
)
_MONTH_FIRST: Final = re.compile(
    r"\b(?:mm?\s*[/.-]\s*dd?\s*[/.-]\s*(?:yy){1,2}|month\s*[/,.-]?\s*day\s*[/,.-]?\s*year|month[- ]first"
    r"|(?:the )?month (?:comes |goes )?before (?:the )?day|(?:us|u\.s\.|american) (?:date )?"
    r"(?:order|format|notation|style|dates))\b",
    re.IGNORECASE,
)


def dates_are_day_first(text: str) -> bool | None:
    """Return which order the numeric dates of a text prove, or `None` when nothing decides.

    What the text says of it decides ("All dates are month/day/year"). Else a first number above 12 proves day first, a
    second one month first; so does the same day written out.

    >>> dates_are_day_first("Minutes, 03/04/2026. The council met on April 3rd.")
    True
    """
    said = bool(_DAY_FIRST.search(text)), bool(_MONTH_FIRST.search(text))
    if said[0] != said[1]:
        return said[0]
    named = {d.value.iso[-5:] for d in find_dates(text) if re.search(r"[^\W\d_]{3}", d.value.original)}
    for match in _NUMERIC.finditer(text):
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
