"""Sections of a document, each with its parents, its end and its lines, made of where they start."""

from collections.abc import Callable, Sequence

import msgspec

from pincite.parsing.locating import Start
from pincite.types.document import Line, Page, Section, TocOrigin
from pincite.types.record import R


def sections(
    starts: Sequence[Start], lines: Sequence[Line], pages: Sequence[Page], origin: TocOrigin
) -> tuple[Section, ...]:
    """Return sections with parents, breadcrumbs and ends; each ends where the next not below it starts."""
    visible = [line for line in lines if line.layer != "hidden"]
    if not starts:
        return ()
    order = {line.line_id: at for at, line in enumerate(visible)}
    where = [_position(start, visible, order) for start in starts]
    following = _following(starts)
    out: list[Section] = []
    chain: list[tuple[int, int, str]] = []
    for at, start in enumerate(starts):
        while chain and chain[-1][0] >= start.level:
            chain.pop()
        end = max(where[at], where[following[at]] - 1) if following[at] < len(starts) else len(visible) - 1
        first = visible[where[at]] if start.line_id is not None else None
        last = visible[end] if visible else None
        out.append(
            Section(
                section_id=at + 1,
                parent_id=chain[-1][1] if chain else None,
                level=len(chain) + 1,
                title=start.title,
                breadcrumb=(*(title for _, _, title in chain), start.title),
                start_page=start.page_num,
                start_line=first.line_num if first is not None else None,
                start_y=round(start.y, 2) if start.y is not None else None,
                end_page=max(start.page_num, last.page_num) if last is not None else pages[-1].page_num,
                end_line=last.line_num if last is not None and last.page_num >= start.page_num else None,
                origin=start.origin or origin,
                confidence=round(start.confidence, 2),
            )
        )
        chain.append((start.level, at + 1, start.title))
    return tuple(out)


def _following(starts: Sequence[Start]) -> list[int]:
    """Return for each start the next one that is not below it, or their number when there is none."""
    out = [len(starts)] * len(starts)
    open_starts: list[int] = []
    for at, start in enumerate(starts):
        while open_starts and starts[open_starts[-1]].level >= start.level:
            out[open_starts.pop()] = at
        open_starts.append(at)
    return out


def _position(start: Start, visible: Sequence[Line], order: dict[int, int]) -> int:
    """Return the place of a start among the visible lines: its line, or the first line of its page or later."""
    if start.line_id is not None:
        return order[start.line_id]
    low, high = 0, len(visible)
    while low < high:
        middle = (low + high) // 2
        if visible[middle].page_num < start.page_num:
            low = middle + 1
        else:
            high = middle
    return min(low, max(0, len(visible) - 1))


def assign(lines: list[Line], starts: Sequence[Start], change: Callable[[Line, dict[str, object]], Line]) -> None:
    """Give every line of running text the innermost section it stands in, and headings their role, in place."""
    begins: dict[int, int] = {}
    headings: set[int] = set()
    for section_id, start in enumerate(starts, start=1):
        if start.line_id is not None:
            begins[start.line_id] = section_id
            if start.n_lines:
                headings.update(range(start.line_id, start.line_id + start.n_lines))
    current: int | None = None
    for at, line in enumerate(lines):
        line_id = line.line_id
        current = begins.get(line_id, current)
        if current is None and line_id not in headings:
            continue
        changes: dict[str, object] = {}
        if current is not None and line.layer != "hidden":
            changes["section_id"] = current
        if line_id in headings and line.role in {"body", "list", "table", "caption"}:
            changes["role"] = "heading"
        if changes:
            lines[at] = change(line, changes)


def mark_headings(lines: list[Line], starts: Sequence[Start]) -> None:
    """Give lines that look like headings their role, in place, where the contents do not list them."""
    for start in starts:
        for line_id in range(start.line_id or 1, (start.line_id or 1) + start.n_lines):
            line = lines[line_id - 1]
            if start.line_id is not None and line.role in {"body", "list"}:
                lines[line_id - 1] = changed(line, {"role": "heading"})


def changed(record: R, changes: dict[str, object]) -> R:
    """Return the record with some of its fields changed."""
    return msgspec.structs.replace(record, **changes)
