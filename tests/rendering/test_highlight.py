import io
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest

from pincite.errors import SettingsError
from pincite.rendering.highlight import highlight
from pincite.rendering.originals import Access, page_lines
from pincite.types.answer import Answer, Item, Refusal
from pincite.types.citation import Citation
from pincite.types.document import Line

MakePdf = Callable[..., bytes]
MakeCitation = Callable[..., Citation]
BOX = (1, 300.0, 400.0, (10.0, 10.0, 50.0, 22.0))


@pytest.fixture
def access(make_pdf: MakePdf) -> Access:
    originals = {"d": make_pdf(), "e": make_pdf(), "f": make_pdf(), "m": b"# Harbour"}
    return Access(originals=originals.get, lines_of=lambda _doc_id, _first, _last: ())


def item(*citations: Citation) -> Item:
    return Item(text="x", citations=citations)


@pytest.mark.parametrize(
    ("name", "start"), [("a.PDF", b"%PDF-"), ("a.png", b"\x89PNG"), ("a.html", b"<!doctype html>")]
)
def test_the_ending_chooses_the_form(
    name: str,
    start: bytes,
    tmp_path: Path,
    access: Access,
    make_answer: Callable[..., Answer],
    make_citation: MakeCitation,
) -> None:
    """`.pdf`, `.png` and `.html` give an annotated original, a picture and a report."""
    path = highlight(make_answer(item(make_citation(BOX))), tmp_path / name, access=access)

    assert path == tmp_path / name
    assert path.read_bytes().startswith(start)
    assert [found.name for found in tmp_path.iterdir()] == [name]


def test_other_endings_name_the_three(tmp_path: Path, access: Access, make_answer: Callable[..., Answer]) -> None:
    """A wrong ending says which ones there are and writes nothing."""
    with pytest.raises(SettingsError, match=r"'a\.docx': use \.pdf .* \.png .* \.html"):
        highlight(make_answer(), tmp_path / "a.docx", access=access)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", [".pdf", ".png"])
def test_what_has_no_pages_points_to_the_report(
    ending: str, tmp_path: Path, access: Access, make_answer: Callable[..., Answer], make_citation: MakeCitation
) -> None:
    """A Markdown source cannot be drawn on; the message says what can be done instead."""
    cited = make_citation(doc_id="m", doc_name="harbour.md")

    with pytest.raises(SettingsError, match=r"'harbour\.md' is no PDF.*\.html"):
        highlight(make_answer(item(make_citation(BOX), cited)), tmp_path / f"a{ending}", access=access)
    assert list(tmp_path.iterdir()) == []


def test_each_cited_document_has_its_own_file(
    tmp_path: Path, access: Access, make_answer: Callable[..., Answer], make_citation: MakeCitation
) -> None:
    """The first document is at the path asked for, the others beside it under their own names."""
    first = make_citation(BOX)
    second = make_citation(BOX, doc_id="e", doc_name="../reports/b c.pdf")
    third = make_citation(BOX, doc_id="f", doc_name="b:c.pdf")

    path = highlight(make_answer(item(first, second), item(third)), tmp_path / "out.pdf", access=access)

    assert path == tmp_path / "out.pdf"
    assert sorted(found.name for found in tmp_path.iterdir()) == ["out.b-c-2.pdf", "out.b-c.pdf", "out.pdf"]
    for found in tmp_path.iterdir():
        with pikepdf.open(io.BytesIO(found.read_bytes())) as pdf:
            assert len(pdf.pages[0].Annots) == 1


def test_a_refusal_has_a_report_only(tmp_path: Path, access: Access, make_refusal: Callable[..., Refusal]) -> None:
    """There is nothing to highlight without an answer, but what was searched can be reported."""
    with pytest.raises(SettingsError, match=r"\.html"):
        highlight(make_refusal(), tmp_path / "a.png", access=access)
    assert highlight(make_refusal(), tmp_path / "a.html", access=access).exists()


def test_a_page_is_read_whole_from_one_of_its_lines(make_line: Callable[..., Line]) -> None:
    """From a cited line the numbers of all lines of its page are found, however long the page."""
    lines = [make_line(n, "x", page_num=1, line_num=n) for n in range(1, 4)]
    lines += [make_line(n + 3, "x", page_num=2, line_num=n) for n in range(1, 602)]
    lines += [make_line(605, "x", page_num=3, line_num=1)]

    def lines_of(_doc_id: str, first: int, last: int) -> list[Line]:
        return lines[first - 1 : last]

    assert [len(page_lines(lines_of, "d", line_id)) for line_id in (2, 400, 605, 999)] == [3, 601, 1, 0]
