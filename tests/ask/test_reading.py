"""Line ids back to lines, with what an answerer may know of where each stands."""

from msgspec.structs import replace
from tests.making import parsed, record_of

from pincite.ask.reading import ReadDocument, reading_lines
from pincite.types.document import Cell, Table
from pincite.types.passage import LineRange
from pincite.types.retrieval import Candidate
from pincite.types.source import ReadingLine

TEXT = "# Lock\n\nThe sill is deep.\n\n| Model | Torque |\n| --- | --- |\n| HX-20 | 18 |\n| HX-40 | |\n"
DOCUMENT = parsed(TEXT)


def lines(first: int, last: int, candidates: tuple[Candidate, ...] = ()) -> tuple[ReadingLine, ...]:
    wanted = LineRange(doc_id="d", first_line_id=first, last_line_id=last)
    read = ReadDocument(record=record_of(DOCUMENT, metadata={"date": "2026-01-02"}), document=DOCUMENT)
    return reading_lines([wanted], candidates, lambda _: read)


def candidate(rank: int, first: int, last: int) -> Candidate:
    span = LineRange(doc_id="d", first_line_id=first, last_line_id=last)
    return Candidate(
        rank=rank, score=1 / rank, anchor=span, context=span, section=(), detectors=(), role="passage", reason=""
    )


def test_only_what_was_asked_is_read() -> None:
    """The lines of the ranges come, both ends included, with headings and the document's date."""
    read = lines(1, 3)
    assert [line.line.line_id for line in read] == [1, 2, 3]
    assert {line.breadcrumb for line in read if line.line.text.strip()} == {("Lock",)}
    assert {(line.doc_date, line.is_markdown) for line in read} == {("2026-01-02", True)}


def test_the_best_candidate_gives_the_rank() -> None:
    """A line in an anchor has the rank and score of the best candidate that holds it; context has none."""
    read = lines(1, 3, (candidate(1, 3, 3), candidate(2, 2, 3)))
    assert [(line.rank, line.anchor_score) for line in read] == [(None, 0.0), (2, 0.5), (1, 1.0)]


def test_a_table_row_knows_its_cells_and_columns() -> None:
    """Each row of a table comes with its cells under the column names; an empty cell is empty."""
    read = {line.line.line_id: line for line in lines(5, 8)}
    assert (read[7].cells, read[7].header) == (("HX-20", "18"), ("Model", "Torque"))
    assert (read[8].cells, read[8].header) == (("HX-40", ""), ("Model", "Torque"))
    assert lines(3, 3)[0].cells == ()


def header(*rows: tuple[str, ...]) -> tuple[str, ...]:
    """Return the column names that the header rows of a table make."""
    cells = tuple(
        Cell(row=r, col=c, text=text, line_ids=(r,))
        for r, row in enumerate((*rows, ("Alma", "3", "12", "4", "9")), start=1)
        for c, text in enumerate(row, start=1)
    )
    table = Table(
        table_id=1, page_num=1, caption=None, n_rows=len(rows) + 1, n_cols=5, header_rows=len(rows),
        first_line_id=1, last_line_id=len(rows) + 1, cells=cells,
    )  # fmt: skip
    document = replace(parsed("a\nb\nc\n", "t.txt"), tables=(table,))
    wanted = LineRange(doc_id="d", first_line_id=1, last_line_id=len(rows) + 1)
    read = reading_lines([wanted], (), lambda _: ReadDocument(record=record_of(document), document=document))
    return read[-1].header


def test_the_name_of_a_group_goes_with_all_its_columns() -> None:
    """A year over "Officers" and "Sailors" names both, whether over the first of them or in their middle."""
    below = ("", "Officers", "Sailors", "Officers", "Sailors")
    named = ("Ship", "2030 Officers", "2030 Sailors", "2031 Officers", "2031 Sailors")
    assert header(("Ship", "2030", "", "2031", ""), below) == named
    assert header(("Ship", "", "2030", "", "2031"), below) == named


def test_a_name_on_two_lines_stays_with_its_column() -> None:
    """Column names that differ are no groups: the second line of a name goes with its own column only."""
    made = header(("Ship", "Flow", "", "Head", "Mass"), ("", "(l/min)", "Type", "(m)", "(kg)"))
    assert made == ("Ship", "Flow (l/min)", "Type", "Head (m)", "Mass (kg)")
