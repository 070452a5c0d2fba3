"""Contents of PDFs: from a sound outline, a broken one, a page of links, a printed page, or headings."""

import io
from collections.abc import Callable, Sequence
from typing import Any

import pikepdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.parsing.contents import sections
from pincite.parsing.locating import PageIndex, Start, located
from pincite.parsing.notes import counted, note_starts
from pincite.parsing.pdf import PdfiumParser
from pincite.types.document import Line, Page, ParsedDocument

Drawn = Callable[..., bytes]

_BODY = "The master of every vessel shall see to it that the lines are doubled when the wind blows from the west."


def _page(*rows: str, title: str | None = None, top: int = 740) -> str:
    """Return a page: a bold title, then rows of text; a row that begins with `#` is a bold heading."""
    parts, y = [], top
    for row in ((f"#{title}",) if title else ()) + rows:
        font = "/B 14 Tf" if row.startswith("#") else "/F 10 Tf"
        parts.append(f"BT {font} 60 {y} Td ({row.lstrip('#')}) Tj ET")
        y -= 28 if row.startswith("#") else 14
    return " ".join(parts)


def _contents_page(entries: Sequence[tuple[str, str]], title: str = "Contents") -> str:
    rows = [f"BT /B 14 Tf 60 740 Td ({title}) Tj ET"]
    for at, (text, number) in enumerate(entries):
        dots = "." * (80 - len(text))
        rows.append(f"BT /F 10 Tf 60 {700 - 16 * at} Td ({text} {dots} {number}) Tj ET")
    return " ".join(rows)


def _parse(content: bytes) -> ParsedDocument:
    return PdfiumParser().parse(content, name="made.pdf", uri="made.pdf")


def _with_outline(content: bytes, entries: Sequence[tuple[str, int | None, float | None]]) -> bytes:
    """Return the PDF with an outline: title, page from 0 (`None`: it leads nowhere), height in page space."""
    pdf = pikepdf.open(io.BytesIO(content))
    items: list[Any] = []
    for title, page, y in entries:
        item = pdf.make_indirect(pikepdf.Dictionary(Title=pikepdf.String(title)))
        if page is not None:
            where = [pikepdf.Name.XYZ, 0, y, 0] if y is not None else [pikepdf.Name.Fit]
            item.Dest = pikepdf.Array([pdf.pages[page].obj, *where])
        items.append(item)
    root = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.Outlines, Count=len(items)))
    for at, item in enumerate(items):
        item.Parent = root
        if at:
            item.Prev = items[at - 1]
        if at + 1 < len(items):
            item.Next = items[at + 1]
    root.First, root.Last = items[0], items[-1]
    pdf.Root.Outlines = root
    out = io.BytesIO()
    pdf.save(out, static_id=True)
    return out.getvalue()


_PARTS = ["Berths", "Bunkering", "Fire watch", "Pilots", "Tugs"]


@pytest.fixture
def rules(drawn: Drawn) -> bytes:
    """Five pages, each of one part that begins with a bold title."""
    return drawn(*(_page(_BODY, _BODY, title=part) for part in _PARTS))


def _starts(document: ParsedDocument) -> list[tuple[str, int, int | None]]:
    return [(section.title, section.start_page, section.start_line) for section in document.toc]


def test_an_outline_is_believed_where_its_titles_stand(rules: bytes) -> None:
    """Each section starts at the line of its title, and is as sure as can be."""
    document = _parse(_with_outline(rules, [(part, at, 760) for at, part in enumerate(_PARTS)]))

    assert _starts(document) == [(part, at, 1) for at, part in enumerate(_PARTS, start=1)]
    assert {(section.origin, section.confidence) for section in document.toc} == {("outline", 1.0)}


