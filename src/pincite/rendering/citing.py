"""Number citations for display: 1…n in order of first use, the same place once, unused sources not at all."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from pincite.text.cite_marks import MAY_BE_INTERVAL, Mark, read_marks
from pincite.types.answer import Item
from pincite.types.citation import Citation
from pincite.types.record import Record


class NumberedCitation(Record, frozen=True, kw_only=True):
    """A citation with the number a reader sees and the items (counted from 1) that use it."""

    number: int
    citation: Citation
    item_nums: tuple[int, ...]

    @property
    def item_num(self) -> int:
        """The first item that uses it: the item whose colour it has."""
        return self.item_nums[0]


class Numbering(Record, frozen=True, kw_only=True):
    """The citations to list, in order, and for each item the numbers to show beside it."""

    citations: tuple[NumberedCitation, ...]
    by_item: tuple[tuple[int, ...], ...]


class TextSource(Record, frozen=True, kw_only=True):
    """A source that a written answer cites as `[n]`."""

    n: int
    doc: str
    page: int | None
    text: str


class ShownSource(Record, frozen=True, kw_only=True):
    """A source to list: the number shown, and the numbers it had."""

    show: int
    raw: tuple[int, ...]
    source: TextSource


class Renumbered(Record, frozen=True, kw_only=True):
    """A written answer with new numbers and the sources it cites, in order."""

    text: str
    sources: tuple[ShownSource, ...]


def _runs(text: str, marks: Sequence[Mark]) -> list[list[Mark]]:
    """Return marks that stand side by side, together; what may be an interval is text."""
    runs: list[list[Mark]] = []
    for mark in marks:
        if mark.problem == MAY_BE_INTERVAL:
            continue
        if runs and not text[runs[-1][-1].span.end : mark.span.start].strip(" "):
            runs[-1].append(mark)
        else:
            runs.append([mark])
    return runs


def number_citations(items: Sequence[Item]) -> Numbering:
    """Return the citations of `items` with numbers; the same lines and quote of the same document get one number.

    Cells of one row are one place with the boxes of them all.
    """
    order: dict[tuple[object, ...], list[int]] = {}
    kept: dict[tuple[object, ...], Citation] = {}
    by_item: list[tuple[int, ...]] = []
    for item_num, item in enumerate(items, start=1):
        numbers: list[int] = []
        for citation in item.citations:
            key = (citation.doc_id, citation.line_ids, citation.quote)
            known = kept.setdefault(key, citation)
            more = tuple(box for box in citation.boxes if box not in known.boxes)
            kept[key] = replace(known, boxes=(*known.boxes, *more)) if more else known
            users = order.setdefault(key, [])
            users += [item_num] if item_num not in users else []
            number = list(order).index(key) + 1
            numbers += [number] if number not in numbers else []
        by_item.append(tuple(numbers))
    citations = tuple(
        NumberedCitation(number=number, citation=kept[key], item_nums=tuple(users))
        for number, (key, users) in enumerate(order.items(), start=1)
    )
    return Numbering(citations=citations, by_item=tuple(by_item))


def number_each(citations: Iterable[Citation]) -> tuple[NumberedCitation, ...]:
    """Return citations of no answer, such as the nearest passages of a refusal, each with its own number."""
    return tuple(
        NumberedCitation(number=number, citation=citation, item_nums=(number,))
        for number, citation in enumerate(citations, start=1)
    )


def renumber(answer_text: str, sources: Sequence[TextSource]) -> Renumbered:
    """Rewrite the marks of a written answer (see `read_marks`) to `[n]` with the numbers a reader sees.

    Sources with the same document, page and text are one. A year in brackets and code stay as they are; numbers
    without a source are left out.
    """
    place = {source.n: (source.doc, source.page, source.text) for source in sources}
    shown: dict[tuple[object, ...], int] = {}
    written: list[str] = []
    at = 0
    for run in _runs(answer_text, read_marks(answer_text, max(place, default=0)).marks):
        start, end = run[0].span.start, run[-1].span.end
        known = [n for mark in run for n in mark.sources if n in place]
        numbers = dict.fromkeys(shown.setdefault(place[n], len(shown) + 1) for n in known)
        before = answer_text[at:start]
        written += [before if numbers else before.removesuffix(" "), *(f"[{number}]" for number in numbers)]
        at = end
    text = "".join((*written, answer_text[at:]))
    listed = []
    for key, number in shown.items():
        same = [source for source in sources if place[source.n] == key]
        raw = tuple(source.n for source in same)
        listed.append(ShownSource(show=number, raw=raw, source=same[0]))
    return Renumbered(text=text, sources=tuple(listed))
