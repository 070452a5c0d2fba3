"""Excel workbooks: a sheet is a page, a row a line, and cells are cited by their names (`Costs!B4`).

Values are shown as their number formats show them. Formulas, macros and links do nothing: what is read is what
was stored when the file was saved.
"""

import datetime as dt
import io
import re
import warnings
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import openpyxl
from openpyxl.utils.cell import column_index_from_string
from openpyxl.worksheet.worksheet import Worksheet

from pincite.errors import ParseMemoryError
from pincite.parsing.archive import (
    attachments_of,
    core_properties,
    macro_warnings,
    open_package,
    read_member,
    reading,
)
from pincite.parsing.cell_formats import shown
from pincite.parsing.composed import Facts
from pincite.parsing.composing import Composer
from pincite.parsing.media_types import XLSX
from pincite.parsing.paragraphs import one_line
from pincite.parsing.sheets import Sheet, write_sheet
from pincite.parsing.xlsx_boxes import TextBox, text_boxes
from pincite.protocols import Progress
from pincite.types.document import HiddenText, ParsedDocument

#: Above this many cells only values are read, by a reader twenty times as quick.
MAX_STYLED_CELLS: Final = 400_000
#: The area that the quick reader may lay out, in cells.
_MAX_AREA: Final = 50_000_000
_CELL: Final = re.compile(rb"<(?:\w+:)?c[ />]")
_PLACE: Final = re.compile(rb'\br="([A-Z]{1,3})([0-9]{1,7})"')
_NO_RESULT: Final = re.compile(
    rb"<(?:\w+:)?f(?:\s[^>]*)?(?:/>|>[^<]*</(?:\w+:)?f>)\s*(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v></(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)
_MAX_HIDDEN: Final = 50


class XlsxParser:
    """Parses .xlsx, .xlsm and .xltx."""

    version: ClassVar[str] = "xlsx/2"

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Return the document: a page for each sheet that is shown, labelled with its name.

        Raises:
            CorruptFileError: it is no workbook, or a damaged one.
            ParseMemoryError: it unpacks to more than any document needs.

        """
        archive = open_package(content, name)
        extent = _extent_of(archive, name)
        with reading(name, "an Excel workbook"):
            found = _styled(content, extent) if extent.n_cells <= MAX_STYLED_CELLS else _plain(content, extent, name)
            boxes = text_boxes(archive, name)
            composer = Composer()
            notes = list(found.warnings)
            for number, sheet in enumerate(found.sheets, start=1):
                notes += write_sheet(sheet, composer)
                for comment in found.comments.get(sheet.name, []):
                    composer.add(comment, layer="annotation")
                found.hidden += _write_boxes(boxes.get(sheet.name, ()), number, composer)
                if progress is not None:
                    progress(number, len(found.sheets))
        facts = Facts(
            media_type=XLSX,
            format_name="Excel",
            metadata=found.metadata,
            title=found.metadata.get("title"),
            warnings=(*macro_warnings(archive), *notes),
            attachments=attachments_of(archive),
            hidden=tuple(found.hidden[:_MAX_HIDDEN]),
        )
        document = composer.document(content, facts, name=name, uri=uri, parser=self.version)
        if progress is not None:
            progress(len(document.pages), len(document.pages))
        return document


def _write_boxes(boxes: Sequence[TextBox], page_num: int, composer: Composer) -> list[HiddenText]:
    """Write the text boxes of a sheet behind its rows, each a section that names its cell; return those not shown."""
    unseen = []
    for box in boxes:
        if box.is_hidden:
            unseen.append(HiddenText(page_num=page_num, text=box.text[:500], reason=f"a hidden text box at {box.cell}"))
            continue
        composer.section(f"Text box at {box.cell}", 2)
        composer.add(box.text)
    return unseen


@dataclass(frozen=True, slots=True)
class _Extent:
    """How many cells all sheets have, the largest area they lie in, and how many formulas have no stored result."""

    n_cells: int
    area: int
    n_without_result: int


@dataclass(slots=True)
class _Workbook:
    sheets: list[Sheet] = field(default_factory=list)
    comments: dict[str, list[str]] = field(default_factory=dict)
    hidden: list[HiddenText] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def _extent_of(archive: zipfile.ZipFile, name: str) -> _Extent:
    n_cells = area = n_without = 0
    for member in archive.namelist():
        if not member.startswith("xl/worksheets/") or not member.endswith(".xml"):
            continue
        xml = read_member(archive, member, name)
        n_cells += len(_CELL.findall(xml))
        n_without += len(_NO_RESULT.findall(xml))
        if n_cells > MAX_STYLED_CELLS:
            places = set(_PLACE.findall(xml))
            columns = {letters for letters, _ in places}
            last_col = max((column_index_from_string(c.decode()) for c in columns), default=0)
            area = max(area, last_col * max((int(digits) for _, digits in places), default=0))
    return _Extent(n_cells, area, n_without)


def _styled(content: bytes, extent: _Extent) -> _Workbook:
    """Read values with their formats, merged cells, comments, and what is hidden."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl warns of parts it does not keep when it writes
        book = openpyxl.load_workbook(io.BytesIO(content), data_only=True, keep_links=False, rich_text=False)
    found = _Workbook(metadata=core_properties(_Properties(book.properties)))
    if extent.n_without_result:
        plural = "s have" if extent.n_without_result > 1 else " has"
        found.warnings.append(
            f"{extent.n_without_result} formula{plural} no stored result: open the file and save it to have them"
        )
    for sheet in book.worksheets:
        if sheet.sheet_state != "visible":
            found.hidden.append(_hidden(sheet, len(found.sheets)))
            found.warnings.append(f"sheet {sheet.title!r} is hidden and was not read")
            continue
        found.sheets.append(_sheet(sheet, found))
    return found


def _sheet(sheet: Worksheet, found: _Workbook) -> Sheet:
    cells: dict[tuple[int, int], str] = {}
    bold: set[tuple[int, int]] = set()
    comments: list[str] = []
    hidden_rows = {row for row, one in sheet.row_dimensions.items() if one.hidden}
    hidden_cols = {
        col
        for one in sheet.column_dimensions.values()
        if one.hidden and one.min
        for col in range(one.min, min(one.max or one.min, one.min + 500) + 1)
    }
    unseen: list[str] = []
    for (row, col), cell in sorted(sheet._cells.items()):  # noqa: SLF001 - the only way that visits no empty cell
        text = one_line(shown(cell.value, cell.number_format or "General"))
        if row in hidden_rows or col in hidden_cols or (cell.has_style and cell.number_format == ";;;"):
            unseen += [text] if text else []
            continue
        if text:
            cells[row, col] = text
            if cell.has_style and cell.font.b:
                bold.add((row, col))
        if cell.comment is not None and one_line(cell.comment.text):
            author = one_line(cell.comment.author or "") or "somebody"
            comments.append(f"{cell.coordinate}: comment by {author}: {one_line(cell.comment.text)}")
    page_num = len(found.sheets) + 1
    if unseen:
        text = " ".join(unseen)[:500]
        found.hidden.append(HiddenText(page_num=page_num, text=text, reason=f"hidden cells of sheet {sheet.title!r}"))
    found.comments[sheet.title] = comments
    merged = [(one.min_row, one.min_col, one.max_row, one.max_col) for one in sheet.merged_cells.ranges]
    return Sheet(name=sheet.title, cells=cells, merged=merged, bold=frozenset(bold))


def _hidden(sheet: Worksheet, n_before: int) -> HiddenText:
    texts = (one_line(shown(cell.value, "General")) for _, cell in sorted(sheet._cells.items()))  # noqa: SLF001
    text = " ".join(filter(None, texts))
    return HiddenText(page_num=max(1, n_before), text=text[:500], reason=f"the hidden sheet {sheet.title!r}")


def _plain(content: bytes, extent: _Extent, name: str) -> _Workbook:
    """Read the values of a large workbook, without formats and comments.

    Raises:
        ParseMemoryError: its cells lie too far apart to be laid out.

    """
    from python_calamine import CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

    if extent.area > _MAX_AREA:
        raise ParseMemoryError(f"its {extent.n_cells:,} cells lie in an area of {extent.area:,}", origin=name)
    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    found = _Workbook(warnings=[f"{extent.n_cells:,} cells: number formats were not applied"])
    for number, meta in enumerate(book.sheets_metadata):
        if meta.typ != SheetTypeEnum.WorkSheet:
            continue
        if meta.visible != SheetVisibleEnum.Visible:
            found.warnings.append(f"sheet {meta.name!r} is hidden and was not read")
            continue
        cells: dict[tuple[int, int], str] = {}
        sheet = book.get_sheet_by_index(number)
        first_row, first_col = sheet.start or (0, 0)
        for row, values in enumerate(sheet.to_python(skip_empty_area=True), start=first_row + 1):
            for col, value in enumerate(values, start=first_col + 1):
                if value != "":
                    cells[row, col] = one_line(shown(value, "General"))
        found.sheets.append(Sheet(name=meta.name, cells=cells))
    return found


class _Properties:
    """The properties of a workbook under the names that other Office files use."""

    def __init__(self, found: Any) -> None:
        self.title, self.subject, self.author = found.title, found.subject, found.creator
        self.keywords, self.category, self.comments = found.keywords, found.category, found.description
        self.last_modified_by, self.language = found.lastModifiedBy, found.language
        # openpyxl gives a file without dates the moment of reading, which is no fact of the file.
        self.created = self.modified = None
        now = dt.datetime.now(dt.UTC).replace(tzinfo=None)
        if found.modified is not None and abs((now - found.modified.replace(tzinfo=None)).total_seconds()) > 120:
            self.modified = found.modified
        if found.created is not None and abs((now - found.created.replace(tzinfo=None)).total_seconds()) > 120:
            self.created = found.created
