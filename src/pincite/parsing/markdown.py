"""Markdown to a document: the file's own lines, with sections, roles and tables from the markup."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, ClassVar, Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec.structs import replace

from pincite.parsing.encoding import decode
from pincite.parsing.front_matter import FrontMatter, read_front_matter
from pincite.parsing.html_in_markdown import html_tables, table_of_html
from pincite.parsing.media_types import MARKDOWN
from pincite.parsing.table_units import counted_in
from pincite.parsing.text_document import Heading, TextDocument, make_document, split_lines
from pincite.protocols import Progress
from pincite.text.characters import holds_text
from pincite.types.document import Cell, ParsedDocument, Role, Table

#: Inline markup is read in titles up to this length; longer ones are taken as they stand.
_MAX_TITLE_CHARS: Final = 1000
_INLINE_MARKS: Final = frozenset("*_`[]<&\\\n~{")
#: What is in a title for machines alone: references to footnotes, and names and classes behind it (Pandoc, kramdown).
_FOOTNOTE_REFERENCE: Final = re.compile(r"\s*\[\^[^\]\s]+\]")
_ATTRIBUTES: Final = re.compile(r"(?:\s+#+)?\s*\{:?\s*(?:[#.][^\s{}][^{}]*|-)\}\s*$")
_STRUCK: Final = re.compile(r"(~~)(?=\S)(.*?\S)\1")
#: What is drawn and not read: pictures and links without words, tags, blanks by name.
_WORDLESS: Final = re.compile(r"!?\[\s*\]\([^()]*\)|!?\[\s*\]\[[^\[\]]*\]|</?[A-Za-z][^<>]*>|&(?:nbsp|#160|#xa0);")
_TOLD: Final = re.compile(r"\b(?:alt|title|aria-label)\s*=\s*[\"']?[^\s\"'>]", re.IGNORECASE)
_FOOTNOTE: Final = re.compile(r"[ >]{0,8}\[\^[^\]\s]+\]:")
_CAPTION: Final = re.compile(r"\W*(?:Table|Tab\.|Tabelle|Tableau|Tabla)\s+[\dIVXA-Z][\w.]*", re.IGNORECASE)
_COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)
_KEY_AND_VALUE: Final = re.compile(r"[\w-]+:(\s|$)")
_BLOCK_ROLES: Final[dict[str, Role]] = {
    "bullet_list_open": "list", "ordered_list_open": "list", "fence": "code", "code_block": "code",
    "table_open": "table",
}  # fmt: skip


class MarkdownParser:
    """Parses CommonMark with tables, footnotes and front matter."""

    version: ClassVar[str] = "markdown/3"

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Return the document: one page, one line for each line of the file, front matter included.

        Raises:
            NotTextError: the bytes are not text.

        """
        decoded = decode(content, name)
        lines = split_lines(decoded.text)
        front_matter = read_front_matter(lines)
        tokens = _block_parser().parse(_body(lines, front_matter))
        headings = tuple(_headings(tokens, lines))
        metadata = {key: _one_line(value) if key.lower() == "title" else value
                    for key, value in front_matter.metadata.items()}  # fmt: skip
        title = next((str(v) for k, v in metadata.items() if k.lower() == "title" and v), None)
        found = TextDocument(
            lines=lines,
            roles=_roles(lines, tokens, headings, front_matter),
            headings=headings,
            encoding=decoded.encoding,
            warnings=(*decoded.warnings, *front_matter.warnings),
            tables=tuple(_tables(tokens, lines)),
            metadata=metadata,
            media_type=MARKDOWN,
            format_name="Markdown",
            origin="markup",
            title=title,
        )
        if progress is not None:
            progress(1, 1)
        return make_document(found, content, name=name, uri=uri, parser=self.version)


def _one_line(value: Any) -> Any:
    """Return a title on one line; other values than text as they are."""
    return " ".join(value.split()) if isinstance(value, str) else value


@lru_cache(maxsize=1)
def _block_parser() -> MarkdownIt:
    """Return a parser of blocks alone: inline markup is never needed, and costs most of the time."""
    parser = MarkdownIt("commonmark").enable("table")
    # Without this rule, lines like `[^1]: note` stay paragraphs.
    parser.disable("reference")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


@lru_cache(maxsize=1)
def _inline_parser() -> MarkdownIt:
    return MarkdownIt("commonmark")


def _body(lines: list[str], front_matter: FrontMatter) -> str:
    """Return what Markdown is read from: the same lines, front matter blank, a comment without end not opened."""
    body = [""] * front_matter.last_line + lines[front_matter.last_line :]
    text = "\n".join(body)
    closed = text.rfind("-->") + 1
    return text[:closed] + text[closed:].replace("<!--", "&lt;--")


def _headings(tokens: Sequence[Token], lines: list[str]) -> Iterator[Heading]:
    """Yield the headings that open a section: those in no list and no quotation."""
    for token, inline in pairwise(tokens):
        if token.type != "heading_open" or token.level != 0 or token.map is None:
            continue
        title = _plain_title(inline.content)
        first, last = token.map[0] + 1, token.map[1]
        if token.markup == "-" and _KEY_AND_VALUE.match(inline.content) and lines[first - 2].rstrip() == "---":
            continue  # front matter that is not at the top: two rules around keys
        if title:
            yield Heading(level=int(token.tag[1]), title=title, first_line=first, last_line=last)


