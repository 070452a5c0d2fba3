"""The forms that a model fills: one for each shape of answer, and the loose ones that are read as well."""

from typing import Final, TypeAlias

from pincite.types.question import Shape
from pincite.types.record import Record


class Quoted(Record, frozen=True, kw_only=True):
    """A quote, copied character by character, and the numbers of the lines it is copied from."""

    first_line: int
    last_line: int
    quote: str


class TextItem(Record, frozen=True, kw_only=True):
    """One item and the quotes that bear it out."""

    quotes: tuple[Quoted, ...]
    text: str


class AmountItem(Record, frozen=True, kw_only=True):
    """One amount: its digits as in the quote, with its unit, scale and currency."""

    quotes: tuple[Quoted, ...]
    text: str
    number: str
    unit: str | None = None
    scale: str | None = None
    currency: str | None = None


class DateItem(Record, frozen=True, kw_only=True):
    """One date: ISO as far as it is known, and as it stands in the quote."""

    quotes: tuple[Quoted, ...]
    text: str
    iso: str
    original: str


class TruthItem(Record, frozen=True, kw_only=True):
    """Yes (true) or no (false), and the quote that decides it."""

    quotes: tuple[Quoted, ...]
    text: str
    value: bool


class RowItem(Record, frozen=True, kw_only=True):
    """One row or side; its cells follow the columns."""

    quotes: tuple[Quoted, ...]
    text: str
    cells: tuple[str, ...]


FormItem: TypeAlias = TextItem | AmountItem | DateItem | TruthItem | RowItem


class TextForm(Record, frozen=True, kw_only=True):
    """Whether the lines answer the question, and the items if they do."""

    found: bool
    items: tuple[TextItem, ...] = ()
    reason: str | None = None
    complete: bool = True
    conflicting: bool = False
    confidence: float = 0.8


class AmountForm(Record, frozen=True, kw_only=True):
    """Whether the lines answer the question, and the amounts if they do."""

    found: bool
    items: tuple[AmountItem, ...] = ()
    reason: str | None = None
    complete: bool = True
    conflicting: bool = False
    confidence: float = 0.8


class DateForm(Record, frozen=True, kw_only=True):
    """Whether the lines answer the question, and the dates if they do."""

    found: bool
    items: tuple[DateItem, ...] = ()
    reason: str | None = None
    complete: bool = True
    conflicting: bool = False
    confidence: float = 0.8


class TruthForm(Record, frozen=True, kw_only=True):
    """Whether the lines answer the question, and yes or no if they do."""

    found: bool
    items: tuple[TruthItem, ...] = ()
    reason: str | None = None
    complete: bool = True
    conflicting: bool = False
    confidence: float = 0.8


class TableForm(Record, frozen=True, kw_only=True):
    """Whether the lines answer the question, and the columns and rows if they do."""

    found: bool
    columns: tuple[str, ...] = ()
    items: tuple[RowItem, ...] = ()
    reason: str | None = None
    complete: bool = True
    conflicting: bool = False
    confidence: float = 0.8


class CountForm(Record, frozen=True, kw_only=True):
    """Whether the lines answer the question: numbers that they state, else every single thing to be counted."""

    found: bool
    stated: tuple[AmountItem, ...] = ()
    things: tuple[TextItem, ...] = ()
    reason: str | None = None
    complete: bool = True
    conflicting: bool = False
    confidence: float = 0.8

    @property
    def items(self) -> tuple[FormItem, ...]:
        """What the answer rests on."""
        return self.stated or self.things


Form: TypeAlias = TextForm | AmountForm | DateForm | TruthForm | TableForm | CountForm

FORMS: Final[dict[Shape, type[Form]]] = {
    "text": TextForm,
    "amount": AmountForm,
    "date": DateForm,
    "boolean": TruthForm,
    "list": TextForm,
    "table": TableForm,
    "comparison": TableForm,
}


class CitedSource(Record, frozen=True, kw_only=True):
    """A quote and the number of the line it is from."""

    source: int
    quote: str = ""


class CitedText(Record, frozen=True, kw_only=True):
    """Text with `[n]` marks, its quotes, and whether the model declined: what models without schemas often write."""

    answer: str
    citations: tuple[CitedSource, ...] = ()
    refused: bool = False
