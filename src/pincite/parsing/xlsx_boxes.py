"""The text boxes that lie over the cells of a workbook's sheets, each with the cell at its top left corner."""

import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from openpyxl.utils.cell import get_column_letter

from pincite.parsing.archive import read_member, xml_of
from pincite.parsing.paragraphs import one_line
from pincite.parsing.pptx_text import A, paragraph_text

#: Namespaces of a sheet's drawing, of relationships, and of parts for other versions (ECMA-376 parts 1 and 3).
_DRAWN: Final = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
_RELATION: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_FALLBACK: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
#: A sheet of Excel ends here (Excel specifications and limits).
_MAX_COL, _MAX_ROW = 16_384, 1_048_576


@dataclass(frozen=True, slots=True)
class TextBox:
    """A text box: the name of the cell under its corner (`D2`), and its paragraphs, a line feed between them."""

    cell: str
    text: str
    is_hidden: bool


def text_boxes(archive: zipfile.ZipFile, name: str) -> dict[str, tuple[TextBox, ...]]:
    """Return the text boxes of each sheet that has any, by the name of the sheet, in the order of their cells.

    Raises:
        CorruptFileError: a part that is named is missing or broken.

    """
    if not any(member.startswith("xl/drawings/") for member in archive.namelist()):
        return {}
    workbook = _main_part(archive)
    targets = _targets(archive, workbook, name)
    found = {}
    for sheet in xml_of(read_member(archive, workbook, name), name).iter("{*}sheet"):
        part = targets.get(sheet.get(_RELATION) or "", ("", ""))[1]
        boxes = [
            box
            for kind, drawing in _targets(archive, part, name).values()
            if kind == "drawing" and drawing in archive.namelist()
            for box in _boxes(xml_of(read_member(archive, drawing, name), name))
        ]
        if boxes:
            found[sheet.get("name") or ""] = tuple(box for _, box in sorted(boxes, key=lambda placed: placed[0]))
    return found


def _main_part(archive: zipfile.ZipFile) -> str:
    names = archive.namelist()
    return "xl/workbook.xml" if "xl/workbook.xml" in names else next(n for n in names if n.startswith("xl/workbook"))


def _targets(archive: zipfile.ZipFile, part: str, name: str) -> dict[str, tuple[str, str]]:
    """Return what a part is related to, by id: the kind of the relation and the name of the other part."""
    folder, base = posixpath.split(part)
    relations = f"{folder}/_rels/{base}.rels"
    if not part or relations not in archive.namelist():
        return {}
    targets = {}
    for one in xml_of(read_member(archive, relations, name), name):
        if one.get("TargetMode") != "External":
            path = posixpath.normpath(posixpath.join("/" + folder, one.get("Target") or "")).lstrip("/")
            targets[one.get("Id") or ""] = ((one.get("Type") or "").rsplit("/", 1)[-1], path)
    return targets


def _boxes(drawing: Any) -> Iterator[tuple[tuple[int, int], TextBox]]:
    """Yield the boxes of a drawing with their row and column; what is there for old versions is there twice."""
    for anchor in drawing:
        corner = anchor.find(f"{_DRAWN}from") if isinstance(anchor.tag, str) else None
        row, col = _number(corner, "row", _MAX_ROW), _number(corner, "col", _MAX_COL)
        for shape in anchor.iter(f"{_DRAWN}sp"):
            if any(parent.tag == _FALLBACK for parent in shape.iterancestors()):
                continue
            paragraphs = (paragraph_text(p) for body in shape.iter(f"{_DRAWN}txBody") for p in body.iter(f"{A}p"))
            text = "\n".join(line for p in paragraphs for part in p.split("\n") if (line := one_line(part)))
            about = shape.find(f"{_DRAWN}nvSpPr/{_DRAWN}cNvPr")
            is_hidden = about is not None and about.get("hidden") in {"1", "true"}
            if text:
                yield (row, col), TextBox(f"{get_column_letter(col)}{row}", text, is_hidden)


def _number(corner: Any, which: str, most: int) -> int:
    """Return the row or column of a corner, from 1; the first for a box that is placed by points alone."""
    text = (corner.findtext(f"{_DRAWN}{which}") or "").strip() if corner is not None else ""
    return min(int(text) + 1, most) if text.isdecimal() and len(text) < 8 else 1
