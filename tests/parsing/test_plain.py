"""Plain text to a document."""

from pathlib import Path

import pytest

from pincite.parsing.plain import PlainTextParser, find_headings
from pincite.types.document import ParsedDocument

CASES = Path(__file__).parents[1] / "cases"


def parsed(content: str | bytes) -> ParsedDocument:
    raw = content.encode() if isinstance(content, str) else content
    return PlainTextParser().parse(raw, name="a.txt", uri="file:///a.txt")


def test_a_line_is_the_files_own_line() -> None:
    r"""Only \n, \r\n and a lone \r end a line, so `line_num` is what an editor shows."""
    document = parsed("one\r\ntwo\rthree\x0cstill\u2028three\n\n\tfive ")

    assert [line.text for line in document.lines] == ["one", "two", "three\x0cstill\u2028three", "", "\tfive "]
    assert [line.line_num for line in document.lines] == [1, 2, 3, 4, 5]
    assert all(document.lines[line.line_id - 1] is line for line in document.lines)


def test_underlined_and_capital_and_numbered_titles_are_headings() -> None:
    """Titles that a reader sees at once open sections, with their levels."""
    document = parsed(
        "PORT RULES\n\n1 Mooring\n\nMake fast.\n\n1.1 Lines\n\nFour of them.\n\n2 Fire watch\n\nKeep it.\n"
    )

    assert [(s.level, s.title, s.start_line, s.end_line) for s in document.toc] == [
        (1, "PORT RULES", 1, 13),
        (2, "1 Mooring", 3, 10),
        (3, "1.1 Lines", 7, 10),
        (2, "2 Fire watch", 11, 13),
    ]
    assert document.lines[8].section_id == 3
    assert document.parsing_summary.title == "PORT RULES"


@pytest.mark.parametrize(
    "text",
    [
        "1 apple\n2 pears\n3 plums\n",
        "x" * 90 + "\n-----\n",
        "=====  =====\nA      B\n=====  =====\n1      2\n=====  =====\n",
        "The first line.\n\nThe second line.\n",
        "3 Mooring\n\nonly one number, and not the first\n",
    ],
)
def test_doubtful_lines_are_no_headings(text: str) -> None:
    """Lists, tables and sentences are not torn apart by headings they do not have."""
    assert find_headings(text.split("\n")) == ()


def test_underlines_give_levels_in_order_of_use() -> None:
    """Titles in reStructuredText open sections; the first kind of underline is the outermost."""
    lines = ["=====", "Title", "=====", "", "Part", "----", "text", "", "Next", "----", "text"]

    assert [(h.level, h.title, h.first_line, h.last_line) for h in find_headings(lines)] == [
        (1, "Title", 1, 3),
        (2, "Part", 5, 6),
        (2, "Next", 9, 10),
    ]


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", b"   \n\t\n"])
def test_a_file_without_text_parses_and_says_so(content: bytes) -> None:
    """Empty, blank and mark-only files are no error: the page is blank and a warning says why."""
    document = parsed(content)

    assert document.pages[0].kind == "blank"
    assert document.pages[0].flags == ("no_text",)
    assert document.parsing_summary.warnings == ("the file has no text",)


def test_one_line_of_40_000_words_stays_one_line() -> None:
    """A file without line ends is one line, whatever its length."""
    content = (CASES / "CHK05-no-space-run-and-overlap" / "one-line.txt").read_bytes()

    assert [len(line.text) for line in parsed(content).lines] == [len(content.rstrip(b"\n"))]


def test_the_summary_names_language_encoding_and_warnings() -> None:
    """What was found out about a text file is in its summary."""
    summary = parsed("Der Hafen ist für Öl und Gas nicht geöffnet.".encode("latin-1")).parsing_summary

    assert (summary.language, summary.encoding, summary.format, summary.n_pages) == ("de", "cp1252", "text", 1)
