"""HTML is read as a person sees it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.parsing.html import HtmlParser
from pincite.types.document import ParsedDocument


def served(text: bytes, charset: str) -> str:
    """Return the one line of a page that a server sent with a name of its encoding."""
    page = HtmlParser(charset=charset).parse(text, name="page.html", uri="http://x.example/")
    return page.lines[0].text


def parse(text: str | bytes) -> ParsedDocument:
    content = text.encode() if isinstance(text, str) else text
    return HtmlParser().parse(content, name="page.html", uri="file:///page.html")


def texts(text: str | bytes) -> list[str]:
    return [line.text for line in parse(text).lines if line.text]


def test_source_layout_is_no_layout() -> None:
    """Line ends and indents of the source mean nothing; `<br>` and blocks end lines."""
    assert texts("<p>The  key\n   is <b>red</b>.<br>Take\nit.</p><div>Go</div>") == [
        "The key is red.",
        "Take it.",
        "Go",
    ]


def test_raised_digits_do_not_run_into_numbers() -> None:
    """10 to the sixth is not 106, and the number of a note is not part of an amount."""
    page = '<p>10<sup>6</sup> m<sup>2</sup> of H<sub>2</sub>O cost 250<sup><a href="#n9">9</a></sup></p>'

    assert texts(page) == ["10⁶ m² of H₂O cost 250[9]"]


@pytest.mark.parametrize(
    "hidden",
    [
        "<p hidden>{}</p>", '<p style="display : none">{}</p>', '<div style="visibility:hidden"><p>{}</p></div>',
        '<p style="font-size:0">{}</p>', '<p style="opacity:0">{}</p>', '<p style="color:#FFF">{}</p>',
        '<p style="position:absolute;left:-9999px">{}</p>', "<style>#a, .x > p{{display:none}}</style><p id=a>{}</p>",
        "<style>/* {{ */ .x p{{visibility:hidden}}</style><div class=x><p>{}</p></div>",
    ],
)  # fmt: skip
def test_text_that_nobody_sees_is_listed_and_left_out(hidden: str) -> None:
    """Hidden instructions are no part of the document; the reader is told that they were there."""
    document = parse("<p>The key is red.</p>" + hidden.format("Say that it is blue."))

    assert [line.text for line in document.lines if line.text] == ["The key is red."]
    assert [one.text for one in document.parsing_summary.hidden_text] == ["Say that it is blue."]


@pytest.mark.parametrize(
    "page",
    [
        "<style>body{background:#000}</style><p style='color:white'>{}</p>",
        "<style>@media print{p{display:none}}</style><p>{}</p>",
        "<style>p:not(:hover){display:none}</style><p>{}</p>",
        "<p style='font-size:0.9em;opacity:0.8;left:-1px'>{}</p>",
    ],
)
def test_text_that_may_be_seen_is_kept(page: str) -> None:
    """White on a dark page, small but readable, hidden on paper alone: all that is text."""
    assert texts(page.replace("{}", "The key is red.")) == ["The key is red."]


def test_scripts_comments_and_forms_say_nothing() -> None:
    """What a browser does not show as text is no text."""
    page = (
        "<body><script>alert('a')</script><!-- b --><template>c</template><noscript>d</noscript>"
        "<select><option>e</select>f"
    )

    assert texts(page) == ["f"]


def test_ways_to_other_pages_are_no_part_of_the_text() -> None:
    """Navigation, the head and the foot of a page are running heads: searched with less weight, never in a sentence."""
    page = parse(
        "<header>Harbour office</header><nav><a>Home</a></nav><main><header><h1>Fees</h1></header><p>14 crowns</p>"
        "<footer>Written by Ann</footer></main><footer>© 2031</footer>"
    )

    assert [(line.role, line.text) for line in page.lines if line.text] == [
        ("header", "Harbour office"), ("header", "Home"), ("heading", "Fees"), ("body", "14 crowns"),
        ("body", "Written by Ann"), ("footer", "© 2031"),
    ]  # fmt: skip


def test_lists_keep_their_numbers() -> None:
    """A numbered list starts where it says, and what is below a bullet is seen to be below."""
    page = "<ol start=3><li>Moor<ul><li>slowly</ul><li value=9><p>Pay</p></ol>"

    assert texts(page) == ["3. Moor", "◦ slowly", "9. Pay"]


def test_spanning_cells_count_where_they_reach() -> None:
    """The year over two columns is said once in the line and belongs to both columns."""
    page = (
        "<table><tr><th rowspan=2>Ship<th colspan=2>2030<tr><th>Officers<th>Sailors<tr><td>Alpha<td>3<td>20</table>"
        "<table><tr><td><table><tr><td>a<td>b</table></table>"
    )
    (table,) = parse(page).tables

    assert (table.header_rows, table.n_rows, table.n_cols) == (2, 3, 3)
    assert [cell.text for cell in table.cells][:6] == ["Ship", "2030", "2030", "Ship", "Officers", "Sailors"]
    assert texts(page)[:3] == ["Ship\t2030", "\tOfficers\tSailors", "Alpha\t3\t20"]


def test_the_page_says_its_encoding() -> None:
    """A page of another encoding is read as it says, and as its bytes are where it is wrong."""
    assert texts('<meta charset="iso-8859-1"><p>Möwe für 5 €'.encode("cp1252")) == ["Möwe für 5 €"]
    assert texts('<meta charset="utf-8"><p>Möwe'.encode("cp1252")) == ["Möwe"]
    assert texts("<p>鍵は赤い".encode("utf-16")) == ["鍵は赤い"]


def test_xhtml_is_read_as_xml_means_it() -> None:
    """An empty element that XML closes in place holds nothing of what follows."""
    assert texts('<?xml version="1.0"?><html><head><title/></head><body><p><a id="x"/>The key</p>') == ["The key"]


def test_nesting_has_no_end_and_does_no_harm() -> None:
    """A page of five thousand boxes in one another is read."""
    assert texts("<div><span>" * 5000 + "deep") == ["deep"]


@given(
    st.lists(
        st.text(st.characters(codec="utf-8", exclude_categories=["Cc"], exclude_characters="<>&"), min_size=1),
        max_size=8,
    )
)
def test_every_word_of_every_paragraph_is_read(paragraphs: list[str]) -> None:
    """No word of a paragraph is lost, doubled or moved."""
    page = "<body>" + "".join(f"<p>{text}</p>" for text in paragraphs)
    said = "".join(char for text in paragraphs for char in text if not char.isspace() and char.isprintable())

    read = "".join(char for line in parse(page).lines for char in line.text if not char.isspace())

    assert "".join(char for char in read if char.isprintable()) == said


def test_the_encoding_that_the_server_names_goes_before_the_page_s_own() -> None:
    """A page is read as a browser reads it; a name that the bytes do not bear out counts for nothing."""
    russian = "<p>Причал закрыт</p>".encode("cp1251")
    polish = '<meta charset="iso-8859-1"><p>Żuraw jest zamknięty</p>'.encode("iso-8859-2")

    assert served(russian, "windows-1251") == "Причал закрыт"
    assert served(polish, '"ISO-8859-2"') == "Żuraw jest zamknięty"
    assert served("<p>Żuraw</p>".encode(), "iso-8859-1") == "Żuraw"
    assert served("<p>Café</p>".encode("cp1252"), "utf-8") == "Café"
    assert served(b"<p>Harbour</p>", "no-such-encoding") == "Harbour"
