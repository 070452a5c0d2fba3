"""Line ids back to lines, with what an answerer may know of where each stands."""

from tests.making import parsed, record_of

from pincite.ask.reading import ReadDocument, reading_lines
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
