"""What question parsing may know of the documents: their words, their names, and passages that hold a term."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from pincite.protocols import Store
from pincite.text.tokens import index_terms, words
from pincite.types.document import ParsedDocument
from pincite.types.record import Record


class ConceptKeyword(Record, frozen=True, kw_only=True):
    """One row of the user's `concept_keywords` table: naming the concept also searches the keyword."""

    concept: str
    keyword: str
    language: str = ""
    weight: float = 1.0


class Corpus(Protocol):
    """The documents as question parsing sees them."""

    def words(self) -> Mapping[str, int]:
        """Return every word in lower case, with the number of passages that hold it."""
        ...

    def term_counts(self, terms: Iterable[str]) -> Mapping[str, int]:
        """Return in how many passages each index term occurs."""
        ...

    def texts_with(self, term: str, *, k: int) -> Sequence[str]:
        """Return the texts of at most `k` passages that hold an index term."""
        ...

    def document_names(self) -> Sequence[str]:
        """Return the names that citations show."""
        ...


class StoreCorpus:
    """The documents of a store, or some of them."""

    def __init__(self, store: Store, doc_ids: Sequence[str] = ()) -> None:
        """Know the documents of `doc_ids`; none means all."""
        self._store = store
        self._doc_ids = tuple(doc_ids)

    def words(self) -> Mapping[str, int]:
        """Return every word in lower case, with the number of passages that hold it."""
        return self._store.words()

    def term_counts(self, terms: Iterable[str]) -> Mapping[str, int]:
        """Return in how many passages each index term occurs."""
        return self._store.term_counts(terms, doc_ids=self._doc_ids)

    def texts_with(self, term: str, *, k: int) -> Sequence[str]:
        """Return the texts of at most `k` passages that hold an index term."""
        hits = self._store.search_terms({term: 1.0}, doc_ids=self._doc_ids, k=k)
        return [p.passage.text for p in self._store.passages([hit.passage_id for hit in hits])]

    def document_names(self) -> Sequence[str]:
        """Return the names that citations show."""
        return [record.name for record in self._store.records()]


class DocumentCorpus:
    """One parsed document on its own."""

    def __init__(self, document: ParsedDocument) -> None:
        """Know the visible lines of `document`."""
        self._name = document.name
        self._lines = [line.text for line in document.lines if line.layer != "hidden" and line.text.strip()]
        self._words = Counter(word for line in self._lines for word in words(line))

    def words(self) -> Mapping[str, int]:
        """Return every word in lower case, with how often it occurs."""
        return self._words

    def term_counts(self, terms: Iterable[str]) -> Mapping[str, int]:
        """Return in how many lines each index term occurs."""
        wanted = set(terms)
        return Counter(t for line in self._lines for t in wanted & set(index_terms(line)))

    def texts_with(self, term: str, *, k: int) -> Sequence[str]:
        """Return at most `k` stretches of lines that hold an index term."""
        found = [i for i, line in enumerate(self._lines) if term in index_terms(line)]
        return [" ".join(self._lines[max(0, i - 1) : i + 2]) for i in found[:k]]

    def document_names(self) -> Sequence[str]:
        """Return the name of the document."""
        return [self._name]
