"""The router over tables of contents: sections whose titles answer to the question, and sets of like records."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from pincite.protocols import Store
from pincite.retrieval.terms import QueryTerms
from pincite.text.sets import FEWEST_RECORDS, Noun
from pincite.text.tokens import index_terms, is_stop_term
from pincite.types.document import DocumentRecord, Section


@dataclass(frozen=True, slots=True)
class SectionHit:
    """A section whose title matches; `score` is between 0 and 1."""

    doc_id: str
    section: Section
    score: float
    title_coverage: float


@dataclass(frozen=True, slots=True)
class NamedSections:
    """Sections of one set, each with its document; `is_files` where every record is a file of its own."""

    sections: tuple[tuple[str, Section], ...]
    is_files: bool = False


@dataclass(frozen=True, slots=True)
class _Entry:
    doc_id: str
    section: Section
    terms: frozenset[str]


class ContentsIndex:
    """Every title of the library by its terms; made once for each state of the store."""

    def __init__(self, store: Store, before: "ContentsIndex | None" = None) -> None:
        """Read the contents of every document; those that `before` knows already are not read again."""
        self._entries: list[_Entry] = []
        self._by_term: dict[str, list[int]] = defaultdict(list)
        self._children: dict[tuple[str, int], list[int]] = defaultdict(list)
        self._known: dict[str, tuple[DocumentRecord, tuple[_Entry, ...]]] = {}
        for record in store.records():
            known = None if before is None else before._known.get(record.doc_id)  # noqa: SLF001 - the same class
            if known is None or known[0] != record:
                known = (record, tuple(_entry(record.doc_id, section) for section in store.toc(record.doc_id)))
            self._known[record.doc_id] = known
            for entry in known[1]:
                self._add(entry)

    def _add(self, entry: _Entry) -> None:
        number = len(self._entries)
        self._entries.append(entry)
        for term in entry.terms:
            self._by_term[term].append(number)
        if entry.section.parent_id is not None:
            self._children[(entry.doc_id, entry.section.parent_id)].append(number)

    def hits(self, terms: QueryTerms, *, doc_ids: frozenset[str], k: int) -> list[SectionHit]:
        """Return at most `k` sections by how much of the question their titles hold, and of the title the question.

        The score is the harmonic mean (F1) of both shares, each weighted by inverse passage frequency.
        """
        found: dict[int, float] = defaultdict(float)
        for query_term in terms.terms:
            best: dict[int, float] = {}
            for term, weight in query_term.terms.items():
                for number in self._by_term.get(term, ()):
                    best[number] = max(best.get(number, 0.0), weight)
            for number, weight in best.items():
                found[number] += weight * query_term.value
        return self._ranked(found, terms, doc_ids, k)

    def _ranked(self, found: dict[int, float], terms: QueryTerms, doc_ids: frozenset[str], k: int) -> list[SectionHit]:
        hits = []
        known = {t: q.value for q in terms.terms for t in q.terms}
        average = terms.total / max(len(terms.terms), 1)
        for number, value in found.items():
            entry = self._entries[number]
            if doc_ids and entry.doc_id not in doc_ids:
                continue
            others = sum(average for t in entry.terms if t not in known)
            of_title = value / (value + others) if value else 0.0
            of_question = value / terms.total if terms.total else 0.0
            score = 2 * of_title * of_question / (of_title + of_question) if value else 0.0
            hits.append(SectionHit(entry.doc_id, entry.section, score, of_title))
        return sorted(hits, key=lambda h: (-h.score, h.doc_id, h.section.section_id))[:k]

    def numbered(self, label: str, *, doc_ids: frozenset[str]) -> list[SectionHit]:
        """Return the sections whose title begins with a number or letter ("3.5 Positional Encoding", "Annex A")."""
        pattern = re.compile(
            rf"^(?:§\s*|(?:section|chapter|part|article|clause|annex|appendix)\s+)?{re.escape(label)}(?![\w]|\.\d)",
            re.IGNORECASE,
        )
        return [
            SectionHit(e.doc_id, e.section, 1.0, 1.0)
            for e in self._entries
            if (not doc_ids or e.doc_id in doc_ids) and pattern.match(e.section.title)
        ]

    def records(self, noun: Noun, *, doc_ids: frozenset[str]) -> Iterator[NamedSections]:
        """Yield sets of at least three sections that a noun names: "Ship Alma" …, those below "Ships", a file each."""
        known = {n for form in noun.forms for n in self._by_term.get(form, ())}
        entries = [e for n in sorted(known) if (e := self._entries[n]).doc_id in doc_ids or not doc_ids]
        alike: dict[tuple[str, int], list[Section]] = defaultdict(list)
        titles: list[tuple[str, Section]] = []
        for entry in entries:
            section = entry.section
            if noun.begins(section.title):
                alike[(entry.doc_id, len(section.breadcrumb))].append(section)
                if section.parent_id is None:
                    titles.append((entry.doc_id, section))
            elif noun.names_set(section.title):
                below = self._children.get((entry.doc_id, section.section_id), ())
                if len(below) >= FEWEST_RECORDS:
                    children = tuple(self._entries[n].section for n in below)
                    yield NamedSections(tuple((entry.doc_id, child) for child in children))
        for (doc_id, _), sections in alike.items():
            if len(sections) >= FEWEST_RECORDS:
                yield NamedSections(tuple((doc_id, section) for section in sections))
        if len({doc_id for doc_id, _ in titles}) >= FEWEST_RECORDS:
            yield NamedSections(tuple(titles), is_files=True)


def _entry(doc_id: str, section: Section) -> _Entry:
    terms = (t for t in index_terms(section.title) if t.isdigit() or (len(t) > 1 and not is_stop_term(t)))
    return _Entry(doc_id, section, frozenset(terms))
