"""The user's table of expert vocabulary."""

from pathlib import Path

import pytest

from pincite.errors import SettingsError
from pincite.questions import ConceptKeyword, concepts_of, load_concepts


def test_rows_of_a_csv_file(tmp_path: Path) -> None:
    """Language and weight may be left out; rows without a concept or keyword are passed over; a BOM does no harm."""
    path = tmp_path / "concepts.csv"
    path.write_text(
        "\ufeffconcept,keyword,language,weight\nberth dues, mooring fee ,en,0.5\nrescue,MRSC\n,x,,\n", encoding="utf-8"
    )
    assert load_concepts(path) == (
        ConceptKeyword(concept="berth dues", keyword="mooring fee", language="en", weight=0.5),
        ConceptKeyword(concept="rescue", keyword="MRSC", language="", weight=1.0),
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"word,keyword\na,b\n", "concept"),
        (b"", "concept, keyword"),
        (b"concept,keyword,weight\na,b,heavy\n", "line 2: weight 'heavy'"),
        (b"concept,keyword\n\xff\xfe,b\n", "cannot be read"),
    ],
)
def test_a_bad_file_is_named_with_its_line(tmp_path: Path, content: bytes, message: str) -> None:
    """The error says which file, which line and what is wrong."""
    path = tmp_path / "concepts.csv"
    path.write_bytes(content)
    with pytest.raises(SettingsError, match=message) as raised:
        load_concepts(path)
    assert "concepts.csv" in str(raised.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """A path that leads nowhere is an error of the settings."""
    with pytest.raises(SettingsError, match=r"none\.csv"):
        load_concepts(tmp_path / "none.csv")


def test_the_finance_table_knows_where_figures_stand() -> None:
    """A ratio leads to the statement and the lines that it is made of."""
    rows = concepts_of(["finance"])
    found = {row.keyword for row in rows if row.concept == "quick ratio"}
    assert found == {"balance sheets", "current liabilities", "cash and cash equivalents"}


def test_a_concept_of_ones_own_replaces_the_built_in() -> None:
    """The user's rows for a concept are the only ones; a weight of 0 takes it out."""
    own = [ConceptKeyword(concept="Quick ratio", keyword="liquidity", language="", weight=0.0)]
    assert not [row for row in concepts_of(["finance"], own) if row.concept.casefold() == "quick ratio"]


def test_an_unknown_field_is_named_with_those_there_are() -> None:
    """The error lists the tables."""
    with pytest.raises(SettingsError, match="finance, none"):
        concepts_of(["astrology"])
