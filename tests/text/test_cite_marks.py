"""Citation marks in free text (case CIT03)."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.cite_marks import read_marks

CASE = Path(__file__).parents[1] / "cases" / "CIT03-citation-markers"
TABLE: dict[str, Any] = json.loads((CASE / "markers.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", TABLE["rows"], ids=lambda row: row["text"])
def test_every_form_is_read(row: dict[str, Any]) -> None:
    """Each way of writing a mark cites what it names, and nothing else does (case CIT03)."""
    assert list(read_marks(row["text"], TABLE["n_sources"]).sources) == row["expected_sources"]


@pytest.mark.parametrize(
    ("text", "shown", "reported"),
    [
        ("Oak [7].", "Oak.", "there is no source 7"),
        ("Oak [1, 9].", "Oak.", "there is no source 9"),
        ("Oak [5-2].", "Oak.", "reversed"),
        ("Oak [1-400].", "Oak.", "too many"),
        ("Oak [0].", "Oak.", "there is no source 0"),
        ("Interval [1, 5] mm is closed [2].", "Interval [1, 5] mm is closed.", "interval"),
        ("See [2024] budget.", "See [2024] budget.", ""),
        ("`a[1]` is code", "`a[1]` is code", ""),
        ("Oak [[3]](http://x.example).", "Oak.", ""),
        ("array[2] of ships", "array[2] of ships", ""),
    ],
)
def test_what_is_shown_and_what_is_reported(text: str, shown: str, reported: str) -> None:
    """Marks are taken out of the text; those that name no source are reported; what is no mark stays."""
    read = read_marks(text, 5)
    assert read.shown == shown
    assert (reported in " ".join(read.reported)) if reported else not read.reported


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("Oak [2 and 4].", [2, 4]),
        ("Eiche [1 und 3].", [1, 3]),
        ("Oak ［2］ and 〔3〕.", [2, 3]),
        ("Oak [document 3], [Quelle 2], [#5].", [3, 2, 5]),
        ("It weighs [1,000] kilos.", []),
        ("Oak [1,3].", [1, 3]),
        ("Oak [1‑3].", [1, 2, 3]),
        ("_[2]_ oak", [2]),
        ("matrix[1][2] is a cell", []),
        ("![1](plan.png)", []),
        ("What an oak![1]", [1]),
    ],
)
def test_other_hands_write_other_marks(text: str, sources: list[int]) -> None:
    """Numbers joined by "and", other brackets and words for a source are read; indexes and pictures are none."""
    assert list(read_marks(text, 5).sources) == sources


@given(st.text(alphabet="[]【】()0123456789,-–^ aD:†`\n", max_size=60), st.integers(0, 30))
def test_no_mark_cites_what_is_not_there(text: str, n_sources: int) -> None:
    """Whatever a model writes, only sources 1 to n come out, each once."""
    sources = read_marks(text, n_sources).sources
    assert all(1 <= source <= n_sources for source in sources)
    assert len(set(sources)) == len(sources)
