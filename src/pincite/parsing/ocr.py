"""Text recognition: the lines of a picture, with their boxes in pixels, in the order a person reads them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from pincite.parsing.ocr_layout import Piece, rows_in_order
from pincite.types.record import Record

if TYPE_CHECKING:
    from PIL.Image import Image

    from pincite.parsing.ocr_engine import Engine

OcrMode = Literal["auto", "never", "always"]
EngineName = Literal["auto", "tesseract", "rapidocr"]
#: A picture read upright has words this sure, and pieces wider than high: else it is tried turned.
_SURE: Final = 0.8
_TALL, _MOST_TALL = 1.5, 0.5
#: Turned, a picture has to be read this much better than as it is: a few words of noise read well by chance.
_BETTER: Final = 1.3
#: Pictures with a longer side than this, in pixels, are tried at half their size.
_LARGE: Final = 1600


class OcrOptions(Record, frozen=True, kw_only=True):
    """Whether pages are read by text recognition, by which engine, and how many seconds one may take.

    `auto` reads pages whose text cannot be had or trusted, where an engine is installed; `always` every page.
    """

    mode: OcrMode = "auto"
    engine: EngineName = "auto"
    timeout_s: float = 60.0


@dataclass(frozen=True, slots=True)
class Recognised:
    """The rows of a picture in reading order; `turn` is by how many degrees clockwise it had to be turned to be read.

    `confidence` is the mean of the engine's own, 0 to 1, weighed by length; 0 for a picture without text.
    """

    rows: list[list[Piece]]
    turn: int
    confidence: float


def recognise(image: "Image", engine: "Engine") -> Recognised:
    """Return what stands in a picture, turned upright if need be; boxes are those of the picture as it was given.

    Raises:
        OcrError: the engine failed, or took longer than its limit.

    """
    pieces = engine.read(image)
    turn = 0
    if not _is_upright(pieces):
        turn = _best_turn(image, engine, pieces)
        if turn:
            pieces = [back(piece, turn, image.size) for piece in engine.read(turned(image, turn))]
    width = image.height if turn in (90, 270) else image.width
    return Recognised(rows_in_order(pieces, float(width)), turn, mean_confidence(pieces))


def turned(image: "Image", turn: int) -> "Image":
    """Return a picture turned clockwise by 0, 90, 180 or 270 degrees."""
    from PIL.Image import Transpose

    # Pillow turns the other way.
    ways = {90: Transpose.ROTATE_270, 180: Transpose.ROTATE_180, 270: Transpose.ROTATE_90}
    return image.transpose(ways[turn]) if turn else image


def back(piece: Piece, turn: int, size: tuple[int, int]) -> Piece:
    """Return a piece of a turned picture with the box it has in the picture of `size` as it was before."""
    width, height = size
    x0, y0, x1, y1 = piece.seen
    if turn == 90:
        seen = (y0, height - x1, y1, height - x0)
    elif turn == 180:
        seen = (width - x1, height - y1, width - x0, height - y0)
    elif turn == 270:
        seen = (width - y1, x0, width - y0, x1)
    else:
        return piece
    return Piece(piece.text, piece.x0, piece.y0, piece.x1, piece.y1, piece.score, seen)


def mean_confidence(pieces: Sequence[Piece]) -> float:
    """Return how sure the engine is of pieces on the whole, weighed by their length; 0 for none."""
    n_chars = sum(len(piece.text) for piece in pieces)
    return sum(len(piece.text) * piece.score for piece in pieces) / n_chars if n_chars else 0.0


def _is_upright(pieces: Sequence[Piece]) -> bool:
    words = [piece for piece in pieces if len(piece.text) > 2]
    if not words:
        return False
    tall = sum(piece.y1 - piece.y0 > _TALL * (piece.x1 - piece.x0) for piece in words)
    return mean_confidence(pieces) >= _SURE and tall < _MOST_TALL * len(words)


def _best_turn(image: "Image", engine: "Engine", pieces: Sequence[Piece]) -> int:
    """Return by how much a picture has to be turned to be read best, 0 where nothing is clearly better."""
    small = image.reduce(2) if max(image.size) > _LARGE else image
    worth = {turn: _worth(engine.read(turned(small, turn))) for turn in (90, 180, 270)}
    best = max(worth, key=lambda turn: worth[turn])
    as_it_is = _worth(pieces) if small is image else _worth(engine.read(small))
    return best if worth[best] > _BETTER * as_it_is and worth[best] > 0 else 0


def _worth(pieces: Sequence[Piece]) -> float:
    """Return how much was read and how surely; text that stands on its side counts a quarter."""
    return sum(
        len(p.text) * p.score**2 * (0.25 if p.y1 - p.y0 > _TALL * (p.x1 - p.x0) and len(p.text) > 2 else 1.0)
        for p in pieces
    )
