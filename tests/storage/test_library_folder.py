"""The folder of a library: names, originals, failures, traces, versions."""

import hashlib
import json
import os
import sqlite3
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pincite.errors import LibraryVersionError, StoreError, UnknownDocumentError
from pincite.storage.sqlite import SqliteStore
from pincite.types.document import Section


def test_every_name_can_be_kept(store: SqliteStore, tools: Any) -> None:
    """Case OPS05: names with line feeds, quotes, bytes that are no text: all are stored, found and renamed."""
    case = tools.cases / "OPS05-names-and-paths" / "expected.json"
    names = [entry["name"] for entry in json.loads(case.read_text(encoding="utf-8"))] + ["b\udcff\udc80.md", "\x00.md"]
    for number, name in enumerate(names):
        store.put(*tools.make(name, [f"token {7000 + number}"], doc_id=f"d{number}"))

    for number, name in enumerate(names):
        assert store.resolve(name).doc_id == f"d{number}"
        assert store.document(f"d{number}").name == name
        found = store.find_by_uri(f"/library/{name}")
        assert found is not None
        assert found.doc_id == f"d{number}"
    store.rename("d0", "n\udc81.md", "/x/n\udc81.md")
    assert store.document("d0").uri == "/x/n\udc81.md"
    assert [r.name for r in store.records()] == sorted([*names[1:], "n\udc81.md"])


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_composed_and_decomposed_names_meet(store: SqliteStore, tools: Any, form: Any) -> None:
    """A name typed on one system finds the file named on another."""
    store.put(*tools.make(unicodedata.normalize(form, "éclair.md"), ["one"], doc_id="d"))

    assert [store.resolve(unicodedata.normalize(other, "éclair.md")).doc_id for other in ("NFC", "NFD")] == ["d", "d"]


