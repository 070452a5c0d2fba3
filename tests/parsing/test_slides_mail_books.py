"""Presentations, messages and books: what each adds to plain text is kept, and said to be what it is."""

from collections.abc import Callable

from tests.parsing import made_files as made

from pincite.parsing.email_message import EmailParser
from pincite.parsing.epub import EpubParser
from pincite.parsing.pptx import PptxParser
from pincite.types.document import ParsedDocument


def slides() -> ParsedDocument:
    return PptxParser().parse(made.pptx_bytes(), name="plan.pptx", uri="file:///plan.pptx")


def mail(content: bytes) -> ParsedDocument:
    return EmailParser().parse(content, name="a.eml", uri="file:///a.eml")


def book(content: bytes) -> ParsedDocument:
    return EpubParser().parse(content, name="a.epub", uri="file:///a.epub")


def texts(document: ParsedDocument) -> list[str]:
    return [line.text for line in document.lines if line.text]


def section_of(document: ParsedDocument, text: str) -> tuple[str, ...]:
    line = next(line for line in document.lines if line.text == text)
    return next(section.breadcrumb for section in document.toc if section.section_id == line.section_id)


def test_a_slide_is_a_page() -> None:
    """Slide 2 is page 2, also where a slide before it says nothing."""
    document = slides()

    assert [page.page_num for page in document.pages] == [1, 2, 3]
    assert document.page_lines(2)[0].text == "Costs"


def test_speaker_notes_are_said_to_be_notes() -> None:
    """What only the speaker sees is found, under its own heading."""
    assert section_of(slides(), "Say that the mayor has agreed.") == ("Harbour plan", "Speaker notes")


def test_a_chart_is_a_table_of_its_values() -> None:
    """The numbers behind a chart can be asked for."""
    chart = slides().tables[1]

    assert [cell.text for cell in chart.cells] == ["", "Ships", "2030", "120", "2031", "140"]


def test_slides_and_shapes_that_nobody_sees_are_listed() -> None:
    """A hidden slide, and a text beside the slide, are no part of the presentation."""
    document = slides()

    assert [(one.page_num, one.text) for one in document.parsing_summary.hidden_text] == [
        (2, "nobody sees this"), (3, "Not shown"),
    ]  # fmt: skip
    assert not document.page_lines(3)


def test_who_wrote_to_whom_is_read() -> None:
    """The fields of a message can be quoted, and date it."""
    document = mail(made.email_bytes())

    assert "From: Ann Bell <ann@example.org>" in texts(document)
    assert (document.metadata["date"], document.parsing_summary.title) == ("2031-03-03", "Berth for the Möwe")


def test_the_plain_text_is_read_once() -> None:
    """Of a text in two forms one is read; lines and list items stay lines."""
    document = mail(made.email_bytes())

    assert "in HTML" not in texts(document)
    assert [line.text for line in document.lines if line.role == "list"] == ["- the log", "- two fenders"]


def test_attachments_are_listed_by_a_safe_name() -> None:
    """A file name that leads elsewhere is cut to its last part; nothing is written."""
    assert [one.name for one in mail(made.email_bytes()).parsing_summary.attachments] == ["log.pdf"]


def test_a_message_inside_a_message_is_read() -> None:
    """A forwarded message is a section of the one that carries it."""
    assert section_of(mail(made.email_bytes()), "The key is blue.") == ("Berth for the Möwe", "The key")


def test_a_message_in_html_alone_is_read_as_a_page() -> None:
    """Most messages are HTML; what a page hides is hidden here, too."""
    document = mail(
        b"From: a@example.org\nContent-Type: text/html; charset=iso-8859-1\n\n"
        b"<p>Die M\xf6we.</p><p style='display:none'>secret</p>"
    )

    assert texts(document)[-1] == "Die Möwe."
    assert document.parsing_summary.hidden_text[0].text == "secret"


def test_odd_messages_are_read() -> None:
    """An unknown encoding, a broken address, a wrong length of a part: the text is still there."""
    for content in (
        b"From: a@example.org\nContent-Type: text/plain; charset=klingon\n\nThe key is blue.\n",
        b'From: "a" <<<@@>\nTo: =?utf-8?q?broken\nDate: never\n\nThe key is blue.\n',
        b"Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nThe key is blue.\n",
    ):
        assert "The key is blue." in texts(mail(content))


def test_an_item_of_the_spine_is_a_page() -> None:
    """The second chapter is page 2, whatever its file is called."""
    document = book(made.epub_bytes())

    assert [[line.text for line in document.page_lines(n) if line.text] for n in (1, 2)] == [
        ["The gate", "It opens at six."],
        ["The night", "The lamp is green at night."],
    ]
    assert document.metadata["author"] == "Runa Kelp"


def test_a_chapter_that_is_missing_leaves_its_page() -> None:
    """Pages keep their numbers where one cannot be read, and the reader is told."""
    document = book(made.with_member(made.epub_bytes(), "OEBPS/gate.xhtml", None))

    assert [page.kind for page in document.pages] == ["blank", "digital"]
    assert "part 1" in document.parsing_summary.warnings[0]


def test_no_parser_needs_a_clock_or_a_network() -> None:
    """The same bytes give the same rows, at any time."""
    for parse, content in ((mail, made.email_bytes()), (book, made.epub_bytes())):
        read: Callable[[bytes], ParsedDocument] = parse
        assert read(content) == read(content)
