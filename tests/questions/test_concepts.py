"""The user's table of expert vocabulary."""

from pathlib import Path

import pytest

from pincite.errors import SettingsError
from pincite.questions import ConceptKeyword, load_concepts


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
