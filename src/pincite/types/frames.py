"""Records as a table: a pandas DataFrame, made when it is asked for."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from pincite.errors import SettingsError
from pincite.types.geometry import BBox
from pincite.types.record import Record

if TYPE_CHECKING:
    from pandas import DataFrame


def frame(kind: type[Record], records: Sequence[Record], *, without: frozenset[str] = frozenset()) -> "DataFrame":
    """Return a row for each record and a column for each field; a box becomes `x0, y0, x1, y1` in points.

    The columns are there when there are no rows, too. Fields in `without` are left out.

    Raises:
        SettingsError: pandas is not installed.

    """
    try:
        from pandas import DataFrame
    except ImportError as error:
        raise SettingsError('tables as DataFrames need pandas: pip install "pincite[frames]"') from error
    names = [field.name for field in msgspec.structs.fields(kind) if field.name not in without]
    columns = [column for name in names for column in (BBox.__struct_fields__ if name == "box" else (name,))]
    return DataFrame([_row(record, names) for record in records], columns=columns)


def _row(record: Record, names: Sequence[str]) -> list[Any]:
    row: list[Any] = []
    for name in names:
        value = getattr(record, name)
        if name == "box":
            row += [None] * 4 if value is None else [value.x0, value.y0, value.x1, value.y1]
        else:
            row.append(value)
    return row
