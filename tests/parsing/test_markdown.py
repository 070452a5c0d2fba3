"""Markdown to a document."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.parsing.markdown import MarkdownParser
from pincite.passages import chunk
from pincite.types.document import ParsedDocument

CASES = Path(__file__).parents[1] / "cases"


def parsed(content: str | bytes) -> ParsedDocument:
    raw = content.encode() if isinstance(content, str) else content
    return MarkdownParser().parse(raw, name="a.md", uri="file:///a.md")


def roles(document: ParsedDocument) -> list[str]:
    return [line.role for line in document.lines]


def test_hash_lines_in_code_are_no_headings() -> None:
    """Comments inside fences of every kind, and other near-headings, open no section."""
    case = CASES / "CHK02-hash-in-code"
    expected = json.loads((case / "case.json").read_text("utf-8"))["expected"]["headings"]

    document = parsed((case / "setup.md").read_bytes())

    assert [{"level": s.level, "text": s.title, "line": s.start_line} for s in document.toc] == expected
    assert document.toc[1].breadcrumb == ("Setup", "Run")
    assert "\n".join(line.text for line in document.lines) == (case / "setup.md").read_text("utf-8").rstrip("\n")


def test_a_section_ends_before_the_next_one_that_is_not_below_it() -> None:
    """Sections know their level, path, first and last line; each line knows its innermost section."""
    document = parsed("intro\n\n# A\n\n### C\ntext\n\n## B\n\nD\n=\n\nend\n")

    assert [(s.section_id, s.parent_id, s.level, s.title, s.start_line, s.end_line) for s in document.toc] == [
        (1, None, 1, "A", 3, 9),
        (2, 1, 3, "C", 5, 7),
        (3, 1, 2, "B", 8, 9),
        (4, None, 1, "D", 10, 13),
    ]
    assert [line.section_id for line in document.lines] == [None, None, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 4]


def test_titles_read_without_their_markup() -> None:
    """A title is what a reader sees, the line keeps the source's own characters."""
    document = parsed("# The **new** `pump` [manual](m.pdf) ##\n")

    assert document.toc[0].title == "The new pump manual"
    assert document.lines[0].text == "# The **new** `pump` [manual](m.pdf) ##"


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("# Runbook[^1]", "Runbook"),
        ("## Deep ## {#deep .wide}", "Deep"),
        ("### C# {: #csharp }", "C#"),
        ("# Notes {-}", "Notes"),
        ("# ~~Old~~ <b>new</b> pump", "Old new pump"),
        ("Two\nlines\n=====", "Two lines"),
        ("# A set {a, b} of 5 ~ 6", "A set {a, b} of 5 ~ 6"),
    ],
)
def test_titles_hold_nothing_for_machines(source: str, title: str) -> None:
    """Footnote references, names, classes and closing marks are no part of a title; braces and signs are."""
    assert [section.title for section in parsed(source + "\n").toc] == [title]


@pytest.mark.parametrize(
    "line", ["![](x.png)", "[](y)", '<a name="top"></a>', "<br> &nbsp;", "- ![](x.png)", "<img src='x.png'>", "\u200b"]
)
def test_what_shows_no_word_is_no_text(line: str) -> None:
    """A picture without words, an anchor or a blank of no width is nothing that can be found or quoted."""
    document = parsed(line + "\n")

    assert document.parsing_summary.warnings == ("the file has no text",)
    assert chunk(document) == ()


@pytest.mark.parametrize("line", ["![Map of the quay](x.png)", "<img src=x alt='Map'>", "text <br>", "→", "a[](x)"])
def test_what_shows_a_word_is_text(line: str) -> None:
    """A picture with a description, and words beside one, stay."""
    document = parsed(line + "\n")

    assert (document.parsing_summary.warnings, len(chunk(document))) == ((), 1)


def test_each_line_has_the_role_of_its_block() -> None:
    """Lists, code, tables, footnotes, quotations and comments are told apart."""
    source = (
        "<!-- # hidden -->\n- item\n  more\n\n  ```\n  # code\n  ```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
        "> # quoted\n\n[^1]: Note.\n\ntext[^1] <!-- c -->\n"
    )

    assert roles(parsed(source)) == (
        "metadata list list body code code code body table table table body body body footnote body body".split()
    )


