"""Pictures to a document through text recognition: a picture (of a TIFF, each of its frames) is a page."""

import io
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Final

from msgspec.structs import replace
from PIL import Image, ImageOps, UnidentifiedImageError
from PIL.Image import DecompressionBombError

from pincite.errors import CorruptFileError, ParseMemoryError, ParseTimeoutError, UnsupportedFormatError
from pincite.parsing.contents import assign, changed, sections
from pincite.parsing.detect import kind_of_bytes
from pincite.parsing.media_types import PICTURES
from pincite.parsing.objects import named_objects, references
from pincite.parsing.ocr import OcrOptions, Recognised, mean_confidence, recognise
from pincite.parsing.ocr_engine import Engine, OcrError
from pincite.parsing.ocr_engines import INSTALL, engine_for
from pincite.parsing.ocr_headings import scanned_starts
from pincite.parsing.ocr_layout import Piece, box_of, recognised_tables
from pincite.protocols import Progress
from pincite.text.language import SAMPLE_CHARS, guess_language
from pincite.types.content_hash import hash_of
from pincite.types.document import Line, Page, ParsedDocument, ParsingSummary, Table

#: Larger pictures are refused before they are unpacked: 200 megapixels are 600 MB.
MAX_PIXELS: Final = 200_000_000
#: Dots per inch of a picture that does not say: that of scans of letters by most offices.
_DEFAULT_DPI: Final = 150.0
_MIN_DPI, _MAX_DPI = 50.0, 1200.0
#: Below this mean confidence a reader should look at the picture.
DOUBTFUL: Final = 0.85
#: Told the number of a page that is about to be read by text recognition.
OnOcr = Callable[[int], None]


class PictureParser:
    """Parses PNG, JPEG, GIF, TIFF, WebP and BMP through text recognition."""

    version: ClassVar[str] = "picture/3"

    def __init__(self, ocr: OcrOptions | None = None, on_ocr: OnOcr | None = None) -> None:
        """Read with the engine of the options; `on_ocr` is told of each picture before it is read."""
        self._options = ocr or OcrOptions()
        self._on_ocr = on_ocr or (lambda _: None)

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Return the document: lines of the layer `ocr`, with boxes in points of a page as large as the picture.

        Raises:
            CorruptFileError: it is no picture, or a damaged one.
            ParseMemoryError: it has more pixels than any scan.
            ParseTimeoutError: a picture took longer than it may.
            UnsupportedFormatError: text recognition is not installed, or switched off.

        """
        frames = _frames(content, name)
        first, n_frames = next(frames)
        engine = _engine_of(self._options, name)
        pages: list[Page] = []
        lines: list[Line] = []
        tables: list[Table] = []
        said: list[str] = []
        for page_num in range(1, n_frames + 1):
            image = first if page_num == 1 else next(frames)[0]
            scale = 72.0 / _dpi(image)
            self._on_ocr(page_num)
            found = _recognised(image, engine, name, page_num)
            size = (image.width * scale, image.height * scale)
            of_page = recognised_tables(
                found.rows,
                page_num=page_num,
                n_lines_before=len(lines),
                n_tables_before=len(tables),
                scale=scale,
                size=size,
            )
            lines += _lines(found.rows, of_page, page_num, len(lines), scale, size)
            tables += of_page
            pages.append(_page(page_num, found, size))
            if found.turn:
                said.append(f"picture {page_num} lies on its side or head: it was read turned by {found.turn}°")
            if progress is not None:
                progress(page_num, n_frames)
        starts = scanned_starts(lines)
        assign(lines, starts, changed)
        toc = sections(starts, lines, pages, "headings")
        objects = named_objects(lines, toc)
        summary = _summary(lines, pages, engine.name, said)
        return ParsedDocument(
            name=name,
            uri=uri,
            media_type=kind_of_bytes(content) or PICTURES[0],
            content_hash=hash_of(content),
            n_bytes=len(content),
            parser=self.version,
            metadata={},
            parsing_summary=replace(summary, toc_origin="headings" if toc else None),
            pages=tuple(pages),
            lines=tuple(lines),
            toc=toc,
            tables=tuple(tables),
            objects=objects,
            references=references(lines, objects),
        )


def _engine_of(options: OcrOptions, name: str) -> Engine:
    if options.mode == "never":
        raise UnsupportedFormatError(
            "pictures are read by text recognition, which is switched off (ocr = never)", origin=name
        )
    engine = engine_for(options)
    if engine is None:
        raise UnsupportedFormatError(
            f"pictures are read by text recognition, which is not installed: {INSTALL}", origin=name
        )
    return engine


def _recognised(image: Image.Image, engine: Engine, name: str, page_num: int) -> Recognised:
    try:
        return recognise(image, engine)
    except OcrError as error:
        raise ParseTimeoutError(f"text recognition failed: {error}", origin=name, page_num=page_num) from error


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


def _page(page_num: int, found: Recognised, size: tuple[float, float]) -> Page:
    flags = ["read_by_ocr"] if found.rows else ["no_text"]
    if found.rows and found.confidence < DOUBTFUL:
        flags.append("ocr_unsure")
    return Page(
        page_num=page_num,
        width_pt=size[0],
        height_pt=size[1],
        kind="scanned",
        n_lines=len(found.rows),
        flags=tuple(flags),
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
            box=box_of(row, scale, size),
            role="table" if n_before + number in of_tables else "body",
            layer="ocr",
            font_size=round((max(p.y1 for p in row) - min(p.y0 for p in row)) * scale, 1),
            confidence=round(mean_confidence(row), 3),
        )
        for number, row in enumerate(rows, start=1)
    ]


def _summary(lines: Sequence[Line], pages: Sequence[Page], engine: str, said: Sequence[str]) -> ParsingSummary:
    unsure = [page.page_num for page in pages if "ocr_unsure" in page.flags]
    warnings = list(said)
    if not lines:
        warnings.append("no text was recognised in it")
    elif unsure:
        warnings.append("text recognition is unsure: compare with the picture")
    return ParsingSummary(
        language=guess_language("\n".join(line.text for line in lines)[:SAMPLE_CHARS]),
        n_pages=len(pages),
        format="picture",
        scanned_pages=tuple(range(1, len(pages) + 1)),
        ocr_engine=engine,
        warnings=tuple(warnings),
    )
