"""What the file says about itself outside its pages: outline, page labels, information, attachments, links."""

import ctypes
import logging
import re
from dataclasses import dataclass
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from pincite.types.document import Attachment

#: An outline is cut after this many entries, and nested no deeper.
_MOST_ENTRIES, _DEEPEST = 20_000, 12
_MOST_ATTACHMENTS = 1000
_LOG = logging.getLogger(__name__)
_DATE = re.compile(
    r"D?:?(?P<y>\d{4})(?P<m>\d{2})?(?P<d>\d{2})?(?P<H>\d{2})?(?P<M>\d{2})?(?P<S>\d{2})?"
    r"(?P<z>Z|[+-]\d{2}'?\d{0,2}'?)?.*"
)


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a table of contents: `y` is in page space (points, y up), where it is known.

    `page_num` is 0 where the entry leads nowhere; `title` is empty where the file gives none.
    """

    level: int
    title: str
    page_num: int
    x: float | None
    y: float | None


def outline(document: Any) -> list[Entry]:
    """Return the outline's entries in order; an entry seen before ends its branch, so loops do no harm."""
    out: list[Entry] = []
    seen: set[int] = set()
    stack = [(pdfium_c.FPDFBookmark_GetFirstChild(document, None), 1)]
    while stack and len(out) < _MOST_ENTRIES:
        bookmark, level = stack.pop()
        address = ctypes.cast(bookmark, ctypes.c_void_p).value
        if not address or address in seen:
            continue
        seen.add(address)
        entry = _entry(document, bookmark, level)
        if entry is not None:
            out.append(entry)
        stack.append((pdfium_c.FPDFBookmark_GetNextSibling(document, bookmark), level))
        if level < _DEEPEST:
            stack.append((pdfium_c.FPDFBookmark_GetFirstChild(document, bookmark), level + 1))
    return out


def _entry(document: Any, bookmark: Any, level: int) -> Entry | None:
    size = pdfium_c.FPDFBookmark_GetTitle(bookmark, None, 0)
    buffer = ctypes.create_string_buffer(max(2, size))
    pdfium_c.FPDFBookmark_GetTitle(bookmark, buffer, size)
    title = " ".join(printable(buffer.raw[: max(0, size - 2)].decode("utf-16-le", "replace")).split())
    dest = pdfium_c.FPDFBookmark_GetDest(document, bookmark)
    if not dest:
        action = pdfium_c.FPDFBookmark_GetAction(bookmark)
        dest = pdfium_c.FPDFAction_GetDest(document, action) if action else None
    entry = _at(document, dest, level, title) if dest else None
    # An entry that leads nowhere may still be the title of a heading.
    return entry or (Entry(level, title, 0, None, None) if title else None)


def _at(document: Any, dest: Any, level: int, title: str) -> Entry | None:
    index = pdfium_c.FPDFDest_GetDestPageIndex(document, dest)
    if not 0 <= index < len(document):
        return None
    n_params = ctypes.c_ulong()
    params = (ctypes.c_float * 4)()
    mode = pdfium_c.FPDFDest_GetView(dest, ctypes.byref(n_params), params)
    x = y = None
    if mode == pdfium_c.PDFDEST_VIEW_XYZ:
        given = [ctypes.c_int() for _ in range(3)]
        values = [ctypes.c_float() for _ in range(3)]
        pdfium_c.FPDFDest_GetLocationInPage(dest, *given, *values)
        x = values[0].value if given[0].value else None
        y = values[1].value if given[1].value else None
    elif mode in (pdfium_c.PDFDEST_VIEW_FITH, pdfium_c.PDFDEST_VIEW_FITBH) and n_params.value:
        y = params[0]
    elif mode == pdfium_c.PDFDEST_VIEW_FITR and n_params.value == 4:
        x, y = params[0], params[3]
    return Entry(level, title, index + 1, x, y)


def links_on(document: Any, page_num: int) -> list[tuple[tuple[float, float, float, float], Entry]]:
    """Return the links of a page to other places of the document: rectangle in page space, and target."""
    page = document[page_num - 1]
    out = []
    try:
        position = ctypes.c_int(0)
        link = pdfium_c.FPDF_LINK()
        while pdfium_c.FPDFLink_Enumerate(page, ctypes.byref(position), ctypes.byref(link)):
            dest = pdfium_c.FPDFLink_GetDest(document, link)
            if not dest:
                action = pdfium_c.FPDFLink_GetAction(link)
                dest = pdfium_c.FPDFAction_GetDest(document, action) if action else None
            rect = pdfium_c.FS_RECTF()
            if dest and pdfium_c.FPDFLink_GetAnnotRect(link, ctypes.byref(rect)):
                entry = _at(document, dest, 1, "")
                if entry is not None:
                    out.append(((rect.left, rect.bottom, rect.right, rect.top), entry))
    finally:
        page.close()
    return out


def information(document: Any) -> dict[str, Any]:
    """Return the information dictionary: names in lower case, dates as ISO strings, empty values left out."""
    out = {}
    for key, value in document.get_metadata_dict(skip_empty=True).items():
        shown = " ".join(printable(value).split())
        if shown:
            out[_snake(key)] = iso_date(shown) if key.endswith("Date") else shown
    return out


def _snake(key: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).lower()


def iso_date(text: str) -> str:
    """Return a PDF date as an ISO date or time; text that is no PDF date comes back as it is.

    >>> iso_date("D:20230804120000+02'00'")
    '2023-08-04T12:00:00+02:00'
    """
    match = _DATE.fullmatch(text)
    if match is None:
        return text
    date = "-".join(part for part in match.group("y", "m", "d") if part)
    if not match["H"]:
        return date
    zone = (match["z"] or "").replace("'", "")
    zone = f"{zone[:3]}:{zone[3:5] or '00'}" if zone not in {"", "Z"} else zone
    return f"{date}T{match['H']}:{match['M'] or '00'}:{match['S'] or '00'}{zone}"


def attachments(document: Any) -> tuple[Attachment, ...]:
    """Return the embedded files by safe base name; nothing is written."""
    out = []
    for index in range(min(document.count_attachments(), _MOST_ATTACHMENTS)):
        name, size = "", 0
        try:
            attachment = document.get_attachment(index)
            name = attachment.get_name()
            size = len(attachment.get_data())
        except pdfium.PdfiumError as error:
            _LOG.warning("attachment %d cannot be read: %s", index + 1, error)
        out.append(Attachment(name=safe_name(name, index), n_bytes=size))
    return tuple(out)


def safe_name(name: str, index: int) -> str:
    """Return the last part of a path, without characters that file systems or terminals act on.

    >>> safe_name("../../evil.md", 0)
    'evil.md'
    """
    base = re.split(r"[/\\:]", printable(name))[-1]
    base = re.sub(r'[<>"|?*\x00-\x1f\x7f]', "", base).strip(" .")
    return base or f"attachment-{index + 1}"


def printable(text: str) -> str:
    """Return text without controls, lone surrogates and noncharacters."""
    return "".join(
        char
        for char in text
        if not (ord(char) < 32 and char not in "\t\n")
        and not 0xD800 <= ord(char) <= 0xDFFF
        and not 0x7F <= ord(char) < 0xA0
        and ord(char) & 0xFFFE != 0xFFFE
        and not 0xFDD0 <= ord(char) <= 0xFDEF
        and ord(char) not in {0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069}
    )
