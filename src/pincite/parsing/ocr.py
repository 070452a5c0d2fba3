"""Text recognition: the lines of a picture, with their boxes in pixels, in the order a person reads them."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from pincite.errors import UnsupportedFormatError

if TYPE_CHECKING:
    from PIL import Image

#: Text recognised with less confidence is noise more often than text.
MIN_SCORE: Final = 0.6
#: Pieces that share this much of the lower one's height stand in one row.
_SAME_ROW: Final = 0.5
#: A gap between columns of text is at least this share of the picture's width; a column at least so wide.
_GUTTER: Final = 0.02
_COLUMN: Final = 0.25
_MIN_COLUMN_PIECES: Final = 3


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of text in one line; pixels from the top-left corner, `score` from 0 to 1."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    score: float


def recognise(image: "Image.Image", engine: Any) -> list[list[Piece]]:
    """Return the rows of a picture in reading order, each with its pieces from left to right."""
    import numpy as np

    found = engine(np.ascontiguousarray(np.asarray(image.convert("RGB"))[:, :, ::-1]))
    if found.boxes is None or found.txts is None:
        return []
    pieces = []
    for box, text, score in zip(found.boxes, found.txts, found.scores, strict=True):
        xs, ys = [float(x) for x, _ in box], [float(y) for _, y in box]
        words = " ".join(str(text).split())
        if words and score >= MIN_SCORE:
            pieces.append(Piece(words, min(xs), min(ys), max(xs), max(ys), float(score)))
    return rows_in_order(pieces, float(image.width))


def engine_of(name: str) -> Any:
    """Return the recogniser; its models are part of its package, nothing is fetched.

    Raises:
        UnsupportedFormatError: it is not installed; the message says what to install.

    """
    try:
        from rapidocr import RapidOCR
    except ImportError as error:
        raise UnsupportedFormatError(
            'pictures are read by text recognition, which is not installed: pip install "pincite[ocr]"', origin=name
        ) from error
    return RapidOCR(params={"Global.log_level": "critical", "Global.text_score": MIN_SCORE})


def rows_in_order(pieces: Sequence[Piece], width: float) -> list[list[Piece]]:
    """Return pieces as rows, column by column where text is set in columns, else from the top down.

    >>> a, b = Piece("b", 50, 0, 90, 10, 1.0), Piece("a", 0, 1, 40, 11, 1.0)
    >>> [[piece.text for piece in row] for row in rows_in_order([a, b], 100)]
    [['a', 'b']]
    """
    cut = _gutter(pieces, width)
    if cut is None:
        return _rows(pieces)
    top = min(p.y0 for p in pieces if p.x1 <= cut or p.x0 >= cut)
    above = [p for p in pieces if p.x0 < cut < p.x1 and p.y0 < top]
    below = [p for p in pieces if p.x0 < cut < p.x1 and p.y0 >= top]
    left = [p for p in pieces if p.x1 <= cut]
    right = [p for p in pieces if p.x0 >= cut]
    return [*_rows(above), *rows_in_order(left, width), *rows_in_order(right, width), *_rows(below)]


def _gutter(pieces: Sequence[Piece], width: float) -> float | None:
    """Return the middle of a gap between two columns of running text, `None` where there are no such columns."""
    spans = sorted((p.x0, p.x1) for p in pieces if p.x1 - p.x0 < 0.6 * width)
    reach = spans[0][1] if spans else 0.0
    for x0, x1 in spans[1:]:
        middle = (reach + x0) / 2
        if x0 - reach >= _GUTTER * width and _are_columns(pieces, middle, width):
            return middle
        reach = max(reach, x1)
    return None


def _are_columns(pieces: Sequence[Piece], at: float, width: float) -> bool:
    sides = [[p for p in pieces if p.x1 <= at], [p for p in pieces if p.x0 >= at]]
    crossing = [p for p in pieces if p.x0 < at < p.x1]
    if len(crossing) > 2:
        return False
    return all(
        len(side) >= _MIN_COLUMN_PIECES and median(p.x1 - p.x0 for p in side) >= _COLUMN * width for side in sides
    )


def _rows(pieces: Sequence[Piece]) -> list[list[Piece]]:
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda p: (p.y0 + p.y1) / 2):
        if rows and _shares_row(rows[-1][-1], piece):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [sorted(row, key=lambda p: p.x0) for row in rows]


def _shares_row(a: Piece, b: Piece) -> bool:
    overlap = min(a.y1, b.y1) - max(a.y0, b.y0)
    return overlap >= _SAME_ROW * min(a.y1 - a.y0, b.y1 - b.y0) and (b.x0 >= a.x1 or b.x1 <= a.x0)
