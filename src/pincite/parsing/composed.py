"""The document of lines that were put together, with their sections, pages and what is known of the file."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from pincite.parsing.objects import named_objects, references
from pincite.parsing.profile import profiled
from pincite.parsing.text_document import Heading, sections
from pincite.text.characters import holds_text
from pincite.text.language import SAMPLE_CHARS, guess_language
from pincite.types.content_hash import hash_of
from pincite.types.document import (
    FURNITURE,
    Attachment,
    HiddenText,
    Line,
    Page,
    ParsedDocument,
    ParsingSummary,
    Section,
    Table,
    TocOrigin,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What is known of a whole file beside its lines."""

    media_type: str
    format_name: str
    metadata: dict[str, Any] = field(default_factory=dict)
    title: str | None = None
    producer: str | None = None
    encoding: str | None = None
    language: str | None = None
    origin: TocOrigin = "markup"
    warnings: tuple[str, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    hidden: tuple[HiddenText, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed:
    """Lines in reading order and what was found with them; `labels` has an entry for each page, `counts` its lines."""

    lines: Sequence[Line]
    headings: tuple[Heading, ...]
    tables: tuple[Table, ...]
    labels: Sequence[str | None]
    counts: Sequence[int]


def document_of(
    composed: Composed, content: bytes, facts: Facts, *, name: str, uri: str, parser: str
) -> ParsedDocument:
    """Return the document of lines; `content` is the bytes of its file."""
    toc = _toc(composed.headings, composed.lines, facts.origin)
    lines = _in_sections(composed.lines, composed.headings)
    objects = named_objects(lines, toc)
    seen = {line.page_num for line in lines if line.layer != "hidden" and holds_text(line.text)}
    document = ParsedDocument(
        name=name,
        uri=uri,
        media_type=facts.media_type,
        content_hash=hash_of(content),
        n_bytes=len(content),
        parser=parser,
        metadata=facts.metadata,
        parsing_summary=_summary(facts, lines, toc, n_pages=len(composed.labels), has_text=bool(seen)),
        pages=_pages(composed, seen),
        lines=lines,
        toc=toc,
        tables=composed.tables,
        objects=objects,
        references=references(lines, objects),
    )
    return profiled(document)


def _pages(composed: Composed, seen: set[int]) -> tuple[Page, ...]:
    """Return the pages; those that are not `seen` have no text."""
    return tuple(
        Page(
            page_num=page_num,
            label=label,
            kind="digital" if page_num in seen else "blank",
            n_lines=count,
            flags=() if page_num in seen else ("no_text",),
        )
        for page_num, (label, count) in enumerate(zip(composed.labels, composed.counts, strict=True), start=1)
    )


def _toc(headings: tuple[Heading, ...], lines: Sequence[Line], origin: TocOrigin) -> tuple[Section, ...]:
    """Return the sections, their places in pages and lines of pages."""
    found = []
    for section in sections(headings, len(lines), origin):
        first, last = lines[(section.start_line or 1) - 1], lines[(section.end_line or 1) - 1]
        found.append(
            msgspec.structs.replace(
                section,
                start_page=first.page_num,
                start_line=first.line_num,
                end_page=last.page_num,
                end_line=last.line_num,
            )
        )
    return tuple(found)


def _in_sections(lines: Sequence[Line], headings: Sequence[Heading]) -> tuple[Line, ...]:
    """Return the lines, each with the innermost section it stands in."""
    ids: dict[int, int] = {}
    for section_id, heading in enumerate(headings, start=1):
        ids[heading.first_line] = section_id
    current: int | None = None
    found = []
    for line in lines:
        current = ids.get(line.line_id, current)
        found.append(line if current is None else msgspec.structs.replace(line, section_id=current))
    return tuple(found)


def _summary(
    facts: Facts, lines: Sequence[Line], toc: Sequence[Section], *, n_pages: int, has_text: bool
) -> ParsingSummary:
    first = next((section.title for section in toc if section.level == 1), None)
    return ParsingSummary(
        language=facts.language or guess_language(_sample(lines)),
        n_pages=n_pages,
        format=facts.format_name,
        producer=facts.producer,
        title=facts.title or first,
        toc_origin=facts.origin if toc else None,
        encoding=facts.encoding,
        hidden_text=facts.hidden,
        attachments=facts.attachments,
        warnings=facts.warnings if has_text else (*facts.warnings, "the file has no text"),
    )


def _sample(lines: Sequence[Line]) -> str:
    """Return running text to guess the language from; of a file of tables alone, their cells."""
    texts: list[str] = []
    roles = Counter(line.role for line in lines if line.text)
    skipped = {"code", "metadata", *FURNITURE} | ({"table"} if roles["table"] < roles.total() else set())
    n_chars = 0
    for line in lines:
        if line.role in skipped or line.layer == "hidden":
            continue
        texts.append(line.text[:SAMPLE_CHARS])
        n_chars += len(texts[-1])
        if n_chars > SAMPLE_CHARS:
            break
    return "\n".join(texts)
