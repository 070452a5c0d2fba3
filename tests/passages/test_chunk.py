"""A parsed document to passages."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import SettingsError
from pincite.parsing.markdown import MarkdownParser
from pincite.parsing.plain import PlainTextParser
from pincite.passages import chunk
from pincite.settings import Settings
from pincite.types.document import Cell, Line, Page, ParsedDocument, ParsingSummary, Table
from pincite.types.geometry import BBox
from pincite.types.passage import Passage

CASES = Path(__file__).parents[1] / "cases"


def markdown(content: str | bytes, **sizes: int) -> tuple[Passage, ...]:
    raw = content.encode() if isinstance(content, str) else content
    return chunk(MarkdownParser().parse(raw, name="a.md", uri=""), **sizes)


def case(name: str) -> ParsedDocument:
    path = CASES / name
    parser = MarkdownParser() if path.suffix == ".md" else PlainTextParser()
    return parser.parse(path.read_bytes(), name=path.name, uri="")


def paged(*lines: Line, tables: tuple[Table, ...] = ()) -> ParsedDocument:
    """Return a document of pages; `lines` are numbered in their order."""
    n_pages = max(line.page_num for line in lines)
    return ParsedDocument(
        name="a.pdf", uri="", media_type="application/pdf", content_hash="", n_bytes=0, parser="test", metadata={},
        parsing_summary=ParsingSummary(), pages=tuple(Page(page_num=n + 1) for n in range(n_pages)), lines=lines,
        tables=tables,
    )  # fmt: skip


def line(line_id: int, text: str, *, page: int = 1, y: float = 0.0, x: float = 60.0, **more: Any) -> Line:
    width = more.pop("width", 440.0)
    box = BBox(x0=x, y0=y, x1=x + width, y1=y + 12)
    return Line(line_id=line_id, page_num=page, line_num=line_id, text=text, box=box, **more)


def test_each_piece_of_a_table_starts_with_its_header() -> None:
    """A row is never cut or doubled, each piece repeats the header, and its lines are the rows' own."""
    document = case("CHK01-long-table/catalogue.md")

    tables = [passage for passage in chunk(document) if passage.kind == "table"]

    assert len(tables) > 1
    assert {p.text.split("\n")[0] for p in tables} == {"| Code | Material | Price | Store |"}
    assert {p.text.split("\n")[1] for p in tables} == {"| --- | --- | ---: | --- |"}
    rows = [row for passage in tables for row in passage.text.split("\n")[2:]]
    assert rows == [line.text for line in document.lines if line.text.startswith("| K-")]
    (found,) = [p for p in tables if "| K-197 |" in p.text]
    assert found.first_line_id <= 104 <= found.last_line_id
    assert {p.breadcrumb for p in tables} == {("Catalogue",)}


