"""The value of a label, "Operator: Nord AG", in the block of the thing that a question names."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pincite.answering.conditions import all_terms, content_terms
from pincite.answering.units import BULLET, Unit
from pincite.text.marks import without_markdown
from pincite.text.stopwords import WEAK

_LABEL: Final = re.compile(r"^(?P<label>[^\W\d_][^:|.;?!=]{1,40}?):\s+(?P<value>\S.*)$", re.DOTALL)
_MOST_WORDS: Final = 4


@dataclass(frozen=True, slots=True)
class LabelledValue:
    """A value, the terms of its label, the unit that holds both, and the terms that say what it is about."""

    label: str
    terms: frozenset[str]
    value: str
    unit: Unit
    about: frozenset[str]


def labelled_value(words: Mapping[str, frozenset[str]], units: Sequence[Unit]) -> LabelledValue | None:
    """Return the one value whose label is asked for and whose titles hold all else that is asked; else `None`.

    `words` are the words of the question with their terms. The first value of a block names what it is about, as
    "Name: Rufus" does.
    """
    found = [one for block in _blocks(units) for one in block if _is_asked(one, words)]
    return found[0] if len(found) == 1 else None


def _is_asked(one: LabelledValue, words: Mapping[str, frozenset[str]]) -> bool:
    asked = [terms for text, terms in words.items() if not _is_light(text.lower()) or terms & one.terms]
    if not one.terms or not all(any(term in terms for terms in asked) for term in one.terms):
        return False
    rest = [terms for terms in asked if not terms & one.terms]
    return all(terms & one.about for terms in rest)


#: Verbs that go with any label: "Wer führte Protokoll?", "wer fehlte entschuldigt?".
_LIGHT: Final = frozenset("führt führte führen fehlt fehlte fehlen übernimmt übernahm".split())


def _is_light(word: str) -> bool:
    return word in WEAK or word in _LIGHT


def _blocks(units: Sequence[Unit]) -> Iterator[list[LabelledValue]]:
    """Yield runs of labelled values of one paragraph or list, with what they are about."""
    blocks: dict[tuple[object, ...], list[LabelledValue]] = defaultdict(list)
    prose: set[tuple[object, ...]] = set()
    for unit in units:
        if unit.kind in ("sentence", "item"):
            key: tuple[object, ...] = (
                unit.section_key,
                unit.paragraph if unit.kind == "sentence" else unit.lead,
                unit.kind,
            )
            values = list(_values(unit))
            if values or key in blocks or unit.kind == "item":
                blocks[key].extend(values)
            else:
                prose.add(key)
    for key, block in blocks.items():
        if key in prose:
            continue  # a label in the midst of sentences may be part of what they say
        named = frozenset[str]()
        if len(block) > 1:
            named = block[0].terms | all_terms(block[0].value)
        yield [replace(one, about=one.about | (named if one is not block[0] else frozenset())) for one in block]


def _values(unit: Unit) -> Iterator[LabelledValue]:
    """Yield the labelled values of a unit: of one on several lines one for each line that begins with a label."""
    runs: list[list[int]] = []
    for number, piece in enumerate(unit.pieces):
        text = _plain(piece.line.line.text[piece.start : piece.end], unit)
        if _match(text) is not None:
            runs.append([number])
        elif not runs:
            return
        else:
            runs[-1].append(number)
    for run in runs:
        pieces = tuple(unit.pieces[number] for number in run)
        text = " ".join(_plain(p.line.line.text[p.start : p.end], unit) for p in pieces)
        match = _match(text)
        if match is not None:
            part = unit if len(runs) == 1 else replace(unit, pieces=pieces, text=text)
            about = unit.heading_terms | all_terms(unit.lead)
            terms = content_terms(match["label"])
            yield LabelledValue(match["label"].strip(), terms, match["value"].strip().rstrip("."), part, about)


def _match(text: str) -> re.Match[str] | None:
    match = _LABEL.match(text)
    return match if match is not None and len(match["label"].split()) <= _MOST_WORDS else None


def _plain(text: str, unit: Unit) -> str:
    bare = BULLET.sub("", text)
    return without_markdown(bare).text.strip() if unit.line.is_markdown else bare.strip()