def test_an_entry_that_leads_to_a_wrong_page_is_put_right(rules: bytes) -> None:
    """A title that stands as a heading elsewhere starts there; the report tells."""
    places = [0, 0, 0, 3, 4]
    document = _parse(_with_outline(rules, [(part, at, 760) for part, at in zip(_PARTS, places, strict=True)]))

    assert _starts(document) == [(part, at, 1) for at, part in enumerate(_PARTS, start=1)]
    assert [section.confidence for section in document.toc] == [1.0, 0.9, 0.7, 1.0, 1.0]
    assert any("1 led to a wrong place" in warning for warning in document.parsing_summary.warnings)


def test_an_entry_that_leads_nowhere_is_found_by_its_title(rules: bytes) -> None:
    """A bookmark whose page was taken out still names the section."""
    document = _parse(_with_outline(rules, [("Berths", 0, 760), ("Bunkering", None, None), ("Fire watch", 2, 760)]))

    assert _starts(document) == [("Berths", 1, 1), ("Bunkering", 2, 1), ("Fire watch", 3, 1)]


def test_an_entry_without_a_title_takes_that_of_its_line(rules: bytes) -> None:
    """A blank bookmark is no blank row."""
    entries = [("Berths", 0, 760), ("", 1, 760), ("Fire watch", 2, 760)]

    assert _starts(_parse(_with_outline(rules, entries))) == [
        ("Berths", 1, 1), ("Bunkering", 2, 1), ("Fire watch", 3, 1),
    ]  # fmt: skip


def test_an_entry_for_each_page_of_a_section_is_one_section(rules: bytes) -> None:
    """`Berths (continued)` is no section of its own."""
    entries = [("Berths", 0, 760), ("Berths (continued)", 1, None), ("Fire watch", 2, 760), ("Pilots", 3, 760)]

    assert [title for title, _, _ in _starts(_parse(_with_outline(rules, entries)))] == [
        "Berths",
        "Fire watch",
        "Pilots",
    ]


@pytest.mark.parametrize(
    "entries",
    [
        [("Untitled", 0, 760), ("Page 2", 1, 760), ("rules_v3.docx", 2, 760)],
        [("Charter", 0, 100), ("Tariff", 0, 100), ("Annual accounts", 0, 100)],
        [("Harbour.indd", 0, None)],
    ],
)
def test_an_outline_that_says_nothing_gives_way_to_the_headings(rules: bytes, entries: list[Any]) -> None:
    """File names, "Page 2", or entries that all lead to one place are no contents."""
    document = _parse(_with_outline(rules, entries))

    assert [title for title, _, _ in _starts(document)] == _PARTS
    assert document.parsing_summary.toc_origin == "headings"
    assert any("outline of the file is not used" in warning for warning in document.parsing_summary.warnings)


def test_printed_numbers_are_labels_and_are_set_against_the_pages(drawn: Drawn) -> None:
    """An entry of a contents page leads to the sheet where the title stands, whatever its number in the file."""
    entries = [(part, str(1 + 2 * at)) for at, part in enumerate(_PARTS)]
    blank = _page(_BODY)
    sheets = [sheet for part in _PARTS for sheet in (_page(_BODY, title=part), blank)]
    document = _parse(drawn(_page("Rules of the harbour"), _contents_page(entries), *sheets))

    assert [(s.title, s.start_page, s.start_line, s.origin) for s in document.toc] == [
        (part, 3 + 2 * at, 1, "printed") for at, part in enumerate(_PARTS)
    ]


def test_parts_and_items_of_a_contents_page_are_nested_by_their_words(drawn: Drawn) -> None:
    """A section is below its article, however little it is set in."""
    entries = [("ARTICLE I DEFINITIONS", "1"), ("Section 1.01 Terms", "1"), ("Section 1.02 Periods", "2"),
               ("ARTICLE II LOANS", "3"), ("Section 2.01 Advances", "3")]  # fmt: skip
    sheets = [
        _page("#ARTICLE I", "#DEFINITIONS", _BODY, "#Section 1.01 Terms.", _BODY),
        _page("#Section 1.02 Periods.", _BODY),
        _page("#ARTICLE II", "#LOANS", _BODY, "#Section 2.01 Advances.", _BODY),
    ]
    document = _parse(drawn(_contents_page(entries), *sheets))

    assert [(s.level, s.title, s.start_page, s.start_line) for s in document.toc] == [
        (1, "ARTICLE I DEFINITIONS", 2, 1),
        (2, "Section 1.01 Terms", 2, 4),
        (2, "Section 1.02 Periods", 3, 1),
        (1, "ARTICLE II LOANS", 4, 1),
        (2, "Section 2.01 Advances", 4, 4),
    ]


