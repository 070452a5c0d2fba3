"""The tables of a library as files for DataFrames and SQL elsewhere: CSV, JSON or Parquet, a file for each table."""

import csv
import json
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal

from pincite.errors import SettingsError, StoreError
from pincite.storage.values import restored
from pincite.types.record import Record

ExportFormat = Literal["csv", "json", "parquet"]
#: The tables that are written; what serves search alone, failures and traces are left out.
EXPORTED: Final = (
    "documents", "pages", "lines", "toc", "tables", "cells", "images", "objects", "references", "passages",
)  # fmt: skip
#: Columns that are no facts of a document: keys that keep the order of rows.
_INTERNAL: Final = frozenset({"position", "table_position", "doc_no"})
#: Columns that hold JSON.
_JSON: Final = frozenset({"metadata", "parsing_summary", "flags", "breadcrumb", "line_ids"})
#: How many rows a part of a Parquet file has, and how many are held at once.
_BATCH: Final = 50_000


class ExportedTable(Record, frozen=True, kw_only=True):
    """One file that was written: its table, path and number of rows."""

    table: str
    path: str
    n_rows: int


def export_tables(
    connection: sqlite3.Connection,
    folder: Path,
    *,
    form: ExportFormat,
    tables: Sequence[str] = (),
    doc_ids: Sequence[str] = (),
) -> tuple[ExportedTable, ...]:
    """Write tables of a library to `folder`, which is made; a file appears whole or not at all.

    No `tables` means all, no `doc_ids` every document. All files show one state of the library where the connection
    is in a transaction. In JSON, columns of lists and records are such; elsewhere they are JSON text.

    Raises:
        SettingsError: there is no such table, or Parquet is asked for and pyarrow is not installed.
        StoreError: the files cannot be written.

    """
    unknown = sorted(set(tables) - set(EXPORTED))
    if unknown:
        raise SettingsError(f"there is no table {unknown[0]!r}; choose from: {', '.join(EXPORTED)}")
    write = _WRITERS[form]
    if form == "parquet":
        _check_pyarrow()
    written = []
    for table in [one for one in EXPORTED if not tables or one in tables]:
        path = folder / f"{table}.{form}"
        columns = _columns(connection, table)
        counted = _Counted(_rows(connection, table, columns, doc_ids))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _atomically(path, partial(write, columns=columns, rows=counted))
        except OSError as error:
            raise StoreError(f"{path}: cannot be written: {error.strerror or error}") from error
        written.append(ExportedTable(table=table, path=str(path), n_rows=counted.n_rows))
    return tuple(written)


class _Counted:
    """Rows that count themselves as they are taken."""

    def __init__(self, rows: Iterable[list[Any]]) -> None:
        self._rows = rows
        self.n_rows = 0

    def __iter__(self) -> Iterator[list[Any]]:
        for row in self._rows:
            self.n_rows += 1
            yield row


#: A column: its name and the type it was declared with.
_Columns = Sequence[tuple[str, str]]


def _columns(connection: sqlite3.Connection, table: str) -> _Columns:
    found = connection.execute("SELECT name, type FROM pragma_table_info(?)", (table,)).fetchall()
    return [(name, kind) for name, kind in found if name not in _INTERNAL]


def _rows(connection: sqlite3.Connection, table: str, columns: _Columns, doc_ids: Sequence[str]) -> Iterator[list[Any]]:
    names = ", ".join(f'"{name}"' for name, _ in columns)
    # Names come from the schema; the ids are bound.
    statement = f'SELECT {names} FROM "{table}"'  # noqa: S608
    for doc_id in doc_ids or (None,):
        where = " WHERE doc_id = ?" if doc_id is not None else ""
        for row in connection.execute(statement + where, () if doc_id is None else (doc_id,)):
            yield [_plain(value) for value in row]


def _plain(value: Any) -> Any:
    """Return a value that every format can hold: bytes of a name that is no Unicode are written out."""
    found = restored(value)
    return found.encode("utf-8", "backslashreplace").decode("utf-8") if isinstance(found, str) else found


def _atomically(path: Path, write: Callable[[Path], None]) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".pincite-", suffix=path.suffix)
    os.close(handle)
    temporary = Path(name)
    try:
        write(temporary)
        temporary.chmod(0o644)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _write_csv(path: Path, columns: _Columns, rows: Iterable[list[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([name for name, _ in columns])
        writer.writerows(rows)


def _write_json(path: Path, columns: _Columns, rows: Iterable[list[Any]]) -> None:
    """Write an array of objects, one on each line."""
    names = [name for name, _ in columns]
    # A lone surrogate (of a broken file name) becomes an escape that JSON knows.
    with path.open("w", encoding="utf-8", errors="backslashreplace") as file:
        file.write("[")
        for number, row in enumerate(rows):
            record = {
                name: json.loads(value) if name in _JSON and value is not None else value
                for name, value in zip(names, row, strict=True)
            }
            file.write(",\n" if number else "\n")
            file.write(json.dumps(record, ensure_ascii=False))
        file.write("\n]\n")


def _check_pyarrow() -> None:
    try:
        import pyarrow as pa  # noqa: F401
    except ImportError as error:
        raise SettingsError('Parquet needs pyarrow: pip install "pincite[parquet]"; or use csv, json') from error


def _write_parquet(path: Path, columns: _Columns, rows: Iterable[list[Any]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {"INTEGER": pa.int64(), "REAL": pa.float64()}
    schema = pa.schema([(name, types.get(kind, pa.string())) for name, kind in columns])
    remaining = iter(rows)
    with pq.ParquetWriter(path, schema) as writer:
        while batch := list(islice(remaining, _BATCH)):
            values = [
                pa.array(column, type=one.type) for column, one in zip(zip(*batch, strict=True), schema, strict=True)
            ]
            writer.write_table(pa.Table.from_arrays(values, schema=schema))


_WRITERS: Final[dict[ExportFormat, Callable[..., None]]] = {
    "csv": _write_csv,
    "json": _write_json,
    "parquet": _write_parquet,
}
