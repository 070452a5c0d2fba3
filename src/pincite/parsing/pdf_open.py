"""Bytes to an open pdfium document: repairs what can be repaired, names what cannot."""

import io
import re
import warnings
from dataclasses import dataclass
from typing import Any

import pikepdf
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from pincite.errors import CorruptPdfError, EmptyFileError, NotAPdfError, PasswordRequiredError

#: A PDF header may stand this many bytes into the file (what readers in use accept).
_HEADER_WITHIN = 1024
_BLANK = b"\x00 \t\r\n"
_EXTRACT_BIT = 1 << 4
_STARTXREF = re.compile(rb"startxref\s+(\d+)")
_OTHER_TYPES = {
    b"<!doctype": "HTML",
    b"<html": "HTML",
    b"<?xml": "XML",
    b"pk\x03\x04": "a ZIP archive",
    b"{\\rtf": "RTF",
    b"\x89png": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"gif8": "a GIF picture",
    b"\xd0\xcf\x11\xe0": "an old Office file",
    b"%!ps": "PostScript",
}


@dataclass(slots=True)
class OpenPdf:
    """An open document, the bytes it was opened from, and what had to be done to open it."""

    document: Any
    content: bytes
    warnings: list[str]
    encryption: str | None


def open_pdf(content: bytes, *, name: str, password: str | None) -> OpenPdf:
    """Return the open document; the caller closes it.

    Raises:
        EmptyFileError: there are no bytes.
        NotAPdfError: the bytes are of another type.
        PasswordRequiredError: encrypted, and neither the empty password nor `password` opens it.
        CorruptPdfError: no page can be reached, not even after a repair.

    """
    if not content[:_HEADER_WITHIN].strip(_BLANK) and not content.strip(_BLANK):
        raise EmptyFileError("the file is empty", origin=name)
    start = content.find(b"%PDF-")
    if start < 0 or start > _HEADER_WITHIN:
        _refuse_other_types(content, start, name)
    warnings = _warnings(content, start)
    try:
        opened = _with_pages(_load(content, password))
    except _UnreadableError:
        content = _repaired(content[max(0, start) :], password, name)
        warnings.append("the file was damaged and was repaired before reading")
        opened = _reload(content, password, name)
    except _LockedError as error:
        raise PasswordRequiredError("the file is encrypted; a password is needed", origin=name) from error
    return OpenPdf(opened, content, warnings, _encryption(opened, password))


class _UnreadableError(Exception):
    """pdfium cannot load the bytes, or finds no page."""


class _LockedError(Exception):
    """pdfium asks for a password."""


def _refuse_other_types(content: bytes, start: int, name: str) -> None:
    """Raise for bytes that do not begin like a PDF, unless a PDF follows the junk."""
    head = content[:512].lstrip(b"\xef\xbb\xbf \t\r\n\x00").lower()
    for magic, kind in _OTHER_TYPES.items():
        if head.startswith(magic):
            raise NotAPdfError(f"the file is {kind}, not a PDF", origin=name)
    if start >= 0:
        return
    printable = sum(byte in b"\t\r\n" or 32 <= byte < 127 for byte in head)
    if head and printable > 0.95 * len(head):
        raise NotAPdfError("the file is text, not a PDF", origin=name)
    if b" obj" not in content or b"endobj" not in content:
        raise CorruptPdfError("the bytes hold no PDF header and no objects", origin=name)


def _load(content: bytes, password: str | None) -> Any:
    try:
        return pdfium.PdfDocument(content, password=password)
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) == pdfium_c.FPDF_ERR_PASSWORD or "password" in str(error).lower():
            raise _LockedError from error
        raise _UnreadableError from error


def _with_pages(opened: Any) -> Any:
    """Return the document when it has pages."""
    if len(opened) == 0:
        opened.close()
        raise _UnreadableError
    return opened


def _repaired(content: bytes, password: str | None, name: str) -> bytes:
    """Return the bytes as pikepdf writes them anew."""
    out = io.BytesIO()
    try:
        with (
            warnings.catch_warnings(action="ignore"),
            pikepdf.open(io.BytesIO(content), password=password or "") as pdf,
        ):
            if len(pdf.pages) == 0:
                raise CorruptPdfError("the file has no pages", origin=name)
            pdf.save(out)
    except pikepdf.PasswordError as error:
        raise PasswordRequiredError("the file is encrypted; a password is needed", origin=name) from error
    except (pikepdf.PdfError, ValueError, RuntimeError, RecursionError) as error:
        raise CorruptPdfError("the file is broken beyond repair", origin=name) from error
    return out.getvalue()


def _reload(content: bytes, password: str | None, name: str) -> Any:
    try:
        opened = _load(content, password)
    except (_UnreadableError, _LockedError) as error:
        raise CorruptPdfError("the file is broken beyond repair", origin=name) from error
    if len(opened) == 0:
        opened.close()
        raise CorruptPdfError("the file has no pages", origin=name)
    return opened


def _warnings(content: bytes, start: int) -> list[str]:
    """Return what is wrong with the file's frame: junk in front, no end, a cross-reference that misses."""
    found = []
    if start > 0:
        found.append(f"{start} bytes before the PDF header were skipped")
    if b"%%EOF" not in content[-2048:]:
        found.append("the end of the file is missing; pages may be lost")
    matches = _STARTXREF.findall(content[-4096:])
    if not matches or not _is_xref(content, int(matches[-1]), max(0, start)):
        found.append("the cross-reference table is damaged; it was rebuilt")
    return found


def _is_xref(content: bytes, offset: int, start: int) -> bool:
    for at in {offset, offset + start}:
        there = content[at : at + 64].lstrip()
        if there.startswith(b"xref") or re.match(rb"\d+\s+\d+\s+obj", there):
            return True
    return False


def _encryption(document: Any, password: str | None) -> str | None:
    revision = pdfium_c.FPDF_GetSecurityHandlerRevision(document)
    if revision < 0:
        return None
    permissions = pdfium_c.FPDF_GetDocPermissions(document)
    copying = "allowed" if permissions & _EXTRACT_BIT else "not allowed by its owner"
    how = "the password given" if password else "the empty password"
    return f"encrypted (revision {revision}), opened with {how}; copying text is {copying}"
