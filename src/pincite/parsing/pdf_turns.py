"""The direction of each word, clockwise in degrees, and words cut where text turns a corner."""

import numpy as np
import numpy.typing as npt

from pincite.parsing import pdf_calls
from pincite.parsing.pdf_calls import Floats, Ints
from pincite.parsing.pdf_geometry import Frame

#: Text this many degrees off a right angle is set aslant.
_ASLANT = 8


def turns(matrix: Floats, frame: Frame) -> Ints:
    """Return the direction of text set with each matrix: 0, 90, 180, 270, or -1 aslant."""
    found = _directions(matrix, frame)
    return np.zeros(len(matrix), np.int64) if found is None else found


def _directions(matrix: Floats, frame: Frame) -> Ints | None:
    """Return the direction of text set with each matrix, or `None` when all reads from left to right."""
    dx, dy = frame.direction(matrix[:, 0], matrix[:, 1])
    if not dy.any() and (dx > 0).all():
        return None
    degrees = np.degrees(np.arctan2(dy, dx)) % 360
    nearest = np.round(degrees / 90) * 90
    return np.where(np.abs(degrees - nearest) <= _ASLANT, nearest % 360, -1).astype(np.int64)


def cut_at_turns(text: int, starts: Ints, ends: Ints, turn: Ints, frame: Frame) -> tuple[Ints, Ints, Ints]:
    """Return starts, ends and directions with words cut between characters that run in different directions.

    pdfium puts no space between an upright word and a sideways one that comes next. Text set aslant is left whole:
    along a curve every character has a direction of its own.
    """
    lengths = ends - starts
    words = np.repeat(np.arange(len(starts)), lengths)
    places = np.arange(len(words)) + np.repeat(starts - (np.cumsum(lengths) - lengths), lengths)
    found = _directions(pdf_calls.matrices(text, places.tolist()), frame)
    if found is None:
        return starts, ends, turn
    own = np.where((turn[words] == -1) | (found == -1), turn[words], found)
    fresh = np.ones(len(words), bool)
    fresh[1:] = (words[1:] != words[:-1]) | (own[1:] != own[:-1])
    lasts = np.append(fresh.nonzero()[0][1:] - 1, len(words) - 1)
    return places[fresh], places[lasts] + 1, own[fresh]


def with_columns(turn: Ints, boxes: Floats, broken: npt.NDArray[np.bool_]) -> Ints:
    """Return directions with words written from top to bottom, as Japanese and Chinese may be, as 90 degrees.

    Turned upright, their columns are rows, the rightmost first.
    """
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    across, down = (middle[1::2] - middle[0::2]).T
    standing = (turn == 0) & (down > 2 * np.abs(across)) & (down > 0.4 * (boxes[0::2, 2] - boxes[0::2, 0]))
    line = np.cumsum(broken) - 1
    any_standing = np.zeros(int(line[-1]) + 1, bool)
    any_standing[line[standing]] = True
    return np.where(any_standing[line], 90, turn)
