"""Pictures to a document through text recognition: a picture (of a TIFF, each of its frames) is a page."""

import hashlib
import io
import warnings
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from PIL import Image, ImageOps, UnidentifiedImageError
from PIL.Image import DecompressionBombError

from pincite.errors import CorruptFileError, ParseMemoryError
from pincite.parsing.detect import kind_of_bytes
from pincite.parsing.grids import guess_header_rows
from pincite.parsing.media_types import PICTURES
from pincite.parsing.ocr import Piece, engine_of, recognise
from pincite.protocols import Progress
from pincite.text.language import SAMPLE_CHARS, guess_language
from pincite.types.document import Cell, Line, Page, ParsedDocument, ParsingSummary, Table
from pincite.types.geometry import BBox

#: Larger pictures are refused before they are unpacked: 200 megapixels are 600 MB.
MAX_PIXELS: Final = 200_000_000
#: Dots per inch of a picture that does not say: that of scans of letters by most offices.
_DEFAULT_DPI: Final = 150.0
_MIN_DPI, _MAX_DPI = 50.0, 1200.0
#: Below this mean confidence a reader should look at the picture.
_DOUBTFUL: Final = 0.85
_MIN_TABLE_ROWS: Final = 3


class PictureParser:
    """Parses PNG, JPEG, GIF, TIFF, WebP and BMP; needs the extra `ocr`."""

    version: ClassVar[str] = "picture/2"

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Return the document: lines of the layer `ocr`, with boxes in points of a page as large as the picture.

        Raises:
            CorruptFileError: it is no picture, or a damaged one.
            ParseMemoryError: it has more pixels than any scan.
            UnsupportedFormatError: text recognition is not installed.

        """
        frames = _frames(content, name)
        first, n_frames = next(frames)
        engine = engine_of(name)
        pages: list[Page] = []
        lines: list[Line] = []
        tables: list[Table] = []
        scores: list[float] = []
        for page_num in range(1, n_frames + 1):
            image = first if page_num == 1 else next(frames)[0]
            scale = 72.0 / _dpi(image)
            rows = recognise(image, engine)
            scores += [piece.score for row in rows for piece in row]
            size = (image.width * scale, image.height * scale)
            of_page = _tables(rows, page_num, len(lines), len(tables), scale)
            lines += _lines(rows, of_page, page_num, len(lines), scale, size)
            tables += of_page
            pages.append(_page(page_num, len(rows), size))
            if progress is not None:
                progress(page_num, n_frames)
        return ParsedDocument(
            name=name,
            uri=uri,
            media_type=kind_of_bytes(content) or PICTURES[0],
            content_hash=hashlib.sha256(content).hexdigest(),
            n_bytes=len(content),
            parser=self.version,
            metadata={},
            parsing_summary=_summary(lines, scores, n_frames),
            pages=tuple(pages),
            lines=tuple(lines),
            tables=tuple(tables),
        )


def _frames(content: bytes, name: str) -> Iterator[tuple[Image.Image, int]]:
    """Yield each frame turned upright, with how many there are; of a GIF only the first.

    Raises:
        CorruptFileError, ParseMemoryError: as `PictureParser.parse` says.

    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of broken metadata, and of large pictures, which are limited here
            with Image.open(io.BytesIO(content)) as image:
                _check_size(image, name)
                n_frames = getattr(image, "n_frames", 1) if image.format == "TIFF" else 1
                for index in range(n_frames):
                    image.seek(index)
                    upright = ImageOps.exif_transpose(image)
                    upright.info.setdefault("dpi", image.info.get("dpi"))
                    yield upright.copy(), n_frames
    except (ParseMemoryError, MemoryError):
        raise
    except DecompressionBombError as error:
        raise ParseMemoryError("the picture has more pixels than any scan", origin=name) from error
    except (
        UnidentifiedImageError,
        OSError,
        ValueError,
        SyntaxError,
        EOFError,
        TypeError,
        KeyError,
        IndexError,
    ) as error:
        raise CorruptFileError(f"the picture cannot be read ({error})", origin=name) from error


def _check_size(image: Image.Image, name: str) -> None:
    if image.width * image.height > MAX_PIXELS:
        raise ParseMemoryError(f"the picture has {image.width:,} × {image.height:,} pixels", origin=name)


