"""A question with what is known of its answer."""

from pincite.types.question import Shape
from pincite.types.record import Record


class Evidence(Record, frozen=True, kw_only=True):
    """One piece of a document that holds the answer, or a part of it.

    `page` starts at 1; `start` and `end` are character offsets in the text of a text file. A `heading` names a
    section. `grade` is how relevant a document is (BEIR); 1 elsewhere.
    """

    doc: str
    page: int | None = None
    text: str | None = None
    heading: str | None = None
    start: int | None = None
    end: int | None = None
    grade: int = 1


class Sample(Record, frozen=True, kw_only=True):
    """One question of a suite.

    `answers` are right answers, any of which will do; where `shape` is list, table or comparison they are parts, all of
    which have to be there.
    `docs` are the documents it is asked of, by their names in the suite. `shape` is the form of the answer, where the
    suite says it. A question that is not `answerable` has to be refused.
    """

    id: str
    question: str
    answerable: bool = True
    answers: tuple[str, ...] = ()
    kind: str = ""
    docs: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    shape: Shape | None = None
