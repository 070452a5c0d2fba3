"""Do two passages say the same of different numbers? Sentences that share their words are compared number by number."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from pincite.text.sentences import sentence_spans
from pincite.types.record import Record
from pincite.widget.likeness import like_pairs
from pincite.widget.records import Draft, Finding
from pincite.widget.words import stop_words, terms, words

#: Sentences that share this part of their words, and at least this many, speak of the same thing.
_SHARED: Final = 0.5
_LEAST: Final = 2
_SPELLED: Final = {
    word: str(number)
    for number, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_SILENT: Final = frozenset(stop_words("en")) - {"one"}


class Said(Record, frozen=True, kw_only=True):
    """A sentence: its words without the numbers, and each number under the word that follows it (its unit)."""

    passage: int
    text: str
    words: frozenset[str]
    numbers: dict[str, frozenset[str]]


def contradictions(drafts: Sequence[Draft]) -> Iterator[Finding]:
    """Yield the later of two passages that give other numbers for what looks the same."""
    sentences = [said for number, draft in enumerate(drafts) for said in _sentences(draft, number)]
    told = set()
    for later, earlier in _pairs(sentences):
        pair = (later.passage, earlier.passage)
        differing = _differing(earlier, later)
        if differing and pair not in told:
            told.add(pair)
            draft, other = drafts[later.passage], drafts[earlier.passage]
            where = f"{differing} in {other.id} ({other.place}): “{earlier.text}”"
            message = f"{where}; one of them is wrong, or say how they differ"
            yield Finding(kind="contradiction", id=draft.id, place=draft.place, message=message)


def numbers_in(text: str) -> frozenset[str]:
    """Return the numbers of a text as digits, without marks between thousands; small ones in words, too."""
    found = (_SPELLED.get(word.term, word.term) for word in words(text))
    return frozenset(_THOUSANDS.sub("", term) for term in found if term[:1].isdigit())


def words_in(text: str) -> frozenset[str]:
    """Return the terms of a text that are no numbers and not silent."""
    return frozenset(t for t in terms(text, _SILENT) if not t[:1].isdigit() and t not in _SPELLED)


def _sentences(draft: Draft, passage: int) -> Iterator[Said]:
    for span in sentence_spans(draft.text):
        text = draft.text[span.start : span.end]
        found = [_SPELLED.get(word.term, word.term) for word in words(text)]
        numbers: dict[str, set[str]] = {}
        for at, term in enumerate(found):
            if term[:1].isdigit():
                unit = next((t for t in found[at + 1 : at + 2] if not t[:1].isdigit() and t not in _SILENT), "")
                numbers.setdefault(unit, set()).add(_THOUSANDS.sub("", term))
        if numbers:
            yield Said(
                passage=passage,
                text=" ".join(text.split()),
                words=words_in(text),
                numbers={unit: frozenset(values) for unit, values in numbers.items()},
            )


def _pairs(sentences: Sequence[Said]) -> Iterator[tuple[Said, Said]]:
    """Yield sentences of two passages that share most of their words: the later one, and the earlier one."""
    for number, other in like_pairs([said.words for said in sentences], _SHARED):
        later, earlier = sentences[number], sentences[other]
        if earlier.passage != later.passage and len(later.words & earlier.words) >= _LEAST:
            yield later, earlier


def _differing(earlier: Said, later: Said) -> str:
    """Return `20 files here, 25 files`, or nothing where no number of the same unit differs."""
    for unit, values in later.numbers.items():
        before = earlier.numbers.get(unit)
        if before and not values & before:
            return f"{_listed(values, unit)} here, {_listed(before, unit)}"
    return ""


def _listed(values: frozenset[str], unit: str) -> str:
    return f"{' and '.join(sorted(values))} {unit}".rstrip()