def test_a_document_is_found_by_what_people_call_it(
    tmp_path: Path, tools: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By id, name, address, path (also relative) and base name; where two share it, the error lists both."""
    monkeypatch.chdir(tmp_path)
    with SqliteStore(tmp_path / "library") as store:
        for name in ("notes/a.md", "old/a.md", "notes/b c.md"):
            made = tools.make(name, [name], doc_id=f"id-{name[0]}{name[-4]}")
            store.put(
                msgspec.structs.replace(made.record, uri=(tmp_path / name).as_uri()), made.document, made.passages
            )

        calls = ["id-nc", "notes/b c.md", (tmp_path / "notes" / "b c.md").as_uri(), "b c.md",
                 str(tmp_path / "notes" / "b c.md"), "./notes/../notes/b c.md"]  # fmt: skip
        assert {store.resolve(call).name for call in calls} == {"notes/b c.md"}
        with pytest.raises(UnknownDocumentError, match=r"2 documents.*notes/a\.md.*old/a\.md"):
            store.resolve("a.md")
        with pytest.raises(UnknownDocumentError, match=r"near names: 'notes/b c\.md'"):
            store.resolve("bc.md")


def test_thousands_of_names_take_one_look_at_the_documents(store: SqliteStore, tools: Any) -> None:
    """Names are found together as one by one, and the documents are looked through once for all of them."""
    for number in range(3):
        store.put(*tools.make(f"Café {number}.md", [f"token {number}"], doc_id=f"d{number}"))
    looks = []
    records = store.records
    store.records = lambda: looks.append(1) or records()  # type: ignore[method-assign,func-returns-value]

    names = ["d2", "Café 0.md", unicodedata.normalize("NFD", "Café 1.md"), "/library/Café 2.md"] * 50
    assert [record.doc_id for record in store.resolve_all(names)] == ["d2", "d0", "d1", "d2"] * 50
    assert len(looks) == 1
    with pytest.raises(UnknownDocumentError, match=r"near names: 'Café 1\.md'"):
        store.resolve_all(["d0", "cafe 1.md"])


def test_the_end_of_a_path_names_a_document(tmp_path: Path, tools: Any) -> None:
    """Folders before a name may be left out where one document is left, also those that only the address holds."""
    with SqliteStore(tmp_path / "library") as store:
        for number, (name, uri) in enumerate(
            [
                ("archive/old/report.md", "file:///x/archive/old/report.md"),
                ("archive/new/report.md", "file:///x/archive/new/report.md"),
                ("plan (2).md", "file:///y/spring/plan.md"),
            ]
        ):
            made = tools.make(name, [name], doc_id=f"d{number}")
            store.put(msgspec.structs.replace(made.record, uri=uri), made.document, made.passages)

        assert store.resolve("old/report.md").name == "archive/old/report.md"
        assert store.resolve("./new/report.md").name == "archive/new/report.md"
        assert store.resolve("spring/plan.md").name == "plan (2).md"
        with pytest.raises(UnknownDocumentError, match="2 documents are called"):
            store.resolve("report.md")
        with pytest.raises(UnknownDocumentError, match="there is no document"):
            store.resolve("ld/report.md")


def test_the_same_name_in_other_letters_is_offered_first(store: SqliteStore, tools: Any) -> None:
    """Who writes `Report.md` for `report.md` is told of it before anything that is only like it."""
    for number, name in enumerate(["a/report.md", "export.md", "old/report.md", "report.md", "report-1.md"]):
        store.put(*tools.make(name, [name], doc_id=f"d{number}"))

    with pytest.raises(UnknownDocumentError, match=r"near names: 'report\.md', 'a/report\.md', 'old/report\.md', "):
        store.resolve("Report.md")


def test_two_documents_never_share_a_name_or_an_address(store: SqliteStore, tools: Any) -> None:
    """A second document under a name is refused and changes nothing; under an address it replaces the first."""
    one, two = tools.make("a.md", ["one"], doc_id="1"), tools.make("b.md", ["two"], doc_id="2")
    store.put(*one)
    with pytest.raises(StoreError, match=r"'a\.md'.*taken"):
        store.put(msgspec.structs.replace(two.record, name="a.md"), two.document, two.passages)
    assert store.records() == (one.record,)
    assert store.term_counts(["two"]) == {"two": 0}

    store.put(msgspec.structs.replace(two.record, uri=one.record.uri), two.document, two.passages)
    assert [record.doc_id for record in store.records()] == ["2"]
    assert store.term_counts(["one", "two"]) == {"one": 0, "two": 1}


def test_renaming_keeps_passages_and_vectors(store: SqliteStore, tools: Any) -> None:
    """A moved file is not parsed or embedded again; a name that is taken is refused."""
    store.put(*tools.make("a.md", ["lamp"], doc_id="a"))
    store.put(*tools.make("b.md", ["wick"], doc_id="b"))
    tools.embed_all(store, tools.embedder())
    ids = [p.passage_id for p in store.passages_at("a", 1, 9)]

    store.rename("a", "c.md", "/new/c.md")

    assert [p.passage_id for p in store.passages_at("a", 1, 9)] == ids
    assert store.vectors.progress(tools.embedder()) == (2, 2)
    with pytest.raises(StoreError, match="taken"):
        store.rename("a", "b.md", "/new/b.md")
    with pytest.raises(UnknownDocumentError):
        store.rename("x", "y.md", "/y.md")


def test_originals_live_as_long_as_a_document_has_them(store: SqliteStore, tools: Any) -> None:
    """The bytes are kept by content: two documents share them, and they go with the last one."""
    content = b"lamp"
    one, two = tools.make("a.md", ["lamp"], doc_id="1"), tools.make("b.md", ["lamp"], doc_id="2")
    store.put(*one, original=content)
    store.put(*two, original=content)
    content_hash = hashlib.sha256(content).hexdigest()
    path = store.path / "originals" / content_hash[:2] / content_hash

    assert (store.original("1"), store.original_path("2")) == (content, path)
    store.remove("1")
    assert store.original("2") == content
    assert store.find_by_hash(content_hash) == two.record
    store.put(*tools.make("b.md", ["lamp and wick"], doc_id="2"))
    assert (store.original("2"), store.original_path("2"), path.exists()) == (None, None, False)


def test_an_original_that_changed_is_not_given_out(store: SqliteStore, tools: Any, tmp_path: Path) -> None:
    """Bytes that are not those that were parsed are never shown as the original, nor taken as one."""
    made = tools.make("a.md", ["lamp"], doc_id="1")
    file = tmp_path / "a.md"
    file.write_bytes(b"lamps")
    with pytest.raises(StoreError, match="changed"):
        store.put(*made, original=file)
    assert store.records() == ()
    file.write_bytes(b"lamp")
    store.put(*made, original=file)
    path = store.original_path("1")
    assert path is not None
    path.write_bytes(b"LAMP")
    assert store.original("1") is None

    store.put(*made, original=b"lamp")
    assert store.original("1") == b"lamp"


def test_failures_are_listed_until_the_file_parses(store: SqliteStore, tools: Any) -> None:
    """A file that failed is listed with its reason, once, until it is added or gone."""
    store.journal.record_failure("/library/a.md", "a.md", "ab", "not_text", "a.md: binary")
    store.journal.record_failure("/library/a.md", "a.md", None, "empty_file", "a.md: empty \udc80")
    store.journal.record_failure("/library/b.md", "b.md", None, "empty_file", "b.md: empty")

    assert [(f.name, f.code, f.message) for f in store.journal.failures()] == [
        ("a.md", "empty_file", "a.md: empty \udc80"),
        ("b.md", "empty_file", "b.md: empty"),
    ]
    store.put(*tools.make("a.md", ["lamp"]))
    store.journal.clear_failure("/library/b.md")
    assert store.journal.failures() == ()


def test_traces_come_newest_first(store: SqliteStore) -> None:
    """A trace comes back byte for byte; an unknown one is None."""
    store.journal.save_trace("t1", b'{"a": 1}', question="Why?", result="answer", asked_at="2027-01-01T00:00:00")
    store.journal.save_trace("t2", b"{}", question="\udc80?", result="not_found", asked_at="2027-01-02T00:00:00")

    assert [(t.trace_id, t.question, t.result) for t in store.journal.traces()] == [
        ("t2", "\udc80?", "not_found"),
        ("t1", "Why?", "answer"),
    ]
    assert [t.trace_id for t in store.journal.traces(limit=1)] == ["t2"]
    assert (store.journal.trace("t1"), store.journal.trace("t3")) == (b'{"a": 1}', None)


@pytest.mark.parametrize(("version", "advice"), [(99, "update pincite"), (0, "new library")])
def test_another_schema_is_refused_with_advice(tmp_path: Path, version: int, advice: str) -> None:
    """A library of another version is left as it is, and the message says what to do."""
    SqliteStore(tmp_path).close()
    connection = sqlite3.connect(tmp_path / "pincite.sqlite")
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()

    with pytest.raises(LibraryVersionError, match=rf"schema version {version}.*{advice}"):
        SqliteStore(tmp_path)


def test_a_library_of_the_version_before_is_brought_up_to_date(tmp_path: Path, tools: Any) -> None:
    """Contents of an older library are read, their starts as sure as they were taken to be."""
    made = tools.make("a.txt", ["Rules", "of the harbour"])
    section = Section(
        section_id=1, parent_id=None, level=1, title="Rules", breadcrumb=("Rules",), start_page=1, start_line=1,
        start_y=None, end_page=1, end_line=2, origin="headings",
    )  # fmt: skip
    with SqliteStore(tmp_path) as store:
        store.put(made.record, msgspec.structs.replace(made.document, toc=(section,)), made.passages)
    connection = sqlite3.connect(tmp_path / "pincite.sqlite")
    connection.executescript(
        "DROP INDEX objects_by_label; ALTER TABLE toc DROP COLUMN confidence; ALTER TABLE lines DROP COLUMN confidence;"
        "PRAGMA user_version = 2"
    )
    connection.close()

    with SqliteStore(tmp_path) as store:
        assert store.toc(made.record.doc_id) == (section,)
        assert store.named(["Table 1"], doc_ids=()) == ()


def test_what_is_no_library_is_refused(tmp_path: Path) -> None:
    """No library, another program's database, or a file of junk: a typed error that names the place."""
    with pytest.raises(StoreError, match="no library in"):
        SqliteStore(tmp_path / "nothing", create=False)
    with pytest.raises(StoreError, match="no library in"):
        SqliteStore(tmp_path / "nothing", read_only=True)
    assert not (tmp_path / "nothing").exists()
    other = sqlite3.connect(tmp_path / "pincite.sqlite")
    other.execute("CREATE TABLE mine (x)")
    other.close()
    with pytest.raises(StoreError, match="not a pincite library"):
        SqliteStore(tmp_path)
    (tmp_path / "pincite.sqlite").write_bytes(b"junk " * 1000)
    with pytest.raises(StoreError, match="not a database"):
        SqliteStore(tmp_path)
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StoreError, match="cannot be"):
        SqliteStore(tmp_path / "file")


