"""Which type a file has: by its bytes first, then by the ending of its name."""

import codecs
import io
import re
import unicodedata
import zipfile
from contextlib import suppress
from typing import Final

from pincite.errors import PasswordRequiredError, UnsupportedFormatError
from pincite.parsing.code_symbols import SYMBOLS_OF
from pincite.parsing.media_types import (
    ADVICE,
    ASCIIDOC,
    BINARY,
    CALLED,
    CSV,
    DOCX,
    EMAIL,
    ENCRYPTED_OFFICE,
    EPUB,
    HTML,
    MAGIC,
    MARKDOWN,
    OLE,
    PDF,
    PICTURES,
    PLAIN,
    PPTX,
    RST,
    SOURCE_CODE,
    XLSX,
)

#: How many bytes `media_type` wants to see; a PDF may begin within the first 1024 (ISO 32000-1, annex H.3.4.1).
HEAD_BYTES: Final = 4096

#: Media type → name in `PARSERS`.
_PARSER_NAMES: Final = {
    PDF: "pdf", MARKDOWN: "markdown", PLAIN: "plain", HTML: "html", DOCX: "docx", XLSX: "xlsx", PPTX: "pptx",
    EPUB: "epub", EMAIL: "email", CSV: "csv", RST: "rst", ASCIIDOC: "asciidoc", SOURCE_CODE: "code",
    **dict.fromkeys(PICTURES, "picture"),
}  # fmt: skip
_MARKDOWN_ENDINGS: Final = (".md", ".markdown", ".mdown", ".mkd")
#: Endings of text formats of their own → media type.
_TEXT_TYPES: Final = {
    **dict.fromkeys(_MARKDOWN_ENDINGS, MARKDOWN), ".csv": CSV, ".tsv": CSV, ".rst": RST, ".rest": RST,
    ".adoc": ASCIIDOC, ".asciidoc": ASCIIDOC, **dict.fromkeys(SYMBOLS_OF, SOURCE_CODE),
}  # fmt: skip
#: Names that promise text: binary bytes under them are an error of the file, not an unknown format.
_TEXT_ENDINGS: Final = (*_TEXT_TYPES, ".txt", ".text", ".log", ".org", ".tex", ".json", ".xml", ".yaml", ".yml",
                        ".toml", ".ini", ".cfg")  # fmt: skip

#: Endings whose parsers no other package may take over.
_OWN_ENDINGS: Final = frozenset({"pdf", "txt", *(ending[1:] for ending in _MARKDOWN_ENDINGS)})


#: XHTML: its root element, past the XML declaration and comments.
_XHTML: Final = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*<\?xml[^>]*>\s*(?:<!--.*?-->\s*|<!DOCTYPE[^>]*>\s*)*<html[\s>]",
                           re.DOTALL | re.IGNORECASE)  # fmt: skip
#: A PDF header that no text quotes: first in the file, or before the line of bytes beyond ASCII that should follow it
#: (ISO 32000-1, 7.5.2).
_PDF_HEADER: Final = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*%PDF-|%PDF-\d\.\d\s*%[\x80-\xff]{2}")
#: A member that only this kind of zip holds → media type (ECMA-376, OASIS OpenDocument, EPUB OCF).
_ZIP_MEMBERS: Final = (
    (b"application/epub+zip", EPUB), (b"application/vnd.oasis.opendocument", "application/vnd.oasis.opendocument"),
    (b"META-INF/container.xml", EPUB), (b"word/document", DOCX), (b"xl/workbook", XLSX), (b"ppt/presentation", PPTX),
    (b"word/", DOCX), (b"xl/", XLSX), (b"ppt/", PPTX),
)  # fmt: skip
#: A stream that only this kind of OLE file holds → media type (MS-DOC, MS-XLS, MS-PPT, MS-OXMSG).
_OLE_STREAMS: Final = (
    ("EncryptedPackage", ENCRYPTED_OFFICE), ("WordDocument", "application/msword"),
    ("PowerPoint Document", "application/vnd.ms-powerpoint"), ("Workbook", "application/vnd.ms-excel"),
    ("Book\0", "application/vnd.ms-excel"), ("__properties_version1.0", "application/vnd.ms-outlook"),
)  # fmt: skip
#: Where the directory of a zip ends: at most a comment of 64 KiB behind it (APPNOTE.TXT, 4.3.16).
_ZIP_END_BYTES: Final = 65_558
#: Endings of other formats → media type; a zip or OLE file whose bytes do not say is told apart by them too.
_OTHER_ENDINGS: Final = {
    ".docx": DOCX, ".docm": DOCX, ".dotx": DOCX, ".xlsx": XLSX, ".xlsm": XLSX, ".xltx": XLSX, ".pptx": PPTX,
    ".pptm": PPTX, ".ppsx": PPTX, ".potx": PPTX, ".doc": "application/msword", ".dot": "application/msword",
    ".xls": "application/vnd.ms-excel", ".ppt": "application/vnd.ms-powerpoint", ".epub": EPUB,
    ".odt": "application/vnd.oasis.opendocument", ".ods": "application/vnd.oasis.opendocument",
    ".odp": "application/vnd.oasis.opendocument", ".html": HTML, ".htm": HTML, ".xhtml": HTML, ".xht": HTML,
    ".eml": EMAIL, ".msg": "application/vnd.ms-outlook",
    ".rtf": "application/rtf", ".svg": "image/svg+xml", ".webp": "image/webp", ".bmp": "image/bmp",
    ".heic": "image/heic",
}  # fmt: skip


