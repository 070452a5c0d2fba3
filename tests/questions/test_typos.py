"""Typed words that no document knows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.questions.typos import common_words, correct

WORDS = {"channel": 3, "charter": 1, "rescue": 2, "watchkeeper": 5, "mooring": 4, "anchor": 2, "dock": 9}


def corrected(word: str) -> str:
    found = correct(word, WORDS, {})
    return found[0].meant if found else word


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("chanel", "channel"),
        ("resque", "rescue"),
        ("wachkeeper", "watchkeeper"),
        ("watchkeper", "watchkeeper"),
        ("watchkepeer", "watchkeeper"),
        ("moorign", "mooring"),
        ("anchro", "anchor"),
        ("chanl", "chanl"),
        ("zzchannel", "zzchannel"),
        ("ANCHRO", "ANCHRO"),
        ("quay", "quay"),
        ("dokc", "dokc"),
    ],
)
def test_one_slip_or_two_in_a_long_word(typed: str, meant: str) -> None:
    """A letter left out, doubled, swapped or wrong is corrected; acronyms, short and far words are not."""
    assert corrected(typed) == meant


@given(st.sampled_from(sorted(w for w in common_words() if w.isascii())))
def test_common_words_are_never_typos(word: str) -> None:
    """A word of everyday English stays, however near a word of the documents is."""
    assert correct(word, WORDS, {}) == ()


def test_known_words_stay() -> None:
    """A word that the documents hold, in any inflection, is not corrected."""
    assert correct("channel channels", WORDS, {"channel": 3}) == ()


def test_accents_and_other_scripts_are_no_typos() -> None:
    """Words that are not ASCII are left alone."""
    assert correct("Zürichsee 罚款罚款罚款", WORDS, {}) == ()


@pytest.mark.parametrize(
    ("typed", "near"),
    [("unmodified", "uncodified"), ("assessing", "assisting"), ("authoring", "authority")],
)
def test_a_form_of_a_common_word_is_no_typo(typed: str, near: str) -> None:
    """A word formed of one that everybody knows stays, however near a word of the documents is."""
    assert correct(typed, {near: 4}, {}) == ()


def test_a_word_of_the_vocabulary_is_no_typo() -> None:
    """Who types a word of the table of expert words means that word: "capex" is not "cape"."""
    assert correct("capex", {"cape": 4}, {}, expert={"capex"}) == ()
    assert [c.meant for c in correct("capex", {"cape": 4}, {})] == ["cape"]