def _plain_title(source: str) -> str:
    """Return a title as it reads, without inline markup, footnote references and attributes.

    >>> _plain_title("The **new** `pump` [manual](m.pdf)[^1] {#pump}")
    'The new pump manual'
    """
    if len(source) > _MAX_TITLE_CHARS or not _INLINE_MARKS.intersection(source):
        return " ".join(source.split())
    parts = []
    bare = _STRUCK.sub(r"\2", _FOOTNOTE_REFERENCE.sub("", _ATTRIBUTES.sub("", source)))
    for token in _inline_parser().parseInline(bare)[0].children or []:
        if token.type in {"text", "code_inline", "image"}:
            parts.append(token.content)
        elif token.type in {"softbreak", "hardbreak"}:
            parts.append(" ")
    return " ".join("".join(parts).split())


def _roles(
    lines: list[str], tokens: Sequence[Token], headings: Sequence[Heading], front_matter: FrontMatter
) -> list[Role]:
    """Return the role of each line; inner blocks overrule the list they stand in."""
    roles: list[Role] = ["body"] * len(lines)
    for token in tokens:
        if token.map is None:
            continue
        first, end = token.map
        if token.type in _BLOCK_ROLES:
            roles[first:end] = [_BLOCK_ROLES[token.type]] * (end - first)
        elif token.type == "paragraph_open" and _FOOTNOTE.match(lines[first]):
            roles[first:end] = ["footnote"] * (end - first)
        elif token.type == "html_block":
            for index in _comment_lines(lines, first, end):
                roles[index] = "metadata"
    for table in html_tables(lines, _html_blocks(tokens)):
        if len(table.rows) > 1:
            roles[table.first_line - 1 : table.last_line] = ["table"] * (table.last_line - table.first_line + 1)
    for heading in headings:
        roles[heading.first_line - 1 : heading.last_line] = ["heading"] * (heading.last_line - heading.first_line + 1)
    last = front_matter.last_line
    roles[:last] = ["metadata"] * last
    return [_seen(role, line) for role, line in zip(roles, lines, strict=True)]


def _seen(role: Role, line: str) -> Role:
    """Return the role of a line, or metadata where a reader of the rendered page sees nothing of it."""
    if not line.strip():
        return "body"
    if role in {"code", "table", "heading", "metadata"} or _WORDLESS.search(line) is None or _TOLD.search(line):
        return role
    return role if holds_text(_WORDLESS.sub(" ", line)) or not holds_text(line) else "metadata"


def _comment_lines(lines: list[str], first: int, end: int) -> Iterator[int]:
    """Yield the indexes of lines that a comment fills: no reader of the rendered page sees them."""
    block = "\n".join(lines[first:end])
    left = _COMMENT.sub(lambda found: "\n" * found.group().count("\n"), block).split("\n")
    for index, (line, rest) in enumerate(zip(lines[first:end], left, strict=True), start=first):
        if line.strip() and not rest.strip():
            yield index


def _tables(tokens: Sequence[Token], lines: list[str]) -> Iterator[Table]:
    """Yield the tables in the order of the file: those of Markdown and those written as HTML."""
    found: list[Table] = []
    for index, token in enumerate(tokens):
        if token.type == "table_open" and token.map is not None:
            found.append(_table(tokens, index, lines, 0))
    for written in html_tables(lines, _html_blocks(tokens)):
        table = table_of_html(written, table_id=0, caption=_caption(lines, written.first_line - 1))
        if table is not None:
            found.append(table)
    found.sort(key=lambda table: table.first_line_id)
    for table_id, table in enumerate(found, start=1):
        yield replace(table, table_id=table_id)


def _html_blocks(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    return [(token.map[0], token.map[1]) for token in tokens if token.type == "html_block" and token.map is not None]


def _table(tokens: Sequence[Token], start: int, lines: list[str], table_id: int) -> Table:
    """Return one table; the text of a cell is stripped, an escaped `|` in it read as `|`."""
    cells: list[Cell] = []
    row = col = line_id = 0
    first, end = tokens[start].map or (0, 0)
    # By index: a copy of the tokens for each table would take hours in a file of many tables.
    for index in range(start, len(tokens) - 1):
        token, inline = tokens[index], tokens[index + 1]
        if token.type == "table_close":
            break
        if token.type == "tr_open" and token.map is not None:
            row, col, line_id = row + 1, 0, token.map[0] + 1
        elif token.type in {"th_open", "td_open"}:
            col += 1
            text = inline.content.strip() if inline.type == "inline" else ""
            cells.append(Cell(row=row, col=col, text=text, line_ids=(line_id,)))
    caption = _caption(lines, first)
    counted = counted_in([caption or "", *(cell.text for cell in cells if cell.row == 1)])
    return Table(
        table_id=table_id,
        page_num=1,
        caption=caption,
        n_rows=row,
        n_cols=max((cell.col for cell in cells), default=0),
        header_rows=1,
        first_line_id=first + 1,
        last_line_id=end,
        unit=counted.unit,
        scale=counted.scale,
        cells=tuple(cells),
    )


def _caption(lines: list[str], first: int) -> str | None:
    """Return the line before a table, past blank ones, when it names a table."""
    above = next(
        (lines[index].strip() for index in range(first - 1, max(-1, first - 4), -1) if lines[index].strip()), ""
    )
    return above.strip("*_ ") if _CAPTION.match(above) else None
