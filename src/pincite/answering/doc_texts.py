"""The paragraphs that document a symbol: the comment above it, the docstring in it, the text below its heading."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pincite.text.marks import without_markdown
from pincite.text.sentences import sentence_spans
from pincite.types.answer import ClaimedQuote
from pincite.types.source import ReadingLine

#: A longer paragraph (characters) is cut to its first sentences.
_MOST_CHARS: Final = 320
_OPENING: Final = re.compile(
    r"^\s*(?:[rRuU]?(?:\"\"\"|''')|/\*\*?|\*(?!/|\*)|///?!?|//|#+['!:]?|--+|;+|%+|<!--)?\s*(?:</?summary>\s*)?(?:[@\\]brief\s+)?"
)
_CLOSING: Final = re.compile(r"\s*(?:\"\"\"|'''|\*/|-->|</(?:summary|returns|remarks)>)+\s*$")
_COMMENT: Final = re.compile(r"^\s*(?://|#(?!\s*(?:define|include|if|endif|pragma|!))|--|;|%|\*|/\*)")
_DECORATION: Final = re.compile(r"^\s*(?:@\w|#\[|\[[A-Z]\w*[\](])")
_DOCSTRING: Final = re.compile(r"^\s*[rRuU]?(?P<quotes>\"\"\"|''')")
#: A line of its own opens another part of a comment: "@param", "Returns:".
_HEAD: Final = re.compile(
    r"^(?:[-*•]\s+)?(?:@\w+|:\w+[^:]*:|<(?:param|returns|exception)|\*{0,2}(?:returns?|yields?|raises?|throws?|args|arguments"
    r"|parameters?|params|examples?|errors?)\*{0,2}\s*:)",
    re.IGNORECASE,
)
#: A signature ends within so many lines; a text is read up to so many.
_SIGNATURE_LINES, _TEXT_LINES = 12, 40


@dataclass(frozen=True, slots=True)
class _Piece:
    """Characters `start` to `end` (half-open) of a line: what it says without marks of comments."""

    line: ReadingLine
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.line.line.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class DocText:
    """One paragraph as running text, and the pieces of lines that it is made of; `is_sure` off for bare code."""

    pieces: tuple[_Piece, ...]
    is_sure: bool = True

    @classmethod
    def of_lines(cls, lines: Sequence[ReadingLine], *, is_sure: bool = True) -> "DocText":
        """Return whole lines without the blanks around them."""
        return cls(tuple(_whole(line) for line in lines), is_sure)

    @property
    def _joined(self) -> str:
        return " ".join(piece.text for piece in self.pieces)

    @property
    def text(self) -> str:
        """The paragraph without line breaks and markup."""
        return without_markdown(self._joined).text.strip() if self.pieces[0].line.is_markdown else self._joined

    @property
    def quote(self) -> ClaimedQuote:
        """The claim that its characters stand where they were read, marks of comments between its lines included."""
        first, last = self.pieces[0], self.pieces[-1]
        texts = [piece.line.line.text for piece in self.pieces]
        texts[-1] = texts[-1][: last.end]
        texts[0] = texts[0][first.start :]
        return ClaimedQuote(
            doc_id=first.line.doc_id,
            first_line_id=first.line.line.line_id,
            last_line_id=last.line.line.line_id,
            quote="\n".join(text.strip() for text in texts),
        )

    def holds(self, line_id: int) -> bool:
        """Say whether a line is among its own."""
        return any(piece.line.line.line_id == line_id for piece in self.pieces)

    def shortened(self) -> "DocText":
        """Return it whole, or its first sentences where it is long."""
        joined = self._joined
        if len(joined) <= _MOST_CHARS:
            return self
        ends = [span.end for span in sentence_spans(joined)]
        return self._between(0, max((end for end in ends if end <= _MOST_CHARS), default=ends[0]))

    def sentence(self, pattern: re.Pattern[str]) -> "DocText | None":
        """Return its first sentence that a pattern is found in."""
        joined = self._joined
        spans = (span for span in sentence_spans(joined) if pattern.search(joined[span.start : span.end]))
        span = next(spans, None)
        return None if span is None else self._between(span.start, span.end)

    def _between(self, start: int, end: int) -> "DocText":
        """Return the characters `start` to `end` of the joined text."""
        kept, at = [], 0
        for piece in self.pieces:
            first, last = max(start - at, 0), min(end - at, piece.end - piece.start)
            if first < last:
                kept.append(_Piece(piece.line, piece.start + first, piece.start + last))
            at += piece.end - piece.start + 1
        return DocText(tuple(kept), self.is_sure)


def _whole(line: ReadingLine) -> _Piece:
    text = line.line.text
    return _Piece(line, len(text) - len(text.lstrip()), len(text.rstrip()))


def _bare(line: ReadingLine) -> _Piece:
    """Return a line without the marks that make it a comment or part of a docstring."""
    text = line.line.text
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text)
    start = opening.end() if opening else 0
    end = closing.start() if closing and closing.start() >= start else len(text.rstrip())
    return _Piece(line, start, max(start, end))


def _paragraphs(pieces: Sequence[_Piece]) -> Iterator[DocText]:
    """Yield runs of pieces with text; a line that opens a part begins another run."""
    run: list[_Piece] = []
    for piece in pieces:
        if run and (not piece.text.strip() or _HEAD.match(piece.text)):
            yield DocText(tuple(run))
            run = []
        if piece.text.strip() and any(map(str.isalnum, piece.text)):
            run.append(piece)
    if run:
        yield DocText(tuple(run))


def comment_above(lines: Sequence[ReadingLine], at: int) -> list[DocText]:
    """Return the comment right above a definition, decorators between them passed over, and one on its own line."""
    pieces: list[_Piece] = []
    above = at - 1
    while above >= 0 and lines[above].doc_id == lines[at].doc_id and _DECORATION.match(lines[above].line.text):
        above -= 1
    while above >= 0 and lines[above].doc_id == lines[at].doc_id and _COMMENT.match(lines[above].line.text):
        pieces.insert(0, _bare(lines[above]))
        above -= 1
    beside = re.search(r"\s(?:#|//|--)\s+(?P<said>\S.*?)\s*$", lines[at].line.text)
    own = [DocText((_Piece(lines[at], beside.start("said"), beside.end("said")),))] if beside else []
    return [*_paragraphs(pieces), *own]


def docstring_below(lines: Sequence[ReadingLine], at: int) -> list[DocText]:
    """Return the docstring, or the comment, with which the body of a definition begins."""
    body = _body(lines, at)
    if body is None:
        return []
    opening = _DOCSTRING.match(lines[body].line.text)
    pieces: list[_Piece] = []
    for line in lines[body:]:
        text = line.line.text
        if line.doc_id != lines[at].doc_id or (opening is None and not _COMMENT.match(text)):
            break
        pieces.append(_bare(line))
        quotes = opening["quotes"] if opening else ""
        if quotes and (text.count(quotes) == 2 or (pieces[1:] and quotes in text)):
            break
    return list(_paragraphs(pieces))


def _body(lines: Sequence[ReadingLine], at: int) -> int | None:
    """Return the index of the first line behind a signature, which may take several lines."""
    depth = 0
    for number in range(at, min(at + _SIGNATURE_LINES, len(lines))):
        text = lines[number].line.text
        depth += sum(map(text.count, "([")) - sum(map(text.count, ")]"))
        if depth <= 0 and re.search(r"[:{]\s*(?:#.*|//.*)?$", text):
            following = range(number + 1, len(lines))
            return next((n for n in following if lines[n].line.text.strip()), None)
        if depth <= 0 and not any(line.line.text.strip().startswith("{") for line in lines[number + 1 : number + 2]):
            return None
    return None


def text_below(lines: Sequence[ReadingLine], at: int) -> list[DocText]:
    """Return the paragraphs below a heading, directive or block of code, up to the next of its kind.

    Fenced code and tables among them are passed over.
    """
    one = lines[at]
    if one.line.role == "code" and not one.is_markdown:
        return []
    indented = one.line.text.startswith("..")
    pieces: list[_Piece] = []
    for line in lines[at + 1 : at + 1 + _TEXT_LINES]:
        text, role = line.line.text, line.line.role
        is_next = role == "heading" or (indented and text.strip() and not text[:1].isspace())
        if line.doc_id != one.doc_id or is_next or (one.line.role == "code" and role == "code" and _has_text(pieces)):
            break
        if role not in ("code", "table"):
            pieces.append(_whole(line))
        elif _has_text(pieces):
            pieces.append(_Piece(line, 0, 0))
    return list(_paragraphs(pieces))


def _has_text(pieces: Sequence[_Piece]) -> bool:
    return any(piece.text.strip() for piece in pieces)
