"""Comparisons in words."""

import pytest

from pincite.answering.sides import sides_of
from pincite.library import Library
from pincite.types.answer import Answer, Cells

FERRIES = """# Ferries

Three ferries cross the lake: the Heron, the Otter and the Swift. The Heron was built in 1987 and carries
240 passengers. The Otter was built in 2004 and carries 160 passengers and 12 cars. The Swift has an electric engine.
"""


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("Compare pump A with pump B in flow.", ("pump A", "pump B")),
        ("What are the differences between the lease, the licence and the loan?", ("lease", "licence", "loan")),
        ("How did the 2019 plan differ from the 2021 plan?", ("2019 plan", "2021 plan")),
        ("Heron vs. Otter: which carries more?", ("Heron", "Otter")),
        ("Was ist der Unterschied zwischen der Miete und der Pacht?", ("Miete", "Pacht")),
        ("Compare the costs.", ()),
    ],
)
def test_the_sides_are_those_of_the_question(question: str, sides: tuple[str, ...]) -> None:
    """Names set side by side are found in their usual forms, without articles."""
    assert sides_of(question) == sides


def test_each_side_is_answered_from_its_own_sentence(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A comparison of things that prose describes one after the other cites a sentence for each."""
    folder = tmp_path_factory.mktemp("sides")
    (folder / "ferries.md").write_text(FERRIES, "utf-8")
    with Library(folder / "library") as library:
        library.add(folder / "ferries.md")
        answer = library.ask("Compare the Heron and the Otter: how many passengers do they carry?")

    assert isinstance(answer, Answer)
    assert answer.shape == "comparison"
    assert [item.value.cells[0] for item in answer.items if isinstance(item.value, Cells)] == ["Heron", "Otter"]
    assert "240" in answer.items[0].text
    assert "160" in answer.items[1].text


def test_a_side_without_a_sentence_is_not_made_up(tmp_path_factory: pytest.TempPathFactory) -> None:
    """When the documents say nothing of one side there is no comparison."""
    folder = tmp_path_factory.mktemp("one")
    (folder / "ferries.md").write_text(FERRIES, "utf-8")
    with Library(folder / "library") as library:
        library.add(folder / "ferries.md")
        result = library.ask("Compare the Heron and the Eagle: how many passengers do they carry?")

    assert not isinstance(result, Answer)
