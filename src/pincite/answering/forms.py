"""The forms that a model fills: one for each shape of answer, and the loose ones that are read as well.

Lengths are told to servers that build a grammar from the schema: a weak model would else repeat itself until its reply
is cut off. They bind nobody else: a longer reply of another service is read like any other. A reply with as much as a
form of facts allows has about 1,500 tokens, below the default of `model_max_output_tokens`.
"""

from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from pincite.types.question import Shape
from pincite.types.record import Record

#: A quote of 500 characters is more than most sentences, and a part of one holds as well; a fact rests on one or two.
_Quote = Annotated[str, Meta(extra_json_schema={"maxLength": 500})]
_Said = Annotated[str, Meta(extra_json_schema={"maxLength": 250})]
_Short = Annotated[str, Meta(extra_json_schema={"maxLength": 60})]
_FEW, _MANY = Meta(extra_json_schema={"maxItems": 4}), Meta(extra_json_schema={"maxItems": 100})


class Quoted(Record, frozen=True, kw_only=True):
    """A quote, copied character by character, and the numbers of the lines it is copied from."""

    first_line: int
    last_line: int
    quote: _Quote


_Quotes = Annotated[tuple[Quoted, ...], Meta(extra_json_schema={"maxItems": 2})]


class TextItem(Record, frozen=True, kw_only=True):
    """One item and the quotes that bear it out."""

    quotes: _Quotes
    text: _Said


class AmountItem(Record, frozen=True, kw_only=True):
    """One amount: its digits as in the quote, with its unit, scale and currency."""

    quotes: _Quotes
    text: _Said
    number: _Short
    unit: _Short | None = None
    scale: _Short | None = None
    currency: _Short | None = None


class DateItem(Record, frozen=True, kw_only=True):
    """One date: ISO as far as it is known, and as it stands in the quote."""

    quotes: _Quotes
    text: _Said
    iso: _Short
    original: _Short


class TruthItem(Record, frozen=True, kw_only=True):
    """Yes (true) or no (false), and the quote that decides it."""

    quotes: _Quotes
    text: _Said
    value: bool


class RowItem(Record, frozen=True, kw_only=True):
    """One row or side; its cells follow the columns."""

    quotes: _Quotes
    text: _Said
    cells: Annotated[tuple[_Said, ...], Meta(extra_json_schema={"maxItems": 20})]


FormItem: TypeAlias = TextItem | AmountItem | DateItem | TruthItem | RowItem


class TextForm(Record, frozen=True, kw_only=True):
    """Whether the lines answer the question, and the items if they do."""

    found: bool
    items: Annotated[tuple[TextItem, ...], _FEW] = ()
    reason: _Said | None = None
    complete: bool = True
    conflicting: bool = False
    confidence: float = 0.8


class ListForm(Record, frozen=True, kw_only=True):
    """Whether the lines answer the question, and every entry if they do."""

    found: bool
    items: Annotated[tuple[TextItem, ...], _MANY] = ()
    reason: _Said | None = None
    complete: bool = True
    conflicting: bool = False
    confidence: float = 0.8


class AmountForm(Record, frozen=True, kw_only=True):
    """Whether the lines answer the question, and the amounts if they do."""

    found: bool
    items: Annotated[tuple[AmountItem, ...], _FEW] = ()
    reason: _Said | None = None
    complete: bool = True
    conflicting: bool = False
    confidence: float = 0.8


class DateForm(Record, frozen=True, kw_only=True):
    """Whether the lines answer the question, and the dates if they do."""

    found: bool
    items: Annotated[tuple[DateItem, ...], _FEW] = ()
    reason: _Said | None = None
    complete: bool = True
    conflicting: bool = False
    confidence: float = 0.8


class TruthForm(Record, frozen=True, kw_only=True):
    """Whether the lines answer the question, and yes or no if they do."""

    found: bool
    items: Annotated[tuple[TruthItem, ...], _FEW] = ()
    reason: _Said | None = None
    complete: bool = True
    conflicting: bool = False
    confidence: float = 0.8


class TableForm(Record, frozen=True, kw_only=True):
    """Whether the lines answer the question, and the columns and rows if they do."""

    found: bool
    columns: Annotated[tuple[_Short, ...], Meta(extra_json_schema={"maxItems": 20})] = ()
    items: Annotated[tuple[RowItem, ...], _MANY] = ()
    reason: _Said | None = None
    complete: bool = True
    conflicting: bool = False
    confidence: float = 0.8


class CountForm(Record, frozen=True, kw_only=True):
    """Whether the lines answer the question: numbers that they state, else every single thing to be counted."""

    found: bool
    stated: Annotated[tuple[AmountItem, ...], _FEW] = ()
    things: Annotated[tuple[TextItem, ...], _MANY] = ()
    reason: _Said | None = None
    complete: bool = True
    conflicting: bool = False
    confidence: float = 0.8

    @property
    def items(self) -> tuple[FormItem, ...]:
        """What the answer rests on."""
        return self.stated or self.things


Form: TypeAlias = TextForm | ListForm | AmountForm | DateForm | TruthForm | TableForm | CountForm

FORMS: Final[dict[Shape, type[Form]]] = {
    "text": TextForm,
    "amount": AmountForm,
    "date": DateForm,
    "boolean": TruthForm,
    "list": ListForm,
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
