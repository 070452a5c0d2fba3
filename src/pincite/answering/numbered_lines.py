"""The lines as a model reads them: numbered, fenced, and with the way back from numbers to lines."""

import hashlib
import json
from collections.abc import Sequence

from pincite.answering.units import Unit, read_units
from pincite.types.answer import ClaimedQuote
from pincite.types.source import ReadingLine

#: A line longer than this is cut for the model (tables exported as one line, say): the rest cannot be quoted.
LONGEST_LINE = 2000
_NAME_CHARS = 120


class NumberedLines:
    """Lines with a number each, from 1, over all documents."""

    def __init__(self, lines: Sequence[ReadingLine]) -> None:
        """Give a number to each line that holds text."""
        self.lines = [line for line in lines if line.line.text.strip() and line.line.layer != "hidden"]
        self._read = lines

    def __len__(self) -> int:
        """Return how many there are: the highest number."""
        return len(self.lines)

    def data(self, question: str) -> str:
        """Return the question and the lines, fenced by a mark that no document can know beforehand."""
        body = "\n".join(self._blocks())
        mark = hashlib.sha256(f"{question}\n{body}".encode()).hexdigest()[:12]
        return (
            f"<question {mark}>\n{' '.join(question.split())}\n</question {mark}>\n"
            f"<lines {mark}>\n{body}\n</lines {mark}>"
        )

    def _blocks(self) -> list[str]:
        said: list[str] = []
        place: tuple[object, ...] = ()
        for number, one in enumerate(self.lines, start=1):
            here = (one.doc_id, one.line.page_num, one.breadcrumb)
            if here != place:
                place = here
                said.append(_heading(one))
            # One line stays one line: whatever it holds, the number before it is ours.
            said.append(f"[{number}] {' '.join(one.line.text.split())[:LONGEST_LINE]}")
        return said

    def line(self, number: int) -> ReadingLine | None:
        """Return the line of a number; `None` where there is none."""
        return self.lines[number - 1] if 1 <= number <= len(self.lines) else None

    def claim(self, first: int, last: int, quote: str) -> ClaimedQuote | None:
        """Return a quote with the place that the model claims for it; `None` when there are no lines at all.

        A number that was not sent claims the first line that shares the quote's words, else the first of all: the quote
        is looked up in the whole document, so a right one is found wherever it stands, and a wrong one nowhere. Where
        the last line is not in the document of the first, the first line alone is claimed.
        """
        begin = self.line(first) or self._holding(quote)
        if begin is None:
            return None
        end = self.line(last)
        if end is None or end.doc_id != begin.doc_id or end.line.line_id < begin.line.line_id:
            end = begin
        return ClaimedQuote(
            doc_id=begin.doc_id, first_line_id=begin.line.line_id, last_line_id=end.line.line_id, quote=quote
        )

    def _holding(self, quote: str) -> ReadingLine | None:
        said = " ".join(quote.split())
        for line in self.lines:
            text = " ".join(line.line.text.split())
            if said in text or text in said:
                return line
        return self.lines[0] if self.lines else None

    def unit_at(self, number: int) -> Unit | None:
        """Return the sentence, list item or row that holds most of a line; `None` where there is none."""
        line = self.line(number)
        if line is None:
            return None
        return self._units().get((line.doc_id, line.line.line_id))

    def _units(self) -> dict[tuple[str, int], Unit]:
        if self._by_line is None:
            found: dict[tuple[str, int], tuple[int, Unit]] = {}
            for unit in read_units(self._read):
                for piece in unit.pieces:
                    key = (piece.line.doc_id, piece.line.line.line_id)
                    size = piece.end - piece.start
                    if key not in found or size > found[key][0]:
                        found[key] = (size, unit)
            self._by_line = {key: unit for key, (_, unit) in found.items()}
        return self._by_line

    _by_line: dict[tuple[str, int], Unit] | None = None


def _heading(line: ReadingLine) -> str:
    """Return where the lines that follow stand, as JSON: a name can hold no line end and close no quote."""
    place: dict[str, object] = {"document": _short(line.doc_name), "page": line.line.page_num}
    if line.breadcrumb:
        place["section"] = [_short(title) for title in line.breadcrumb]
    if line.header:
        place["columns"] = [_short(name) for name in line.header]
    return json.dumps(place, ensure_ascii=False)


def _short(name: str) -> str:
    return " ".join(name.split())[:_NAME_CHARS]
