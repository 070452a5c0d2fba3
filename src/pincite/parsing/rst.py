"""reStructuredText to a document: the file's own lines, with sections, roles and tables from the markup."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from pincite.parsing.encoding import decode
from pincite.parsing.marked_tables import GRID_RULE, SIMPLE_RULE, Row, grid_rows, simple_rows, table_of
from pincite.parsing.media_types import RST
from pincite.parsing.plain import underlined
from pincite.parsing.text_document import Heading, TextDocument, make_document, split_lines
from pincite.protocols import Progress
from pincite.types.document import ParsedDocument, Role, Table

_EXPLICIT: Final = re.compile(r"(\s*)\.\.(?:\s+|$)(.*)")
_DIRECTIVE: Final = re.compile(r"(?:\|[^|]+\|\s+)?([\w:.+-]+)::\s*(.*)")
_FOOTNOTE: Final = re.compile(r"\[(?:\d+|#[\w-]*|\*|[A-Za-z][\w.-]*)\]\s")
_OPTION: Final = re.compile(r"\s+:[\w -]+:(?:\s|$)")
_FIELD: Final = re.compile(r":([\w -]+):\s+(\S.*)")
_LIST_ITEM: Final = re.compile(r"\s*(?:[-*+•‣]|\(?(?:\d{1,3}|[a-zA-Z#]|[ivxlc]{1,5})[.)])\s+\S")
_CODE: Final = frozenset(
    "code code-block sourcecode literalinclude parsed-literal highlight doctest testcode prompt".split()
)
_TABLES: Final = frozenset({"table", "csv-table", "list-table", "figure"})
#: Directives whose content a reader does not see as text.
_UNSEEN: Final = frozenset(
    "toctree contents image meta raw role default-role index include highlight currentmodule module only "
    "tabularcolumns autoclass "
    "autofunction automodule automethod sectnum target-notes replace unicode date".split()
)


@dataclass(slots=True)
class _Marked:
    """The roles of lines and the tables among them, filled block by block."""

    lines: Sequence[str]
    roles: list[Role]
    tables: list[Table] = field(default_factory=list)
    caption: str | None = None

    def set(self, first: int, end: int, role: Role) -> None:
        """Give the lines from `first` to before `end` (indexes) a role; blank ones have none."""
        for index in range(first, end):
            self.roles[index] = role if self.lines[index].strip() else "body"

    def add_table(self, rows: Sequence[Row], first: int, end: int, header_rows: int | None) -> None:
        table = table_of(
            rows, first + 1, end, table_id=len(self.tables) + 1, header_rows=header_rows, caption=self.caption
        )
        if table is not None:
            self.set(first, end, "table")
            self.tables.append(table)
        self.caption = None


class RstParser:
    """Parses reStructuredText without running its directives: nothing is included, nothing is fetched."""

    version: ClassVar[str] = "rst/2"

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Return the document: one page, one line for each line of the file.

        Raises:
            NotTextError: the bytes are not text.

        """
        decoded = decode(content, name)
        lines = split_lines(decoded.text)
        marked = _Marked(lines, ["list" if _LIST_ITEM.match(line) else "body" for line in lines])
        _mark(marked)
        headings = tuple(
            heading for heading in underlined(lines)
            if all(marked.roles[n - 1] not in {"code", "table", "metadata"}
                   for n in range(heading.first_line, heading.last_line + 1))
        )  # fmt: skip
        for heading in headings:
            marked.set(heading.first_line - 1, heading.last_line, "heading")
        metadata = _metadata(lines, headings)
        found = TextDocument(
            lines=lines,
            roles=marked.roles,
            headings=headings,
            encoding=decoded.encoding,
            warnings=decoded.warnings,
            tables=tuple(marked.tables),
            metadata=metadata,
            media_type=RST,
            format_name="reStructuredText",
            origin="markup",
            title=metadata.get("title"),
        )
        if progress is not None:
            progress(1, 1)
        return make_document(found, content, name=name, uri=uri, parser=self.version)


def _metadata(lines: Sequence[str], headings: Sequence[Heading]) -> dict[str, Any]:
    """Return the fields at the top of a file, before or right behind its title."""
    start = headings[0].last_line if headings and headings[0].first_line <= 3 else 0
    found: dict[str, Any] = {}
    for line in lines[start : start + 40]:
        match = _FIELD.fullmatch(line)
        if match:
            found[match.group(1).lower()] = match.group(2).strip()
        elif line.strip():
            break
    return found


