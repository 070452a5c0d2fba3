"""Fields of a form as lines: what is printed beside a field, and what it is filled with, at the field's place."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from pincite.parsing.pdf_forms import Field
from pincite.parsing.pdf_lines import DraftLine

#: A label stands within so many points of its field: beside it, or above it.
_BESIDE_PT, _ABOVE_PT = 260.0, 22.0
#: A label above is taken when none beside is nearer than this; the label of a group may stand so far above it.
_ABOVE_COSTS, _GROUP_ABOVE_PT = 60.0, 30.0
#: A first line's middle lies so far below the top of a box; each point further counts as so many beside it.
_FIRST_LINE_PT, _LOWER_COSTS = 16.0, 4.0
#: Kinds that are nothing to fill in.
_NO_FIELDS = {"annotation", "attachment"}
#: What is said of a group of buttons of which none is chosen.
_NONE = "none selected"

_Box = tuple[float, float, float, float]
_Cell = tuple[_Box, str]


def field_lines(fields: Sequence[Field], lines: Sequence[DraftLine], size: Callable[[], float]) -> list[DraftLine]:
    """Return a line for each field, group of buttons and annotation: `label: value`, in the widget's box."""
    if not fields:
        return []
    cells = _cells(lines)
    groups: dict[str, list[Field]] = {}
    for found in fields:
        if found.kind == "radio":
            groups.setdefault(found.name, []).append(found)
    out = []
    for found in fields:
        if found.kind == "attachment":
            continue
        if found.kind == "radio":
            members = groups.pop(found.name, [])
            if not members:
                continue
            text, box = _group(members, cells)
        else:
            text, box = found.value, found.box
        if found.kind in {"text", "tick"}:
            text = _said(found.described or _label(found, cells) or found.name, text)
        layer = "annotation" if found.kind == "annotation" else "form"
        ends = [(box[0], box[2], text)]
        out.append(DraftLine(text, box, box, size(), bold=False, column=1, turn=0, cells=ends, layer=layer))
    return out


def holds_field(line: DraftLine, fields: Sequence[Field]) -> bool:
    """Return whether a field to fill in stands in the row of a line."""
    top, bottom = line.box[1], line.box[3]
    return any(found.kind not in _NO_FIELDS and top <= (found.box[1] + found.box[3]) / 2 <= bottom for found in fields)


def _said(label: str, value: str) -> str:
    label = label.rstrip(" :._")
    return f"{label}: {value}" if label else value


def _cells(lines: Sequence[DraftLine]) -> list[_Cell]:
    """Return the pieces of the printed lines with their boxes."""
    return [
        ((left, line.box[1], right, line.box[3]), text)
        for line in lines
        if line.layer == "text" and line.turn == 0
        for left, right, text in line.cells or [(line.box[0], line.box[2], line.text)]
    ]


def _label(found: Field, cells: Sequence[_Cell]) -> str:
    """Return the text next to a field: left of it in its rows, else right of a box to tick, else just above."""
    x0, y0, x1, _ = found.box
    best: tuple[float, str] = (_BESIDE_PT, "")
    for box, text in cells:
        left, top, right, bottom = box
        if not any(map(str.isalnum, text)):
            continue
        if _in_rows(box, found.box) and right <= x0 + 4:
            # Beside a tall box, the first line is the label: lines further down count as far away.
            best = min(best, (x0 - right + _LOWER_COSTS * max(0.0, (top + bottom) / 2 - y0 - _FIRST_LINE_PT), text))
        elif found.kind == "tick" and _in_rows(box, found.box) and left >= x1 - 4:
            best = min(best, (left - x1 + 1, text))
        elif bottom <= y0 + 2 and y0 - bottom < _ABOVE_PT and left < x1 and right > x0:
            best = min(best, (_ABOVE_COSTS + y0 - bottom, text))
    return best[1]


def _in_rows(cell: _Box, box: _Box) -> bool:
    """Return whether a piece of text stands beside a box: in its row, or in one of the rows that a tall box spans."""
    middle = (cell[1] + cell[3]) / 2
    return cell[1] - 2 <= (box[1] + box[3]) / 2 <= cell[3] + 2 or box[1] - 2 <= middle <= box[3] + 2


def _group(members: Sequence[Field], cells: Sequence[_Cell]) -> tuple[str, _Box]:
    """Return what a group of buttons says, `label: choice`, and the box of the chosen one, or around all."""
    if len(members) == 1:
        tick = replace(members[0], kind="tick")
        value = "yes (selected)" if tick.chosen else _NONE
        return _said(tick.described or _label(tick, cells) or tick.name, value), tick.box
    names = _choices(members, cells)
    label = members[0].described or _group_label(members, cells, {at for at, _ in names if at >= 0})
    chosen = [at for at, member in enumerate(members) if member.chosen]
    boxes = [members[at].box for at in chosen] or [member.box for member in members]
    around = (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )
    value = ", ".join(names[at][1] or members[at].value for at in chosen) or _NONE
    return _said(label or members[0].name, value), around


def _choices(members: Sequence[Field], cells: Sequence[_Cell]) -> list[tuple[int, str]]:
    """Return for each button the text beside it, and which cell that is: all to the right, or all to the left."""
    sides = []
    for to_right in (True, False):
        names, away = [], 0.0
        for member in members:
            x0, _, x1, _ = member.box
            near = [
                (box[0] - x1 if to_right else x0 - box[2], at)
                for at, (box, _) in enumerate(cells)
                if _in_rows(box, member.box) and (box[0] >= x1 - 4 if to_right else box[2] <= x0 + 4)
            ]
            gap, at = min(near, default=(_BESIDE_PT, -1))
            away += gap
            names.append((at, cells[at][1] if at >= 0 else ""))
        distinct = len({at for at, _ in names}) == len(members)
        sides.append((not distinct, away, names))
    best = min(sides, key=lambda side: side[:2])
    return best[2] if not best[0] else [(-1, "")] * len(members)


def _group_label(members: Sequence[Field], cells: Sequence[_Cell], taken: set[int]) -> str:
    """Return the text left of the first button, or above the buttons, that names no choice."""
    first = min(members, key=lambda member: (round(member.box[1] / 4), member.box[0])).box
    left_end = min(member.box[0] for member in members)
    best: tuple[float, str] = (_BESIDE_PT, "")
    for at, (box, text) in enumerate(cells):
        if at in taken or not any(map(str.isalnum, text)):
            continue
        if _in_rows(box, first) and box[2] <= left_end + 4:
            best = min(best, (left_end - box[2], text))
        elif box[3] <= first[1] + 2 and first[1] - box[3] < _GROUP_ABOVE_PT and box[2] > left_end - _ABOVE_COSTS:
            best = min(best, (_ABOVE_COSTS + first[1] - box[3], text))
    return best[1]
