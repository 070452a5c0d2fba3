"""Scores of several detectors on one scale."""

from hypothesis import given
from hypothesis import strategies as st

from pincite.retrieval.fusion import fuse
from pincite.types.passage import PassageHit


def hits(*scores: tuple[int, float]) -> list[PassageHit]:
    return [PassageHit(passage_id=i, rank=n, score=s) for n, (i, s) in enumerate(scores, start=1)]


def test_what_two_detectors_find_comes_before_what_one_finds() -> None:
    """A place that words and meaning both find is read first."""
    fused = fuse(
        {"keyword": hits((1, 8.0), (2, 7.0)), "dense": hits((2, 0.6), (3, 0.5))}, {}, depth=10, shares=frozenset()
    )
    assert list(fused) == [2, 1, 3]


def test_a_clear_winner_stays_first() -> None:
    """A passage far ahead by words is not passed by one that is barely ahead by meaning."""
    fused = fuse(
        {"keyword": hits((1, 20.0), (2, 4.0)), "dense": hits((2, 0.52), (1, 0.50))}, {}, depth=10, shares=frozenset()
    )
    assert next(iter(fused)) == 1


def test_the_last_of_a_cut_list_counts_nothing() -> None:
    """Being the last of a list that was cut says no more than not being in it."""
    assert fuse({"dense": hits((1, 0.6), (2, 0.4))}, {}, depth=2, shares=frozenset()) == {1: 1.0, 2: 0.0}


def test_the_last_of_a_whole_list_counts_by_its_score() -> None:
    """In a small library the second of two hits still counts."""
    assert fuse({"dense": hits((1, 0.6), (2, 0.3))}, {}, depth=60, shares=frozenset()) == {1: 1.0, 2: 0.5}


def test_shares_are_taken_as_they_are() -> None:
    """A title that answers to half of the question counts half, though it is the best title."""
    assert fuse({"toc": hits((1, 0.5))}, {"toc": 0.2}, depth=60, shares=frozenset({"toc"})) == {1: 0.1}


def test_equal_scores_all_count() -> None:
    """Where every hit scores the same, each is as good as the best."""
    assert fuse({"keyword": hits((1, 2.0), (2, 2.0))}, {}, depth=2, shares=frozenset()) == {1: 1.0, 2: 1.0}


@given(st.dictionaries(st.sampled_from("abc"), st.dictionaries(st.integers(0, 9), st.floats(0.01, 9), max_size=6)))
def test_every_hit_comes_out_once_and_none_that_all_put_lower_comes_first(lists: dict[str, dict[int, float]]) -> None:
    """All ids come out, best first; an id that every list scores lower than another comes after it."""
    sorted_lists = {n: hits(*sorted(found.items(), key=lambda f: -f[1])) for n, found in lists.items()}
    fused = fuse(sorted_lists, {}, depth=60, shares=frozenset())
    assert sorted(fused) == sorted({i for found in lists.values() for i in found})
    assert list(fused.values()) == sorted(fused.values(), reverse=True)
    for better in fused:
        for worse in fused:
            if lists and all(better in f and worse in f and f[better] > f[worse] * 1.001 for f in lists.values()):
                assert fused[better] >= fused[worse]
