"""What holds for the passages of every document."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pincite.passages import chunk
from pincite.passages.words import count_words, holds_words
from pincite.types.document import Layer, Line, Page, ParsedDocument, ParsingSummary, Role, Section

TEXTS = st.one_of(
    st.sampled_from(
        ["", "  ", "-----", "The wind exceeds", "at dusk.", "- item one", "Options are:", "| a | b |", "港の鍵"]
    ),
    st.integers(1, 60).map(lambda n: " ".join(["word"] * n)),
)
ROLES: st.SearchStrategy[Role] = st.sampled_from(
    ["body", "body", "body", "heading", "list", "code", "table", "footnote", "caption", "header", "footer", "metadata"]
)
LAYERS: st.SearchStrategy[Layer] = st.sampled_from(["text", "text", "text", "ocr", "form", "annotation", "hidden"])


@st.composite
def documents(draw: st.DrawFn) -> ParsedDocument:
    rows = draw(st.lists(st.tuples(TEXTS, ROLES, LAYERS, st.booleans()), max_size=60))
    lines = []
    section_id = 0
    for number, (text, role, layer, is_next) in enumerate(rows, start=1):
        section_id += is_next
        lines.append(
            Line(line_id=number, page_num=1, line_num=number, text=text, role=role, layer=layer, section_id=section_id)
        )
    toc = tuple(
        Section(section_id=n, parent_id=None, level=1, title=f"S{n}", breadcrumb=(f"S{n}",), start_page=1,
                start_line=None, start_y=None, end_page=1, end_line=None, origin="markup")
        for n in range(section_id + 1)
    )  # fmt: skip
    return ParsedDocument(
        name="a", uri="", media_type="text/markdown", content_hash="", n_bytes=0, parser="test", metadata={},
        parsing_summary=ParsingSummary(), pages=(Page(page_num=1),), lines=tuple(lines), toc=toc,
    )  # fmt: skip


def is_running(line: Line) -> bool:
    return (
        line.layer in {"text", "ocr"} and line.role not in {"header", "footer", "metadata"} and bool(line.text.strip())
    )


@given(documents(), st.integers(-1, 50), st.integers(-1, 90))
def test_every_line_is_in_one_passage_of_its_section(document: ParsedDocument, low: int, high: int) -> None:
    """Ranges are in order, share no line and no section, and leave out no line with words."""
    passages = chunk(document, min_words=low, max_words=high)
    asides = {line.line_id for line in document.lines if line.layer in {"form", "annotation"}} | {
        line.line_id for line in document.lines if line.role in {"header", "footer"}
    }
    running = [p for p in passages if p.first_line_id not in asides]

    assert all(a.last_line_id < b.first_line_id for a, b in pairwise(running))
    for line in document.lines:
        holders = [p for p in running if p.first_line_id <= line.line_id <= p.last_line_id]
        if is_running(line) and holds_words(line.text):
            assert [p.section_id for p in holders] == [line.section_id]
    for passage in running:
        within = document.lines_between(passage.first_line_id, passage.last_line_id)
        assert {line.section_id for line in within if is_running(line)} == {passage.section_id}


@given(documents(), st.integers(1, 50))
def test_no_passage_is_too_long_but_a_long_line(document: ParsedDocument, low: int) -> None:
    """A passage has at most the words it may have, except a single line with more."""
    high = low + low // 2 + 1

    for passage in chunk(document, min_words=low, max_words=high):
        lines = document.lines_between(passage.first_line_id, passage.last_line_id)
        if not is_running(lines[0]):
            continue  # the fields of a page may stand between any number of lines
        counts = [count_words(line.text.replace("|", " ")) for line in lines if is_running(line)]
        assert len(counts) <= 1 or sum(counts) <= high


@given(documents())
def test_every_word_can_be_found(document: ParsedDocument) -> None:
    """Whatever a reader sees is in the text of some passage, field and running head included."""
    texts = "\n".join(p.text for p in chunk(document))

    for line in document.lines:
        if line.layer != "hidden" and line.role != "metadata" and holds_words(line.text):
            assert line.text.split()[-1] in texts
