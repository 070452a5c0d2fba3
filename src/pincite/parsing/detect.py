"""Which type a file has: by its bytes first, then by the ending of its name."""

import codecs
import re
import unicodedata
from typing import Final

from pincite.errors import UnsupportedFormatError

#: How many bytes `media_type` wants to see; a PDF may begin within the first 1024 (ISO 32000-1, annex H.3.4.1).
HEAD_BYTES: Final = 4096

PDF: Final = "application/pdf"
MARKDOWN: Final = "text/markdown"
PLAIN: Final = "text/plain"
BINARY: Final = "application/octet-stream"

#: Media type → name in `PARSERS`.
_PARSER_NAMES: Final = {PDF: "pdf", MARKDOWN: "markdown", PLAIN: "plain"}
_MARKDOWN_ENDINGS: Final = (".md", ".markdown", ".mdown", ".mkd")
#: Names that promise text: binary bytes under them are an error of the file, not an unknown format.
_TEXT_ENDINGS: Final = (*_MARKDOWN_ENDINGS, ".txt", ".text", ".log", ".csv", ".tsv", ".rst", ".adoc", ".asciidoc",
                        ".org", ".tex", ".json", ".xml", ".yaml", ".yml", ".toml", ".ini", ".cfg")  # fmt: skip

#: Endings whose parsers no other package may take over.
_OWN_ENDINGS: Final = frozenset({"pdf", "txt", *(ending[1:] for ending in _MARKDOWN_ENDINGS)})

