"""Units of documents whose lines are paragraphs: long ones cut at sentence ends, code blocks kept whole."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from pincite.passages.units import Unit
from pincite.passages.words import count_words, shorten_blobs
from pincite.text.sentences import sentence_spans
from pincite.types.document import ParsedDocument

#: Media types whose lines are as wide as the paper: their passages are measured in words alone.
_SET_TYPES: Final = ("application/pdf", "image/")
#: A block that stays whole counts for at most this much of a passage, so that its heading can stay with it.
_WHOLE_SHARE: Final = 0.8


def is_flowing(document: ParsedDocument) -> bool:
    """Say whether the lines of a document are as long as their author wrote them, not as wide as a page."""
    return not document.media_type.startswith(_SET_TYPES)


def flowing_units(units: Sequence[Unit], *, max_words: float, max_chars: int) -> list[Unit]:
    """Return units none of which is longer than `max_chars`, but for a sentence or a run of marks that is.

    A code block of at most `max_chars` is one unit, which is never cut. A line that is longer is several units, each
    of whole sentences; they share the line. Every unit counts for as many words as its characters would be.
    """
    found: list[Unit] = []
    for _, block in groupby(units, key=lambda unit: unit.block):
        lines = list(block)
        n_chars = sum(len(unit.text) + 1 for unit in lines)
        if lines[0].kind == "code" and len(lines) > 1 and n_chars <= max_chars:
            n_words = min(sum(unit.n_words for unit in lines), _WHOLE_SHARE * max_words)
            text = "\n".join(unit.text.rstrip() for unit in lines)
            found.append(replace(lines[0], lines=tuple(unit.lines[0] for unit in lines), n_words=n_words, text=text))
            continue
        for unit in lines:
            found.extend(_pieces(unit, max_words, max_chars))
    return found


def _pieces(unit: Unit, max_words: float, max_chars: int) -> Iterator[Unit]:
    """Yield a unit with what its characters count for; a longer one in pieces."""
    if len(shorten_blobs(unit.text)) <= max_chars or unit.kind in {"table", "heading"}:
        yield replace(unit, n_words=_weight(unit.text, max_words, max_chars, unit.n_words))
        return
    for text in cut_text(unit.text, max_chars):
        yield replace(unit, text=text, n_words=_weight(text, max_words, max_chars, count_words(text)))


def _weight(text: str, max_words: float, max_chars: int, n_words: float) -> float:
    # A blob is cut short where a passage is made of it.
    return max(n_words, max_words * len(shorten_blobs(text)) / max_chars)


def cut_text(text: str, max_chars: int) -> list[str]:
    """Return a text in pieces of at most `max_chars`: at sentence ends, in a longer sentence at blanks.

    A run of characters without a blank is never cut.

    >>> cut_text("Make fast. Keep the bell ringing all night.", 24)
    ['Make fast.', 'Keep the bell ringing', 'all night.']
    """
    pieces: list[str] = []
    for span in sentence_spans(text):
        for part in _at_blanks(text[span.start : span.end], max_chars):
            if pieces and len(pieces[-1]) + 1 + len(part) <= max_chars:
                pieces[-1] = f"{pieces[-1]} {part}"
            else:
                pieces.append(part)
    return pieces or [text]


def _at_blanks(sentence: str, max_chars: int) -> Iterator[str]:
    if len(sentence) <= max_chars:
        yield sentence
        return
    words: list[str] = []
    n_chars = 0
    for word in sentence.split():
        if words and n_chars + len(word) > max_chars:
            yield " ".join(words)
            words, n_chars = [], 0
        words.append(word)
        n_chars += len(word) + 1
    yield " ".join(words)