def _dpi(image: Image.Image) -> float:
    """Return the dots per inch a picture states, where they can be true."""
    stated = image.info.get("dpi")
    try:
        dpi = float(stated[0]) if stated else _DEFAULT_DPI
    except (TypeError, ValueError, IndexError, ZeroDivisionError):
        return _DEFAULT_DPI
    return dpi if _MIN_DPI <= dpi <= _MAX_DPI and dpi not in {72.0, 96.0} else _DEFAULT_DPI


def _page(page_num: int, n_lines: int, size: tuple[float, float]) -> Page:
    return Page(
        page_num=page_num,
        width_pt=size[0],
        height_pt=size[1],
        kind="scanned",
        n_lines=n_lines,
        flags=() if n_lines else ("no_text",),
    )


def _lines(
    rows: Sequence[Sequence[Piece]],
    tables: Sequence[Table],
    page_num: int,
    n_before: int,
    scale: float,
    size: tuple[float, float],
) -> list[Line]:
    of_tables = {i for table in tables for i in range(table.first_line_id, table.last_line_id + 1)}
    return [
        Line(
            line_id=n_before + number,
            page_num=page_num,
            line_num=number,
            text="\t".join(piece.text for piece in row),
            box=_box(row, scale, size),
            role="table" if n_before + number in of_tables else "body",
            layer="ocr",
            font_size=round((max(p.y1 for p in row) - min(p.y0 for p in row)) * scale, 1),
        )
        for number, row in enumerate(rows, start=1)
    ]


def _box(row: Sequence[Piece], scale: float, size: tuple[float, float]) -> BBox:
    return BBox(
        x0=max(0.0, min(p.x0 for p in row) * scale),
        y0=max(0.0, min(p.y0 for p in row) * scale),
        x1=min(size[0], max(p.x1 for p in row) * scale),
        y1=min(size[1], max(p.y1 for p in row) * scale),
    )


def _tables(rows: Sequence[Sequence[Piece]], page_num: int, n_before: int, n_tables: int, scale: float) -> list[Table]:
    """Return runs of rows with the same number of pieces that stand below one another."""
    found: list[Table] = []
    start = 0
    while start < len(rows):
        end = start + 1
        while end < len(rows) and len(rows[start]) > 1 and _are_aligned(rows[end - 1], rows[end]):
            end += 1
        if end - start >= _MIN_TABLE_ROWS:
            found.append(_table(rows[start:end], page_num, n_before + start, n_tables + len(found) + 1, scale))
        start = end
    return found


def _are_aligned(above: Sequence[Piece], below: Sequence[Piece]) -> bool:
    if len(above) != len(below):
        return False
    return all(min(a.x1, b.x1) > max(a.x0, b.x0) for a, b in zip(above, below, strict=True))


def _table(rows: Sequence[Sequence[Piece]], page_num: int, n_before: int, table_id: int, scale: float) -> Table:
    size = (float("inf"), float("inf"))
    return Table(
        table_id=table_id,
        page_num=page_num,
        caption=None,
        n_rows=len(rows),
        n_cols=len(rows[0]),
        header_rows=guess_header_rows([[piece.text for piece in row] for row in rows]),
        first_line_id=n_before + 1,
        last_line_id=n_before + len(rows),
        cells=tuple(
            Cell(row=row, col=col, text=piece.text, line_ids=(n_before + row,), box=_box([piece], scale, size))
            for row, pieces in enumerate(rows, start=1)
            for col, piece in enumerate(pieces, start=1)
        ),
    )


def _summary(lines: Sequence[Line], scores: Sequence[float], n_pages: int) -> ParsingSummary:
    said = []
    if not lines:
        said.append("no text was recognised in it")
    elif sum(scores) / len(scores) < _DOUBTFUL:
        said.append(f"text recognition is unsure ({100 * sum(scores) / len(scores):.0f} %): compare with the picture")
    return ParsingSummary(
        language=guess_language("\n".join(line.text for line in lines)[:SAMPLE_CHARS]),
        n_pages=n_pages,
        format="picture",
        scanned_pages=tuple(range(1, n_pages + 1)),
        warnings=tuple(said),
    )
