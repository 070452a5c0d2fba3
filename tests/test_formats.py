"""Every format is asked about, cited in its own words, checked again offline, and highlighted in a report."""

import io
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
import xlsxwriter
from tests.parsing import made_files as made

from pincite.errors import PasswordRequiredError, UnsupportedFormatError
from pincite.library import Library
from pincite.parsing.pool import parse_one, request_for
from pincite.settings import Settings
from pincite.types.answer import Answer
from pincite.verifying import check_bundle


def _boxed_bytes() -> bytes:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as book:
        sheet = book.add_worksheet("Cranes")
        sheet.write_row(0, 0, ["Crane", "Load"])
        sheet.insert_textbox("D12", "A crane refund is paid within 14 days.")
    return out.getvalue()


_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(1000)
_FILES = {
    "page.html": made.HTML.encode(),
    "contract.docx": made.docx_bytes(),
    "costs.xlsx": made.xlsx_bytes(),
    "boxes.xlsx": _boxed_bytes(),
    "lengths.csv": b"Pier,Length\nNorth,40 m\nSouth,35 m\n",
    "plan.pptx": made.pptx_bytes(),
    "book.epub": made.epub_bytes(),
    "message.eml": made.email_bytes(),
    "guide.rst": made.RST.encode(),
    "guide.adoc": made.ASCIIDOC.encode(),
    "boats.py": made.CODE.encode(),
    "notice.png": made.png_bytes("Harbour notice", "The north lock is shut on 12 May."),
    "a page.txt": made.HTML.encode(),
    "a contract.pdf": made.docx_bytes(),
    "a workbook.docx": made.xlsx_bytes(),
}
#: Document, question, what the answer says, the cited place, whether the document has pages.
_ASKED = [
    ("page.html", "What is the fee of a large boat?", "20 crowns", "§ Boats l.14", False),
    ("contract.docx", "When is the fee due?", "60 days", "§ Terms of payment l.7", False),
    ("contract.docx", "What does North 4 cost?", "900 crowns", "§ Berths l.26", False),
    ("costs.xlsx", "What is the price of the North pier?", "1,250.50 €", "'Costs 2031'!B4:F4", True),
    ("costs.xlsx", "How many officers does Alpha have in 2031?", "4", "Staff!A3:E3", True),
    ("costs.xlsx", "What was agreed with the mayor?", "Agreed with the mayor", "'Costs 2031'!E4 (comment)", True),
    ("boxes.xlsx", "When is a crane refund paid?", "14 days", "Cranes!D12 (text box)", True),
    ("lengths.csv", "What is the length of the North pier?", "40 m", "l.2", True),
    ("plan.pptx", "What is the cost of the north pier?", "4 million", "slide 2 l.4", True),
    ("plan.pptx", "What has the mayor agreed?", "Say that the mayor has agreed.", "slide 1 l.6", True),
    ("book.epub", "Which colour is the lamp at night?", "green", "part 2 l.3", True),
    ("message.eml", "At which berth does the Möwe lie?", "berth 14", "§ Berth for the Möwe l.9", False),
    ("guide.rst", "What does a large boat pay?", "20 crowns", "l.32", True),
    ("guide.adoc", "What does a large boat pay?", "20 crowns", "l.14", True),
    ("boats.py", "What is the LIMIT?", "14", "l.3", True),
    ("notice.png", "When is the north lock shut?", "12 May", "p.1 l.1–2", True),
    ("a page.txt", "What is the fee of a large boat?", "20 crowns", "§ Boats l.14", False),
    ("a contract.pdf", "When is the fee due?", "60 days", "§ Terms of payment l.7", False),
    ("a workbook.docx", "What is the price of the North pier?", "1,250.50 €", "'Costs 2031'!B4:F4", True),
]


