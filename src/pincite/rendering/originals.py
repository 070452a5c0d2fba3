"""Open the original of a document, and write what was drawn without leaving half a file behind."""

import io
import logging
import os
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pikepdf
import pypdfium2 as pdfium
from PIL import Image, ImageOps
from PIL.Image import DecompressionBombError

from pincite.errors import CorruptFileError, PasswordRequiredError
from pincite.types.document import Line

logger = logging.getLogger(__name__)

#: Returns the bytes of a document by its id, `None` where they are not kept.
Originals = Callable[[str], bytes | None]
#: Returns the lines of a document from one line id to another, both included; ids past the end are left out.
LinesOf = Callable[[str, int, int], Sequence[Line]]

#: A PDF's mark may stand anywhere in the first 1024 bytes (PDF 32000-1, annex H, note 13).
_HEAD = 1024
#: pdfium's `FPDF_ERR_PASSWORD`.
_WRONG_PASSWORD = 4
#: pdfium's `FPDF_REMOVE_SECURITY`.
_WITHOUT_SECURITY = 3

#: Pictures with more pixels are not drawn: they were not parsed either.
_MOST_PIXELS = 200_000_000

# pdfium keeps global state and is not thread-safe.
_PDFIUM_LOCK = threading.RLock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What drawing needs of a library: the originals, the lines, and the password of a locked original."""

    originals: Originals
    lines_of: LinesOf
    password_of: Callable[[str], str | None] = lambda _doc_id: None


def is_pdf(original: bytes | None) -> bool:
    """Return whether these bytes begin as a PDF does."""
    return original is not None and b"%PDF-" in original[:_HEAD]


def as_pdf(original: bytes | None) -> bytes | None:
    """Return what can be drawn of an original: a PDF as it is, a picture as a PDF of its frames, `None` of all else.

    Boxes carry the size of their page, so a picture's own resolution does not matter here.
    """
    if original is None or is_pdf(original):
        return original
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of broken metadata, which is not drawn
            with Image.open(io.BytesIO(original)) as image:
                if image.width * image.height > _MOST_PIXELS:
                    return None
                n_frames = getattr(image, "n_frames", 1) if image.format == "TIFF" else 1
                frames = [_upright(image, index) for index in range(n_frames)]
            out = io.BytesIO()
            frames[0].save(out, format="PDF", resolution=150.0, save_all=True, append_images=frames[1:])
    except (OSError, ValueError, SyntaxError, EOFError, TypeError, KeyError, DecompressionBombError):
        return None
    return out.getvalue()


def _upright(image: Image.Image, index: int) -> Image.Image:
    image.seek(index)
    return ImageOps.exif_transpose(image).convert("RGB")


@contextmanager
def open_pdfium(
    original: bytes, *, origin: str = "document", password: str | None = None
) -> Iterator[pdfium.PdfDocument]:
    """Open a PDF with pdfium, one thread at a time, and close it after.

    Raises:
        PasswordRequiredError: it is locked, and `password` does not open it.
        CorruptFileError: pdfium cannot read it.

    """
    with _PDFIUM_LOCK:
        try:
            document = pdfium.PdfDocument(original, password=password)
        except pdfium.PdfiumError as error:
            if getattr(error, "err_code", None) == _WRONG_PASSWORD:
                raise PasswordRequiredError("needs its password to be drawn", origin=origin) from error
            raise CorruptFileError("pdfium cannot open it", origin=origin) from error
        try:
            yield document
        finally:
            document.close()


@contextmanager
def open_pikepdf(original: bytes, *, origin: str = "document", password: str | None = None) -> Iterator[pikepdf.Pdf]:
    """Open a PDF for changes; where its page tree is broken, take pdfium's repaired copy of it.

    The page numbers are those of pdfium, which read the document. A repaired copy is not encrypted.

    Raises:
        PasswordRequiredError: it is locked, and `password` does not open it.
        CorruptFileError: neither pikepdf nor pdfium can read it.

    """
    with open_pdfium(original, origin=origin, password=password) as document:
        n_pages = len(document)
        opened = _opened(original, password)
        if opened is None or len(opened.pages) != n_pages:
            logger.info("%r is broken; highlights go to a repaired copy of it", origin)
            opened = _opened(_copied(document), None) or _opened(_rebuilt(document), None)
    if opened is None:
        raise CorruptFileError("it is too broken to be written again", origin=origin)
    with opened:
        yield opened


def _copied(document: pdfium.PdfDocument) -> bytes:
    """Return the document as pdfium understood it, without encryption."""
    out = io.BytesIO()
    document.save(out, flags=_WITHOUT_SECURITY)
    return out.getvalue()


def _rebuilt(document: pdfium.PdfDocument) -> bytes:
    """Return a new document of the same pages, for a page tree that no copy of it mends (a loop, say)."""
    out = io.BytesIO()
    new = pdfium.PdfDocument.new()
    try:
        new.import_pages(document)
        new.save(out)
    finally:
        new.close()
    return out.getvalue()


def _opened(content: bytes, password: str | None) -> pikepdf.Pdf | None:
    try:
        opened = pikepdf.open(io.BytesIO(content), password=password or "")
        len(opened.pages)
    except (pikepdf.PdfError, ValueError):
        return None
    return opened


def page_lines(lines_of: LinesOf, doc_id: str, line_id: int) -> tuple[Line, ...]:
    """Return every line of the page that holds `line_id`, in reading order; none where there is no such line."""
    here = next(iter(lines_of(doc_id, line_id, line_id)), None)
    if here is None:
        return ()
    first = max(1, line_id - here.line_num + 1)
    found: list[Line] = []
    step = 250
    while True:
        batch = lines_of(doc_id, first, first + step - 1)
        found += [line for line in batch if line.page_num == here.page_num]
        if len(batch) < step or batch[-1].page_num != here.page_num:
            return tuple(found)
        first += step


def write_atomically(path: Path, content: bytes) -> Path:
    """Write a file so that a reader finds the old one or the new one, never half of it; return `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".pincite-", suffix=path.suffix)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        temporary.chmod(_new_file_mode())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return path


def _new_file_mode() -> int:
    """Return the mode an ordinary new file gets; a temporary file is private to its owner."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