def head_of(content: bytes) -> bytes:
    """Return the bytes of a file that `media_type` needs: the first ones, or all where names of parts stand inside."""
    return content if content.startswith((b"PK", b"\xd0\xcf\x11\xe0")) else content[:HEAD_BYTES]


def kind_of_bytes(content_head: bytes) -> str | None:
    """Return the media type that the first bytes prove, or `None`: they may be text, or anything.

    >>> kind_of_bytes(b"%PDF-1.7"), kind_of_bytes(b"GIF89a"), kind_of_bytes(b"# Notes")
    ('application/pdf', 'image/gif', None)
    """
    if b"%PDF-" in content_head[:1029]:
        return PDF
    for magic, media in MAGIC:
        if content_head.startswith(magic):
            if media == "application/zip":
                return _zip_kind(content_head)
            return _ole_kind(content_head) if media == OLE else media
    if content_head[:4] == b"RIFF" and content_head[8:12] in {b"WEBP", b"WAVE", b"AVI "}:
        return "image/webp" if content_head[8:12] == b"WEBP" else "video/x-riff"
    if content_head[4:8] == b"ftyp":
        return "video/mp4"
    if content_head[257:262] == b"ustar":
        return "application/x-tar"
    if content_head[:2] == b"BM" and content_head[6:10] == b"\x00\x00\x00\x00":
        return "image/bmp"
    start = content_head.removeprefix(b"\xef\xbb\xbf").lstrip()[:15].lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return HTML
    if start.startswith(b"<?xml") and _XHTML.search(content_head[:HEAD_BYTES]):
        return HTML
    return None


def _zip_kind(content: bytes) -> str:
    """Return the kind of a zip by the names in it: all of them where the bytes are whole, else those in sight."""
    names = content
    if b"PK\x05\x06" in content[-_ZIP_END_BYTES:]:
        with suppress(zipfile.BadZipFile, ValueError, OSError, NotImplementedError, EOFError):
            found = zipfile.ZipFile(io.BytesIO(content))
            kind = found.read("mimetype")[:80] if "mimetype" in found.namelist() else b""
            names = "\n".join(["", *found.namelist()]).encode("utf-8", "replace") + b"\n" + kind
            return next((media for member, media in _ZIP_MEMBERS if _holds(names, member)), "application/zip")
    return next((media for member, media in _ZIP_MEMBERS if member in names), "application/zip")


def _holds(names: bytes, member: bytes) -> bool:
    """Say whether a zip holds a member whose name begins so, or says so of itself."""
    return b"\n" + member in names


def _ole_kind(content: bytes) -> str:
    return next((media for name, media in _OLE_STREAMS if name.encode("utf-16-le") in content), OLE)


def media_type(content: bytes, name: str) -> str:
    """Return the media type of a file from its bytes (the first `HEAD_BYTES`, or all of a zip) and its name.

    The bytes decide before the name does. A file named .pdf whose bytes are nothing that can be parsed stays a PDF:
    the PDF parser says what is wrong with it. A name that promises text stays text where the bytes may be any text.

    >>> media_type(b"# Notes", "double.pdf.MD"), media_type(b"hello", "noext"), media_type(b"%PDF-1.4", "a.txt")
    ('text/markdown', 'text/plain', 'application/pdf')
    """
    lower = name.lower().rstrip()
    kind = kind_of_bytes(content)
    if kind == PDF and lower.endswith(_TEXT_ENDINGS) and _PDF_HEADER.search(content) is None:
        kind = None  # a text that mentions the PDF header near its start
    if kind in _PROVEN or (kind == HTML and _may_be_page(content, lower)):
        return kind or BINARY
    if lower.endswith(".pdf"):
        return PDF
    if lower.endswith(_TEXT_ENDINGS):
        return next((media for ending, media in _TEXT_TYPES.items() if lower.endswith(ending)), PLAIN)
    by_name = next((media for ending, media in _OTHER_ENDINGS.items() if lower.endswith(ending)), None)
    if kind is not None:
        return by_name if by_name is not None and kind in {"application/zip", OLE} else kind
    # Text under the name of a packed format is text that was given a wrong name.
    if by_name is not None and (by_name not in _PACKED or is_binary(content) or not content.strip()):
        return by_name
    if is_binary(content):
        return BINARY
    return EMAIL if _MAIL.match(content) else PLAIN


