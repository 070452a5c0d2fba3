"""What the widget is made of: passages and their review, the index file, evals, and the outcome of a question."""

from typing import Annotated, Final

from msgspec import Meta

from pincite.types.record import Record

#: The form of the index file; `pincite-ask.js` reads this one alone.
FORMAT: Final = "pincite-widget/1"

Positive = Annotated[float, Meta(gt=0, le=1_000_000)]
Share = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=1, le=1000)]


class Scoring(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The numbers of the scoring, kept in the index file. A term that is found scores `term_weight` × its idf.

    A term of which only a beginning is found (at least `prefix_min` characters) scores `prefix_share` of that. Below
    `threshold` the question is refused; of the others at most `shown` are shown, none below `keep_share` of the best.
    """

    term_weight: Positive = 2.0
    prefix_share: Share = 0.5
    prefix_min: Count = 4
    shown: Count = 3
    threshold: Annotated[float, Meta(ge=0, le=1_000_000)] = 3.5
    keep_share: Share = 0.55


class ReviewedPassage(Record, frozen=True, kw_only=True):
    """A passage that a person has read and found right: what the widget shows, verbatim.

    `url` is where it can be read in full, `reviewed_on` an ISO date. `tags` are further words to be found by.
    """

    id: str
    text: str
    title: str
    url: str
    reviewed_by: str
    reviewed_on: str
    tags: tuple[str, ...] = ()


class Draft(Record, frozen=True, kw_only=True):
    """A passage as it stands in its source file, reviewed or not; what is missing is empty.

    `place` says where it stands in that file; `cite` from which lines of a document it was drafted.
    """

    id: str
    text: str
    title: str = ""
    url: str = ""
    tags: tuple[str, ...] = ()
    reviewed_by: str = ""
    reviewed_on: str = ""
    cite: str = ""
    place: str = ""

    @property
    def is_reviewed(self) -> bool:
        """Whether a person and a day stand behind it."""
        return bool(self.reviewed_by and self.reviewed_on)


class SourceFile(Record, frozen=True, kw_only=True):
    """A source file: its passages, and what the site says in its own words.

    `refusal` is shown when nothing is found, `suggestions` are questions that it does cover, `words` take the place of
    the words on the element's surface. `content_hash` is the SHA-256 of the file.
    """

    passages: tuple[Draft, ...]
    title: str
    refusal: str
    suggestions: tuple[str, ...]
    scoring: Scoring
    language: str
    stop_words: tuple[str, ...]
    words: dict[str, str]
    content_hash: str


class Index(Record, frozen=True, kw_only=True):
    """The index file: everything `<pincite-ask>` knows. Only reviewed passages are in it."""

    format: str
    title: str
    language: str
    refusal: str
    suggestions: tuple[str, ...]
    scoring: Scoring
    stop_words: tuple[str, ...]
    passages: tuple[ReviewedPassage, ...]
    words: dict[str, str]
    source_hash: str


class Matched(Record, frozen=True, kw_only=True):
    """A term of the question in one passage: the passage's own terms that it meets, and what it scores there."""

    term: str
    found: tuple[str, ...]
    exact: bool
    score: float


class Scored(Record, frozen=True, kw_only=True):
    """A passage with its score and its matched terms; `rank` starts at 1."""

    id: str
    rank: int
    score: float
    matched: tuple[Matched, ...]


class LookedUp(Record, frozen=True, kw_only=True):
    """A term of the question: in how many passages it was found, by itself or by its beginning, and its idf."""

    term: str
    n_passages: int
    idf: float


class Outcome(Record, frozen=True, kw_only=True):
    """What a question comes to. `ranked` are all passages that hold a term of it, `shown` those that are shown.

    Nothing shown means: refused.
    """

    question: str
    terms: tuple[LookedUp, ...]
    ranked: tuple[Scored, ...]
    shown: tuple[Scored, ...]

    @property
    def is_refusal(self) -> bool:
        """Whether nothing is shown."""
        return not self.shown

    @property
    def best_score(self) -> float:
        """The best score, 0 where no passage holds a term of the question."""
        return self.ranked[0].score if self.ranked else 0.0


class Eval(Record, frozen=True, kw_only=True):
    """A question with the passages of which one has to come first; none: it has to be refused."""

    question: str
    passages: tuple[str, ...]
    place: str = ""

    @property
    def must_refuse(self) -> bool:
        """Whether a refusal is what is right."""
        return not self.passages


class EvalResult(Record, frozen=True, kw_only=True):
    """An eval and its outcome; `reason` says what is wrong, and is empty where nothing is.

    `right_score` is the score of the best right passage: 0 where a refusal is right, or where it was not found.
    """

    eval: Eval
    outcome: Outcome
    reason: str
    right_score: float


class Margin(Record, frozen=True, kw_only=True):
    """How far right answers and what must be refused lie apart.

    `weakest` is the right answer with the lowest score, `strongest` what must be refused with the highest; `None` where
    there is none. `proposed` is the threshold half-way between them; `None` where no threshold parts them.
    """

    threshold: float
    weakest: EvalResult | None
    strongest: EvalResult | None
    proposed: float | None

    @property
    def gap(self) -> float | None:
        """The room between them; below 0 no threshold parts them."""
        if self.weakest is None or self.strongest is None:
            return None
        return round(self.weakest.right_score - self.strongest.outcome.best_score, 3)


class EvalReport(Record, frozen=True, kw_only=True):
    """Every eval with its outcome, and the margin."""

    results: tuple[EvalResult, ...]
    margin: Margin

    @property
    def failures(self) -> tuple[EvalResult, ...]:
        """The evals that came out wrong."""
        return tuple(result for result in self.results if result.reason)


class Finding(Record, frozen=True, kw_only=True):
    """What a reviewer should look at: `kind` is stable, `message` says what and what to do."""

    kind: str
    id: str
    place: str
    message: str
