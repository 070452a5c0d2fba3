"""The value of a spreadsheet cell as a person sees it: number formats applied, dates as ISO days."""

import datetime as dt
import re
from typing import Any, Final

#: Parts of a number format that only colour, condition or name a language; a currency in `[$€-407]` stays (18.8.31).
_BRACKETS: Final = re.compile(r"\[(?:\$([^\-\]]*)[^\]]*|[^\]]*)\]")
_LITERAL: Final = re.compile(r'"([^"]*)"|\\(.)|_.|\*.')
_DIGITS: Final = re.compile(r"[#0?][#0?,]*(?:\.[#0?]*)?(,*)")
#: Excel shows at most so many digits of a number without a format.
_GENERAL_DIGITS: Final = 11
#: Sections of a format in order: positive, negative, zero.
_MAX_DECIMALS: Final = 15


def shown(value: Any, number_format: str) -> str:
    r"""Return what a cell shows; dates and times are ISO, whatever order the format has.

    >>> shown(0.155, "0.0%"), shown(-1250.5, '#,##0.00\\ "€"'), shown(1250, "General"), shown(True, "General")
    ('15.5%', '-1,250.50 €', '1250', 'TRUE')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, dt.datetime):
        has_clock = value.time() != dt.time() or re.search(r"h", number_format, re.IGNORECASE) is not None
        return _clock(value.isoformat(sep=" ", timespec="seconds")) if has_clock else value.date().isoformat()
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, dt.time):
        return _clock(value.isoformat(timespec="seconds"))
    if isinstance(value, dt.timedelta):
        seconds = round(value.total_seconds())
        return _clock(f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}")
    if isinstance(value, int | float):
        return _number(value, number_format)
    return str(value)


def _clock(text: str) -> str:
    """Return a time without its seconds where they are none."""
    return text.removesuffix(":00") if text.count(":") == 2 else text


def _number(value: float, number_format: str) -> str:
    if number_format.strip().lower() in {"", "general", "@"}:
        return general(value)
    sections = _split(number_format)
    section, sign = sections[0], "-" if value < 0 else ""
    if value < 0 and len(sections) > 1:
        section, sign = sections[1], ""
    elif value == 0 and len(sections) > 2:
        section = sections[2]
    section = _BRACKETS.sub(lambda found: f'"{found.group(1)}"' if found.group(1) else "", section)
    bare, literals = _without_literals(section)
    match = _DIGITS.search(bare)
    if match is None:
        return _restored(bare, literals).strip() if literals or not bare.strip() else general(value)
    if "/" in bare or re.search(r"E[+-]", bare) or re.search(r"[#0?]", bare[match.end() :]):
        return general(value)
    number = abs(value) * (100 if "%" in bare else 1) / 1000 ** len(match.group(1))
    digits = _digits(number, match.group())
    if not digits.strip("0.,"):
        sign = ""
    return (
        sign
        + _restored(bare[: match.start()], literals).lstrip()
        + digits
        + (_restored(bare[match.end() :], literals).rstrip())
    )


def _split(number_format: str) -> list[str]:
    """Return the sections of a format; a semicolon in quotes parts none."""
    sections, start, quoted = [], 0, False
    for at, char in enumerate(number_format):
        if char == '"':
            quoted = not quoted
        elif char == ";" and not quoted and number_format[at - 1 : at] != "\\":
            sections.append(number_format[start:at])
            start = at + 1
    return [*sections, number_format[start:]]


def _without_literals(section: str) -> tuple[str, list[str]]:
    """Return a section with a mark (U+0001) for each piece of literal text, and the pieces."""
    literals: list[str] = []

    def taken(found: re.Match[str]) -> str:
        literals.append(found.group(1) or found.group(2) or "")
        return "\x01"

    return _LITERAL.sub(taken, section), literals


def _restored(bare: str, literals: list[str]) -> str:
    """Return text with its literal pieces in place; the pieces before are used up."""
    parts = bare.split("\x01")
    text = parts[0]
    for part in parts[1:]:
        text += literals.pop(0) + part
    return text


def _digits(number: float, pattern: str) -> str:
    whole, _, fraction = pattern.partition(".")
    fraction = fraction.rstrip(",")
    n_most = min(len(fraction), _MAX_DECIMALS)
    n_least = len(fraction.rstrip("#?")) if n_most else 0
    grouped = "," in whole.rstrip(",")
    text = f"{number:,.{n_most}f}" if grouped else f"{number:.{n_most}f}"
    if n_most > n_least and "." in text:
        head, _, tail = text.partition(".")
        tail = tail[:n_least] + tail[n_least:].rstrip("0")
        text = f"{head}.{tail}" if tail else head
    n_zeros = whole.count("0")
    return text.zfill(n_zeros + (len(text) - len(text.split(".")[0]))) if not grouped else text


def general(value: float) -> str:
    """Return a number without a format: as many digits as Excel shows.

    >>> general(0.1 + 0.2), general(12.0), general(1234567.891)
    ('0.3', '12', '1234567.891')
    """
    if isinstance(value, int) or (value == int(value) and abs(value) < 10**_GENERAL_DIGITS):
        return str(int(value))
    text = f"{value:.{_GENERAL_DIGITS}g}"
    return text if "e" not in text else text.replace("e", "E")