def test_an_empty_database_file_becomes_a_library(tmp_path: Path) -> None:
    """A file that some program left empty is no obstacle."""
    (tmp_path / "pincite.sqlite").touch()

    with SqliteStore(tmp_path) as store:
        assert store.records() == ()


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    """Using a store after its end is a typed error; closing twice is none."""
    store = SqliteStore(tmp_path)
    store.close()
    store.close()

    with pytest.raises(StoreError, match="closed"):
        store.records()


def test_the_tables_are_those_of_the_contract(store: SqliteStore, tools: Any) -> None:
    """Users may open the database with any SQL tool and find the columns that are documented."""
    store.put(*tools.make("a.md", ["The lamp", "has 6 panes."], doc_id="d"))
    store.close()
    connection = sqlite3.connect(store.path / "pincite.sqlite")
    connection.row_factory = sqlite3.Row

    page = connection.execute("SELECT * FROM pages JOIN documents USING (doc_id)").fetchone()
    columns = connection.execute('SELECT * FROM lines, toc, "references", objects, images, tables, cells').description
    connection.close()

    assert (page["name"], page["page_num"], page["text"]) == ("a.md", 1, "The lamp\nhas 6 panes.")
    assert {"doc_id", "line_id", "page_num", "line_num", "text", "x0", "y0", "x1", "y1", "column", "section_id",
            "role", "layer", "font_size", "bold", "breadcrumb", "start_y", "target", "caption", "content_hash",
            "header_rows", "unit", "scale", "row", "col", "line_ids"} <= {c[0] for c in columns}  # fmt: skip


def test_opening_a_library_imports_nothing_heavy(tmp_path: Path, tools: Any) -> None:
    """Listing documents needs neither numpy nor the model."""
    with SqliteStore(tmp_path) as store:
        store.put(*tools.make("a.md", ["lamp"]))
    code = (
        "import sys\nfrom pathlib import Path\nfrom pincite.storage.sqlite import SqliteStore\n"
        f"with SqliteStore(Path({os.fspath(tmp_path)!r})) as store:\n    assert len(store.records()) == 1\n"
        "print([m for m in ('numpy', 'onnxruntime', 'tokenizers', 'pandas') if m in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code]) == b"[]\n"
