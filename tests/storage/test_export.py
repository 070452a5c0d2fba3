"""The tables of a library as files, and the queries of docs/schema.md."""

import csv
import json
import re
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.parsing import made_files as made

from pincite.errors import SettingsError, StoreError, UnknownDocumentError
from pincite.library import Library
from pincite.settings import Settings
from pincite.storage.export import EXPORTED

_QUERIES = re.findall(
    r"```sql\n(.*?)```", (Path(__file__).parents[2] / "docs" / "schema.md").read_text(encoding="utf-8"), re.DOTALL
)
_FILES = {
    "page.html": made.HTML.encode(),
    "copy.html": made.HTML.encode(),
    "contract.docx": made.docx_bytes(),
    "=1+1.md": b"# A\n\nThe key is blue.\n",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("docs")
    for name, content in _FILES.items():
        (folder / name).write_bytes(content + (b"\n" if name == "copy.html" else b""))
    with Library(tmp_path_factory.mktemp("library"), settings=Settings(jobs=1, embedder="none")) as opened:
        opened.add(folder)
        yield opened


@pytest.mark.parametrize("query", _QUERIES, ids=range(len(_QUERIES)))
def test_a_query_of_the_documents_finds_something(library: Library, query: str) -> None:
    """Each of the five queries runs on a library as it is, and has rows."""
    connection = sqlite3.connect(f"{(library.store.path / 'pincite.sqlite').as_uri()}?mode=ro", uri=True)
    try:
        assert connection.execute(query).fetchall()
    finally:
        connection.close()


def test_there_are_five_queries() -> None:
    """The document has not lost one."""
    assert len(_QUERIES) == 5


def test_every_table_is_a_file_with_all_rows(library: Library, tmp_path: Path) -> None:
    """CSV holds what the library holds: each line with its text, document and place."""
    written = library.export(tmp_path / "tables")
    with (tmp_path / "tables" / "lines.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))

    assert [one.table for one in written] == list(EXPORTED)
    assert len(lines) == sum(record.n_lines for record in library.documents())
    assert "Small\t14 crowns" in {line["text"] for line in lines}


def test_json_keeps_lists_and_records(library: Library, tmp_path: Path) -> None:
    """A breadcrumb is a list and metadata an object, not text that holds them."""
    library.export(tmp_path, form="json", tables=["toc", "documents"])
    toc = json.loads((tmp_path / "toc.json").read_text(encoding="utf-8"))
    documents = json.loads((tmp_path / "documents.json").read_text(encoding="utf-8"))

    assert ["Berth contract", "Terms of payment"] in [section["breadcrumb"] for section in toc]
    assert {one["name"]: one["metadata"] for one in documents}["page.html"]["author"] == "Ann Bell"


def test_parquet_keeps_types(library: Library, tmp_path: Path) -> None:
    """Numbers are numbers, and an absent box is no number."""
    import pyarrow.parquet as pq

    library.export(tmp_path, form="parquet", tables=["lines", "images"])
    lines = pq.read_table(tmp_path / "lines.parquet")

    assert (str(lines.schema.field("line_num").type), str(lines.schema.field("x0").type)) == ("int64", "double")
    assert lines.column("x0").null_count == lines.num_rows
    assert pq.read_table(tmp_path / "images.parquet").num_rows == 0


def test_one_document_can_be_exported(library: Library, tmp_path: Path) -> None:
    """`--doc` keeps to the documents that were named."""
    library.export(tmp_path, form="json", tables=["documents", "lines"], docs=["=1+1.md"])

    assert [one["name"] for one in json.loads((tmp_path / "documents.json").read_text(encoding="utf-8"))] == ["=1+1.md"]
    assert len(json.loads((tmp_path / "lines.json").read_text(encoding="utf-8"))) == 3


def test_what_cannot_be_exported_is_said(library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown table, an unknown document, a place that is a file, and a package that is not there."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(SettingsError, match=r"no table 'vectors'.*documents, pages"):
        library.export(tmp_path, tables=["vectors"])
    with pytest.raises(UnknownDocumentError):
        library.export(tmp_path, docs=["none.md"])
    with pytest.raises(StoreError, match="cannot be written"):
        library.export(tmp_path / "file")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(SettingsError, match=r"pincite\[parquet\]"):
        library.export(tmp_path, form="parquet")
