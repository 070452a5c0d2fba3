"""What `pincite widget lint` finds, and what it leaves alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.widget.likeness import like_pairs
from pincite.widget.lint import dangling, lint
from pincite.widget.records import Draft, Scoring, SourceFile


def source(*texts: str, url: str = "/x") -> SourceFile:
    """Return a source of passages named a, b, c."""
    drafts = tuple(Draft(id="abcdefgh"[n], text=text, url=url, place=f"p:{n}") for n, text in enumerate(texts))
    return SourceFile(passages=drafts, title="", refusal="", suggestions=(), scoring=Scoring(), language="en",
                      stop_words=(), words={}, content_hash="")  # fmt: skip


def kinds(*texts: str, url: str = "/x") -> list[tuple[str, str]]:
    """Return id and kind of each finding."""
    return [(finding.id, finding.kind) for finding in lint(source(*texts, url=url))]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("It is closed at dusk.", "It"),
        ("This option draws the cites.", "This"),
        ("They have to be paid.", "They"),
        ("When it is full, the tank is closed.", "it"),
        ("These are read in order.", "These"),
        ("Its colour is red.", "Its"),
        ("Es wird bei der Abreise und nicht vorher bezahlt.", "Es"),
        ("Elle est fermée dans le mois de mai et des fêtes.", "Elle"),
        ("The tank is closed when it is full.", ""),
        ("Dogs are allowed if they are on a lead.", ""),
        ("It is possible to pay by card.", ""),
        ("Thistles grow here.", ""),
        ("Der Hafen ist geschlossen, wenn er voll ist.", ""),
        ("", ""),
    ],
)
def test_a_passage_that_needs_its_neighbours(text: str, word: str) -> None:
    """A word that stands for something not named before it makes a passage that cannot be shown alone."""
    assert dangling(text) == word


def test_a_passage_that_leads_elsewhere() -> None:
    """Shown alone, "see above" shows nothing."""
    assert kinds("The fee is as described above.", "The above fee is paid.", "The gate is above the pier.") == [
        ("a", "not_self_contained"),
        ("b", "not_self_contained"),
    ]


def test_a_passage_that_is_a_page() -> None:
    """More than 100 words are more than an answer."""
    assert kinds(" ".join(["word"] * 100), " ".join(["other"] * 101)) == [("b", "too_long")]


def test_a_passage_without_address() -> None:
    """What is shown has a source that can be opened."""
    assert kinds("The gate is closed.", url="") == [("a", "no_url")]


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ("The gate closes at dusk.", "The gate closes at dusk.", ["duplicate"]),
        ("The gate closes at dusk.", "At dusk, the gate closes!", ["duplicate"]),
        ("The harbour gate closes each day at dusk.", "The harbour gate closes each day at dawn.", []),
        ("The gate closes at dusk.", "The office opens at noon.", []),
        ("An upload may hold 20 files.", "An upload may hold 25 files.", ["contradiction"]),
        ("An upload may hold 1,000 files.", "An upload may hold 1000 files.", ["duplicate"]),
        ("An upload may hold twelve files.", "An upload may hold 12 files.", ["duplicate"]),
        ("An upload may hold two files.", "An upload may hold 3 files.", ["contradiction"]),
        ("The fee is 40 euros a year.", "The yearly fee is 45 euros.", ["contradiction"]),
        ("A boat pays 14.50 euros a night.", "A boat pays 80 cents a night.", []),
        ("Crane five lifts 12 tons.", "Parking for 12 cars costs 3 euros.", []),
    ],
)
def test_passages_that_say_the_same_or_the_opposite(one: str, other: str, found: list[str]) -> None:
    """Twins are found, and other numbers for the same thing; other things with other numbers are left alone."""
    assert [kind for _, kind in kinds(one, other)] == found


SETS = st.lists(st.frozensets(st.sampled_from("abcdefgh")), max_size=8)


@given(sets=SETS, share=st.sampled_from([0.2, 0.5, 0.8, 1.0]))
def test_no_pair_is_missed(sets: list[frozenset[str]], share: float) -> None:
    """The quick way finds the pairs that comparing each with each finds."""
    expected = [
        (later, earlier)
        for later in range(len(sets))
        for earlier in range(later)
        if sets[later] & sets[earlier] and len(sets[later] & sets[earlier]) >= share * len(sets[later] | sets[earlier])
    ]

    assert list(like_pairs(sets, share)) == expected
