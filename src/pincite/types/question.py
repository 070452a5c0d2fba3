"""A parsed question and the two briefs made from it, each with only what its consumer may use."""

from typing import Literal

from pincite.types.record import Record

Shape = Literal["text", "amount", "date", "boolean", "list", "table", "comparison"]
Granularity = Literal["window", "section", "page", "document"]
KeywordOrigin = Literal["question", "correction", "vocabulary", "model", "loop"]


class Keyword(Record, frozen=True, kw_only=True):
    """A word or phrase to search for, and who proposed it; `stands_for` are the words of the question it replaces."""

    text: str
    weight: float = 1.0
    origin: KeywordOrigin = "question"
    stands_for: str | None = None


class Acronym(Record, frozen=True, kw_only=True):
    """An acronym and its long form, as the documents define it; `others` are long forms that they give it beside."""

    short: str
    long: str
    others: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """What there is to say of it."""
        also = "".join(f", and for {other}" for other in self.others)
        return f"{self.short} stands for {self.long} in the documents{also}"


class Hints(Record, frozen=True, kw_only=True):
    """Places the question itself names. Pages are as typed ("3", "iii", "A-1").

    `places` are the labels of sections, tables and the like as documents list them: "Title III", "Table 2". `terms`
    are what it asks the meaning of.
    """

    pages: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()


class ParsedQuestion(Record, frozen=True, kw_only=True):
    """What pincite understood; `notes` say what it changed or assumed.

    `must_distinguish` holds what may not be swapped for a neighbour: numbers, codes, names and negations
    that an answer's lines have to carry. `clarification` is a question back. `rewrites` ask the same in other
    words (those of the documents, or their language), `disambiguation` says which of several things is meant.
    `acronyms` are those that were searched by both of their forms.
    """

    original: str
    corrected: str
    language: str
    keywords: tuple[Keyword, ...]
    shape: Shape
    granularity: Granularity
    sub_questions: tuple[str, ...] = ()
    hints: Hints = Hints()
    must_distinguish: tuple[str, ...] = ()
    clarification: str | None = None
    notes: tuple[str, ...] = ()
    counts: bool = False
    unit: str | None = None
    rewrites: tuple[str, ...] = ()
    disambiguation: str | None = None
    acronyms: tuple[Acronym, ...] = ()


class Scope(Record, frozen=True, kw_only=True):
    """Where to look: `doc_ids` empty means every document; dates are ISO, both included."""

    doc_ids: tuple[str, ...] = ()
    from_date: str | None = None
    to_date: str | None = None


class RetrievalQuery(Record, frozen=True, kw_only=True):
    """What retrieval may use."""

    main_query: str
    rewrites: tuple[str, ...] = ()
    anchor_keywords: tuple[Keyword, ...] = ()
    section_hint: str | None = None
    page_hints: tuple[str, ...] = ()
    object_hints: tuple[str, ...] = ()
    layout_hint: Literal["page", "sheet", "slide", "table", "figure"] | None = None
    granularity: Granularity = "window"
    shape: Shape = "text"
    scope: Scope = Scope()


class GenerationBrief(Record, frozen=True, kw_only=True):
    """What the answerer may use. `reads_page`: the question names a page or place: without keywords it is read out."""

    question: str
    shape: Shape
    reads_page: bool = False
    keywords: tuple[Keyword, ...] = ()
    unit: str | None = None
    counts: bool = False
    must_distinguish: tuple[str, ...] = ()
    disambiguation: str | None = None
    sub_questions: tuple[str, ...] = ()
    rewrites: tuple[str, ...] = ()
