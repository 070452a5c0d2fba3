"""What question parsing may know of the documents: their words, their names, and passages that hold a term."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from pincite.types.record import Record


class ConceptKeyword(Record, frozen=True):
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
