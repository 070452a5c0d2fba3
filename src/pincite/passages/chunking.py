"""A parsed document to passages: along its sections, in whole lines, tables with their header."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from pincite.passages.asides import field_passages, furniture_passages, page_heads
from pincite.passages.cutting import NEVER, cut, cut_costs
from pincite.passages.flowing import flowing_units, is_flowing
from pincite.passages.making import PassageMaker
from pincite.passages.tables import TableIndex, table_units
from pincite.passages.units import SpacedLine, Unit, ends_sentence, running_units, stretches
from pincite.passages.words import holds_words
from pincite.text.joining import join_lines
from pincite.types.document import Line, ParsedDocument, Table
from pincite.types.passage import Passage, PassageKind

_HASHES: Final = re.compile(r"^\s{0,3}#{1,6}\s+|\s+#+\s*$")
_FENCE: Final = re.compile(r"\s*(`{3,}|~{3,})")


#: What introduces a table is at most this long (words); more is a paragraph of its own.
LEAD_WORDS: Final = 40


@dataclass(frozen=True, slots=True)
class _Part:
    """Units that are cut together: running text, one table, or one long block of code.

    The first `n_lead` units stay with what follows; those from `n_repeated_from` to `n_lead` are repeated in each
    later passage.
    """

    units: list[Unit]
    n_lead: int = 0
    n_repeated_from: int = 0
    is_running: bool = False

    @property
    def repeated(self) -> list[Unit]:
        return self.units[self.n_repeated_from : self.n_lead]


def chunk(
    document: ParsedDocument, *, min_words: int = 90, max_words: int = 160, max_chars: int = 1500
) -> tuple[Passage, ...]:
    """Return the passages of a document, in order; fields, running heads and feet come last.

    Each visible line of the running text is in exactly one passage. Passages have `min_words` to `max_words` words
    where their section allows; a line is never cut, so a longer line is a passage of its own. Sizes below 1 are
    taken as 1. In formats whose lines are paragraphs no passage has more than `max_chars` characters: a longer line
    is several passages, cut at sentence ends, and a code block that is not longer is never cut.
    """
    min_words = max(1, min_words)
    max_words = max(min_words, max_words)
    maker = PassageMaker(document.toc)
    tables = TableIndex(document.tables)
    is_markdown = document.media_type == "text/markdown"
    heads = page_heads(document.lines)
    sizes = _Sizes(max_words, max(1, max_chars), is_flowing(document))
    passages: list[Passage] = []
    for stretch in stretches(document.lines):
        if not any(holds_words(spaced.line.text) for spaced in stretch):
            continue
        for part in _parts(stretch, tables, sizes):
            passages.extend(_passages(part, maker, min_words, max_words, is_markdown=is_markdown, heads=heads))
    passages.extend(field_passages(document, maker, max_words))
    passages.extend(furniture_passages(document, maker))
    return tuple(passages)


@dataclass(frozen=True, slots=True)
class _Sizes:
    """How long passages may be; characters count where lines are paragraphs."""

    max_words: float
    max_chars: int
    is_flowing: bool


@dataclass(frozen=True, slots=True)
class _Run:
    """Consecutive lines that are, or are not, rows; `table` is `None` for rows that no table was made of."""

    is_rows: bool
    table: Table | None
    lines: list[SpacedLine]


def _parts(stretch: Sequence[SpacedLine], tables: TableIndex, sizes: _Sizes) -> Iterator[_Part]:
    """Yield running text, tables and long code in turn; a heading or caption alone goes to the table or code below."""
    waiting: list[Unit] = []
    for part in _separate(stretch, tables, sizes):
        if part.is_running:
            if waiting:
                yield _Part(waiting, is_running=True)
            waiting = part.units
            continue
        lead, before = _split_lead(waiting)
        if before:
            yield _Part(before, is_running=True)
        waiting = []
        n_repeated_from = 0 if part.units[0].kind == "table" else len(lead)
        yield _Part([*lead, *part.units], len(lead) + part.n_lead, n_repeated_from)
    if waiting:
        yield _Part(waiting, is_running=True)


def _separate(stretch: Sequence[SpacedLine], tables: TableIndex, sizes: _Sizes) -> Iterator[_Part]:
    """Yield running text, tables and long code as they stand."""
    for run in _runs(stretch, tables):
        if run.is_rows:
            rows = table_units(run.lines, run.table)
            yield _Part(rows.units, rows.n_header)
        else:
            units = running_units(run.lines)
            if sizes.is_flowing:
                units = flowing_units(units, max_words=sizes.max_words, max_chars=sizes.max_chars)
            yield from _by_code(units, sizes.max_words)


def _runs(stretch: Sequence[SpacedLine], tables: TableIndex) -> Iterator[_Run]:
    for (is_rows, table), lines in groupby(stretch, key=lambda spaced: _rows_of(spaced.line, tables)):
        yield _Run(is_rows, table, list(lines))


def _rows_of(line: Line, tables: TableIndex) -> tuple[bool, Table | None]:
    table = tables.at(line)
    return table is not None or line.role == "table", table


def _by_code(units: Sequence[Unit], max_words: float) -> Iterator[_Part]:
    """Yield running text, with code blocks of more than `max_words` words apart; a fence is repeated like a header."""
    running: list[Unit] = []
    for _, block in groupby(units, key=lambda unit: unit.block):
        lines = list(block)
        if lines[0].kind != "code" or sum(unit.n_words for unit in lines) <= max_words:
            running.extend(lines)
            continue
        if running:
            yield _Part(running, is_running=True)
        running = []
        yield _Part(lines, n_lead=1 if _FENCE.match(lines[0].text) else 0)
    if running:
        yield _Part(running, is_running=True)


def _split_lead(units: list[Unit]) -> tuple[list[Unit], list[Unit]]:
    """Return the headings, captions and short lines that belong to what follows, and the units before them.

    "(In millions)", "Years ended December 31," or a lead-in that ends in a colon say what a table is of.
    """
    start = len(units)
    n_words = 0.0
    while start:
        last = units[start - 1]
        block = start - 1
        while block and (units[block - 1].block, units[block - 1].kind) == (last.block, last.kind):
            block -= 1
        n_words += sum(unit.n_words for unit in units[block:start])
        if n_words > LEAD_WORDS or not _introduces(last):
            break
        start = block
    if all(unit.kind == "heading" for unit in units[:start]):
        start = 0
    return units[start:], units[:start]


def _introduces(last: Unit) -> bool:
    """Say whether a block that ends in this unit introduces what follows: a title, a caption, no whole sentence."""
    return last.kind in ("caption", "heading") or (last.kind == "prose" and not ends_sentence(last.text))


def _passages(
    part: _Part, maker: PassageMaker, min_words: float, max_words: float, *, is_markdown: bool, heads: Mapping[int, str]
) -> Iterator[Passage]:
    costs = cut_costs(part.units) if part.is_running else [0.0] * len(part.units)
    for index in range(part.n_lead):
        costs[index] = NEVER
    n_repeated = sum(unit.n_words for unit in part.repeated)
    for start, end in cut(part.units, costs, min_words=min_words, max_words=max_words, repeated=n_repeated):
        units = part.units[start:end]
        repeated = part.repeated if start >= part.n_lead else []
        lines = [line for unit in units for line in unit.lines]
        text, kind = _text([*repeated, *units], is_markdown=is_markdown), _kind(units)
        head = heads.get(lines[0].page_num) if kind == "table" else None
        yield maker.make(lines, f"{head}\n{text}" if head else text, kind)


def _text(units: Sequence[Unit], *, is_markdown: bool) -> str:
    """Return the text of units: a paragraph, list item, row or line of code on a line of its own."""
    blocks: dict[tuple[str, int], list[str]] = {}
    for index, unit in enumerate(units):
        # Rows and lines of code are never joined.
        key = (unit.kind, index if unit.kind in {"code", "table"} else unit.block)
        text = _HASHES.sub("", unit.text) if is_markdown and unit.kind == "heading" else unit.text
        if unit.kind in {"code", "table"} or holds_words(text):
            blocks.setdefault(key, []).append(text)
    return "\n".join(
        texts[0].rstrip() if kind in {"code", "table"} else join_lines(texts).text
        for (kind, _), texts in blocks.items()
    )


def _kind(units: Sequence[Unit]) -> PassageKind:
    """Return what most of a passage is."""
    if any(unit.kind == "table" for unit in units):
        return "table"
    n_words: dict[str, float] = {}
    for unit in units:
        if unit.kind != "heading":
            n_words[unit.kind] = n_words.get(unit.kind, 0.0) + unit.n_words
    total = sum(n_words.values())
    if n_words.get("code", 0.0) > 0.8 * total:
        return "code"
    return "list" if n_words.get("list", 0.0) >= 0.5 * total > 0 else "prose"