def test_numbered_notes_are_sections_below_the_statements(drawn: Drawn) -> None:
    """Where a contents page stops at "Financial statements", the notes that count up in them are sections, too."""
    entries = [("Item 1. Business", "2"), ("Item 2. Properties", "3"), ("Item 3. Legal proceedings", "4"),
               ("Item 8. Financial statements", "5"), ("Item 9. Controls", "7")]  # fmt: skip
    notes = [f"#Note {n}. {title}" for n, title in enumerate(("Policies", "Leases", "Debt", "Taxes"), start=1)]
    sheets = [_page(_BODY, title=title) for title, _ in entries[:3]]
    sheets += [_page(_BODY, notes[0], _BODY, notes[1], _BODY, title=entries[3][0])]
    sheets += [_page(notes[2], _BODY, notes[3], _BODY), _page(_BODY, title=entries[4][0])]
    document = _parse(drawn(_contents_page(entries), *sheets))

    assert [(s.level, s.title, s.start_page) for s in document.toc][3:] == [
        (1, "Item 8. Financial statements", 5),
        (2, "Note 1. Policies", 5),
        (2, "Note 2. Leases", 5),
        (2, "Note 3. Debt", 6),
        (2, "Note 4. Taxes", 6),
        (1, "Item 9. Controls", 7),
    ]
    assert [s.origin for s in document.toc][3:5] == ["printed", "headings"]


def test_a_table_whose_rows_end_in_small_numbers_is_no_contents_page(drawn: Drawn) -> None:
    """Substances with their thresholds are not sections with their pages."""
    rows = [(f"Substance {name}", "1") for name in "ABCDEFGHIJ"] + [("Lead", "10"), ("Zinc", "10")]
    document = _parse(drawn(_contents_page(rows, title="Thresholds"), _page(_BODY), _page(_BODY)))

    assert [section.title for section in document.toc if section.origin == "printed"] == []


def test_the_first_words_of_a_paragraph_in_bold_are_no_heading(drawn: Drawn) -> None:
    """A paragraph that begins in bold and goes on in small letters is text."""
    page = (
        _page("#1 Mooring", _BODY, _BODY, _BODY)
        + " BT /B 10 Tf 60 600 Td (Extension of time. If the master) Tj ET"
        + " BT /F 10 Tf 60 588 Td (asks for it in writing, the harbour office may allow a day.) Tj ET"
    )

    assert [section.title for section in _parse(drawn(page)).toc] == ["1 Mooring"]


def test_text_in_big_type_is_text(drawn: Drawn) -> None:
    """A page of notes in small type does not make headings of the paragraphs in ordinary type."""
    big = " ".join(f"BT /F 12 Tf 60 {740 - 14 * at} Td (The office shall {_BODY[:58]}) Tj ET" for at in range(12))
    small = " ".join(f"BT /F 8 Tf 60 {500 - 10 * at} Td ({_BODY}) Tj ET" for at in range(40))

    assert _parse(drawn(f"{big} {small}")).toc == ()


def test_a_heading_over_several_lines_is_one(drawn: Drawn) -> None:
    """A title broken at a hyphen or behind "of" is whole; a second heading below it is another."""
    page = (
        "BT /B 10 Tf 60 740 Td (5.1 Disposal of controlled sub-) Tj 0 -12 Td (stances by the office) Tj ET "
        "BT /B 10 Tf 60 705 Td (General rules) Tj ET "
        + " ".join(f"BT /F 10 Tf 60 {690 - 12 * at} Td ({_BODY}) Tj ET" for at in range(8))
    )

    assert [section.title for section in _parse(drawn(page)).toc] == [
        "5.1 Disposal of controlled substances by the office", "General rules",
    ]  # fmt: skip