def test_a_comment_without_end_hides_nothing() -> None:
    """What follows an opening mark that is never closed stays text, with its headings."""
    document = parsed("<!-- draft\n\n# Pump\n\nThe pump is red.\n")

    assert [s.title for s in document.toc] == ["Pump"]
    assert set(roles(document)) == {"body", "heading"}


def test_tables_have_cells_with_their_lines() -> None:
    """A cell's text is stripped, an escaped bar belongs to it, and an empty cell stays empty."""
    document = parsed("Table 3: Prices\n\n| Code | Price |\n|---|--:|\n| K\\|1 |  3 |\n| K-2 | |\n\nend\n")

    table = document.tables[0]
    assert (table.caption, table.n_rows, table.n_cols, table.header_rows) == ("Table 3: Prices", 3, 2, 1)
    assert (table.first_line_id, table.last_line_id) == (3, 6)
    assert [(c.row, c.col, c.text, c.line_ids) for c in table.cells] == [
        (1, 1, "Code", (3,)), (1, 2, "Price", (3,)), (2, 1, "K|1", (5,)), (2, 2, "3", (5,)), (3, 1, "K-2", (6,)),
        (3, 2, "", (6,)),
    ]  # fmt: skip


def test_a_long_table_is_one_table() -> None:
    """Each of 120 rows is found in its own line of the file."""
    document = parsed((CASES / "CHK01-long-table" / "catalogue.md").read_bytes())

    (cell,) = [cell for cell in document.tables[0].cells if cell.text == "K-197"]
    assert document.lines[cell.line_ids[0] - 1].text == "| K-197 | bronze | 197 | wet |"
    assert cell.line_ids == (104,)


@pytest.mark.parametrize("name", ["zero.md", "frontmatter-only.md", "fence-only.md"])
def test_files_without_text_parse(name: str) -> None:
    """A file that holds no text is a document without text, and says so."""
    document = parsed((CASES / "CHK06-empty-files" / name).read_bytes())

    assert document.parsing_summary.warnings == ("the file has no text",)


@given(st.text(alphabet=st.sampled_from("#-=+|`~> \t\n\r*[^]:1.a<!é"), max_size=120))
def test_no_line_is_lost_whatever_the_markup(source: str) -> None:
    """Every line of the file is there once, in order and unchanged, and sections lie inside the file."""
    document = parsed(source)

    assert "\n".join(line.text for line in document.lines) == (
        source.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
    )
    for section in document.toc:
        assert 1 <= (section.start_line or 0) <= (section.end_line or 0) <= len(document.lines)


@pytest.mark.slow
def test_many_tables_cost_no_more_than_their_number() -> None:
    """A file of a thousand small tables has them all: none is searched for in the whole file."""
    document = parsed("| a | b |\n|---|---|\n| 1 | 2 |\n\ntext\n\n" * 1000)

    assert [len(table.cells) for table in document.tables] == [4] * 1000


HTML_TABLE = """# Piers

Table 1. Lengths of piers

<table>
<thead>
<tr><th rowspan="2">Pier</th><th colspan="2">Length (m)</th></tr>
<tr><th>2030</th><th>2031</th></tr>
</thead>
<tr>
  <td>North &amp; East</td>
  <td>40</td>

  <td><b>42</b></td>
</tr>
<tr><td>South</td><td></td><td>35</td></tr>
</table>

After.
"""


def test_tables_written_as_html_have_cells_with_their_lines() -> None:
    """A table in HTML tags is a table: spanning cells in each place, empty ones empty, lines as in an editor."""
    document = parsed(HTML_TABLE)
    (table,) = document.tables
    cells = {(cell.row, cell.col): cell for cell in table.cells}

    assert (table.caption, table.header_rows, table.first_line_id, table.last_line_id) == (
        "Table 1. Lengths of piers",
        2,
        5,
        17,
    )
    assert [cells[2, col].text for col in (1, 2, 3)] == ["Pier", "2030", "2031"]
    assert [cells[3, col].text for col in (1, 2, 3)] == ["North & East", "40", "42"]
    assert (cells[3, 3].line_ids, cells[4, 2].text, cells[1, 3].text) == ((14,), "", "Length (m)")
    assert {line.role for line in document.lines[4:12]} == {"table"}