#: First bytes → media type (IANA registrations and the formats' own specifications).
_MAGIC: Final = (
    (b"PK\x03\x04", "application/zip"), (b"PK\x05\x06", "application/zip"),
    (b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"), (b"II*\x00", "image/tiff"), (b"MM\x00*", "image/tiff"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"), (b"{\\rtf", "application/rtf"),
    (b"%!PS", "application/postscript"), (b"\x1f\x8b", "application/gzip"), (b"BZh", "application/x-bzip2"),
    (b"\xfd7zXZ\x00", "application/x-xz"), (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"), (b"\x28\xb5\x2f\xfd", "application/zstd"),
    (b"\x7fELF", "application/x-executable"), (b"\xca\xfe\xba\xbe", "application/x-executable"),
    (b"\xcf\xfa\xed\xfe", "application/x-executable"), (b"SQLite format 3\x00", "application/vnd.sqlite3"),
    (b"AT&TFORM", "image/vnd.djvu"), (b"OggS\x00", "audio/ogg"), (b"fLaC\x00", "audio/flac"),
    (b"ID3\x02", "audio/mpeg"), (b"ID3\x03", "audio/mpeg"), (b"ID3\x04", "audio/mpeg"),
    (b"OTTO\x00", "font/otf"), (b"\x00\x01\x00\x00\x00", "font/ttf"), (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"), (b"\x00asm", "application/wasm"), (b"PAR1", "application/vnd.apache.parquet"),
)  # fmt: skip
#: A PDF header that no text quotes: first in the file, or before the line of bytes beyond ASCII that should follow it
#: (ISO 32000-1, 7.5.2).
_PDF_HEADER: Final = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*%PDF-|%PDF-\d\.\d\s*%[\x80-\xff]{2}")
_OFFICE: Final = "application/vnd.openxmlformats-officedocument"
#: A member that only this kind of zip holds → media type (ECMA-376, OASIS OpenDocument, EPUB OCF).
_ZIP_MEMBERS: Final = (
    (b"application/epub+zip", "application/epub+zip"),
    (b"application/vnd.oasis.opendocument", "application/vnd.oasis.opendocument"),
    (b"word/", f"{_OFFICE}.wordprocessingml.document"),
    (b"xl/", f"{_OFFICE}.spreadsheetml.sheet"),
    (b"ppt/", f"{_OFFICE}.presentationml.presentation"),
)
#: Endings of formats without a parser → media type; a zip or OLE file is told apart by them too.
_OTHER_ENDINGS: Final = {
    ".docx": f"{_OFFICE}.wordprocessingml.document", ".xlsx": f"{_OFFICE}.spreadsheetml.sheet",
    ".pptx": f"{_OFFICE}.presentationml.presentation", ".doc": "application/msword",
    ".xls": "application/vnd.ms-excel", ".ppt": "application/vnd.ms-powerpoint", ".epub": "application/epub+zip",
    ".odt": "application/vnd.oasis.opendocument", ".html": "text/html", ".htm": "text/html",
    ".xhtml": "text/html", ".eml": "message/rfc822", ".msg": "application/vnd.ms-outlook",
    ".rtf": "application/rtf", ".svg": "image/svg+xml", ".webp": "image/webp", ".bmp": "image/bmp",
    ".heic": "image/heic",
}  # fmt: skip
_CALLED: Final = {
    f"{_OFFICE}.wordprocessingml.document": "Word documents", f"{_OFFICE}.spreadsheetml.sheet": "Excel workbooks",
    f"{_OFFICE}.presentationml.presentation": "PowerPoint presentations", "application/msword": "old Word documents",
    "application/vnd.ms-excel": "old Excel workbooks", "application/vnd.ms-powerpoint": "old PowerPoint files",
    "application/x-ole-storage": "old Office files", "application/epub+zip": "EPUB books",
    "application/vnd.oasis.opendocument": "OpenDocument files", "text/html": "HTML pages",
    "message/rfc822": "e-mail messages", "application/vnd.ms-outlook": "Outlook messages",
    "application/rtf": "RTF documents", "application/postscript": "PostScript files",
    "application/zip": "zip archives", "application/vnd.sqlite3": "SQLite databases",
}  # fmt: skip


def kind_of_bytes(content_head: bytes) -> str | None:
    """Return the media type that the first bytes prove, or `None`: they may be text, or anything.

    >>> kind_of_bytes(b"%PDF-1.7"), kind_of_bytes(b"GIF89a"), kind_of_bytes(b"# Notes")
    ('application/pdf', 'image/gif', None)
    """
    if b"%PDF-" in content_head[:1029]:
        return PDF
    for magic, media in _MAGIC:
        if content_head.startswith(magic):
            return _zip_kind(content_head) if media == "application/zip" else media
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
        return "text/html"
    return None


def _zip_kind(content_head: bytes) -> str:
    return next((media for member, media in _ZIP_MEMBERS if member in content_head), "application/zip")


def media_type(content_head: bytes, name: str) -> str:
    """Return the media type of a file from its first `HEAD_BYTES` bytes and its name.

    A file named .pdf stays a PDF whatever its bytes are: the PDF parser says what is wrong with it. A name that
    promises text (.md, .txt, .csv, …) stays text unless the bytes are a PDF.

    >>> media_type(b"# Notes", "double.pdf.MD"), media_type(b"hello", "noext"), media_type(b"%PDF-1.4", "a.txt")
    ('text/markdown', 'text/plain', 'application/pdf')
    """
    lower = name.lower().rstrip()
    kind = kind_of_bytes(content_head)
    if kind == PDF and lower.endswith(_TEXT_ENDINGS) and _PDF_HEADER.search(content_head) is None:
        kind = None  # a text that mentions the PDF header near its start
    if kind == PDF or lower.endswith(".pdf"):
        return PDF
    if lower.endswith(_TEXT_ENDINGS):
        return MARKDOWN if lower.endswith(_MARKDOWN_ENDINGS) else PLAIN
    by_name = next((media for ending, media in _OTHER_ENDINGS.items() if lower.endswith(ending)), None)
    if by_name is not None and kind in {None, "application/zip", "application/x-ole-storage", "text/html"}:
        return by_name
    if kind is not None:
        return kind
    return BINARY if is_binary(content_head) else PLAIN


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

    """
    plugin = _plugin(name)
    if plugin is not None:
        return plugin
    if media_type in _PARSER_NAMES:
        return _PARSER_NAMES[media_type]
    called = _CALLED.get(media_type, f"files of type {media_type}")
    advice = "run text recognition first" if media_type.startswith("image/") else "save it as PDF, Markdown or text"
    raise UnsupportedFormatError(f"{called} are not parsed yet; {advice}", origin=name)