def _mark(marked: _Marked) -> None:
    index = 0
    while index < len(marked.lines):
        line = marked.lines[index]
        explicit = _EXPLICIT.fullmatch(line)
        if explicit:
            index = _explicit(marked, index, explicit)
        elif GRID_RULE.fullmatch(line):
            end = _run_end(marked.lines, index)
            rows, n_header = grid_rows(marked.lines[index:end], index + 1)
            marked.add_table(rows, index, end, n_header or None)
            index = end
        elif SIMPLE_RULE.fullmatch(line) and (end := _simple_end(marked.lines, index)):
            rows, n_header = simple_rows(marked.lines[index:end], index + 1)
            marked.add_table(rows, index, end, n_header)
            index = end
        elif line.rstrip().endswith("::"):
            end = _block_end(marked.lines, index + 1, _indent(line))
            marked.set(index + 1, end, "code")
            index = end
        else:
            index += 1


def _explicit(marked: _Marked, index: int, explicit: re.Match[str]) -> int:
    """Take in a directive, footnote, target or comment; return the index of the line to look at next."""
    indent, text = len(explicit.group(1)), explicit.group(2)
    end = _block_end(marked.lines, index + 1, indent)
    if _FOOTNOTE.match(text):
        marked.set(index, end, "footnote")
        return end
    directive = _DIRECTIVE.match(text)
    if directive is None or text.startswith("_"):
        marked.set(index, end, "metadata")  # a comment or a target
        return end
    kind, argument = directive.group(1).lower(), directive.group(2)
    if kind in _UNSEEN:
        marked.set(index, end, "metadata")
        return end
    body = index + 1
    while body < end and _OPTION.match(marked.lines[body]):
        body += 1
    marked.set(index + 1, body, "metadata")
    if kind in _CODE:
        marked.set(index, index + 1, "metadata")
        marked.set(body, end, "code")
        return end
    if kind in _TABLES:
        marked.set(index, index + 1, "caption" if argument and kind != "figure" else "metadata")
        marked.caption = argument.strip() or None
        if kind == "list-table":
            marked.add_table(_list_rows(marked.lines, body, end), body, end, None)
            return end
        if kind == "csv-table":
            marked.add_table(_csv_rows(marked.lines, body, end), body, end, None)
            return end
        return body
    marked.set(index, index + 1, "body" if argument else "metadata")
    return body


def _list_rows(lines: Sequence[str], first: int, end: int) -> list[Row]:
    """Return the rows of a list of lists: `* -` begins a row, `-` a cell."""
    rows: list[Row] = []
    for index in range(first, end):
        match = re.fullmatch(r"\s*(\*\s+)?-(?:\s+(.*))?", lines[index])
        if match:
            if match.group(1):
                rows.append([])
            if rows:
                rows[-1].append(((match.group(2) or "").strip(), (index + 1,)))
        elif rows and rows[-1] and lines[index].strip():
            text, ids = rows[-1][-1]
            rows[-1][-1] = (f"{text} {lines[index].strip()}".strip(), (*ids, index + 1))
    return rows


def _csv_rows(lines: Sequence[str], first: int, end: int) -> list[Row]:
    import csv

    rows: list[Row] = []
    for index in range(first, end):
        if lines[index].strip():
            texts = next(csv.reader([lines[index].strip()], skipinitialspace=True), [])
            rows.append([(text.strip(), (index + 1,)) for text in texts])
    return rows


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _block_end(lines: Sequence[str], start: int, indent: int) -> int:
    """Return the index behind the lines from `start` that are blank or indented deeper, blank ones at the end left."""
    end = index = start
    while index < len(lines) and (not lines[index].strip() or _indent(lines[index]) > indent):
        index += 1
        if lines[index - 1].strip():
            end = index
    return end


def _run_end(lines: Sequence[str], start: int) -> int:
    """Return the index behind the lines of a grid."""
    end = start
    while end < len(lines) and lines[end].lstrip()[:1] in {"+", "|"}:
        end += 1
    return end


def _simple_end(lines: Sequence[str], start: int) -> int:
    """Return the index behind the last rule of a simple table, 0 where it has no second one."""
    last = n_rules = 0
    for index in range(start, len(lines)):
        if SIMPLE_RULE.fullmatch(lines[index]):
            n_rules += 1
            last = index + 1
            following = lines[index + 1] if index + 1 < len(lines) else ""
            if n_rules > 1 and not following.strip():
                return last
        elif not lines[index].strip() and n_rules > 2:
            break
    return last if n_rules > 1 else 0
