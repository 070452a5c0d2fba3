"""Vectors as codes of one byte a number: what they leave out never changes what is found."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from pincite.storage.codes import Codes, encode, products, row_type

_NUMBERS = st.floats(-1e6, 1e6, width=32) | st.sampled_from([0.0, 1.0, -1.0, 1e-45, 1e-30, 3e-30, 127.0, 1e15])


@st.composite
def vectors_and_query(draw: st.DrawFn) -> tuple[Any, Any]:
    dimension = draw(st.integers(1, 12))
    rows = draw(st.integers(1, 40))
    vectors = draw(arrays.arrays(np.float32, (rows, dimension), elements=_NUMBERS))
    # Many of a kind, as in a library that says the same in many places.
    vectors = vectors[draw(st.lists(st.integers(0, rows - 1), min_size=1, max_size=60))]
    return vectors, draw(arrays.arrays(np.float32, dimension, elements=_NUMBERS))


def coded(vectors: Any) -> Codes:
    numbers = np.arange(len(vectors))
    return Codes(encode(numbers, numbers, vectors))


@given(vectors_and_query(), st.integers(1, 20))
def test_what_a_full_comparison_finds_is_possible(case: tuple[Any, Any], k: int) -> None:
    """Every vector whose true product is among the k highest, equal ones too, is looked at by its own numbers."""
    vectors, query = case
    true = products(vectors, query)
    best = np.flatnonzero(true >= np.sort(true)[-min(k, len(true))])

    possible = coded(vectors).possible(query, np.arange(len(vectors)), k)

    assert set(best.tolist()) <= set(possible.tolist())


def test_vectors_that_differ_by_less_than_a_code_are_told_apart() -> None:
    """Near copies of one text have almost the same codes; the nearest are looked at all the same."""
    random = np.random.default_rng(1)
    vectors = (random.standard_normal(48) + 0.003 * random.standard_normal((1000, 48))).astype(np.float32)
    rows = coded(vectors)

    for query in random.standard_normal((20, 48)).astype(np.float32):
        best = np.argsort(-products(vectors, query))[:5]
        assert set(best.tolist()) <= set(rows.possible(query, np.arange(1000), 5).tolist())


def test_few_vectors_are_possible_among_many_like_real_ones() -> None:
    """Of 20,000 vectors in clusters some dozens are compared by their own numbers to find the 20 nearest."""
    random = np.random.default_rng(3)
    centres = random.standard_normal((50, 384))
    vectors = (centres[random.integers(0, 50, 20_000)] + random.standard_normal((20_000, 384))).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)

    possible = coded(vectors).possible(vectors[7], np.arange(20_000), 20)

    assert 20 <= len(possible) < 200


@pytest.mark.parametrize("n", [1, 1023, 1024, 1025, 2500])
def test_part_of_the_rows_is_searched_as_the_whole_is(n: int) -> None:
    """A filter changes which rows are compared, not how."""
    vectors = np.random.default_rng(n).standard_normal((n, 24)).astype(np.float32)
    rows, query = coded(vectors), vectors[0]

    part = np.arange(0, n, 2)

    assert np.array_equal(rows._products(query, part), rows._products(query, np.arange(n))[part])


def test_a_row_takes_a_byte_a_number() -> None:
    """The file of 1,000 vectors of 384 numbers has 408 bytes for each, a quarter of the vectors themselves."""
    assert row_type(384).itemsize == 384 + 24
