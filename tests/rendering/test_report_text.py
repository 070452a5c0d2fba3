"""Answers as Markdown and CSV: what documents say stays text."""

import csv
import io
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pincite.rendering.report_text import _escaped, _inert, report_csv, report_markdown
from pincite.rendering.visible import one_line
from pincite.types.answer import Answer, Cells, Item, Refusal
from pincite.types.citation import Citation

HOSTILE = "<script>alert(1)</script> [x](javascript:1) ![y](http://z) `c` **b** # h\n- l | cell"
Make = Callable[..., Answer]


def test_an_answer_names_each_item_and_its_place(make_answer: Make, make_citation: Callable[..., Citation]) -> None:
    """Markdown has each item with its cites, and each cite with its place, its verdict and its quote."""
    cited = make_citation((3, 300, 400, (0, 0, 1, 1)))
    said = report_markdown(make_answer(Item(text="The gap is 40 mm.", citations=(cited,))))

    assert "1. The gap is 40 mm. \\[1\\]" in said
    assert "**[1]** paper.pdf p.3 l.1 — ✓ verified" in said
    assert "> The fender gap is 40 mm." in said


def test_a_table_is_a_table(make_answer: Make, make_citation: Callable[..., Citation]) -> None:
    """The rows of a table are rows in Markdown and in CSV, under their columns."""
    rows = [Item(text="a", citations=(make_citation(),), value=Cells(cells=(size, price))) for size, price in
            (("small", "3 | 4"), ("large", "5"))]  # fmt: skip
    answer = make_answer(*rows, shape="table", columns=("Size", "Price"))

    shown = list(csv.reader(io.StringIO(report_csv(answer))))
    assert [row[:2] for row in shown] == [["Size", "Price"], ["small", "3 | 4"], ["large", "5"]]
    html = MarkdownIt("commonmark").enable("table").render(report_markdown(answer))
    assert html.count("<tr>") == 3
    assert "<td>3 | 4</td>" in html


def test_text_of_documents_is_never_markdown(make_answer: Make, make_citation: Callable[..., Citation]) -> None:
    """Marks, links, pictures and HTML in a document, a name or a question come out as text."""
    cited = make_citation(doc_name=HOSTILE, quote=HOSTILE, section=(HOSTILE,))
    answer = make_answer(Item(text=HOSTILE, citations=(cited,)), question=HOSTILE, summary=HOSTILE)

    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(report_markdown(answer))

    for tag in ("<script", "<a ", "<img", "<code", "<table"):
        assert tag not in html
    assert html.count("<h1>") == 1


def test_a_refusal_says_what_was_searched(
    make_refusal: Callable[..., Refusal], make_citation: Callable[..., Citation]
) -> None:
    """A refusal has its reason, what was searched and read, and the nearest places."""
    said = report_markdown(make_refusal(nearest=(make_citation(),)))

    assert "Searched: 2 documents, 30 pages, 4 sections. Terms: pier (3)." in said
    assert "These do not answer the question." in said


@given(text=st.text(max_size=60) | st.from_regex(r"\A[-+*=#>~`0-9.) \t]{1,8}[a-z]{0,3}", fullmatch=False))
@example(text="-")
@example(text="+ a")
@example(text="12. a")
@example(text="> a")
@example(text="# a")
def test_any_text_reads_back_as_itself(text: str) -> None:
    """Whatever a line holds, Markdown shows exactly that, and nothing of it is a mark."""
    line = one_line(text).strip()
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    for before in ("", "x "):
        tokens = reader.parse(f"{before}{_escaped(line)} x")
        inline = [token for token in tokens if token.type == "inline"]

        assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
        assert "".join(child.content for child in inline[0].children or ()).strip() == f"{before}{line} x".strip()


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"),
        ("@sum", "'@sum"),
        ("-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"),
        ("+SUM(A1)", "'+SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("-5.2", "-5.2"),
        ("- 5,2 %", "- 5,2 %"),
        ("+12", "+12"),
        ("red", "red"),
    ],
)
def test_no_cell_is_a_formula(cell: str, written: str) -> None:
    """What a spreadsheet would run is written as text; numbers stay numbers."""
    assert _inert(cell) == written
