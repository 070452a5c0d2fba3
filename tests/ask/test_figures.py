"""Figures of years are found by the names of their rows, wherever in a document they stand."""

from collections.abc import Iterator

import pytest

from pincite.library import Library
from pincite.settings import Settings
from pincite.types.answer import Answer, Quantity, Refusal, Result

_TALK = "\n\n".join(f"In {2000 + n} the total assets and boats of basin {n} were a matter of talk." for n in range(40))
_REPORT = """# Annual report of the {name}

{talk}

## Guarantors

Summary of the guarantors alone (in thousands)

| | 2031 | 2030 |
| --- | --- | --- |
| Total assets | 12 | 11 |

## Consolidated balance sheets

| (in thousands) | 2031 | 2030 |
| --- | --- | --- |
| Cash | 100 | 90 |
| Total assets | {assets} | 800 |

## Consolidated statements of income

| (in thousands) | 2031 | 2030 |
| --- | --- | --- |
| Net sales | {sales} | 400 |
| Cost of sales | 300 | 280 |

## Notes

{talk}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Return a library of two long reports."""
    folder = tmp_path_factory.mktemp("docs")
    for name, assets, sales in (("harbour", 910, 500), ("lighthouse", 77, 600)):
        text = _REPORT.format(name=name.title(), talk=_TALK, assets=assets, sales=sales)
        (folder / f"{name}_2031.md").write_text(text, encoding="utf-8")
    with Library(tmp_path_factory.mktemp("library"), settings=Settings(jobs=1)) as made:
        made.add(folder)
        yield made


def _cells(result: Result) -> list[tuple[str, str]]:
    assert isinstance(result, Answer), result
    return [(c.doc_name, c.cell.text) for item in result.items for c in item.citations if c.cell is not None]


def test_the_statement_of_the_company_comes_before_a_part_of_it(library: Library) -> None:
    """Of several rows with one name that of the balance sheet is meant, not that of the guarantors."""
    result = library.ask("What were the total assets of the Harbour in 2031?")

    assert _cells(result) == [("harbour_2031.md", "910")]


def test_operands_of_a_formula_come_from_different_tables(library: Library) -> None:
    """Asset turnover needs the statement of income and two columns of the balance sheet; a replay finds the same."""
    question = "What is sales / (average total assets between 2030 and 2031) of the Harbour in 2031?"
    result = library.ask(question)

    assert isinstance(result, Answer)
    value = result.items[0].value
    assert isinstance(value, Quantity)
    assert (value.number, result.signals.extraction_method) == ("0.58", "computed")
    assert {text for _, text in _cells(result)} == {"500", "800", "910"}
    again = library.replay(result.trace_id, from_step="answer")
    assert _cells(again) == _cells(result)


def test_the_same_figure_of_two_documents_is_compared(library: Library) -> None:
    """Each side is cited in its own document."""
    result = library.ask("Compare the total assets of the Harbour and the Lighthouse in 2031")

    assert isinstance(result, Answer)
    assert result.columns == ("document", "row", "2031")
    assert _cells(result) == [("harbour_2031.md", "910"), ("lighthouse_2031.md", "77")]


def test_a_year_that_no_statement_has_is_not_answered_from_another(library: Library) -> None:
    """The total assets of 2027 are in no table."""
    result = library.ask("What were the total assets of the Harbour in 2027?")

    assert isinstance(result, Refusal) or not _cells(result)