class _Report(HTMLParser):
    """The marked text of a report, and whether it shows a picture."""

    def __init__(self, code: str) -> None:
        super().__init__()
        self.marked = ""
        self.has_picture = False
        self._in_mark = False
        self.feed(code)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note marks and pictures."""
        self._in_mark = tag == "mark"
        self.has_picture = self.has_picture or (tag == "img" and str(dict(attrs)["src"]).startswith("data:image/png"))

    def handle_endtag(self, tag: str) -> None:
        """Note the end of a mark."""
        self._in_mark = self._in_mark and tag != "mark"

    def handle_data(self, data: str) -> None:
        """Keep marked text."""
        self.marked += data if self._in_mark else ""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("docs")
    for name, content in _FILES.items():
        (folder / name).write_bytes(content)
    with Library(
        tmp_path_factory.mktemp("library"), settings=Settings(jobs=1, embedder="none", ocr_engine="rapidocr")
    ) as opened:
        report = opened.add(folder)
        assert (report.failed, len(report.added)) == ((), len(_FILES))
        yield opened


@pytest.mark.parametrize(("name", "question", "said", "place", "has_pages"), _ASKED)
def test_a_format_is_cited_and_highlighted(
    library: Library, tmp_path: Path, name: str, question: str, said: str, place: str, has_pages: bool
) -> None:
    """The cite is verified, names the place as people who use the format do, and is marked in the report."""
    answer = library.ask(question, docs=(name,))
    assert isinstance(answer, Answer)
    item = answer.items[0]
    citation = item.citations[0]

    assert said in item.text
    assert (citation.verdict.status, citation.place) == ("verified", place)
    assert (citation.page is not None) == has_pages
    report = _Report(answer.highlight(tmp_path / "report.html").read_text(encoding="utf-8"))
    assert report.has_picture if name.endswith(".png") else said in report.marked


@pytest.mark.parametrize("name", ["contract.docx", "costs.xlsx", "plan.pptx", "book.epub"])
def test_a_bundle_holds_and_cannot_be_bent(library: Library, name: str) -> None:
    """An answer from any format is checked again without the library; a place that was changed is noticed."""
    _, question, _, place, _ = next(asked for asked in _ASKED if asked[0] == name)
    bundle = library.bundle(library.ask(question, docs=(name,)).trace_id)
    assert all(one.holds for one in check_bundle(bundle))

    from pincite.types.record import from_json, to_json

    bent = from_json(_replaced(to_json(bundle), place, place[:-1] + "9"), type(bundle))

    assert not any(one.holds for one in check_bundle(bent))


def _replaced(value: object, old: str, new: str) -> object:
    if isinstance(value, dict):
        return {key: _replaced(one, old, new) for key, one in value.items()}
    if isinstance(value, list):
        return [_replaced(one, old, new) for one in value]
    return new if value == old else value


def test_a_picture_can_be_drawn_on(library: Library, tmp_path: Path) -> None:
    """A picture is highlighted as a PDF and as a picture, like a page."""
    answer = library.ask("When is the north lock shut?", docs=("notice.png",))
    assert isinstance(answer, Answer)

    assert answer.highlight(tmp_path / "cited.pdf").read_bytes().startswith(b"%PDF-")
    assert answer.highlight(tmp_path / "cited.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("name", "content", "error", "words"),
    [
        ("letter.doc", _OLE + "WordDocument".encode("utf-16-le"), UnsupportedFormatError, "convert-to docx"),
        ("costs.xls", _OLE + "Workbook".encode("utf-16-le"), UnsupportedFormatError, "convert-to xlsx"),
        ("plan.ppt", _OLE + "PowerPoint Document".encode("utf-16-le"), UnsupportedFormatError, "convert-to pptx"),
        ("plan.docx", _OLE + "EncryptedPackage".encode("utf-16-le"), PasswordRequiredError, "password"),
    ],
)
def test_old_and_locked_files_are_refused_with_a_way_out(
    tmp_path: Path, name: str, content: bytes, error: type[Exception], words: str
) -> None:
    """A file of Office 97, or one behind a password, says what to do with it."""
    (tmp_path / name).write_bytes(content)

    with pytest.raises(error, match=words):
        parse_one(request_for(tmp_path / name), timeout_s=60, timeout_per_page_s=1, memory_mb=4096, max_file_mb=10)
