"""Find a quote in the lines of a document: exactly, or after documented folds, never by similarity."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pincite.text.characters import is_cjk, is_cjk_or_mark
from pincite.text.fold import FOLDS, Folded, fold
from pincite.text.marks import without_markdown, without_reference_marks
from pincite.text.stopwords import ALL_STOP_WORDS

#: Stands for a line-end hyphen inside a word: it may be read as "-" or as nothing.
_MAYBE_HYPHEN: Final = "\x01"


@dataclass(frozen=True, slots=True)
class LineSpan:
    """Characters `start` to `end` (half-open) of the line at `index` in what was searched."""

    index: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class QuoteMatch:
    """Where a quote was found: a span on each line it touches, and the folds that were needed."""

    spans: tuple[LineSpan, ...]
    quote: str
    folds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Stream:
    """Folded lines joined into one text; line `indexes[i]` starts at `starts[i]` with `folded[i]`."""

    text: str
    starts: tuple[int, ...]
    indexes: tuple[int, ...]
    folded: tuple[Folded, ...]
    to_source: tuple[tuple[int, ...] | None, ...]


Mark = Callable[[str], Folded]


class QuoteFinder:
    """Looks quotes up in a sequence of lines; folding is done once."""

    def __init__(self, lines: Sequence[str], *, skipped: frozenset[int] = frozenset(), markdown: bool = False) -> None:
        """Search `lines` without those whose index is in `skipped` (running heads), and failing that, only those."""
        self._lines = lines
        self._skipped = skipped
        self._markdown = markdown
        self._streams: dict[tuple[bool, tuple[str, ...]], _Stream] = {}

    def find(self, quote: str) -> Iterator[QuoteMatch]:
        """Yield every place where `quote` stands, in reading order, by the fewest kinds of folds that find any.

        Words, digits, signs, case, accents and order may not differ, and neither end may cut a word or number.
        """
        if quote_problem(quote) is not None:
            return
        for furniture in (False, True):
            for marks in self._tiers():
                found = False
                for match in self._matches(quote, marks, furniture=furniture):
                    found = True
                    yield match
                if found:
                    return

    def _tiers(self) -> tuple[tuple[str, ...], ...]:
        if self._markdown:
            return ((), ("markdown",), ("markdown", "reference_marks"))
        return ((), ("reference_marks",))

    def _matches(self, quote: str, marks: tuple[str, ...], *, furniture: bool) -> Iterator[QuoteMatch]:
        stream = self._stream(marks, furniture=furniture)
        needle = _fold_quote(quote, marks)
        if not needle.strip():
            return
        for start, end in _occurrences(needle, stream.text):
            if not _cuts(stream.text, start, end):
                yield self._match(stream, start, end, quote, marks)

    def _stream(self, marks: tuple[str, ...], *, furniture: bool) -> _Stream:
        key = (furniture, marks)
        if key not in self._streams:
            wanted = [i for i in range(len(self._lines)) if (i in self._skipped) == furniture]
            self._streams[key] = _make_stream(self._lines, wanted, marks)
        return self._streams[key]

    def _match(self, stream: _Stream, start: int, end: int, quote: str, marks: tuple[str, ...]) -> QuoteMatch:
        spans = tuple(_spans(stream, start, end))
        source = "\n".join(self._lines[s.index][s.start : s.end] for s in spans)
        return QuoteMatch(spans, source, receipt(quote, source, marks))


def quote_problem(quote: str) -> str | None:
    """Return why a quote can be no evidence wherever it stands, or `None`.

    >>> quote_problem("the")
    'the quote holds no word of content'
    """
    if not quote.strip():
        return "the quote is empty"
    words = re.findall(r"\w+", quote)
    if not words:
        return "the quote holds no word"
    if all(w.lower() in ALL_STOP_WORDS and not w.isupper() for w in words):
        return "the quote holds no word of content"
    return None


def receipt(claimed: str, source: str, marks: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the folds without which `claimed` would not be the same text as `source`, in the order of `FOLDS`.

    >>> receipt("well-known", "well‐known")
    ('dashes',)
    """
    if claimed == source:
        return ()
    needed = [name for name in FOLDS if not _same(claimed, source, marks, without=name)]
    return tuple(needed) or ("white_space",)


def _same(claimed: str, source: str, marks: tuple[str, ...], *, without: str) -> bool:
    kept = tuple(m for m in marks if m != without)
    left_text = _fold_quote(claimed, kept, without=without)
    right_text = _fold_quote(source, kept, without=without)
    if without != "line_end_hyphens":
        left_text, right_text = (t.replace(_MAYBE_HYPHEN, "-") for t in (left_text, right_text))
        return left_text == right_text or _drop_hyphens(claimed, source, left_text, right_text)
    left_text, right_text = (t.replace(_MAYBE_HYPHEN, "-\n") for t in (left_text, right_text))
    return left_text == right_text


def _drop_hyphens(claimed: str, source: str, left: str, right: str) -> bool:
    """Compare once more where a line-end hyphen of either text may have gone."""
    if not any(re.search(r"\w[-‐]\s*\n", t) for t in (claimed, source)) and "- " not in claimed:
        return False
    return re.sub(r"(?<=\w)- ?(?=[^\W\d_])", "", left) == re.sub(r"(?<=\w)- ?(?=[^\W\d_])", "", right)


def _fold_quote(quote: str, marks: tuple[str, ...], *, without: str | None = None) -> str:
    lines = quote.split("\n")
    stream = _make_stream(lines, range(len(lines)), marks, without=without)
    return stream.text.strip() if without != "white_space" else stream.text


