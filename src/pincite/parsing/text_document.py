"""What Markdown and plain text share: lines of the file, sections from headings, one page."""

import re
from dataclasses import dataclass, field
from typing import Any, Final

from pincite.parsing.objects import named_objects, references
from pincite.parsing.profile import profiled
from pincite.text.characters import holds_text
from pincite.text.language import SAMPLE_CHARS, guess_language
from pincite.types.content_hash import hash_of
from pincite.types.document import (
    Line,
    Page,
    ParsedDocument,
    ParsingSummary,
    Role,
    Section,
    Table,
    TocOrigin,
)

_LINE_END: Final = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading from `first_line` to `last_line` (numbers from 1); level 1 is the outermost."""

    level: int
    title: str
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDocument:
    """What a text parser found: `roles` has one role for each of `lines`."""

    lines: list[str]
    roles: list[Role]
    headings: tuple[Heading, ...]
    encoding: str
    warnings: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    metadata: dict[str, Any] = field(default_factory=dict)
    media_type: str = "text/plain"
    format_name: str = "text"
    origin: TocOrigin = "headings"
    title: str | None = None


def split_lines(text: str) -> list[str]:
    r"""Return the lines of a text as an editor numbers them: only \n, \r\n and a lone \r end one.

    >>> split_lines("a\r\nb\x0cc\u2028d\n")
    ['a', 'b\x0cc\u2028d']
    """
    lines = _LINE_END.split(text)
    if lines[-1] == "":
        lines.pop()
    return lines


def make_document(found: TextDocument, content: bytes, *, name: str, uri: str, parser: str) -> ParsedDocument:
    """Return the parsed document of a text file, with its lines, sections and summary."""
    toc = sections(found.headings, len(found.lines), found.origin)
    section_ids = _section_ids(toc, len(found.lines))
    lines = tuple(
        Line(line_id=number, page_num=1, line_num=number, text=text, section_id=section_id, role=role)
        for number, (text, role, section_id) in enumerate(
            zip(found.lines, found.roles, section_ids, strict=True), start=1
        )
    )
    objects = named_objects(lines, toc)
    has_text = any(role != "metadata" and holds_text(text) for text, role in zip(found.lines, found.roles, strict=True))
    page = Page(
        page_num=1,
        kind="digital" if has_text else "blank",
        n_lines=len(found.lines),
        flags=() if has_text else ("no_text",),
    )
    document = ParsedDocument(
        name=name,
        uri=uri,
        media_type=found.media_type,
        content_hash=hash_of(content),
        n_bytes=len(content),
        parser=parser,
        metadata=found.metadata,
        parsing_summary=_summary(found, toc, has_text=has_text),
        pages=(page,),
        lines=lines,
        toc=toc,
        tables=found.tables,
        objects=objects,
        references=references(lines, objects),
    )
    return profiled(document)


def _summary(found: TextDocument, toc: tuple[Section, ...], *, has_text: bool) -> ParsingSummary:
    sample: list[str] = []
    n_chars = 0
    for line, role in zip(found.lines, found.roles, strict=True):
        if role in {"code", "metadata", "table"}:
            continue
        sample.append(line[:SAMPLE_CHARS])
        n_chars += len(sample[-1])
        if n_chars > SAMPLE_CHARS:
            break
    first = next((section.title for section in toc if section.level == 1), None)
    return ParsingSummary(
        language=guess_language("\n".join(sample)),
        n_pages=1,
        format=found.format_name,
        title=found.title or first,
        toc_origin=found.origin if toc else None,
        encoding=found.encoding,
        warnings=found.warnings if has_text else (*found.warnings, "the file has no text"),
    )


def sections(headings: tuple[Heading, ...], n_lines: int, origin: TocOrigin) -> tuple[Section, ...]:
    """Return one section for each heading; a section ends before the next heading that is not below it."""
    found: list[Section] = []
    open_sections: list[tuple[int, int, str]] = []
    ends = _ends(headings, n_lines)
    for section_id, heading in enumerate(headings, start=1):
        while open_sections and open_sections[-1][0] >= heading.level:
            open_sections.pop()
        parent_id = open_sections[-1][1] if open_sections else None
        open_sections.append((heading.level, section_id, heading.title))
        found.append(
            Section(
                section_id=section_id,
                parent_id=parent_id,
                level=heading.level,
                title=heading.title,
                breadcrumb=tuple(title for _, _, title in open_sections),
                start_page=1,
                start_line=heading.first_line,
                start_y=None,
                end_page=1,
                end_line=ends[section_id - 1],
                origin=origin,
            )
        )
    return tuple(found)


def _ends(headings: tuple[Heading, ...], n_lines: int) -> list[int]:
    """Return the last line of each heading's section, found from the back in one pass."""
    ends = [n_lines] * len(headings)
    waiting: list[tuple[int, int]] = []  # (level, first line) of later headings, nearest last, levels falling
    for index in range(len(headings) - 1, -1, -1):
        level = headings[index].level
        while waiting and waiting[-1][0] > level:
            waiting.pop()
        if waiting:
            ends[index] = waiting[-1][1] - 1
        waiting.append((level, headings[index].first_line))
    return ends


def _section_ids(toc: tuple[Section, ...], n_lines: int) -> list[int | None]:
    """Return for each line the innermost section that holds it."""
    ids: list[int | None] = [None] * n_lines
    for section, following in zip(toc, (*toc[1:], None), strict=False):
        first = section.start_line or 1
        last = n_lines if following is None else (following.start_line or 1) - 1
        ids[first - 1 : last] = [section.section_id] * (last - first + 1)
    return ids
