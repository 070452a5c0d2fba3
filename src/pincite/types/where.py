"""A condition on the metadata of documents, as a tree."""

from typing import Literal

from pincite.types.record import Record

Operator = Literal["=", "!=", "<", "<=", ">", ">=", "~", "exists"]


class Comparison(Record, frozen=True, kw_only=True, tag=True):
    """A field compared with values: `=` and `~` hold for any of them; `exists` has none."""

    field: str
    operator: Operator
    values: tuple[str, ...] = ()


class Not(Record, frozen=True, kw_only=True, tag=True):
    """Holds where `inner` does not."""

    inner: "Condition"


class AllOf(Record, frozen=True, kw_only=True, tag=True):
    """Holds where every part does."""

    parts: tuple["Condition", ...]


class AnyOf(Record, frozen=True, kw_only=True, tag=True):
    """Holds where one part does."""

    parts: tuple["Condition", ...]


Condition = Comparison | Not | AllOf | AnyOf
