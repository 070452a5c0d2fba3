"""One question through the real pipeline: what was found, read, answered and quoted, with its scores."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from pincite.errors import PinciteError
from pincite.evaluation.corpus import Corpus
from pincite.evaluation.places import Place
from pincite.evaluation.records import CitedPlace, QuestionRecord
from pincite.evaluation.samples import Sample
from pincite.evaluation.scorers import Shown, ShownItem, answer_scores, is_right, ranking_scores, reading_scores
from pincite.evaluation.truth import Key, Truth, Unit, keys_of, truth_of
from pincite.types.answer import Answer, ClaimedQuote, Draft, Result
from pincite.types.citation import Citation
from pincite.types.passage import LineRange
from pincite.types.record import from_json
from pincite.types.trace import Trace

#: How many places are ranked for the measures of retrieval.
DEPTH = 50


@dataclass
class _Seen:
    """What is known of one question so far."""

    ranked: tuple[Key, ...] = ()
    scores: dict[str, float] = field(default_factory=dict)
    search_s: float | None = None
    ask_s: float | None = None
    result: Result | None = None
    right: bool | None = None
    citations: tuple[CitedPlace, ...] = ()


def observe(sample: Sample, corpus: Corpus, *, retrieval_only: bool = False) -> QuestionRecord:
    """Ask one question and return its record; what pincite raises on purpose is a record, too."""
    truth = truth_of(sample, corpus.text_of)
    seen, error = _Seen(), None
    try:
        doc_ids = corpus.doc_ids(sample.docs) if corpus.suite.scope == "docs" and sample.docs else corpus.scope()
        _search(seen, sample, truth, corpus, doc_ids)
        if not retrieval_only and corpus.suite.form != "beir":
            _ask(seen, sample, truth, corpus, doc_ids)
    except PinciteError as problem:
        error = f"{problem.code}: {problem}"
        seen.scores = ranking_scores((), truth) | seen.scores
    return _record(sample, truth, seen, corpus, error)


def _search(seen: _Seen, sample: Sample, truth: Truth, corpus: Corpus, doc_ids: Sequence[str]) -> None:
    library = corpus.library
    if truth.unit is not None:
        # To find a document one looks among all of them.
        within = corpus.scope() if truth.unit == "document" else doc_ids
        started = time.perf_counter()
        found = library.search(sample.question, docs=within, top_k=DEPTH)
        seen.search_s = time.perf_counter() - started
        places = [place for candidate in found.candidates for place in corpus.places(candidate.anchor)]
        seen.ranked = keys_of(places, truth, corpus.text_of)
        seen.scores |= ranking_scores(seen.ranked, truth, prefix="" if corpus.suite.form == "beir" else None)
    if corpus.suite.form == "folder" and (truth.spans or truth.pieces):
        readable = library.search(sample.question, docs=doc_ids).filtered_lines
        seen.scores |= reading_scores([place for lines in readable for place in corpus.places(lines)], truth)


def _ask(seen: _Seen, sample: Sample, truth: Truth, corpus: Corpus, doc_ids: Sequence[str]) -> None:
    started = time.perf_counter()
    seen.result = corpus.library.ask(sample.question, doc_ids=doc_ids)
    seen.ask_s = time.perf_counter() - started
    shown: Shown = ()
    if isinstance(seen.result, Answer):
        shown = [
            ShownItem(text=item.text, value=item.value, places=tuple(_cited(item.citations, corpus)))
            for item in seen.result.items
        ]
        cites = [citation for item in seen.result.items for citation in item.citations]
        seen.citations = tuple(_checked(citation, corpus) for citation in dict.fromkeys(cites))
        seen.right = is_right(sample, truth, shown)
    else:
        draft = _draft(corpus.library.trace(seen.result.trace_id), seen.result.signals.confidence)
        seen.right = is_right(sample, truth, _drafted(draft, corpus))
    if sample.answerable:
        seen.scores |= answer_scores(sample, truth, shown)


def _cited(citations: Sequence[Citation], corpus: Corpus) -> list[Place]:
    """Return the places of citations, one for each page; the first carries the whole quote."""
    places: list[Place] = []
    for citation in citations:
        lines = LineRange(
            doc_id=citation.doc_id, first_line_id=min(citation.line_ids), last_line_id=max(citation.line_ids)
        )
        for index, place in enumerate(corpus.places(lines)):
            places.append(replace(place, text="" if index else citation.quote))
    return places


def _checked(citation: Citation, corpus: Corpus) -> CitedPlace:
    """Look a quote up in its document again, plainly: in the cited lines, as they stand in the suite's own file."""
    places = list(corpus.places_of_ids(citation.doc_id, citation.line_ids))
    name = places[0].doc if places else citation.doc_name
    text = corpus.text_of(name).text if places else ""
    lines = "\n".join(text[p.start : p.end] for p in places if p.start is not None and p.end is not None)
    return CitedPlace(
        doc=name,
        page=citation.page,
        first_line=citation.first_line,
        last_line=citation.last_line,
        quote=citation.quote,
        is_in_document=bool(citation.quote.strip()) and _plain(citation.quote) in _plain(lines),
    )


def _plain(text: str) -> str:
    return " ".join(text.split())


def _draft(trace: Trace, confidence: float) -> Draft | None:
    """Return the draft that a refusal held back: the last one with the confidence of the refusal."""
    drafts = [from_json(step.output, Draft) for step in trace.steps if step.name == "answer"]
    return next((d for d in reversed(drafts) if abs(d.confidence - confidence) < 1e-6), None)


def _drafted(draft: Draft | None, corpus: Corpus) -> Shown:
    if draft is None:
        return ()
    return [
        ShownItem(
            text=item.text,
            value=item.value,
            places=tuple(
                replace(place, text=quote.quote) for quote in item.quotes for place in corpus.places(_lines_of(quote))
            ),
        )
        for item in draft.items
    ]


def _lines_of(quote: ClaimedQuote) -> LineRange:
    return LineRange(doc_id=quote.doc_id, first_line_id=quote.first_line_id, last_line_id=quote.last_line_id)


def _record(sample: Sample, truth: Truth, seen: _Seen, corpus: Corpus, error: str | None) -> QuestionRecord:
    result = seen.result
    outcome = None if result is None else "answer" if isinstance(result, Answer) else result.reason
    shape = sample.shape or (result.shape if isinstance(result, Answer) else None)
    return QuestionRecord(
        id=sample.id,
        question=sample.question,
        shape=shape or corpus.library.parse_question(sample.question).shape,
        kind=sample.kind,
        answerable=sample.answerable,
        result="error" if error else outcome,
        confidence=None if result is None else result.signals.confidence,
        is_right=seen.right,
        items=tuple(item.text for item in result.items) if isinstance(result, Answer) else (),
        citations=seen.citations,
        ranking=tuple(trec_key(key, truth.unit) for key in seen.ranked[:DEPTH]),
        gold={trec_key(key, truth.unit): grade for key, grade in truth.gold.items()},
        scores={name: round(value, 6) for name, value in seen.scores.items()},
        search_s=seen.search_s,
        ask_s=seen.ask_s,
        error=error,
    )


def trec_key(key: Key, unit: Unit | None) -> str:
    """Return a unit as TREC files name it: without blanks, a whole document by its name alone.

    >>> trec_key(("annual report.pdf", 12), "page"), trec_key(("4983", 0), "document")
    ('annual_report.pdf#12', '4983')
    """
    name = "_".join(key[0].split())
    return name if unit == "document" else f"{name}#{key[1]}"