def test_two_headings_right_below_each_other_are_two(drawn: Drawn) -> None:
    """A line that had room for the next word did not break there: what follows is another heading."""
    page = "BT /B 10 Tf 60 740 Td (5 Debt) Tj 0 -13 Td (Bonds and notes) Tj ET " + " ".join(
        f"BT /F 10 Tf 60 {710 - 12 * at} Td ({_BODY}) Tj ET" for at in range(8)
    )

    assert [section.title for section in _parse(drawn(page)).toc] == ["5 Debt", "Bonds and notes"]


def test_letters_of_a_broken_font_are_no_title(drawn: Drawn) -> None:
    """What is not what is printed is not shown as a section."""
    page = _page("#Annual report", _BODY, _BODY, "#GD=A>GF;A@E", _BODY)

    assert [section.title for section in _parse(drawn(page)).toc] == ["Annual report"]


def _starts_of(*titles: str) -> list[Start]:
    return [Start(1, title, 1, line_id=at) for at, title in enumerate(titles, start=1)]


@pytest.mark.parametrize(
    ("titles", "n"),
    [
        (("Note 1. A", "Other", "Note 2. B", "Note 3. C", "Note 4. D"), 4),
        (("1. A", "2. B", "3. C", "5. E"), 4),
        (("Note 1. A", "Note 2. B"), 0),
        (("Note 7. A", "Note 8. B", "Note 9. C", "Note 10. D"), 0),
        (("2022 results", "2021 results", "2020 results", "2019 results"), 0),
    ],
)
def test_notes_are_headings_that_count_up_from_one(titles: tuple[str, ...], n: int) -> None:
    """A few numbers, or numbers that do not begin at 1, are no notes."""
    assert len(counted(_starts_of(*titles))) == n


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (("Note 3 – Stock", "as said in Note 3 – Stock"), ["Note 3 – Stock"]),
        (("Note 3 – Stock", "Note 3 – Stocks and bonds"), []),
        (("Note 3 is about stock", "see it"), []),
    ],
)
def test_a_note_that_looks_like_no_heading_fills_its_gap(texts: tuple[str, str], found: list[str]) -> None:
    """The one line that begins with the number missing between two notes is a section, also right above a table."""
    titles = ["Notes", "Note 1 – A", "Note 2 – B", *texts, "Note 4 – D", "Note 5 – E"]
    lines = [Line(line_id=at, page_num=1, line_num=at, text=text) for at, text in enumerate(titles, start=1)]
    headings = [start for start in _starts_of(*titles) if start.title not in texts]

    starts = note_starts(headings[:1], headings, lines)

    assert [start.title for start in starts if start.line_id in (4, 5)] == found


_titles = st.lists(st.text("abc XYZ.12", min_size=1, max_size=12), min_size=1, max_size=12)


@settings(deadline=None)
@given(texts=_titles, wanted=st.lists(st.tuples(st.integers(1, 4), st.integers(0, 11)), max_size=8))
def test_sections_never_end_before_they_start(texts: list[str], wanted: list[tuple[int, int]]) -> None:
    """Whatever an outline says, each section has a line of its document, an end not before it, and a parent above."""
    lines = [Line(line_id=at, page_num=1, line_num=at, text=text) for at, text in enumerate(texts, start=1)]
    starts = [Start(level, texts[at % len(texts)], 1) for level, at in wanted]

    toc = sections(located(starts, PageIndex(lines)), lines, [Page(page_num=1)], "outline")

    assert len(toc) == len(wanted)
    for section in toc:
        assert section.start_line is not None
        assert section.end_line is not None
        assert 1 <= section.start_line <= section.end_line <= len(lines)
        assert section.parent_id is None or toc[section.parent_id - 1].level < section.level
        assert 0 <= section.confidence <= 1
