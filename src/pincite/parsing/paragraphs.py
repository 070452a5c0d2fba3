"""Paragraphs as lines: on one line each, without what does not print, cut at sentence ends where they are very long."""

import re
from collections.abc import Sequence
from typing import Final

from pincite.text.sentences import sentence_spans

#: A paragraph longer than this is cut into lines at sentence ends, so that a cite names less than half a page.
MAX_LINE_CHARS: Final = 1000
#: What does not print and no reader could quote; line feeds and tabs are handled before.
UNPRINTED: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_BLANKS: Final = re.compile(r"[ \t\r\n\f\v]+")


def one_line(text: str) -> str:
    r"""Return text with each run of blanks and line ends as one blank, without what does not print.

    >>> one_line(" a\tb\n\n c\x00 ")
    'a b c'
    """
    return UNPRINTED.sub("", _BLANKS.sub(" ", text)).strip(" ")


def pieces(text: str) -> list[str]:
    """Return a paragraph as lines of whole sentences, none much longer than `MAX_LINE_CHARS`."""
    if len(text) <= MAX_LINE_CHARS:
        return [text] if text else []
    found: list[str] = []
    start = end = 0
    for span in sentence_spans(text):
        if end > start and span.end - start > MAX_LINE_CHARS:
            found.append(text[start:end].strip())
            start = end
        end = span.end
    found.append(text[start:].strip())
    return [piece for piece in found if piece]


def row_text(row: Sequence[str]) -> str:
    """Return the cells of a row as one line, parted by tabs."""
    return UNPRINTED.sub("", "\t".join(text.replace("\t", " ") for text in row)).rstrip("\t ")