#: What the bytes prove, whatever the name says.
_PROVEN: Final = frozenset({PDF, DOCX, XLSX, PPTX, EPUB, ENCRYPTED_OFFICE, *PICTURES})
#: Formats that are never plain text, old and new.
_PACKED: Final = frozenset(
    {DOCX, XLSX, PPTX, EPUB, "application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint"}
)
#: A message as mail programs write it: header fields from the first line on, among them one that only mail has
#: (RFC 5322, 3.6).
_MAIL: Final = re.compile(
    rb"(?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*){0,60}?(?:Received|Message-ID|Return-Path|MIME-Version|Delivered-To):",
    re.IGNORECASE,
)


def _may_be_page(content: bytes, lower: str) -> bool:
    """Say whether what begins like HTML is a page: not where the name says Markdown or code that may begin so."""
    if lower.endswith((".pdf", *SYMBOLS_OF)):
        return False
    return not lower.endswith(_MARKDOWN_ENDINGS) or content.lstrip()[:9].lower() == b"<!doctype"


#: Control characters that text does not hold; tab, line feed, form feed, carriage return, backspace, vertical tab
#: and escape (terminal logs) are left out.
_CONTROLS: Final = bytes(set(range(32)) - {0, 8, 9, 10, 11, 12, 13, 27}) + b"\x7f"
_BOMS: Final = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
#: Above these shares of control characters and NUL bytes no text was ever seen.
_MAX_CONTROL_SHARE: Final = 0.03
_MAX_NUL_SHARE: Final = 0.25


def is_binary(content: bytes) -> bool:
    """Say whether bytes cannot be text in any encoding: a known binary format, or full of control characters."""
    if content.startswith(_BOMS) or utf16_order(content) is not None:
        return False
    if kind_of_bytes(content) not in {None, "text/html", PDF, "application/rtf", "application/postscript"}:
        return True
    # ISO-2022-KR begins with this sequence and then shifts out and in (RFC 1557).
    controls = _CONTROLS.translate(None, b"\x0e\x0f") if b"\x1b$)" in content[:HEAD_BYTES] else _CONTROLS
    n_controls = len(content) - len(content.translate(None, controls))
    n_nuls = content.count(0)
    return n_controls > max(2, _MAX_CONTROL_SHARE * len(content)) or n_nuls > max(3, _MAX_NUL_SHARE * len(content))


def utf16_order(content: bytes) -> str | None:
    """Return "utf-16-le" or "utf-16-be" for UTF-16 text without a byte order mark, else `None`.

    >>> utf16_order("The key is red".encode("utf-16-le")), utf16_order(b"The key")
    ('utf-16-le', None)
    """
    head = content[:HEAD_BYTES]
    if len(content) < 4 or len(content) % 2:
        return None
    for encoding, high, low in (("utf-16-le", head[1::2], head[::2]), ("utf-16-be", head[::2], head[1::2])):
        # Text keeps to one or two high bytes: 00 for Latin, one of 03 to 06 for Greek to Arabic. Chinese and
        # Japanese have many, but 00 for line ends, which no other encoding holds in one half of the pairs alone.
        n_small = high.count(0) + max(high.count(block) for block in (3, 4, 5, 6))
        is_chinese = 0 in high and 0 not in low and not _is_utf8(head)
        if (n_small >= 0.5 * len(high) or is_chinese) and _is_plausible(head, encoding):
            return encoding
    return None


def _is_utf8(head: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def _is_plausible(head: bytes, encoding: str) -> bool:
    """Say whether bytes decode to letters, marks and blanks that Unicode knows."""
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(head)
    except UnicodeDecodeError:
        return False
    return all(char in "\t\n\r\f" or unicodedata.category(char) not in {"Cc", "Cn", "Co"} for char in text)


def _plugin(name: str) -> str | None:
    """Return the parser that another package registers for this file's ending, if any."""
    ending = name.rsplit(".", 1)[-1].lower()
    if ending in _OWN_ENDINGS or "." not in name:
        return None
    # Reading what is installed takes 20 ms: only files with an ending that is not our own pay for it.
    from importlib.metadata import entry_points

    return ending if any(point.name == ending for point in entry_points(group="pincite.parsers")) else None


def parser_name(media_type: str, name: str = "the file") -> str:
    """Return the name in `PARSERS` that takes a media type; `name` is what the error calls the file.

    Raises:
        UnsupportedFormatError: no parser takes it; the message says what can be done.
        PasswordRequiredError: it is an Office file behind a password.

    """
    plugin = _plugin(name)
    if plugin is not None:
        return plugin
    if media_type in _PARSER_NAMES:
        return _PARSER_NAMES[media_type]
    if media_type == ENCRYPTED_OFFICE:
        raise PasswordRequiredError("the Office file is locked; save it without its password first", origin=name)
    called = CALLED.get(media_type, f"files of type {media_type}")
    is_image = media_type.startswith("image/")
    otherwise = "save it as PNG or JPEG" if is_image else "save it as PDF, Markdown or text"
    raise UnsupportedFormatError(f"{called} are not parsed; {ADVICE.get(media_type, otherwise)}", origin=name)
