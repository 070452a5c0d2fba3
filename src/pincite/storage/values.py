"""Values as SQLite keeps them, and back, without loss."""

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

from pincite.types.geometry import BBox

Row = tuple[Any, ...]


def storable(value: Any) -> Any:
    """Return text as it is, or as bytes where it holds lone surrogates, which SQLite text cannot."""
    if not isinstance(value, str) or value.isascii():
        return value
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return value.encode("utf-8", "surrogatepass")
    return value


def restored(value: Any) -> Any:
    """Undo `storable`."""
    return value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else value


def dumped(value: Any) -> str:
    """Return JSON as short as it can be, in ASCII."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def corners(box: BBox | None) -> tuple[float | None, float | None, float | None, float | None]:
    """Return the four columns of a box, empty where there is none."""
    return (None, None, None, None) if box is None else (box.x0, box.y0, box.x1, box.y1)


def box_of(x0: float | None, y0: float | None, x1: float | None, y1: float | None) -> BBox | None:
    """Undo `corners`."""
    if x0 is None or y0 is None or x1 is None or y1 is None:
        return None
    return BBox(x0=x0, y0=y0, x1=x1, y1=y1)


def insert(connection: sqlite3.Connection, table: str, n_columns: int, rows: Iterable[Row]) -> None:
    """Insert rows whose values are in the order of the table's columns."""
    marks = ", ".join("?" * n_columns)
    statement = f'INSERT INTO "{table}" VALUES ({marks})'  # noqa: S608 - names of our own
    kept = list(rows)
    connection.execute("SAVEPOINT rows")
    try:
        connection.executemany(statement, kept)
    except UnicodeEncodeError:
        # Rare, so it is not looked for in each text beforehand.
        connection.execute("ROLLBACK TO rows")
        connection.executemany(statement, (tuple(storable(value) for value in row) for row in kept))
    finally:
        connection.execute("RELEASE rows")
