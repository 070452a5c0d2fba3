from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.rendering.excerpt import quoted_parts
from pincite.rendering.markup import tag
from pincite.rendering.originals import Access
from pincite.rendering.report import POLICY, report_html
from pincite.types.answer import Answer, Cells, Item, Refusal, SearchedTerm, Signals, UnreadablePage
from pincite.types.citation import Citation, Span, Verdict
from pincite.types.document import Line

MakePdf = Callable[..., bytes]
MakeCitation = Callable[..., Citation]
MakeLine = Callable[..., Line]
MakeAnswer = Callable[..., Answer]
NOTHING = Access(originals=lambda _doc_id: None, lines_of=lambda _doc_id, _first, _last: ())
BOX = (1, 300.0, 400.0, (40.0, 60.0, 140.0, 80.0))
ATTACK = "</style><script>alert(1)</script><img src=x onerror=alert(1)>\"'&<!--"


class Page(HTMLParser):
    """What a browser would see: elements with their attributes, and the text."""

    def __init__(self, code: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(code)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an element."""
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        """Keep text."""
        self.text += data

    def all(self, name: str) -> list[dict[str, str | None]]:
        """Return the attributes of every element of a name."""
        return [attributes for element, attributes in self.elements if element == name]


def reading(lines: list[Line], original: bytes | None = None) -> Access:
    return Access(
        originals=lambda _doc_id: original,
        lines_of=lambda _doc_id, first, last: [line for line in lines if first <= line.line_id <= last],
    )


def test_text_never_becomes_markup(make_answer: MakeAnswer, make_citation: MakeCitation, make_line: MakeLine) -> None:
    """Script and images written in a question, a name, a quote, a section or a line are shown as text."""
    verdict = Verdict(status="verified", match="folded", folds=(ATTACK,), reason=ATTACK)
    citation = make_citation(
        doc_name=ATTACK, quote=ATTACK, section=(ATTACK,), verdict=verdict, page=1, page_label=ATTACK, line_ids=(1,)
    )
    signals = Signals(
        answer_found=True,
        complete_answer_found=False,
        context_completeness=0,
        context_structured=False,
        confidence=0,
        caveats=(ATTACK,),
        missing_keywords=(ATTACK,),
    )
    items = (Item(text=ATTACK, citations=(citation,), value=Cells(cells=(ATTACK,))),)
    answer = make_answer(*items, question=ATTACK, signals=signals, columns=(ATTACK,), summary=ATTACK, trace_id=ATTACK)

    page = Page(report_html(answer, reading([make_line(1, ATTACK)])))

    assert {name for name, _ in page.elements} & {"script", "img", "iframe", "link", "object"} == set()
    assert not [key for _, attributes in page.elements for key in attributes if key.startswith("on")]
    assert page.text.count("<script>alert(1)</script>") >= 10


def test_a_refusal_is_escaped_too(make_refusal: Callable[..., Refusal], make_citation: MakeCitation) -> None:
    """The same holds for what was searched and not found."""
    refusal = make_refusal(
        question=ATTACK,
        message=ATTACK,
        unreadable_pages=(UnreadablePage(doc_name=ATTACK, page=1, reason=ATTACK),),
        nearest=(make_citation(quote=ATTACK),),
    )

    page = Page(report_html(refusal, NOTHING))

    assert {name for name, _ in page.elements} & {"script", "img"} == set()


@given(st.text())
def test_any_text_survives_as_text(text: str) -> None:
    """Whatever a document says, the element around it stays the only one and its attribute stays one."""
    page = Page(tag("p", text, title=text).code)

    assert [name for name, _ in page.elements] == ["p"]
    assert list(page.elements[0][1]) == ["title"]


def test_the_page_is_strict_and_stands_alone(
    make_pdf: MakePdf, make_answer: MakeAnswer, make_citation: MakeCitation, make_line: MakeLine
) -> None:
    """Nothing is fetched and nothing can run: one policy, no script, pictures inside the file."""
    lines = [make_line(1, "The fender gap is 40 mm.", (40, 60, 140, 80))]
    answer = make_answer(Item(text="40 mm", citations=(make_citation(BOX),)))

    page = Page(report_html(answer, reading(lines, make_pdf())))

    policies = [meta["content"] for meta in page.all("meta") if meta.get("http-equiv") == "Content-Security-Policy"]
    assert policies == ["default-src 'none'; img-src data:; style-src 'unsafe-inline'"] == [POLICY]
    assert [str(image["src"])[:22] for image in page.all("img")] == ["data:image/png;base64,"]
    assert page.all("img")[0]["alt"] == "Part of paper.pdf, p.1 l.1, with the quoted lines highlighted."
    assert page.all("html") == [{"lang": "en"}]
    assert all(str(link["href"]).startswith("#") for link in page.all("a"))


def test_every_number_leads_to_its_source(make_answer: MakeAnswer, make_citation: MakeCitation) -> None:
    """Items link to the card of each of their citations; a shared source is listed once."""
    shared, own = make_citation(quote="a"), make_citation(quote="b")
    answer = make_answer(Item(text="x", citations=(shared,)), Item(text="y", citations=(own, shared)))

    page = Page(report_html(answer, NOTHING))

    assert [link["href"] for link in page.all("a")] == ["#c1", "#c2", "#c1"]
    assert [article["id"] for article in page.all("article")] == ["c1", "c2"]


def test_text_sources_show_numbered_lines_with_context(
    make_answer: MakeAnswer, make_citation: MakeCitation, make_line: MakeLine
) -> None:
    """A Markdown source shows its own line numbers, two lines before and after, and the quote marked."""
    lines = [make_line(n, f"line {n} here") for n in range(1, 10)]
    citation = make_citation(line_ids=(4, 5), first_line=4, last_line=5, quote="4 here\nline 5", doc_name="a.md")

    code = report_html(make_answer(Item(text="x", citations=(citation,))), reading(lines))

    assert [n for n in range(1, 10) if f'<th scope="row">{n}</th>' in code] == [2, 3, 4, 5, 6, 7]
    assert 'line <mark class="t1">4 here</mark></td>' in code
    assert '<mark class="t1">line 5</mark> here</td>' in code


def test_the_verdict_comes_with_its_receipt(make_answer: MakeAnswer, make_citation: MakeCitation) -> None:
    """A reader sees that the quote was checked, which folds it took, and that the value was read again."""
    verdict = Verdict(status="verified", match="folded", folds=("white_space", "ligatures"), value="passed")
    answer = make_answer(Item(text="x", citations=(make_citation(verdict=verdict),)))

    text = Page(report_html(answer, NOTHING)).text

    assert "✓ verified · found after folding white space, ligatures · value read again from the quote" in text


def test_tables_are_tables(make_answer: MakeAnswer, make_citation: MakeCitation) -> None:
    """A table answer has a column a heading and a row an item; missing cells stay empty."""
    items = [
        Item(text="r", citations=(make_citation(),), value=Cells(cells=cells))
        for cells in (("Norrvik", "06:12"), ("T",))
    ]

    page = Page(report_html(make_answer(*items, columns=("Place", "High water")), NOTHING))

    assert (len(page.all("th")), len(page.all("td"))) == (3, 6)


def test_a_refusal_shows_what_was_done(make_refusal: Callable[..., Refusal], make_citation: MakeCitation) -> None:
    """Searched terms with hits, what was read, unreadable pages and the nearest passages are all there."""
    refusal = make_refusal(
        unreadable_pages=(UnreadablePage(doc_name="scan.pdf", page=4, reason="OCR needed"),),
        nearest=(make_citation(quote="The quay was built in 1911."),),
    )

    text = Page(report_html(refusal, NOTHING)).text

    for part in (
        "Not in the lines that were read",
        "2 documents, 30 pages, 4 sections",
        "pier 3",
        "41 lines on 1 page",
        "scan.pdf p.4: OCR needed",
        "The quay was built in 1911.",
    ):
        assert part in text


def test_a_lost_original_leaves_the_quote(
    make_answer: MakeAnswer, make_citation: MakeCitation, make_line: MakeLine
) -> None:
    """Where the original cannot be drawn, the cited lines are shown instead of a picture."""
    access = reading([make_line(1, "The fender gap is 40 mm.")], b"%PDF-1.7 broken")
    answer = make_answer(Item(text="x", citations=(make_citation(BOX),)))

    page = Page(report_html(answer, access))

    assert page.all("img") == []
    assert len(page.all("mark")) == 1


@pytest.mark.parametrize("terms", [(), (SearchedTerm(term="\ud800\x00\x1b[31m", hits=0),)])
def test_any_characters_can_be_written(terms: tuple[SearchedTerm, ...], make_refusal: Callable[..., Refusal]) -> None:
    """Control characters and undecodable bytes in names are written out, so the file is valid UTF-8."""
    refusal = make_refusal()
    searched = type(refusal.searched)(documents=1, pages=1, sections=1, terms=terms)

    code = report_html(make_refusal(searched=searched, question="a\x1bb\ud800"), NOTHING)

    assert code.encode("utf-8")
    assert "\x1b" not in code
    assert "a\\x1bb\\ud800" in code


def test_a_quote_that_is_not_there_marks_whole_lines() -> None:
    """A folded quote cannot be found character for character; then the cited lines are marked whole."""
    assert quoted_parts(["con-", "cur"], "concur") == (Span(start=0, end=4), Span(start=0, end=3))
    assert quoted_parts(["one two", "three"], "two") == (Span(start=4, end=7), None)
