"""The stretches of a document that can be an answer on their own."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.making import pages, parsed, read

from pincite.answering.units import Unit, read_units
from pincite.text.quotes import QuoteFinder
from pincite.types.geometry import BBox


def units(text: str, name: str = "note.md") -> list[Unit]:
    return read_units(read(parsed(text, name)))


def kinds(found: list[Unit]) -> list[tuple[str, str]]:
    return [(u.kind, u.text) for u in found]


def test_a_sentence_goes_over_lines() -> None:
    """Sentences are units, wherever their lines end; the quote keeps the lines of the source."""
    found = units("# Lock\n\nThe sill is 3 m\ndeep. It was re-\nbuilt in 1996.\n")
    assert kinds(found) == [
        ("heading", "Lock"),
        ("sentence", "The sill is 3 m deep."),
        ("sentence", "It was rebuilt in 1996."),
    ]
    quote = found[2].quote()
    assert (quote.quote, quote.first_line_id, quote.last_line_id) == ("It was re-\nbuilt in 1996.", 4, 5)
    assert found[2].before == "The sill is 3 m deep."


def test_list_items_know_the_sentence_before_them() -> None:
    """A lead-in of a whole sentence is kept with every item."""
    found = units("These are the dues that a boat pays here.\n\n- Mooring is 14 crowns.\n- Water is free.\n")
    assert [u.lead for u in found if u.kind == "item"] == ["These are the dues that a boat pays here."] * 2


def test_a_blank_line_ends_a_sentence() -> None:
    """Two paragraphs without a full stop are two units."""
    assert [u.text for u in units("one thing here is said\n\nanother thing is said", "a.txt")] == [
        "one thing here is said",
        "another thing is said",
    ]


def test_list_items_know_what_introduces_them() -> None:
    """Each item is a unit with its lead-in; lines that go on below belong to it."""
    found = units("The dues are:\n\n- Mooring is 14 crowns\n  a night.\n- Water is free.\n")
    items = [u for u in found if u.kind == "item"]
    assert [u.text for u in items] == ["Mooring is 14 crowns a night.", "Water is free."]
    assert {u.lead for u in items} == {"The dues are:"}


def test_a_sentence_goes_over_a_page_and_its_running_heads() -> None:
    """A running head between two pages is a unit of its own, and never a part of the sentence around it."""
    document = pages(
        "The master checks the lines whenever the\nPage 1 of 2", "RULES\nwind exceeds force seven.",
        roles={2: "footer", 3: "header"},
    )  # fmt: skip
    found = read_units(read(document))
    assert kinds(found)[0] == ("sentence", "The master checks the lines whenever the wind exceeds force seven.")
    assert {("mark", "Page 1 of 2"), ("mark", "RULES")} <= set(kinds(found))


def test_columns_and_gaps_end_paragraphs() -> None:
    """A full stop before another column or a wide gap ends the paragraph; a sentence that is open goes on."""
    document = pages("The seal is replaced\nevery year.\nThe pump")
    boxes = [(1, 10.0), (1, 22.0), (2, 10.0)]
    lines = tuple(
        line.__class__(
            **{
                **{f: getattr(line, f) for f in line.__struct_fields__},
                "column": column,
                "box": BBox(x0=0, y0=y, x1=50, y1=y + 10),
            }
        )
        for line, (column, y) in zip(document.lines, boxes, strict=True)
    )
    fields = {f: getattr(document, f) for f in document.__struct_fields__ if f != "lines"}
    found = read_units(read(document.__class__(**fields, lines=lines)))
    assert [u.text for u in found] == ["The seal is replaced every year.", "The pump"]


def test_hidden_lines_and_front_matter_are_no_units() -> None:
    """What nobody sees and what describes the file is not answered from."""
    found = units("---\ntitle: Secret\n---\n\nThe lamp is lit.\n")
    assert [u.text for u in found] == ["The lamp is lit."]


def test_a_label_says_nothing_itself() -> None:
    """A short line that ends in a colon names what follows, as a heading does."""
    assert kinds(units("Opening hours:\n\nIt opens at six.\n", "a.txt"))[0] == ("heading", "Opening hours:")


SENTENCES = [
    "The bell rings at six.", "Dr. Lind paid 3.50 kr.", "It is **bold** and `code_x`.", "Seals are re-",
    "placed yearly [3].", "- An item of rope", "- Another item, e.g. oil.", "# Heading 7", "", "| a | b |",
    "款三百元。",     "> A quoted line", "1. First step", "   goes on here", "Fees: 14 crowns", "```", "x = 1",
]  # fmt: skip


@given(st.lists(st.sampled_from(SENTENCES), max_size=14), st.sampled_from(["note.md", "note.txt"]))
def test_every_unit_quotes_its_lines(lines: list[str], name: str) -> None:
    """Whatever a document looks like, the quote of each unit stands in the lines it names, character by character."""
    document = parsed("\n".join(lines), name)
    by_id = {line.line_id: line.text for line in document.lines}
    last_order = -1
    for unit in read_units(read(document)):
        quote = unit.quote()
        ids = [piece.line.line.line_id for piece in unit.pieces]
        assert (quote.first_line_id, quote.last_line_id) == (ids[0], ids[-1])
        parts = quote.quote.split("\n")
        assert len(parts) == len(ids)
        assert all(part and part in by_id[line_id] for part, line_id in zip(parts, ids, strict=True))
        assert unit.order >= last_order or unit.kind == "mark"
        last_order = unit.order


@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=14))
def test_no_visible_word_is_left_out(lines: list[str]) -> None:
    """Every line with words is in some unit, so anything can be answered from."""
    document = parsed("\n".join(lines), "note.txt")
    covered = {p.line.line.line_id for unit in read_units(read(document)) for p in unit.pieces}
    assert {line.line_id for line in document.lines if any(c.isalnum() for c in line.text)} <= covered


def test_the_quotes_of_a_real_file_are_found() -> None:
    """In a file of the cases each unit's quote is found again by the verifier's finder, at its place."""
    case = Path(__file__).parent.parent / "cases" / "CHK11-code-block-and-lists" / "deploy.md"
    document = parsed(case.read_text(encoding="utf-8"))
    finder = QuoteFinder([line.text for line in document.lines], markdown=True)
    for unit in read_units(read(document)):
        quote = unit.quote()
        places = [match.spans[0].index + 1 for match in finder.find(quote.quote)]
        assert quote.first_line_id in places or not any(c.isalnum() for c in quote.quote)


def test_the_lines_of_a_note_in_markdown_are_one_sentence() -> None:
    """A footnote of two lines is read whole, though a blank line stands before it."""
    found = units("See the note.[^9]\n\n[^9]: Releases are signed by\n    Ivo Marsh with key 55.\n")
    assert [u.text for u in found] == ["See the note.", "Releases are signed by Ivo Marsh with key 55."]
