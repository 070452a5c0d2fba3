"""AsciiDoc to a document: the file's own lines, with sections, roles and tables from the markup."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from pincite.parsing.encoding import decode
from pincite.parsing.marked_tables import asciidoc_rows, table_of
from pincite.parsing.media_types import ASCIIDOC
from pincite.parsing.text_document import Heading, TextDocument, make_document, split_lines
from pincite.protocols import Progress
from pincite.types.document import ParsedDocument, Role, Table

_HEADING: Final = re.compile(r"(={1,6}|#{1,6})\s+(\S.*?)(?:\s+\1)?\s*")
_ATTRIBUTE: Final = re.compile(r":!?([\w-]+)!?:(?:\s+(.*))?")
_BLOCK_ATTRIBUTES: Final = re.compile(r"\[[^\]]*\]{1,2}\s*")
_TITLE: Final = re.compile(r"\.([^\s.].*)")
_MACRO: Final = re.compile(r"(?:image|include|toc|video|audio)::\S*\[.*\]\s*")
_LIST_ITEM: Final = re.compile(r"\s*(?:\*{1,5}|-|\.{1,5}|\d{1,3}\.|<\d+>|<\.>)\s+\S")
_COLS: Final = re.compile(r"cols\s*=\s*\"?([^\"\]]+)\"?")
_REPEATED: Final = re.compile(r"(\d+)\*.*")
#: The line that opens and closes a block → the role of what is in it.
_FENCES: Final[dict[str, Role]] = {
    "----": "code",
    "....": "code",
    "```": "code",
    "////": "metadata",
    "++++": "metadata",
}
_FENCE: Final = re.compile(r"(-{4,}|\.{4,}|`{3,}|/{4,}|\+{4,})(?:\w*)\s*")
_TABLE_FENCE: Final = re.compile(r"[|!]={3,}\s*")


@dataclass(slots=True)
class _Marked:
    """What is known of the lines so far."""

    lines: Sequence[str]
    roles: list[Role]
    headings: list[Heading] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)
    attributes: str = ""
    title: str | None = None


class AsciiDocParser:
    """Parses AsciiDoc without running its macros: nothing is included, nothing is fetched."""

    version: ClassVar[str] = "asciidoc/2"

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Return the document: one page, one line for each line of the file.

        Raises:
            NotTextError: the bytes are not text.

        """
        decoded = decode(content, name)
        lines = split_lines(decoded.text)
        marked = _Marked(lines, ["list" if _LIST_ITEM.match(line) else "body" for line in lines])
        index = 0
        while index < len(lines):
            index = _taken(marked, index)
        found = TextDocument(
            lines=lines,
            roles=marked.roles,
            headings=tuple(marked.headings),
            encoding=decoded.encoding,
            warnings=decoded.warnings,
            tables=tuple(marked.tables),
            metadata=marked.metadata,
            media_type=ASCIIDOC,
            format_name="AsciiDoc",
            origin="markup",
        )
        if progress is not None:
            progress(1, 1)
        return make_document(found, content, name=name, uri=uri, parser=self.version)


def _taken(marked: _Marked, index: int) -> int:
    """Take in the line at an index, or the block that it opens; return the index of what comes next."""
    line = marked.lines[index]
    fence = _FENCE.fullmatch(line)
    if fence or _TABLE_FENCE.fullmatch(line):
        end = next((i for i in range(index + 1, len(marked.lines)) if marked.lines[i].rstrip() == line.rstrip()[:
                   len(fence.group(1)) if fence else None]), len(marked.lines))  # fmt: skip
        if fence:
            role = next(role for mark, role in _FENCES.items() if line.startswith(mark))
            _set(marked, index + 1, end, role)
            _set(marked, index, index + 1, "metadata")
            _set(marked, end, min(end + 1, len(marked.lines)), "metadata")
        else:
            _table(marked, index + 1, end)
        marked.attributes, marked.title = "", None
        return end + 1
    heading = _HEADING.fullmatch(line)
    if heading:
        marked.headings.append(Heading(len(heading.group(1)), heading.group(2), index + 1, index + 1))
        marked.roles[index] = "heading"
    elif line.startswith("//") or _MACRO.fullmatch(line):
        marked.roles[index] = "metadata"
    elif attribute := _ATTRIBUTE.fullmatch(line):
        marked.roles[index] = "metadata"
        if attribute.group(2) and len(marked.headings) <= 1:
            marked.metadata[attribute.group(1).lower()] = attribute.group(2).strip()
    elif _BLOCK_ATTRIBUTES.fullmatch(line):
        marked.roles[index] = "metadata"
        marked.attributes += line
    elif title := _TITLE.fullmatch(line):
        marked.roles[index] = "caption"
        marked.title = title.group(1).strip()
    elif line.strip():
        marked.attributes, marked.title = "", None
    return index + 1


def _set(marked: _Marked, first: int, end: int, role: Role) -> None:
    for index in range(first, end):
        marked.roles[index] = role if marked.lines[index].strip() else "body"


def _table(marked: _Marked, first: int, end: int) -> None:
    """Make a table of the lines between its fences."""
    cols = _COLS.search(marked.attributes)
    specs = [one.strip() for one in cols.group(1).split(",")] if cols else []
    repeated = _REPEATED.fullmatch(specs[0]) if len(specs) == 1 else None
    n_cols = int(repeated.group(1)[:4]) if repeated else len(specs)
    rows, is_parted = asciidoc_rows(marked.lines[first:end], first + 1, n_cols)
    says_header = "header" in marked.attributes
    _set(marked, max(0, first - 1), first, "metadata")
    _set(marked, end, min(end + 1, len(marked.lines)), "metadata")
    _set(marked, first, end, "table")
    if end <= first:
        return
    n_header = 1 if says_header or is_parted else None
    table = table_of(rows, first + 1, end, table_id=len(marked.tables) + 1, header_rows=n_header, caption=marked.title)
    if table is not None:
        marked.tables.append(table)
