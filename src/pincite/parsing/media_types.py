"""The media types pincite knows, the bytes they begin with, and what to do about those it cannot parse."""

from typing import Final

PDF: Final = "application/pdf"
MARKDOWN: Final = "text/markdown"
PLAIN: Final = "text/plain"
BINARY: Final = "application/octet-stream"
HTML: Final = "text/html"

_OFFICE: Final = "application/vnd.openxmlformats-officedocument"
DOCX: Final = f"{_OFFICE}.wordprocessingml.document"
XLSX: Final = f"{_OFFICE}.spreadsheetml.sheet"
PPTX: Final = f"{_OFFICE}.presentationml.presentation"
EPUB: Final = "application/epub+zip"
EMAIL: Final = "message/rfc822"
CSV: Final = "text/csv"
RST: Final = "text/x-rst"
ASCIIDOC: Final = "text/asciidoc"
SOURCE_CODE: Final = "text/x-source-code"
OLE: Final = "application/x-ole-storage"
#: An Office file behind a password: OLE storage with an encrypted zip in it (MS-OFFCRYPTO, 2.3.1).
ENCRYPTED_OFFICE: Final = "application/vnd.ms-office.encrypted"
#: Pictures that text can be recognised in.
PICTURES: Final = ("image/png", "image/jpeg", "image/gif", "image/tiff", "image/webp", "image/bmp")

#: First bytes → media type (IANA registrations and the formats' own specifications).
MAGIC: Final = (
    (b"PK\x03\x04", "application/zip"), (b"PK\x05\x06", "application/zip"),
    (b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"), (b"II*\x00", "image/tiff"), (b"MM\x00*", "image/tiff"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", OLE), (b"{\\rtf", "application/rtf"),
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
#: Media type → what a person calls such files.
CALLED: Final = {
    "application/msword": "old Word documents (.doc)", "application/vnd.ms-excel": "old Excel workbooks (.xls)",
    "application/vnd.ms-powerpoint": "old PowerPoint files (.ppt)", OLE: "old Office files",
    "application/vnd.oasis.opendocument": "OpenDocument files", "application/vnd.ms-outlook": "Outlook messages (.msg)",
    "application/rtf": "RTF documents", "application/postscript": "PostScript files",
    "application/zip": "zip archives", "application/vnd.sqlite3": "SQLite databases",
}  # fmt: skip


def _converted(ending: str, program: str) -> str:
    return f"save it as .{ending} with {program}, or: soffice --headless --convert-to {ending} FILE"


#: Media type → what to do about it; LibreOffice's own names of the formats to convert to.
ADVICE: Final = {
    "application/msword": _converted("docx", "Word"), "application/vnd.ms-excel": _converted("xlsx", "Excel"),
    "application/vnd.ms-powerpoint": _converted("pptx", "PowerPoint"), OLE: _converted("pdf", "the program"),
    "application/rtf": _converted("docx", "Word"),
    "application/vnd.oasis.opendocument": _converted("pdf", "the program"),
    "application/vnd.ms-outlook": "save it as .eml, or print it to PDF",
    "application/postscript": "convert it to PDF: ps2pdf FILE", "application/zip": "unpack it, and add the files",
}  # fmt: skip
