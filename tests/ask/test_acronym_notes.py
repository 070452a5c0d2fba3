"""How an acronym was read is said only where the answer hangs on it."""

from pathlib import Path

import pytest

from pincite.library import Library
from pincite.settings import Settings
from pincite.types.answer import Answer

_PLAN = """# Plan

The Maritime Rescue Sub-Centre (MRSC) coordinates all rescues.

The Maritime Rescue Sub-Centre has a staff of nine officers.

The MRSC is located in Oban. Its radio mast is 40 metres high.
"""


def _notes(folder: Path, question: str, **files: str) -> list[str]:
    docs = folder / "docs"
    docs.mkdir()
    for name, text in files.items():
        (docs / f"{name}.md").write_text(text, encoding="utf-8")
    with Library(folder / "library", settings=Settings(jobs=1)) as library:
        library.add(docs)
        result = library.ask(question)
    assert isinstance(result, Answer), result
    return [caveat for caveat in result.signals.caveats if "stands for" in caveat]


@pytest.mark.parametrize(
    "question",
    [
        "Where is the MRSC located?",
        "What does MRSC stand for?",
        "What does the MRSC coordinate?",
        "Where is the Maritime Rescue Sub-Centre (MRSC) located?",
    ],
)
def test_nothing_is_said_where_the_quote_makes_it_plain(tmp_path: Path, question: str) -> None:
    """A quote with the form that was typed, or with both, needs no word on how the acronym was read."""
    assert _notes(tmp_path, question, plan=_PLAN) == []


@pytest.mark.parametrize(
    "question", ["How many officers does the MRSC have?", "Where is the Maritime Rescue Sub-Centre located?"]
)
def test_it_is_said_where_the_quote_has_the_other_form_alone(tmp_path: Path, question: str) -> None:
    """A quote that has the other form than the question is explained."""
    assert _notes(tmp_path, question, plan=_PLAN) == ["MRSC stands for Maritime Rescue Sub-Centre in the documents"]


def test_it_is_said_where_an_acronym_has_several_meanings(tmp_path: Path) -> None:
    """Documents that give an acronym two meanings make every answer about it worth a word."""
    other = "# Club\n\nThe Model Railway Sunday Club (MRSC) meets in Perth.\n"
    (note,) = _notes(tmp_path, "Where is the MRSC located?", plan=_PLAN, club=other)
    assert "Maritime Rescue Sub-Centre" in note
    assert "Model Railway Sunday Club" in note
