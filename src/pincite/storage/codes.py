"""Vectors as one byte a number, and what of them may be among the nearest of a question.

A vector `v` is kept as `scale * codes`, with the length of what that leaves out. For every question `q` the product
`v·q` then differs from `scale * codes·q` by at most that length times the length of `q` (Cauchy and Schwarz). So the
codes tell which vectors can be among the `k` nearest and which cannot; the true vectors of the former decide. What is
found is what a comparison of all true vectors finds, for a quarter of the bytes.
"""

from typing import Any, Final

import numpy as np

#: The largest code. -128 is not used, so that codes are symmetric.
_MOST: Final = 127
#: Numbers below this are not coded: single precision ends at 1e-38.
_LEAST: Final = 1e-30
#: Rows that are turned into floating point at once: with 384 numbers each 1.5 MB, which stays in the processor's cache.
_BLOCK: Final = 1024


def row_type(dimension: int) -> Any:
    """Return the type of a row; `error` is how long the part of the vector is that scale and codes leave out."""
    return np.dtype(
        [
            ("passage_id", "<i8"),
            ("vector_id", "<i8"),
            ("scale", "<f4"),
            ("error", "<f4"),
            ("codes", "i1", (dimension,)),
        ]
    )


def encode(passage_ids: Any, vector_ids: Any, vectors: Any) -> Any:
    """Return the rows of vectors; `error` allows for the rounding of both products in single precision."""
    n, dimension = vectors.shape
    rows = np.empty(n, dtype=row_type(dimension))
    rows["passage_id"], rows["vector_id"] = passage_ids, vector_ids
    largest = np.maximum(vectors.max(axis=1, initial=0), -vectors.min(axis=1, initial=0))
    # Numbers so small that their scale would have few digits are left out whole, as those of a vector of zeros are.
    is_coded = largest > _LEAST
    scale = np.where(is_coded, largest / np.float32(_MOST), 0).astype(np.float32)
    # In units of the scale no number is too small or too large to be squared.
    units = vectors / np.where(is_coded, scale, 1)[:, None]
    codes = np.rint(units).clip(-_MOST, _MOST)
    left_out = units - codes
    # A sum of `dimension` products in single precision is off by at most `dimension` / 2**24 of the two lengths
    # (N. Higham, Accuracy and Stability of Numerical Algorithms, 3.1); twice for two products, and twice to be sure.
    slack = np.sqrt(np.vecdot(left_out, left_out)) + dimension * 2.0**-22 * np.sqrt(np.vecdot(units, units))
    rows["scale"], rows["codes"] = scale, np.where(is_coded[:, None], codes, 0)
    rows["error"] = np.where(is_coded, scale * slack, 2 * dimension * largest)
    return rows


class Codes:
    """Rows of codes, as they are in a file or in memory, with the columns that every question reads."""

    def __init__(self, rows: Any) -> None:
        """Keep the rows where they are; only the narrow columns are copied."""
        self.rows = rows
        self.passage_ids, self.vector_ids = rows["passage_id"].copy(), rows["vector_id"].copy()
        self._scale, self._error = rows["scale"].copy(), rows["error"].copy()
        # The same bytes as a plain array, which is cut into blocks faster than a mapped one.
        self._codes = np.asarray(rows["codes"])

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self.passage_ids)

    def possible(self, query: Any, among: Any, k: int) -> Any:
        """Return those of the rows `among` that may be one of its `k` nearest: at least `k`, if there are as many."""
        if len(among) <= k:
            return among
        products = self._products(query, among)
        slack = self._error[among] * np.float32(np.linalg.norm(query.astype(np.float64)) * (1 + 2.0**-20))
        threshold = np.partition(products - slack, -k)[-k]
        return among[~(products + slack < threshold)]

    def _products(self, query: Any, among: Any) -> Any:
        """Return `scale * codes·query` of rows."""
        # A block at a time, and not by BLAS: on a busy machine its threads wait for each other ten times as long.
        codes = self._codes
        is_all = len(among) == len(self)
        products = np.empty(len(among), dtype=np.float32)
        block = np.empty((min(_BLOCK, len(among)), codes.shape[1]), dtype=np.float32)
        for start in range(0, len(among), _BLOCK):
            part = slice(start, min(start + _BLOCK, len(among)))
            taken = codes[part] if is_all else codes[among[part]]
            np.copyto(block[: len(taken)], taken)
            np.vecdot(block[: len(taken)], query, out=products[part])
        products *= self._scale if is_all else self._scale[among]
        return products


def products(vectors: Any, query: Any) -> Any:
    """Return the products of true vectors with a question: the same for the same vector wherever it stands."""
    return np.vecdot(vectors, query)
