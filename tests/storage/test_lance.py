"""What a library in Lance tables promises beside the contract of every store."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pincite.errors import MissingExtraError, SettingsError, StoreError, UnknownDocumentError
from pincite.storage import opening

pytest.importorskip("lance", reason="the extra `scale` (pylance) is not installed")

from pincite.storage.lance import maintenance, snapshot
from pincite.storage.lance.store import LanceStore
from pincite.storage.lance.tables import storage_options
from pincite.storage.own_files import is_own_file
from pincite.types.document import NamedObject


@pytest.fixture
def lance_store(tmp_path: Path) -> Iterator[LanceStore]:
    with LanceStore(tmp_path / "library") as opened:
        yield opened


def test_renaming_keeps_everything_but_the_name(lance_store: LanceStore, tools: Any) -> None:
    """A document that moved is found under its new name and address, with the same passages."""
    made = tools.make("a.md", ["lamp wick"])
    lance_store.put(*made)
    before = lance_store.search_terms({"lamp": 1.0}, k=9)

    lance_store.rename(made.record.doc_id, "it's \udc80.md", "file:///x/\udc80", origin={"source": "s"})

    record = lance_store.records()[0]
    assert (record.name, record.uri, record.origin) == ("it's \udc80.md", "file:///x/\udc80", {"source": "s"})
    assert lance_store.document(made.record.doc_id).name == record.name
    assert lance_store.find_by_uri("file:///x/\udc80") == record
    assert lance_store.search_terms({"lamp": 1.0}, k=9) == before
    with pytest.raises(UnknownDocumentError):
        lance_store.rename("no such id", "b.md", "file:///b")


def test_what_is_gathered_is_there_for_who_gathers_it(lance_store: LanceStore, tools: Any, tmp_path: Path) -> None:
    """Inside `writing` a document is found at once by the one who put it, and by others at the end."""
    made = tools.make("a.md", ["lamp wick"])
    with LanceStore(tmp_path / "library", read_only=True) as other:
        with lance_store.writing():
            lance_store.put(*made)
            inside = lance_store.find_by_uri(made.record.uri)
            outside = other.find_by_uri(made.record.uri)
        after = other.find_by_uri(made.record.uri)

    assert (inside, outside, after) == (made.record, None, made.record)


def test_one_name_is_one_document(lance_store: LanceStore, tools: Any) -> None:
    """A second document of the same name is refused; the same address replaces, whatever its id."""
    first = tools.make("a.md", ["one"], doc_id="first")
    lance_store.put(*first)
    again = tools.make("a.md", ["two"], doc_id="second")
    other = again.document.__class__(**{**_fields(again.document), "uri": "/elsewhere/a.md"})

    with pytest.raises(StoreError, match="taken"):
        lance_store.put(tools.record_of(other, "third"), other, again.passages)
    lance_store.put(*again)

    assert [record.doc_id for record in lance_store.records()] == ["second"]


def test_two_writers_of_one_new_name_end_with_two_names(lance_store: LanceStore, tools: Any, tmp_path: Path) -> None:
    """Writers do not wait for each other: where both took a name, the later one gives its document another."""
    made = tools.make("a.md", ["one"], doc_id="first")
    other = made.document.__class__(**{**_fields(made.document), "uri": "/elsewhere/a.md"})
    with LanceStore(tmp_path / "library") as second, lance_store.writing():
        lance_store.put(*made)
        second.put(tools.record_of(other, "second"), other, made.passages)

    assert sorted(record.name for record in lance_store.records()) == ["a.md", "a.md (first)"]


def _fields(record: Any) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__struct_fields__}


def test_originals_are_kept_and_swept(lance_store: LanceStore, tools: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes come back as they were; other bytes are refused; those of no document go with `sweep`."""
    made, content = tools.make("a.md", ["lamp wick"]), b"lamp wick"
    lance_store.put(*made, original=content)
    with pytest.raises(StoreError, match="changed"):
        lance_store.put(*made, original=b"other")
    path = lance_store.original_path(made.record.doc_id)
    assert path is not None
    assert path.read_bytes() == content == lance_store.original(made.record.doc_id)

    lance_store.remove(made.record.doc_id)
    kept = lance_store.sweep()
    monkeypatch.setattr(maintenance, "_WRITING_S", -1.0)
    swept = lance_store.sweep()

    assert (kept, swept) == ((0, 0), (1, len(content)))
    assert lance_store.original_of(hashlib.sha256(content).hexdigest()) is None


