import io
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from pincite.rendering.terminal import print_result
from pincite.rendering.visible import many_lines, one_line
from pincite.types.answer import Answer, Cells, Item, Quantity, Refusal, Result, UnreadablePage
from pincite.types.citation import Citation, Verdict

MakeAnswer = Callable[..., Answer]
MakeCitation = Callable[..., Citation]


def printed(result: Result, *, terminal: bool = False, encoding: str = "utf-8") -> str:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, newline="")
    console = Console(file=file, width=80, force_terminal=terminal, color_system="truecolor" if terminal else None)
    print_result(result, console)
    file.flush()
    return raw.getvalue().decode(encoding)


def test_an_answer_reads_like_a_page(make_answer: MakeAnswer, make_citation: MakeCitation) -> None:
    """Items are numbered, each with its place, its verdict and its quote."""
    first = make_citation((6, 300, 400, (1, 1, 9, 9)), first_line=33, last_line=37)
    second = make_citation(
        (7, 300, 400, (1, 1, 9, 9)), quote="Two.", verdict=Verdict(status="verified", match="folded", folds=("dashes",))
    )
    answer = make_answer(
        Item(text="The gap is narrow.", citations=(first,), value=Quantity(number="40", unit="mm")),
        Item(text="Two.", citations=(second, first)),
    )

    assert printed(answer).splitlines() == [
        "How wide is the gap?",
        "",
        "1. The gap is narrow.  = 40 mm [1]",
        "   [1] paper.pdf p.6 l.33–37 ✓ verified",
        "     │ The fender gap is 40 mm.",
        "",
        "2. Two. [2][1]",
        "   [2] paper.pdf p.7 l.1 ✓ verified (found after folding dashes)",
        "     │ Two.",
        "",
        "complete · confidence 0.80 · context 90% complete · verbatim",
    ]


def test_a_refusal_says_what_was_done(make_refusal: Callable[..., Refusal], make_citation: MakeCitation) -> None:
    """What was searched and read, unread pages and the nearest passages are shown."""
    refusal = make_refusal(
        unreadable_pages=(UnreadablePage(doc_name="scan.pdf", page=4, reason="OCR needed"),),
        nearest=(make_citation((1, 300, 400, (1, 1, 9, 9))),),
    )

    assert printed(refusal).splitlines() == [
        "When was the pier built?",
        "",
        "No answer: not in the lines that were read.",
        "The lines that were read do not say it.",
        "",
        "Searched  2 documents, 30 pages, 4 sections",
        "Terms     pier (3)",
        "Read      41 lines on 1 page",
        "! scan.pdf p.4 could not be read: OCR needed",
        "",
        "Nearest passages (these do not answer the question):",
        "  paper.pdf p.1 l.1",
        "    │ The fender gap is 40 mm.",
    ]


@pytest.mark.parametrize("terminal", [True, False])
def test_documents_cannot_steer_the_terminal(
    terminal: bool, make_answer: MakeAnswer, make_citation: MakeCitation
) -> None:
    """Escape sequences, line feeds and markup in names and text are shown, not obeyed."""
    attack = "x\x1b[2J\x1b]0;t\x07\r\n[red]No answer[/red] :smile: \u202e"
    citation = make_citation(doc_name=attack, quote=attack, page=1, section=(attack,))
    answer = make_answer(Item(text=attack, citations=(citation,)), question=attack)

    out = printed(answer, terminal=terminal)

    assert "\x1b[2J" not in out
    assert "\x1b]" not in out
    assert not {"\x07", "\r", "\u202e"} & set(out)
    assert "[red]No answer[/red] :smile: \\u202e" in out
    # The name stays on the line of its cite.
    assert "x\\x1b[2J\\x1b]0;t\\x07\\r\\n[red]No" in out.replace("\n", "") or terminal


def test_plain_output_has_no_colour(make_answer: MakeAnswer, make_citation: MakeCitation) -> None:
    """What goes to a file or a pipe has no control character but line feeds."""
    out = printed(make_answer(Item(text="x", citations=(make_citation(),))))

    assert {char for char in out if ord(char) < 32} == {"\n"}


def test_an_old_code_page_is_no_crash(make_answer: MakeAnswer, make_citation: MakeCitation) -> None:
    """Where the output cannot say a character, it is written out."""
    out = printed(make_answer(Item(text="Größe ε", citations=(make_citation(),))), encoding="cp1252")

    assert "Größe \\u03b5" in out
    assert "\\u2713 verified" in out


def test_lines_fit_a_page(make_answer: MakeAnswer, make_citation: MakeCitation) -> None:
    """Nothing is wider than 80 columns, and a long quote is wrapped behind its bar."""
    quote = "\n".join(["word " * 17 + "end"] * 3)
    answer = make_answer(Item(text="word " * 60, citations=(make_citation(quote=quote),)), question="why " * 60)

    lines = printed(answer).splitlines()

    assert max(map(len, lines)) <= 80
    assert [line[:4] for line in lines if "│" in line] == ["  │ "] * 4


def test_tables_have_a_row_an_item(make_answer: MakeAnswer, make_citation: MakeCitation) -> None:
    """A table answer is printed as a table with the numbers of its sources."""
    item = Item(text="r", citations=(make_citation(),), value=Cells(cells=("Norrvik", "06:12")))

    lines = printed(make_answer(item, columns=("Place", "High water"))).splitlines()

    assert [line.split() for line in lines[2:4]] == [["Place", "High", "water"], ["Norrvik", "06:12", "[1]"]]


@given(st.text(st.characters(codec=None)))
def test_visible_text_has_no_controls(text: str) -> None:
    """One line stays one line, and no control or direction character is left."""
    unsafe = {*map(chr, range(32)), *map(chr, range(0x7F, 0xA0)), "\u2028", "\u2029", "\u202e", "\u2066"}

    assert not unsafe & set(one_line(text))
    assert not (unsafe - {"\n"}) & set(many_lines(text))
    assert one_line(text).encode("utf-8").decode("utf-8") == one_line(text)
