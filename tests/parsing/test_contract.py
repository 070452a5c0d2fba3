"""Every parser, built in or added, keeps the promises of `Parser`; a new one in `PARSERS` needs a sample here."""

import io
from functools import cache
from typing import Any, Final

import openpyxl
import pytest
from docx import Document
from pptx import Presentation
from tests.parsing.conftest import drawn_pdf
from tests.parsing.made_files import epub_bytes, png_bytes

from pincite.errors import ParseError
from pincite.parsing import PARSERS
from pincite.protocols import Parser
from pincite.registry import load
from pincite.types.document import ParsedDocument

_TEXT: Final = "Mooring\n\nA boat pays 14 crowns.\nDogs stay on a lead.\n"


def _docx() -> bytes:
    made = Document()
    for text in _TEXT.split("\n"):
        made.add_paragraph(text)
    return _saved(made)


def _xlsx() -> bytes:
    made = openpyxl.Workbook()
    for row, text in enumerate(_TEXT.split("\n"), start=1):
        made.active.cell(row, 1, text or None)
    return _saved(made)


def _pptx() -> bytes:
    made = Presentation()
    slide = made.slides.add_slide(made.slide_layouts[6])
    slide.shapes.add_textbox(0, 0, 900, 900).text_frame.text = _TEXT
    return _saved(made)


def _saved(made: Any) -> bytes:
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


_PAGE: Final = "<h1>Mooring</h1><p>A boat pays 14 crowns.</p><p>Dogs stay on a lead.</p>"
#: The name of a parser → the smallest file that says something over several lines.
SAMPLES: Final = {
    "pdf": drawn_pdf("BT /F 12 Tf 72 700 Td (A boat pays 14 crowns.) Tj 0 -20 Td (Dogs stay on a lead.) Tj ET", ""),
    "markdown": f"# {_TEXT}".encode(),
    "plain": _TEXT.encode(),
    "html": f"<!doctype html><body>{_PAGE}".encode(),
    "docx": _docx(),
    "xlsx": _xlsx(),
    "csv": _TEXT.encode(),
    "pptx": _pptx(),
    "epub": epub_bytes(gate=f"<body>{_PAGE}</body>"),
    "email": f"From: a@example.org\nSubject: Mooring\n\n{_TEXT}".encode(),
    "rst": f"Mooring\n=======\n\n{_TEXT}".encode(),
    "asciidoc": f"= {_TEXT}".encode(),
    "code": _TEXT.encode(),
    "picture": png_bytes("A boat pays 14 crowns.", "Dogs stay on a lead."),
}
#: Bytes that no parser takes.
_BINARY: Final = bytes(range(256)) * 8


@pytest.fixture(params=sorted(PARSERS))
def name(request: pytest.FixtureRequest) -> str:
    """Return the name of each parser in turn."""
    return str(request.param)


def parser(name: str) -> Parser:
    made: Parser = load(name, PARSERS, group="pincite.parsers")()
    return made


@cache
def parsed(name: str) -> ParsedDocument:
    return parser(name).parse(SAMPLES[name], name=f"sample.{name}", uri=f"file:///sample.{name}")


def test_lines_are_numbered_in_reading_order(name: str) -> None:
    """A line's id is its place in the document, and its number its place on the page: citations rest on both."""
    lines = parsed(name).lines

    assert [line.line_id for line in lines] == list(range(1, len(lines) + 1))
    for page_num in {line.page_num for line in lines}:
        numbers = [line.line_num for line in lines if line.page_num == page_num]
        assert numbers == list(range(1, len(numbers) + 1))


def test_lines_hold_what_the_file_says(name: str) -> None:
    """What a person reads in the file can be quoted."""
    texts = [line.text for line in parsed(name).lines]

    assert [text for text in texts if "crowns" in text or "lead" in text] == [
        "A boat pays 14 crowns.",
        "Dogs stay on a lead.",
    ]


def test_the_same_bytes_give_the_same_rows(name: str) -> None:
    """A citation holds as long as the bytes and the parser's version stay."""
    again = parser(name).parse(SAMPLES[name], name=f"sample.{name}", uri=f"file:///sample.{name}")

    assert parsed(name) == again


def test_pages_and_boxes_belong_together(name: str) -> None:
    """A line has a box exactly where its page has a size, and lies on it."""
    document = parsed(name)
    sizes = {page.page_num: page.size for page in document.pages}

    for line in document.lines:
        size = sizes[line.page_num]
        assert (line.box is not None) == (size.width_pt > 0)
        assert line.box is None or 0 <= line.box.x0 <= line.box.x1 <= size.width_pt
        assert line.box is None or 0 <= line.box.y0 <= line.box.y1 <= size.height_pt


def test_pages_count_their_lines(name: str) -> None:
    """Every line is on a page that is there, and every page says how many it has."""
    document = parsed(name)

    assert {page.page_num: page.n_lines for page in document.pages} == {
        page.page_num: len(document.page_lines(page.page_num)) for page in document.pages
    }
    assert sum(page.n_lines for page in document.pages) == len(document.lines)


def test_a_document_names_its_parser_and_its_bytes(name: str) -> None:
    """Who checks an answer later knows which bytes and which parser it was checked against."""
    document = parsed(name)

    assert (document.n_bytes, document.uri) == (len(SAMPLES[name]), f"file:///sample.{name}")
    assert "/" in document.parser
    assert len(document.content_hash) == 64


def test_progress_ends_with_all_pages(name: str) -> None:
    """A watcher sees the end."""
    seen: list[tuple[int, int]] = []
    parser(name).parse(SAMPLES[name], name="a", uri="a", progress=lambda done, total: seen.append((done, total)))

    assert seen[-1] == (len(parsed(name).pages), len(parsed(name).pages))


def test_what_cannot_be_read_is_named(name: str) -> None:
    """The error says which file, so that one bad file in a folder is easy to find."""
    with pytest.raises(ParseError, match=r"odd\.bin"):
        parser(name).parse(_BINARY, name="odd.bin", uri="file:///odd.bin")