def test_first_lines_of_short_documents_are_read_at_once(
    lance_store: LanceStore, tools: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Titles and dates of many documents cost one request, also of those that have fewer lines than are asked for."""
    made = [tools.make(f"d{number}.md", [f"lamp {number}", "rope"]) for number in range(5)]
    for one in made:
        lance_store.put(*one)
    asked: list[str] = []
    rows = lance_store._tables.rows

    def counted(name: str, *arguments: Any) -> Any:
        asked.append(name)
        return rows(name, *arguments)

    monkeypatch.setattr(lance_store._tables, "rows", counted)

    for one in made:
        assert lance_store.lines(one.record.doc_id, 1, 40) == one.document.lines
        assert lance_store.lines(one.record.doc_id, 2, 9) == one.document.lines[1:]
    assert asked == ["bodies"]


def test_replaced_rows_stay_for_a_day(lance_store: LanceStore, tools: Any) -> None:
    """A reader at an earlier state goes on reading it; later the rows that no document points to are deleted."""
    named = NamedObject(kind="table", label="Table 1", title="", page_num=1, line_num=1)
    for texts in (["lamp wick", "rope"], ["mast"]):
        made = tools.make("a.md", texts)
        lance_store.put(made.record, msgspec.structs.replace(made.document, objects=(named,)), made.passages)

    def n_rows() -> list[int]:
        counted = []
        for name in ("bodies", "passages", "postings", "objects"):
            dataset = lance_store._tables.at(name)
            counted.append(0 if dataset is None else dataset.count_rows())
        return counted

    lance_store.sweep()
    before = n_rows()
    maintenance.drop_unused(lance_store._tables, lance_store._notes, lance_store._states.now(), grace_s=-1.0)

    assert before == [2, 3, 4, 2]
    assert n_rows() == [1, 1, 1, 1]
    assert tools.found(lance_store, lance_store.search_terms({"mast": 1.0}, k=9)) == ["mast"]


def test_compacted_and_indexed_tables_give_the_same(
    lance_store: LanceStore, tools: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither many small files nor one large one with indexes, nor rows added since, change what is found."""
    monkeypatch.setattr(maintenance, "_LEAST_INDEXED", 1)
    embedder = tools.embedder(dimension=32)
    for number in range(30):
        lance_store.put(*tools.make(f"d{number}.md", [f"lamp {number}", f"rope part{number}"]))
    tools.embed_all(lance_store, embedder)

    def found() -> Any:
        hits = lance_store.search_terms({"lamp": 1.0, "part7": 2.0}, k=9)
        near = lance_store.nearest(embedder.embed(["rope part7"])[0], embedder=embedder, k=3)
        return hits, near, lance_store.passages([hit.passage_id for hit in hits])

    before = found()
    lance_store.sweep()
    tidied = found()
    with LanceStore(lance_store.place) as fresh:
        again = fresh.search_terms({"lamp": 1.0, "part7": 2.0}, k=9)
    lance_store.put(*tools.make("new.md", ["part7 part7"]))
    newer = lance_store.search_terms({"part7": 1.0}, k=1)

    assert before == tidied
    assert again == before[0]
    assert tools.found(lance_store, newer) == ["part7 part7"]
    dataset: Any = lance_store._tables.at("postings")
    assert [index.name for index in dataset.describe_indices()] == ["term_idx"]


def test_an_index_proposes_and_vectors_decide(
    tmp_path: Path, tools: Any, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """With more vectors than are held in memory the nearest are the same, with the same scores, also in a filter.

    So they are after documents went, whose rows are deleted; and Lance has nothing to warn about.
    """
    monkeypatch.setattr(maintenance, "_LEAST_INDEXED", 1)
    monkeypatch.setattr(maintenance, "EXACT_MOST", 10)
    embedder = tools.embedder(dimension=251)
    made = [tools.make(f"d{i}.md", [f"lamp{i} rope{j}" for j in range(20)]) for i in range(15)]
    with LanceStore(tmp_path / "library", exact_most=10) as large:
        for one in made:
            large.put(*one)
        tools.embed_all(large, embedder)
        large.sweep()
        for gone in (None, made[14], made[0]):
            if gone is not None:
                large.remove(gone.record.doc_id)
                large.vectors.drop_unused()
            with LanceStore(tmp_path / "library") as exact:
                for doc_ids in ((), [made[3].record.doc_id], [one.record.doc_id for one in made[3:9]]):
                    query = embedder.embed(["lamp3 rope7"])[0]
                    by_index = large.nearest(query, embedder=embedder, doc_ids=doc_ids, k=5)
                    assert by_index == exact.nearest(query, embedder=embedder, doc_ids=doc_ids, k=5)
                    assert tools.found(large, by_index)[0] == "lamp3 rope7"
    assert "WARN" not in capfd.readouterr().err


def test_what_is_near_need_not_be_spread_evenly(tmp_path: Path, tools: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the documents asked about hold little of what is near, the index is asked for more."""
    monkeypatch.setattr(maintenance, "_LEAST_INDEXED", 1)
    monkeypatch.setattr(maintenance, "EXACT_MOST", 10)
    embedder = tools.embedder(dimension=64)
    near = [tools.make(f"near{i}.md", [f"lamp wick {i} {j}" for j in range(30)]) for i in range(4)]
    far = [tools.make(f"far{i}.md", [f"rope mast{j} sail{i}" for j in range(30)]) for i in range(4)]
    with LanceStore(tmp_path / "library", exact_most=10) as large:
        for one in (*near, *far):
            large.put(*one)
        tools.embed_all(large, embedder)
        large.sweep()
        query, doc_ids = embedder.embed(["lamp wick"])[0], [one.record.doc_id for one in far]
        by_index = large.nearest(query, embedder=embedder, doc_ids=doc_ids, k=9)
        with LanceStore(tmp_path / "library") as exact:
            assert by_index == exact.nearest(query, embedder=embedder, doc_ids=doc_ids, k=9)


def test_words_are_counted_once_for_all_processes(
    lance_store: LanceStore, tools: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process begins with the words that were counted when many documents were added, and counts on from there."""
    monkeypatch.setattr(snapshot, "_LEAST_COUNTED", 4)
    made = [tools.make(f"d{number}.md", [f"lamp{'abcdefgh'[number]} rope"]) for number in range(6)]
    with lance_store.writing():
        for one in made:
            lance_store.put(*one)
    lance_store.remove(made[0].record.doc_id)
    lance_store.put(*tools.make("d1.md", ["mast"]))
    counted: list[tuple[int, int]] = []
    count = snapshot._count

    def noted(total: dict[str, int], dataset: Any, first_ids: set[int], *, sign: int) -> None:
        counted.append((sign, len(first_ids)))
        count(total, dataset, first_ids, sign=sign)

    monkeypatch.setattr(snapshot, "_count", noted)

    with LanceStore(lance_store.place, read_only=True) as fresh:
        words = dict(fresh.words())

    assert words == {"lampc": 1, "lampd": 1, "lampe": 1, "lampf": 1, "rope": 4, "mast": 1}
    assert counted == [(-1, 2), (1, 1)]


def test_a_large_table_is_indexed_without_a_sweep(
    lance_store: LanceStore, tools: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A library that is filled in a few large batches has few files, and is indexed all the same."""
    monkeypatch.setattr(maintenance, "_LEAST_INDEXED", 50)
    with lance_store.writing():
        for number in range(9):
            lance_store.put(*tools.make(f"d{number}.md", [f"lamp{number} {j}" for j in range(9)]))

    names: dict[str, Any] = {name: lance_store._tables.at(name) for name in ("passages", "postings", "bodies")}

    assert {name: [i.name for i in dataset.describe_indices()] for name, dataset in names.items()} == {
        "passages": ["passage_id_idx"], "postings": ["term_idx"], "bodies": [],
    }  # fmt: skip
    assert tools.found(lance_store, lance_store.search_terms({"lamp4": 1.0}, k=1)) == ["lamp4 0"]


def test_keys_are_taken_from_the_environment_alone() -> None:
    """The usual variables reach object storage; without them the machine's own ways are tried."""
    given = {"AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "s", "AWS_ENDPOINT": "http://127.0.0.1:8333", "X": "y"}

    assert storage_options({}) == {}
    assert storage_options(given) == {
        "aws_access_key_id": "k",
        "aws_secret_access_key": "s",
        "aws_endpoint": "http://127.0.0.1:8333",
        "aws_region": "us-east-1",
        "allow_http": "true",
    }


def test_a_place_is_opened_as_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`lance:DIR` makes Lance tables, which are found again without the word; addresses of other kinds are refused."""
    with opening.open_store(f"lance:{tmp_path / 'a'}") as made, opening.open_store(tmp_path / "a") as again:
        assert type(made) is type(again) is LanceStore
    with pytest.raises(SettingsError, match="gs"):
        opening.open_store("gs://bucket/x")
    with pytest.raises(SettingsError, match="bucket"):
        opening.open_store("s3://")
    with pytest.raises(StoreError, match="no library"):
        opening.open_store(f"lance:{tmp_path / 'b'}", create=False)
    monkeypatch.setattr(opening, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"pincite\[scale\]"):
        opening.open_store(tmp_path / "a")


def test_a_new_tokenizer_makes_the_terms_anew(
    lance_store: LanceStore, tools: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A library of an earlier pincite is searched with the terms of the present one once it is opened for writing."""
    lance_store.put(*tools.make("a.md", ["lamp wick"]))
    monkeypatch.setattr("pincite.text.tokens.TOKENIZER_VERSION", 10_000)

    with LanceStore(tmp_path / "library") as opened:
        assert [stored.tokenizer for stored in opened._states.now().stored] == [10_000]
        assert tools.found(opened, opened.search_terms({"wick": 1.0}, k=9)) == ["lamp wick"]


def test_a_library_is_no_document(lance_store: LanceStore, tools: Any) -> None:
    """Who adds a folder with a Lance library in it does not add the library."""
    lance_store.put(*tools.make("a.md", ["lamp wick"]), original=b"lamp wick")
    lance_store.original_path(lance_store.records()[0].doc_id)
    document = lance_store.path.parent / "a.lance.md"

    files = [path for path in lance_store.path.rglob("*") if path.is_file()]

    assert len(files) > 8
    assert all(map(is_own_file, files))
    assert not is_own_file(document)