_MARKS: Final[dict[str, Mark]] = {"markdown": without_markdown, "reference_marks": without_reference_marks}


def _make_stream(
    lines: Sequence[str], wanted: Sequence[int] | range, marks: tuple[str, ...], *, without: str | None = None
) -> _Stream:
    parts: list[str] = []
    starts, indexes, folded, to_source = [], [], [], []
    length = 0
    for index in wanted:
        text, back = _marked(lines[index], marks)
        one = fold(text.strip() if back is None else text, without=without)
        lead = len(text) - len(text.lstrip()) if back is None else 0
        body = one.text.strip() if back is not None else one.text
        if not body:
            continue
        cut = len(one.text) - len(one.text.lstrip()) if back is not None else 0
        glue = _glue(parts[-1], body, without) if parts else ""
        if glue == _MAYBE_HYPHEN:
            parts[-1] = parts[-1][:-1] + _MAYBE_HYPHEN
        elif glue:
            parts[-1] += glue
            length += len(glue)
        starts.append(length - cut)
        indexes.append(index)
        folded.append(one)
        to_source.append(
            back if back is not None else (None if lead == 0 else tuple(range(lead, lead + len(text) + 1)))
        )
        parts.append(body)
        length += len(body)
    return _Stream("".join(parts), tuple(starts), tuple(indexes), tuple(folded), tuple(to_source))


def _marked(line: str, marks: tuple[str, ...]) -> tuple[str, tuple[int, ...] | None]:
    """Return the line without the given marks, and where each character came from (`None`: nothing moved)."""
    text, back = line, None
    for name in marks:
        stripped = _MARKS[name](text)
        if stripped.offsets is None:
            continue
        ends = (*stripped.offsets, len(text))
        back = ends if back is None else tuple(back[o] for o in ends)
        text = stripped.text
    return text, back


def _glue(before: str, after: str, without: str | None) -> str:
    if len(before) > 1 and before[-1] == "-" and before[-2].isalnum() and after[0].isalnum():
        if after[0].islower() and before[-2].isalpha():
            return _MAYBE_HYPHEN
        return ""
    if is_cjk_or_mark(before[-1]) and is_cjk_or_mark(after[0]):
        return ""
    return "\n" if without == "white_space" else " "


def _occurrences(needle: str, text: str) -> Iterator[tuple[int, int]]:
    if _MAYBE_HYPHEN not in text and _MAYBE_HYPHEN not in needle and "- " not in needle:
        at = text.find(needle)
        while at != -1:
            yield at, at + len(needle)
            at = text.find(needle, at + 1)
        return
    for match in re.finditer(_pattern(needle), text):
        yield match.start(), match.end()


def _pattern(needle: str) -> str:
    """Return a pattern for `needle` in which a line-end hyphen may stay or go."""
    parts: list[str] = []
    for match in re.finditer(r"([^\W\d_]+)|(-|\x01)( ?)(?=[^\W\d_])|(.)", needle, re.DOTALL):
        word, hyphen, blank, other = match.groups()
        if word:
            parts.append(f"{_MAYBE_HYPHEN}?".join(map(re.escape, word)))
        elif hyphen == _MAYBE_HYPHEN:
            parts.append(f"(?:-|{_MAYBE_HYPHEN})?")
        elif hyphen:
            parts.append(f"(?:-{blank}|{_MAYBE_HYPHEN}|-)" if blank else f"[-{_MAYBE_HYPHEN}]")
        else:
            parts.append(re.escape(other))
    return "".join(parts)


def _cuts(text: str, start: int, end: int) -> bool:
    """Say whether the range begins or ends inside a word or number, or leaves off a sign or exponent."""
    before, first = text[start - 1 : start], text[start]
    last, after = text[end - 1], text[end : end + 1]
    if before and _joined(before, first):
        return True
    if after and _joined(last, after):
        return True
    if first.isdigit() and before:
        earlier = text[start - 2 : start - 1]
        if before in "-+±" and not earlier.isalnum() and earlier not in ("-", ")"):
            return True
        if before in ".," and earlier.isdigit():
            return True
    if first in ".," and before.isdigit() and text[start + 1 : start + 2].isdigit():
        return True
    later = text[end + 1 : end + 2]
    return last.isdigit() and ((after in ".,:" and bool(after) and later.isdigit()) or after in tuple("⁰¹²³⁴⁵⁶⁷⁸⁹⁻"))


def _joined(left: str, right: str) -> bool:
    if _MAYBE_HYPHEN in (left, right):
        return True
    return _in_word(left) and _in_word(right)


def _in_word(char: str) -> bool:
    return (char.isalnum() or char == "_") and not is_cjk(char) and char not in "⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉"


def _spans(stream: _Stream, start: int, end: int) -> Iterator[LineSpan]:
    at = bisect_right(stream.starts, start) - 1
    while at < len(stream.starts) and stream.starts[at] < end:
        one, back = stream.folded[at], stream.to_source[at]
        first = max(start - stream.starts[at], 0)
        last = min(end - stream.starts[at], len(one.text)) - 1
        if first <= last:
            begin, finish = one.start_of(first), one.end_of(last)
            if back is not None:
                begin, finish = back[begin], back[finish - 1] + 1 if finish - 1 < len(back) else back[-1]
            yield LineSpan(stream.indexes[at], begin, finish)
        at += 1