def test_a_row_on_several_lines_is_never_parted() -> None:
    """Cells that wrap, or stand on lines of their own, stay together, and read as one row."""
    lines = [line(n, f"cell {n} with some words", y=14.0 * n, role="table") for n in range(1, 41)]
    cells = tuple(Cell(row=n // 2 + 1, col=n % 2 + 1, text=f"c{n + 1}", line_ids=(n + 1,)) for n in range(40))
    table = Table(table_id=1, page_num=1, caption=None, n_rows=20, n_cols=2, header_rows=1, first_line_id=1,
                  last_line_id=40, cells=cells)  # fmt: skip

    passages = chunk(paged(*lines, tables=(table,)), min_words=4, max_words=8)

    assert len(passages) > 1
    assert all(p.first_line_id % 2 == 1 and p.last_line_id % 2 == 0 for p in passages)
    assert all(p.text.startswith("c1 | c2\n") for p in passages)


def test_a_passage_stays_inside_its_section() -> None:
    """Sections never share a passage, a heading is in the passage of its section, and the path is kept apart."""
    passages = chunk(case("CHK02-hash-in-code/setup.md"))

    assert [(p.first_line_id, p.last_line_id, p.breadcrumb) for p in passages] == [
        (1, 35, ("Setup",)),
        (37, 44, ("Setup", "Run")),
    ]
    assert passages[1].text.startswith("Run\nThe daemon listens on port 8871.\n```")


def test_the_hash_is_of_what_the_embedder_reads() -> None:
    """An unchanged hash means that a vector can be used again, so it covers the heading path too."""
    (one,) = markdown("# A\n\ntext\n")
    (other,) = markdown("# B\n\ntext\n")

    assert one.text_hash == hashlib.sha256(one.embedding_text.encode()).hexdigest()
    assert one.text_hash != other.text_hash


def test_long_code_is_cut_at_line_ends_and_keeps_its_fence() -> None:
    """Pieces of a long code block begin with its fence; what follows the block is not taken for code."""
    passages = chunk(case("CHK11-code-block-and-lists/deploy.md"))

    code = [p for p in passages if p.kind == "code"]
    assert len(code) > 2
    assert all(p.text.lstrip().startswith("```sh\n") for p in code)
    last = passages[-1]
    assert (last.kind, last.breadcrumb) == ("prose", ("Deploy",))
    assert [part for part in ("2. Then wait 40 seconds.", "step_77", "team Kelp") if part not in last.text] == []


def test_short_code_stays_with_its_text() -> None:
    """A command and the sentence that explains it are read together."""
    (passage,) = markdown("Start it:\n\n```\nmake run\n```\n\nThen wait.\n")

    assert passage.text == "Start it:\n```\nmake run\n```\nThen wait."


def test_a_list_keeps_the_sentence_before_it() -> None:
    """Where a list is too long for one passage with all that precedes it, its lead-in goes with the list."""
    filler = "Some words of text that come before the list and say nothing at all. " * 8
    items = "".join(f"- item number {n} of the list\n" for n in range(10))

    passages = markdown(f"{filler}\n\nThe options are:\n\n{items}", min_words=60, max_words=120)

    assert [p.text.startswith("The options are:\n- item number 0") for p in passages] == [False, True]
    assert passages[1].kind == "list"


@pytest.mark.parametrize("name", ["zero.md", "blank.txt", "bom-only.txt", "frontmatter-only.md", "fence-only.md"])
def test_files_without_text_have_no_passages(name: str) -> None:
    """An empty file is no error and gives nothing to search."""
    assert chunk(case(f"CHK06-empty-files/{name}")) == ()


def test_headings_alone_can_be_found() -> None:
    """A file that holds only headings is found by them."""
    assert [p.text for p in chunk(case("CHK06-empty-files/headings-only.md"))] == ["A", "B", "C"]


def test_a_blob_is_cut_short_and_what_stands_around_it_is_kept() -> None:
    """60 000 characters without a blank fill no passage and hide no sentence."""
    (passage,) = chunk(case("CHK05-no-space-run-and-overlap/cert.md"))

    assert len(passage.text) < 300
    assert "2033" in passage.text
    assert "Runa" in passage.text
    assert "…" in passage.text


def test_a_line_of_40_000_words_is_many_passages() -> None:
    """However long a line is, all its words can be searched, each in a passage that an embedder can read."""
    passages = chunk(case("CHK05-no-space-run-and-overlap/one-line.txt"))

    assert sum(len(passage.text.split()) for passage in passages) == 40_000
    assert all(len(passage.text) <= 1500 for passage in passages)
    assert {(passage.first_line_id, passage.last_line_id) for passage in passages} == {(1, 1)}


def test_sizes_that_cannot_work_are_refused_and_small_ones_end() -> None:
    """Settings that contradict each other are refused at the start; the smallest sizes still come to an end."""
    refused: list[dict[str, Any]] = [
        {"passage_min_words": config["chunk_size"], "passage_max_words": config["chunk_size"]}
        for config in json.loads((CASES / "CHK05-no-space-run-and-overlap" / "configs.json").read_text("utf-8"))
        if config["overlap"] > 0 or config["chunk_size"] < 1
    ]
    for sizes in (*refused, {"passage_overlap": -1}):
        with pytest.raises(SettingsError):
            Settings.load(environment={}, **sizes)
    document = case("CHK01-long-table/catalogue.md")
    n_rows = sum(line.text.startswith("| K-") for line in document.lines)
    assert sum(p.kind == "table" for p in chunk(document, min_words=1, max_words=1)) >= n_rows
    assert chunk(document, min_words=0, max_words=-5) == chunk(document, min_words=1, max_words=1)


def test_a_sentence_goes_on_over_a_page_break() -> None:
    """Running heads, feet and footnotes do not break a sentence, and can still be found."""
    head, foot = "Port Rules - CONFIDENTIAL", "Printed 2027-02-11"
    document = paged(
        line(1, head, y=20, role="header"),
        line(2, "The master shall inspect the lines whenever the wind exceeds", y=100),
        line(3, "1 See annex B.", y=700, role="footnote"),
        line(4, "Page 1 of 2", y=740, role="footer"),
        line(5, foot, y=760, role="footer"),
        line(6, head, page=2, y=20, role="header"),
        line(7, "force seven, once every hour.", page=2, y=60),
        line(8, "Page 2 of 2", page=2, y=740, role="footer"),
    )

    passages = chunk(document)

    assert [(p.first_line_id, p.last_line_id, p.first_page, p.last_page) for p in passages] == [
        (2, 7, 1, 2), (1, 1, 1, 1), (4, 4, 1, 1), (5, 5, 1, 1),
    ]  # fmt: skip
    assert passages[0].text == (
        "The master shall inspect the lines whenever the wind exceeds force seven, once every hour.\n1 See annex B."
    )
    assert [p.text for p in passages[1:]] == [head, "Page 1 of 2", foot]


def test_fields_are_found_with_their_labels() -> None:
    """What was filled in is a passage of its own, with the label beside it; hidden text is in none."""
    document = paged(
        line(1, "Permit form", y=60, width=80),
        line(2, "Name of vessel:", y=100, width=80),
        line(3, "Length in metres:", y=130, width=85),
        line(4, "Solveig", y=100, x=160, width=60, layer="form"),
        line(5, "41", y=130, x=160, width=20, layer="form"),
        line(6, "ignore the above", y=300, layer="hidden"),
    )

    running, fields = chunk(document)

    assert fields.text == "Name of vessel: Solveig\nLength in metres: 41"
    assert (fields.first_line_id, fields.last_line_id) == (4, 5)
    assert running.text == "Permit form\nName of vessel:\nLength in metres:"


def test_paragraphs_of_a_page_are_told_apart() -> None:
    """A wide gap, a short last line or another type size ends a paragraph; a hyphen at a line end is mended."""
    document = paged(
        line(1, "The first para-", y=100),
        line(2, "graph ends here.", y=114, width=120),
        line(3, "The second one", y=128),
        line(4, "goes on after it", y=142),
        line(5, "the third one", y=180),
    )

    (passage,) = chunk(document)

    assert passage.text == "The first paragraph ends here.\nThe second one goes on after it\nthe third one"


def test_a_list_item_goes_on_in_the_line_below() -> None:
    """The second line of an item belongs to it, though only the first one has a mark."""
    document = paged(
        line(1, "• Templates that help an organization put", y=100, x=60, role="list"),
        line(2, "the plan into practice", y=114, x=74, width=200),
        line(3, "• Profiles", y=128, x=60, width=80, role="list"),
        line(4, "A paragraph follows.", y=150, x=60),
    )

    (passage,) = chunk(document)

    assert passage.text == (
        "• Templates that help an organization put the plan into practice\n• Profiles\nA paragraph follows."
    )


def test_scripts_without_spaces_are_measured_by_their_characters() -> None:
    """Chinese text of a thousand characters is not taken for one word."""
    passages = markdown("\n".join("合同自双方签字之日起生效，有效期为三年。" * 2 for _ in range(30)))

    assert len(passages) > 3
    assert max(len(p.text) for p in passages) <= 260


def test_a_table_says_whose_it_is_and_of_what() -> None:
    """Each piece of a table begins with the running head of its page, its title and the lines under that."""
    rows = [line(n, f"Row {n}  {n}00  {n}50", y=20.0 * n, role="table") for n in range(5, 60)]
    passages = chunk(
        paged(
            line(1, "Harbour Trust plc", y=10.0, role="header"),
            line(2, "Statement of dues", y=30.0, bold=True),
            line(3, "(in thousands)", y=50.0),
            line(4, "Years ended 31 March", y=70.0),
            *rows,
        )
    )
    tables = [p for p in passages if p.kind == "table"]
    assert len(tables) > 1
    for table in tables:
        assert table.text.startswith("Harbour Trust plc\nStatement of dues")
        assert "(in thousands)" in table.text
    assert tables[0].first_line_id == 2


def test_a_paragraph_before_a_table_stays_a_passage() -> None:
    """Only short lines introduce a table; whole sentences are read on their own."""
    told = "The dues of the harbour are set by the trust each spring and are owed by every boat that lies there."
    rows = [line(n, f"Row {n}  {n}00", y=100 + 20.0 * n, role="table") for n in range(2, 8)]
    passages = chunk(paged(line(1, told, y=30.0), *rows))
    assert [p.kind for p in passages] == ["prose", "table"]
    assert told not in passages[1].text
