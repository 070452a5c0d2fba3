"""Where the answer to a question stands, in the places that finding it is measured by."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from pincite.evaluation.matching import normalised
from pincite.evaluation.places import DocumentText, Place
from pincite.evaluation.samples import Evidence, Sample

Unit = Literal["page", "paragraph", "section", "document"]
#: A unit of a document: its page (from 1), paragraph or section (from 0); of a whole document 0.
Key: TypeAlias = tuple[str, int]
TextOf = Callable[[str], DocumentText]

#: Evidence on a page that is longer than this (characters) shows the page, not the lines that answer.
_LINES: Final = 500
#: Of fewer paragraphs than this, finding the right one says nothing.
_FEW_PARAGRAPHS: Final = 3


@dataclass(frozen=True)
class Truth:
    """What is right for one question: `gold` are the units that hold the answer, with their grades.

    `spans` are the very characters, by document, where they are known; `pieces` is the same, one range or page for
    each piece of evidence. `has_offsets` says that the suite itself gives the characters.
    """

    unit: Unit | None
    gold: Mapping[Key, int] = field(default_factory=dict)
    spans: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict)
    pieces: tuple[Place, ...] = ()
    has_offsets: bool = False

    def holds(self, place: Place) -> bool:
        """Say whether a place touches a piece of the evidence."""
        return any(touches(place, piece) for piece in self.pieces)


def touches(place: Place, piece: Place) -> bool:
    """Say whether a place shares characters with a piece of evidence, or its page where no more is known."""
    if place.doc != piece.doc:
        return False
    if piece.start is None or piece.end is None or place.start is None or place.end is None:
        return piece.page is None or place.page == piece.page
    return place.start < piece.end and piece.start < place.end


def truth_of(sample: Sample, text_of: TextOf) -> Truth:
    """Return what is right for a question; `text_of` gives the text of a document of the suite."""
    unit = _unit(sample, text_of)
    if unit is None:
        return Truth(unit=None)
    graded = [(piece, e.grade) for e in sample.evidence for piece in _pieces(e, text_of, unit)]
    gold: dict[Key, int] = {}
    spans: dict[str, list[tuple[int, int]]] = {}
    for piece, grade in graded:
        if piece.start is not None and piece.end is not None:
            spans.setdefault(piece.doc, []).append((piece.start, piece.end))
        for key in _gold_keys(piece, unit, text_of):
            gold[key] = max(gold.get(key, 0), grade)
    pieces = tuple(piece for piece, _ in graded)
    has_offsets = all(e.start is not None for e in sample.evidence)
    return Truth(unit=unit, gold=gold, spans=spans, pieces=pieces, has_offsets=has_offsets)


def _unit(sample: Sample, text_of: TextOf) -> Unit | None:
    """Return what the documents are cut into where this question is measured."""
    if not sample.evidence:
        return None
    if any(e.page is not None for e in sample.evidence):
        return "page"
    if any(e.heading is not None for e in sample.evidence):
        return "section"
    if any(e.text is not None or e.start is not None for e in sample.evidence):
        n_paragraphs = max(len(text_of(e.doc).paragraph_starts) for e in sample.evidence)
        return "paragraph" if n_paragraphs >= _FEW_PARAGRAPHS else "document"
    return "document"


def _pieces(evidence: Evidence, text_of: TextOf, unit: Unit) -> list[Place]:
    """Return the places of one piece of evidence."""
    place = Place(doc=evidence.doc, page=evidence.page, text=evidence.text or "")
    if evidence.start is not None and evidence.end is not None:
        return [Place(doc=evidence.doc, start=evidence.start, end=evidence.end, text=evidence.text or "")]
    if unit == "section" and evidence.heading is not None:
        text = text_of(evidence.doc)
        wanted = normalised(evidence.heading)
        found = [text.section_span(i) for i, (_, title) in enumerate(text.sections) if normalised(title) == wanted]
        return [Place(doc=evidence.doc, start=span.start, end=span.end) for span in found] or [place]
    if evidence.text and (evidence.page is None or len(evidence.text) <= _LINES):
        span = text_of(evidence.doc).find(evidence.text)
        if span is not None:
            return [Place(doc=evidence.doc, page=evidence.page, start=span.start, end=span.end, text=evidence.text)]
    return [place]


def _gold_keys(piece: Place, unit: Unit, text_of: TextOf) -> list[Key]:
    if unit == "page":
        return [(piece.doc, piece.page)] if piece.page is not None else []
    if unit == "document":
        return [(piece.doc, 0)]
    if piece.start is None or piece.end is None:
        return []
    text = text_of(piece.doc)
    starts = text.section_starts if unit == "section" else text.paragraph_starts
    return [(piece.doc, index) for index in text.units_of(starts, piece.start, piece.end)]


def keys_of(places: Sequence[Place], truth: Truth, text_of: TextOf) -> tuple[Key, ...]:
    """Return the units of ranked places, each once, best first.

    A place that reaches over several units is the one it shares most with, but a right one where it holds half of that
    or lies in it by half: long windows are not counted against whoever uses them.
    """
    return tuple(dict.fromkeys(key for place in places for key in _keys(place, truth, text_of)))


def _keys(place: Place, truth: Truth, text_of: TextOf) -> list[Key]:
    if truth.unit == "page":
        return [(place.doc, place.page)] if place.page is not None else []
    if truth.unit == "document":
        return [(place.doc, 0)]
    if place.start is None or place.end is None:
        return []
    text = text_of(place.doc)
    starts = text.section_starts if truth.unit == "section" else text.paragraph_starts
    held = text.units_held(starts, place.start, place.end)
    return [next((key for unit in held if (key := (place.doc, unit)) in truth.gold), (place.doc, held[0]))]
