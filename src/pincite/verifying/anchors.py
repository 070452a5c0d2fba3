"""Where a quote stands, in the words of its format: cells of a sheet, a slide, a section where there are no pages."""

import re
from collections.abc import Sequence
from typing import Final

from pincite.types.document import Line, Page

#: Media types of formats without pages: their page breaks, if any, are made anew by whoever opens them.
PAGELESS: Final = frozenset(
    {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "text/html", "message/rfc822"}
)
_SHEETS: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
#: Media type → what its pages are called.
_PAGE_NAMES: Final = {
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "slide",
    "application/epub+zip": "part",
}
#: Media types whose citations have a place in words of their own.
ANCHORED: Final = frozenset({*PAGELESS, _SHEETS, *_PAGE_NAMES})
_PLAIN_NAME: Final = re.compile(r"[^\W\d]\w*")
_COMMENTED: Final = re.compile(r"([A-Z]{1,3}[1-9][0-9]{0,6}): ")
#: The section that a text box of a sheet is.
_BOXED: Final = re.compile(r"Text box at ([A-Z]{1,3}[1-9][0-9]{0,6})")
#: A section title longer than this is cut: the citation carries it whole.
_MAX_TITLE_CHARS: Final = 60


def anchor_of(
    media_type: str, lines: Sequence[Line], spans: Sequence[tuple[int, int]], page: Page | None, section: Sequence[str]
) -> str | None:
    r"""Return the place of quoted lines, `None` where page and lines say it all.

    `spans` are the quoted characters of each line, half-open.

    >>> row = Line(line_id=9, page_num=2, line_num=4, text="Pier\t\t40 m", role="table")
    >>> anchor_of(_SHEETS, [row], [(6, 10)], Page(page_num=2, label="Costs 2031"), ())
    "'Costs 2031'!C4"
    """
    if media_type == _SHEETS:
        box = _BOXED.fullmatch(section[-1]) if len(section) > 1 else None
        return _cells(lines, spans, (page.label if page else None) or f"Sheet{lines[0].page_num}", box)
    first, last = lines[0], lines[-1]
    numbers = f"l.{first.line_num}" if first is last else f"l.{first.line_num}–{last.line_num}"
    if media_type in PAGELESS:
        return f"§ {_shortened(section[-1])} {numbers}" if section else numbers
    if media_type not in _PAGE_NAMES:
        return None
    name = _PAGE_NAMES[media_type]
    if first.page_num == last.page_num:
        return f"{name} {first.page_num} {numbers}"
    return f"{name} {first.page_num} l.{first.line_num} – {name} {last.page_num} l.{last.line_num}"


def _cells(
    lines: Sequence[Line], spans: Sequence[tuple[int, int]], sheet: str, box: re.Match[str] | None = None
) -> str:
    """Return cells as a spreadsheet names them; a row is a line, and a tab ends a cell. `box` names a text box's."""
    name = sheet if _PLAIN_NAME.fullmatch(sheet) else "'" + sheet.replace("'", "''") + "'"
    if lines[0].layer == "annotation":
        # A comment stands in no row: it names its cell itself.
        cell = _COMMENTED.match(lines[0].text)
        return f"{name}!{cell.group(1)} (comment)" if cell else f"{name} (comment)"
    if box is not None:
        return f"{name}!{box.group(1)} (text box)"
    columns = []
    for line, (start, end) in zip(lines, spans, strict=True):
        quoted = line.text[start:end]
        lead = len(quoted) - len(quoted.lstrip())
        columns += [line.text.count("\t", 0, start + lead), line.text.count("\t", 0, start + len(quoted.rstrip()))]
    first = f"{column_name(min(columns))}{lines[0].line_num}"
    last = f"{column_name(max(columns))}{lines[-1].line_num}"
    return f"{name}!{first}" if first == last else f"{name}!{first}:{last}"


def column_name(index: int) -> str:
    """Return the letters of a column, counted from 0.

    >>> [column_name(index) for index in (0, 25, 26, 701, 702)]
    ['A', 'Z', 'AA', 'ZZ', 'AAA']
    """
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _shortened(title: str) -> str:
    return title if len(title) <= _MAX_TITLE_CHARS else title[: _MAX_TITLE_CHARS - 1].rstrip() + "…"
