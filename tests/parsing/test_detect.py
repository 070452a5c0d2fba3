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
        (b"hello", "data.csv", "text/plain"),
        (b"hello", "trailing dot..md", "text/markdown"),
        (b"\x89PNG\r\n\x1a\n\0\0", "picture", "image/png"),
        (b"PK\x03\x04....word/document.xml", "letter", _docx := "application/vnd.openxmlformats-officedocument"
         ".wordprocessingml.document"),
        (b"PK\x03\x04", "letter.docx", _docx),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "letter.doc", "application/msword"),
        (b"<!DOCTYPE html><p>", "page", "text/html"),
        (b"\x00\x01\x02\x03\x04\x05" * 50, "data.bin", "application/octet-stream"),
    ],
)  # fmt: skip
def test_bytes_decide_before_the_name(head: bytes, name: str, expected: str) -> None:
    """A file is what its bytes are; its name counts where the bytes may be any text."""
    assert media_type(head, name) == expected


@pytest.mark.parametrize(
    ("media", "words"),
    [
        ("image/png", "text recognition"),
        ("text/html", "HTML pages"),
        ("application/msword", "old Word documents"),
        ("application/octet-stream", "application/octet-stream"),
    ],
)
def test_says_which_format_is_not_parsed_and_what_to_do(media: str, words: str) -> None:
    """A format without a parser is refused with its name, the file's name and a way out."""
    with pytest.raises(UnsupportedFormatError, match=words) as caught:
        parser_name(media, "letter.x")
    assert caught.value.origin == "letter.x"
