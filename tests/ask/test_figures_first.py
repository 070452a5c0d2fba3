"""Search puts the row of a table that states the figure asked for before all else."""

from pathlib import Path

from tests.replying import found

from pincite.library import Library
from pincite.models.scripted import ScriptedModel
from pincite.settings import Settings
from pincite.types.answer import Answer

REPORT = """# Annual report 2021

## Discussion

Net revenue of the year 2021 was strong. Revenue in 2020 and revenue in 2021 are discussed below; revenue is what
customers pay, and net revenue is revenue after returns. Net revenue in 2021 is shown in the statement.

## Statement of income

| In thousands | 2021 | 2020 |
| --- | --- | --- |
| Net revenue | 4,310 | 3,902 |
| Cost of sales | 2,004 | 1,870 |
| Inventories | 611 | |
"""


def _first(tmp_path: Path, question: str) -> tuple[str, str]:
    """Return the text of the first place that search finds, and its reason."""
    (tmp_path / "report.md").write_text(REPORT, "utf-8")
    with Library(tmp_path / "library") as library:
        library.add(tmp_path / "report.md")
        first = library.search(question).candidates[0]
        lines = library.store.lines(first.anchor.doc_id, first.anchor.first_line_id, first.anchor.last_line_id)
    return "\n".join(line.text for line in lines), first.reason


def test_the_row_with_the_figure_comes_first(tmp_path: Path) -> None:
    """However much is said of a figure elsewhere, the row that states it is found first, and the reason says so."""
    text, reason = _first(tmp_path, "What was net revenue in 2021?")

    assert text == "| Net revenue | 4,310 | 3,902 |"
    assert "row of a table" in reason


def test_all_rows_of_a_computed_figure_come_first(tmp_path: Path) -> None:
    """Of a figure that has to be computed the rows of its parts are found first."""
    (tmp_path / "report.md").write_text(REPORT, "utf-8")
    with Library(tmp_path / "library") as library:
        library.add(tmp_path / "report.md")
        result = library.search("What is the difference between net revenue and cost of sales in 2021?", top_k=2)

    assert [c.anchor.first_line_id for c in result.candidates] == [12, 13]
    assert [c.rank for c in result.candidates] == [1, 2]


def test_a_question_without_a_year_is_searched_as_ever(tmp_path: Path) -> None:
    """No table is put first for a question that asks for no figure of a year."""
    _, reason = _first(tmp_path, "What is net revenue?")

    assert "row of a table" not in reason


def test_a_model_reads_the_row_that_states_the_figure(tmp_path: Path) -> None:
    """However much is said of a figure elsewhere, the row that states it is among the lines that a model is sent."""
    talk = "\n\n".join(
        f"## Note {n}\n\nNet revenue in 2021 is discussed in note {n + 1}; it was strong in region {n}."
        for n in range(60)
    )
    (tmp_path / "report.md").write_text(f"{REPORT}\n{talk}\n", "utf-8")
    model = ScriptedModel([found(("4,310", "| Net revenue | 4,310 | 3,902 |"), number="4310")])
    settings = Settings(jobs=1, embedder="none", top_k=3)
    with Library(tmp_path / "library", settings=settings, models={"answer": model}) as library:
        library.add(tmp_path / "report.md")
        result = library.ask("What was net revenue in 2021?")

    assert isinstance(result, Answer)
    assert [item.citations[0].first_line for item in result.items] == [12]
    assert len(model.requests) == 1
