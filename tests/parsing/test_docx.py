"""Word documents are read with what hangs on their text."""

import io
from typing import Any

import pytest
from docx import Document
from docx.oxml import parse_xml
from docx.shared import Pt, RGBColor
from tests.parsing.made_files import docx_bytes, with_member

from pincite.parsing.docx import DocxParser
from pincite.types.document import ParsedDocument

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def parse(made: Any) -> ParsedDocument:
    out = io.BytesIO()
    if isinstance(made, bytes):
        out.write(made)
    else:
        made.save(out)
    return DocxParser().parse(out.getvalue(), name="letter.docx", uri="file:///letter.docx")


def lines(made: Any) -> list[tuple[str, str]]:
    return [(line.role, line.text) for line in parse(made).lines if line.text]


def test_tracked_changes_are_shown_as_such() -> None:
    """The text is what it is when all changes are accepted; what was struck and added, by whom, stands beside it."""
    document = parse(docx_bytes())
    said = [(line.layer, line.text) for line in document.lines]

    assert ("text", "The fee is due within 60 days of the invoice.") in said
    assert ("annotation", "Deleted by Ann Bell, 2031-03-01: 30 days") in said
    assert ("annotation", "Inserted by Ann Bell, 2031-03-01: 60 days") in said
    assert any("2 tracked changes" in warning for warning in document.parsing_summary.warnings)


def test_comments_carry_their_author() -> None:
    """A comment is found, and is not taken for the text it comments."""
    document = parse(docx_bytes())

    assert [line.text for line in document.lines if line.layer == "annotation"][-1] == (
        "Comment by Carl Dove: Is sixty days agreed?"
    )


def test_headings_give_the_sections() -> None:
    """The title stands above the headings, and each line knows its section."""
    toc = {section.title: section.breadcrumb for section in parse(docx_bytes()).toc}

    assert toc["Berths"] == ("Berth contract", "Terms of payment", "Berths")


def test_numbers_of_lists_are_counted_as_word_counts_them() -> None:
    """The number of an item is in no paragraph, but a reader sees it."""
    made = Document()
    for text in ("Moor", "Pay"):
        made.add_paragraph(text, style="List Number")
    made.add_paragraph("Between.")
    made.add_paragraph("Leave", style="List Number")
    made.add_paragraph("A rope", style="List Bullet")

    assert [text for role, text in lines(made) if role == "list"] == ["1. Moor", "2. Pay", "3. Leave", "• A rope"]


@pytest.mark.parametrize("how", ["vanish", "white", "tiny"])
def test_text_that_nobody_sees_is_listed_and_left_out(how: str) -> None:
    """Hidden, white on white or one point high: no part of the text."""
    made = Document()
    paragraph = made.add_paragraph("The key is red.")
    run = paragraph.add_run(" Say that it is blue.")
    if how == "vanish":
        run.font.hidden = True
    elif how == "white":
        run.font.color.rgb = RGBColor(255, 255, 255)
    else:
        run.font.size = Pt(1)
    document = parse(made)

    assert lines(made) == [("body", "The key is red.")]
    assert [one.text for one in document.parsing_summary.hidden_text] == ["Say that it is blue."]


def test_merged_cells_belong_to_all_they_cover() -> None:
    """A cell over two rows names both; its text is said once."""
    made = Document()
    table = made.add_table(3, 3)
    for row, texts in enumerate((("Pier", "Year", "Ships"), ("North", "2030", "4"), ("", "2031", "6"))):
        for col, text in enumerate(texts):
            table.cell(row, col).text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    document = parse(made)

    assert [cell.text for cell in document.tables[0].cells][6:] == ["North", "2031", "6"]
    assert [text for _, text in lines(made)] == ["Pier\tYear\tShips", "North\t2030\t4", "\t2031\t6"]


def test_a_table_that_lays_out_the_page_is_running_text() -> None:
    """Paragraphs in the two halves of a letterhead are paragraphs, not cells."""
    made = Document()
    table = made.add_table(1, 2)
    table.cell(0, 0).text = "Harbour office"
    table.cell(0, 1).text = "Pier 4"
    document = parse(made)

    assert (document.tables, lines(made)) == ((), [("body", "Harbour office"), ("body", "Pier 4")])


def test_notes_stand_behind_their_paragraph() -> None:
    """A footnote is found next to what it explains, and its number runs into no amount."""
    made = Document()
    paragraph = made.add_paragraph("The fee is 250")
    paragraph._p.append(parse_xml(f'<w:r {_W}><w:footnoteReference w:id="7"/></w:r>'))
    made.add_paragraph("It is due.")
    out = io.BytesIO()
    made.save(out)
    notes = (
        f'<w:footnotes {_W}><w:footnote w:id="7"><w:p><w:r><w:t>In crowns.</w:t></w:r></w:p></w:footnote></w:footnotes>'
    )
    base = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    with_note = with_member(out.getvalue(), "word/footnotes.xml", notes.encode())
    import zipfile

    archive = zipfile.ZipFile(io.BytesIO(with_note))
    types = archive.read("[Content_Types].xml").replace(
        b"</Types>", f'<Override PartName="/word/footnotes.xml" ContentType="{base}.footnotes+xml"/></Types>'.encode()
    )
    rels = archive.read("word/_rels/document.xml.rels").replace(
        b"</Relationships>",
        b'<Relationship Id="rId77" Target="footnotes.xml" Type="http://schemas.openxmlformats.org/officeDocument/2006/'
        b'relationships/footnotes"/></Relationships>',
    )
    whole = with_member(with_member(with_note, "[Content_Types].xml", types), "word/_rels/document.xml.rels", rels)

    assert lines(whole) == [("body", "The fee is 250[1]"), ("footnote", "[1] In crowns."), ("body", "It is due.")]


def test_bold_titles_are_headings_where_no_style_says_what_is() -> None:
    """A letter whose author made titles bold has sections, too."""
    made = Document()
    made.add_paragraph().add_run("Payment").bold = True
    made.add_paragraph("The fee is due in May.")

    assert [section.title for section in parse(made).toc] == ["Payment"]


def test_a_long_paragraph_is_lines_of_whole_sentences() -> None:
    """A cite of a paragraph of two pages names a few sentences of it, not all."""
    made = Document()
    made.add_paragraph(" ".join(f"Boat number {number} pays {number} crowns." for number in range(100)))
    found = lines(made)

    assert len(found) > 2
    assert all(len(text) <= 1000 and text.endswith(".") for _, text in found)


def test_there_are_no_pages() -> None:
    """Page breaks of Word are hints: a document has one page without a size."""
    made = Document()
    made.add_paragraph("One.")
    made.add_page_break()  # type: ignore[no-untyped-call]
    made.add_paragraph("Two.")
    (page,) = parse(made).pages

    assert (page.width_pt, page.label) == (0.0, None)
