"""Scores of one question: what was found, what may be read, what was answered, against what is right."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from pincite.evaluation.matching import (
    amounts_in,
    boolean_of,
    exact_match,
    holds,
    quantity_of,
    same_amount,
    token_f1,
)
from pincite.evaluation.places import Place, merged, shared_length
from pincite.evaluation.ranking import hit_at, ndcg_at, recall_at, reciprocal_rank
from pincite.evaluation.samples import Sample
from pincite.evaluation.truth import Key, Truth, touches
from pincite.text.tokens import words
from pincite.types.answer import Quantity, Value
from pincite.types.answer import Truth as TruthValue
from pincite.types.record import Record

#: A number that was computed or rounded by people is right within this share.
NUMBER_TOLERANCE: Final = 0.01
#: Longer answers are people's own words, not the document's.
_SHORT_ANSWER_WORDS: Final = 12
#: Shapes whose `answers` are parts, all of which have to be there.
_OF_PARTS: Final = frozenset({"list", "table", "comparison"})


class ShownItem(Record, frozen=True, kw_only=True):
    """One item that a reader is shown: its words, its value, and the quotes under it."""

    text: str
    places: tuple[Place, ...]
    value: Value | None = None


Shown = Sequence[ShownItem]


def ranking_scores(ranked: Sequence[Key], truth: Truth, *, prefix: str | None = None) -> dict[str, float]:
    """Return hit, MRR, nDCG and recall of ranked units; the names begin with the unit, or with `prefix`."""
    if truth.unit is None or not truth.gold:
        return {}
    before = f"{truth.unit}_" if prefix is None else prefix
    scores = {f"hit@{k}": hit_at(ranked, truth.gold, k) for k in (1, 5, 10)}
    scores["mrr"] = reciprocal_rank(ranked, truth.gold)
    scores["ndcg@10"] = ndcg_at(ranked, truth.gold, 10)
    scores["recall@10"] = recall_at(ranked, truth.gold, 10)
    return {before + name: value for name, value in scores.items()}


def reading_scores(read: Sequence[Place], truth: Truth) -> dict[str, float]:
    """Return how much of the evidence the answerer may read, and how much of what it may read is evidence."""
    if truth.spans and not any(p.page is not None for p in truth.pieces):
        covered = sum(shared_length(_spans(read, doc), gold) for doc, gold in truth.spans.items())
        n_gold = sum(end - start for gold in truth.spans.values() for start, end in merged(gold))
        n_read = sum(end - start for doc in {p.doc for p in read} for start, end in merged(_spans(read, doc)))
        recall = covered / n_gold if n_gold else 0.0
        scores = {"gold_coverage": recall}
        if truth.has_offsets:
            scores |= {"span_recall": recall, "span_precision": covered / n_read if n_read else 0.0}
        return scores
    wanted = [p for p in truth.pieces if p.page is not None and p.text.strip()]
    return {"gold_coverage": sum(_words_read(p, read) for p in wanted) / len(wanted)} if wanted else {}


def _spans(places: Sequence[Place], doc: str) -> list[tuple[int, int]]:
    return [(p.start, p.end) for p in places if p.doc == doc and p.start is not None and p.end is not None]


def _words_read(piece: Place, read: Sequence[Place]) -> float:
    """Return the share of the words of a piece of evidence that stand in what is read of its page."""
    wanted = Counter(word.lower() for word in words(piece.text))
    there = Counter(word.lower() for p in read if (p.doc, p.page) == (piece.doc, piece.page) for word in words(p.text))
    return sum((wanted & there).values()) / max(1, sum(wanted.values()))


def answer_scores(sample: Sample, truth: Truth, shown: Shown) -> dict[str, float]:
    """Return the scores of an answer to a question that has one; nothing shown scores 0.

    What is said of the cites (do they hold the answer, is a line of the evidence cited, precision) is said of answers
    alone: a refusal cites nothing, and is counted among the false refusals.
    """
    places = [place for item in shown for place in item.places]
    scores: dict[str, float] = {}
    if shown and is_extractive(sample):
        scores["gold_in_quote"] = float(quotes_hold(sample, places))
    has_lines = any(p.start is not None for p in truth.pieces) and truth.unit != "section"
    if shown and has_lines:
        scores["gold_line_cited"] = float(any(truth.holds(place) for place in places))
    if truth.pieces:
        cited = sum(any(touches(place, piece) for place in places) for piece in truth.pieces)
        scores["citation_recall"] = cited / len(truth.pieces)
        if places:
            scores["citation_precision"] = sum(truth.holds(place) for place in places) / len(places)
    return scores | _word_scores(sample, shown)


def _word_scores(sample: Sample, shown: Shown) -> dict[str, float]:
    if not sample.answers:
        return {}
    answers = [" ".join(sample.answers)] if sample.shape in _OF_PARTS else sample.answers
    said = " ".join(item.text for item in shown)
    value = _value_words(shown)
    scores = {
        "exact_match": max(exact_match(said, answers), exact_match(value, answers) if value else 0.0),
        "token_f1": max(token_f1(said, answers), token_f1(value, answers) if value else 0.0) if shown else 0.0,
    }
    if asks_number(sample):
        scores["numeric_match"] = float(number_matches(sample, shown))
    if all(boolean_of(answer) is not None for answer in sample.answers):
        scores["boolean_match"] = float(boolean_matches(sample, shown))
    return scores


def _value_words(shown: Shown) -> str:
    """Return the first value in words, as a person would write it alone."""
    value = shown[0].value if shown else None
    if isinstance(value, Quantity):
        return " ".join(filter(None, (value.number, value.scale, value.unit, value.currency)))
    if isinstance(value, TruthValue):
        return "yes" if value.value else "no"
    return ""


def is_extractive(sample: Sample) -> bool:
    """Say whether the answer is words of the document: short, and standing in the evidence where that has a text."""
    short = [a for a in sample.answers if 0 < len(a.split()) <= _SHORT_ANSWER_WORDS]
    texts = [e.text for e in sample.evidence if e.text]
    if not short or boolean_of(short[0]) is not None:
        return False
    if texts:
        return any(holds(text, answer) for text in texts for answer in short)
    return any(e.page is not None for e in sample.evidence) and not asks_number(sample)


def quotes_hold(sample: Sample, places: Sequence[Place]) -> bool:
    """Say whether an answer stands in a quote; of a list, a table and a comparison every part has to."""
    found = [any(holds(place.text, answer) for place in places) for answer in sample.answers]
    return bool(found) and (all(found) if sample.shape in _OF_PARTS else any(found))


def asks_number(sample: Sample) -> bool:
    """Say whether the answer is an amount and nothing else."""
    is_amount = sample.kind == "number" or sample.shape == "amount" or not any(e.text for e in sample.evidence)
    is_amount = is_amount or not any(holds(e.text or "", a) for e in sample.evidence for a in sample.answers)
    return is_amount and bool(sample.answers) and all(quantity_of(a) is not None for a in sample.answers)


def number_matches(sample: Sample, shown: Shown) -> bool:
    """Say whether the first item says the right amount."""
    if not shown:
        return False
    value = shown[0].value
    said = [value] if isinstance(value, Quantity) else amounts_in(shown[0].text)
    tolerance = 0.0 if sample.shape == "amount" else NUMBER_TOLERANCE
    right = [q for q in map(quantity_of, sample.answers) if q is not None]
    return any(same_amount(one, other, tolerance=tolerance) for one in said for other in right)


def boolean_matches(sample: Sample, shown: Shown) -> bool:
    """Say whether the first item says the right yes or no."""
    value = shown[0].value if shown else None
    said = value.value if isinstance(value, TruthValue) else boolean_of(shown[0].text) if shown else None
    return said is not None and said in {boolean_of(answer) for answer in sample.answers}


def is_right(sample: Sample, truth: Truth, shown: Shown) -> bool:
    """Say whether what is shown answers the question, by the most exact truth that the suite has.

    An answer in words of the document has to stand in a quote; a number or a yes has to be said; otherwise a quote
    has to stand where the evidence is.
    """
    if not sample.answerable or not shown:
        return False
    places = [place for item in shown for place in item.places]
    if is_extractive(sample):
        return quotes_hold(sample, places)
    if asks_number(sample):
        return number_matches(sample, shown)
    if sample.answers and all(boolean_of(answer) is not None for answer in sample.answers):
        return boolean_matches(sample, shown)
    return any(truth.holds(place) for place in places)
