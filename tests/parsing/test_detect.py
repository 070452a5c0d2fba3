"""Which type a file is taken for."""

import pytest

from pincite.errors import UnsupportedFormatError
from pincite.parsing.detect import media_type, parser_name


@pytest.mark.parametrize(
    ("head", "name", "expected"),
    [
        (b"%PDF-1.7\n", "report.pdf", "application/pdf"),
        (b"junk before\n%PDF-1.4\n", "report", "application/pdf"),
        (b"%PDF-1.7\n", "notes.txt", "application/pdf"),
        (b"%PDF-1.7\n", "report.md", "application/pdf"),
        (b"\xef\xbb\xbf%PDF-1.7\n", "report.md", "application/pdf"),
        (b"HTTP/1.1 200 OK\n\n%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", "report.md", "application/pdf"),
        (b"A header:\n%PDF-1.4\n% and a comment", "notes.md", "text/markdown"),
        (b"A page about the %PDF- header", "notes.md", "text/markdown"),
        (b"<html><body>", "report.pdf", "application/pdf"),
        (b"", "report.pdf", "application/pdf"),
        (b"# Notes", "double.pdf.md", "text/markdown"),
        (b"# Notes", "UPPER.MD", "text/markdown"),
        (b"# Notes", "notes.mkd", "text/markdown"),
        (b"hello", "noext", "text/plain"),
        (b"hello", "data.csv", "text/csv"),
        (b"hello", "trailing dot..md", "text/markdown"),
        (b"\x89PNG\r\n\x1a\n\0\0", "picture", "image/png"),
        (b"PK\x03\x04....word/document.xml", "letter", _docx := "application/vnd.openxmlformats-officedocument"
         ".wordprocessingml.document"),
        (b"PK\x03\x04", "letter.docx", _docx),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "letter.doc", "application/msword"),
        (b"<!DOCTYPE html><p>", "page", "text/html"),
        (b"PK\x03\x04....word/document.xml", "letter.pdf", _docx),
        (b"PK\x03\x04....word/document.xml", "letter.txt", _docx),
        (b"PK\x03\x04....word/document.xml", "letter.xlsx", _docx),
        (b"%PDF-1.7\n", "letter.docx", "application/pdf"),
        (b"Dear Carl,", "letter.docx", "text/plain"),
        (b"<svg>", "drawing.svg", "image/svg+xml"),
        (b"<html><body>", "letter.doc", "text/html"),
        (b"<!doctype html><p>", "notes.txt", "text/html"),
        (b"<!doctype html><p>", "notes.md", "text/html"),
        (b"<html> begins a page", "notes.md", "text/markdown"),
        (b'<?xml version="1.0"?>\n<!DOCTYPE html>\n<html xmlns="x">', "page.xml", "text/html"),
        (b"\x89PNG\r\n\x1a\n\0\0", "scan.pdf", "image/png"),
        (b"Received: by x\nFrom: a@example.org\n\nhi", "saved", "message/rfc822"),
        (b"From: a@example.org\n\nhi", "saved.eml", "message/rfc822"),
        (b"def f(): pass", "tool.py", "text/x-source-code"),
        (b"a;b", "data.tsv", "text/csv"),
        (b"= Guide", "guide.adoc", "text/asciidoc"),
        (_ole := b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "letter", "application/x-ole-storage"),
        (_ole + "WordDocument".encode("utf-16-le"), "letter.xls", "application/msword"),
        (_ole + "EncryptedPackage".encode("utf-16-le"), "a.docx", "application/vnd.ms-office.encrypted"),
        (b"\x00\x01\x02\x03\x04\x05" * 50, "data.bin", "application/octet-stream"),
    ],
)  # fmt: skip
def test_bytes_decide_before_the_name(head: bytes, name: str, expected: str) -> None:
    """A file is what its bytes are; its name counts where the bytes may be any text."""
    assert media_type(head, name) == expected


@pytest.mark.parametrize(
    ("media", "words"),
    [
        ("image/heic", "PNG or JPEG"),
        ("application/msword", "old Word documents.*--convert-to docx"),
        ("application/vnd.ms-excel", "old Excel workbooks.*--convert-to xlsx"),
        ("application/vnd.ms-powerpoint", "old PowerPoint files.*--convert-to pptx"),
        ("application/vnd.ms-outlook", "Outlook messages.*eml"),
        ("application/octet-stream", "application/octet-stream"),
    ],
)
def test_says_which_format_is_not_parsed_and_what_to_do(media: str, words: str) -> None:
    """A format without a parser is refused with its name, the file's name and a way out."""
    with pytest.raises(UnsupportedFormatError, match=words) as caught:
        parser_name(media, "letter.x")
    assert caught.value.origin == "letter.x"
