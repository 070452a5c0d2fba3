"""Adding over nodes gives what adding in one process gives, whatever happens to nodes on the way."""

import contextlib
import logging
import pickle
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import ClusterError, ProviderUnavailableError, SettingsError

pytest.importorskip("lance", reason="the extra `scale` (pylance) is not installed")

from pincite.add import AddReport, add_files
from pincite.models import open_embedder
from pincite.nodes import adding, planning, work
from pincite.nodes.adding import add_over_nodes
from pincite.nodes.engine import Lost
from pincite.nodes.orders import Job, TidyOrder
from pincite.settings import Settings
from pincite.sources import open_source
from pincite.storage.lance import maintenance
from pincite.storage.lance.store import LanceStore

SETTINGS = Settings(jobs=1)
TEXT = "# Notice\n\nThe notice period of {0} is {1} days.\n\n# Panes\n\nThe lamp of {0} has {1} panes.\n"


class Nodes:
    """Does work in this process, each order and reply pickled as on their way; `fate` says what happens to an order.

    "late": the work is done, its reply is lost, and it is done again, as Ray does. "dead": it dies each time.
    """

    n_slots = 3
    n_gpus = 0

    def __init__(self, fate: Callable[[Any], str] = lambda _: "") -> None:
        self.fate = fate
        self._under_way: deque[tuple[int, Any, bytes]] = deque()
        self.n_started = 0

    @contextlib.contextmanager
    def opened(self) -> Iterator["Nodes"]:
        """Give the nodes, as an engine is opened."""
        yield self

    def start(self, work: Any, order: Any, *, on_gpu: bool = False) -> int:
        """Send an order."""
        del on_gpu
        self.n_started += 1
        self._under_way.append((self.n_started, work, pickle.dumps(order)))
        return self.n_started

    def next_done(self) -> Any:
        """Do the oldest order."""
        number, work, sent = self._under_way.popleft()
        order = pickle.loads(sent)  # noqa: S301 - pickled above
        fate = self.fate(order)
        if fate == "dead":
            return number, Lost(reason="crashed")
        if fate == "late":
            work(pickle.loads(sent))  # noqa: S301 - pickled above
        return number, pickle.loads(pickle.dumps(work(order)))  # noqa: S301 - pickled here


@pytest.fixture(autouse=True)
def own_process() -> Iterator[None]:
    """Forget what a node's process keeps, and end its parsing child."""
    yield
    if work._pool.cache_info().currsize:
        work._pool(SETTINGS).close()
    for kept in (work._check, work._library, work._pool, work._embedder):
        kept.cache_clear()
    logging.getLogger("pincite").setLevel(logging.NOTSET)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Return a folder: documents, one of odd bytes in its name, one broken, one unknown. Beside it is a namesake."""
    folder = tmp_path / "docs"
    for one in (folder, tmp_path / "more"):
        one.mkdir()
    for number in range(12):
        (folder / f"d{number:02}.md").write_text(TEXT.format(f"house {number}", number + 30))
    (tmp_path / "more" / "d00.md").write_text(TEXT.format("the barn", 3))
    (folder / "odd-\udc80.md").write_text(TEXT.format("the shed", 4))
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nonsense")
    (folder / "unknown.bin").write_bytes(bytes(range(256)))
    return folder


def added(store: LanceStore, docs: Path, nodes: Nodes | None = None, *, embed: bool = False) -> AddReport:
    """Add a folder over nodes, or in this process without them."""
    files = [*open_source(str(docs)).files(), *open_source(str(docs.parent / "more" / "d00.md")).files()]
    embedder = open_embedder(SETTINGS.embedder, SETTINGS) if embed else None
    with store.writing():
        if nodes is None:
            return add_files(files, store, embedder, settings=SETTINGS)
        return add_over_nodes(files, store, embedder, settings=SETTINGS, open_engine=nodes.opened)


def contents(store: LanceStore) -> dict[str, Any]:
    """Return everything that a reader can see of a library, without times and numbers of rows."""
    state: dict[str, Any] = {}
    for record in store.records():
        fields = {name: getattr(record, name) for name in record.__struct_fields__ if name != "added_at"}
        passages = [one.passage for one in store.passages_at(record.doc_id, 1, 10**6)]
        state[record.doc_id] = (fields, store.document(record.doc_id), passages, store.original(record.doc_id))
    terms = {"notic": 1.0, "lamp": 0.5, "barn": 2.0}
    by_id = {one.passage_id: one for one in store.passages(range(0))}
    hits = store.search_terms(terms, k=100)
    by_id = {one.passage_id: one for one in store.passages([hit.passage_id for hit in hits])}
    state["hits"] = sorted((hit.score, by_id[hit.passage_id].doc_id) for hit in hits)
    state["words"] = dict(store.words())
    state["failures"] = [(f.uri, f.name, f.code, f.message) for f in store.journal.failures()]
    for embedder in store.vectors.embedders():
        vectors = [pair for batch in store.vectors.every(embedder) for pair in batch]
        state[embedder.name] = sorted((text_hash, vector.tolist()) for text_hash, vector in vectors)
    return state


def n_rows(store: LanceStore) -> int:
    return len({record.uri for record in store.records()})


def test_nodes_and_one_process_make_the_same_library(docs: Path, tmp_path: Path) -> None:
    """Documents, names, passages, vectors, originals, words, ranking, failures and the report are the same."""
    with LanceStore(tmp_path / "here") as here, LanceStore(tmp_path / "there") as there:
        expected = added(here, docs, embed=True)
        report = added(there, docs, Nodes(), embed=True)

        assert contents(there) == contents(here)
        for field in ("added", "unchanged", "renamed", "failed", "skipped", "n_embedded"):
            assert getattr(report, field) == getattr(expected, field)
        assert sorted(report.doc_ids) == sorted(expected.doc_ids)


def test_work_that_is_done_twice_is_in_the_library_once(docs: Path, tmp_path: Path) -> None:
    """A node that dies with its reply on the way leaves rows that nobody sees; vectors are there once."""
    with LanceStore(tmp_path / "here") as here, LanceStore(tmp_path / "there") as there:
        added(here, docs, embed=True)
        added(there, docs, Nodes(lambda _: "late"), embed=True)

        assert contents(there) == contents(here)
        table: Any = there._tables.rows("documents", ["doc_id"])
        assert len(set(table["doc_id"].to_pylist())) == table.num_rows
        notes = there._notes.all("job", str)
        assert notes == {}


def test_a_file_that_kills_processes_is_reported_and_the_rest_is_added(docs: Path, tmp_path: Path) -> None:
    """One file is to blame and said to be; every other file of its piece is added."""

    def fate(order: Any) -> str:
        return "dead" if any(f.name == "d03.md" for f in getattr(order, "files", ())) else ""

    with LanceStore(tmp_path / "there") as there:
        report = added(there, docs, Nodes(fate))

        assert [(one.name, one.code) for one in report.failed] == [
            ("broken.pdf", "corrupt_pdf"),
            ("d03.md", "node_died"),
        ]
        assert len(report.added) == n_rows(there) == 13
        assert [one.name for one in there.journal.failures()] == ["broken.pdf", "d03.md"]


def test_what_was_stopped_goes_on_where_it_was(docs: Path, tmp_path: Path) -> None:
    """After a stop what was done is visible; the same call does the rest, and a third time nothing."""
    left = 4

    def fate(order: Any) -> str:
        nonlocal left
        left -= 1
        if left == 0:
            raise KeyboardInterrupt
        return ""

    with LanceStore(tmp_path / "here") as here, LanceStore(tmp_path / "there") as there:
        expected = added(here, docs, embed=True)
        with pytest.raises(KeyboardInterrupt):
            added(there, docs, Nodes(fate), embed=True)
        n_before = n_rows(there)
        report = added(there, docs, Nodes(), embed=True)
        idle = Nodes()
        last = added(there, docs, idle, embed=True)

        assert 0 < n_before == len(report.unchanged) - report.unchanged.count("broken.pdf")
        assert len(report.added) + n_before == len(expected.added)
        assert contents(there) == contents(here)
        assert (last.added, last.n_embedded, [one.name for one in last.failed]) == ((), 0, ["broken.pdf"])


def test_changed_files_are_replaced_and_moved_ones_renamed(docs: Path, tmp_path: Path) -> None:
    """What changed is read again under its id and name; a file that moved is renamed without reading it."""
    with LanceStore(tmp_path / "there") as there:
        before = {record.name: record.doc_id for record in there.records()} or added(there, docs, Nodes())
        ids = {record.name: record.doc_id for record in there.records()}
        (docs / "d01.md").write_text(TEXT.format("the mill", 99))
        (docs / "d02.md").rename(docs / "moved.md")
        report = added(there, docs, Nodes())

        assert before
        assert [(one.name, one.doc_id, one.replaced) for one in report.added] == [("d01.md", ids["d01.md"], True)]
        assert report.renamed == ("moved.md",)
        found = there.search_terms({"mill": 1.0}, k=9)
        assert {there.passages([hit.passage_id])[0].doc_id for hit in found} == {ids["d01.md"]}


def test_a_file_that_is_gone_or_too_large_fails_as_it_does_here(docs: Path, tmp_path: Path) -> None:
    """Files that cannot be read are reported with the words of the local engine."""
    settings = Settings(jobs=1, max_file_mb=1)
    (docs / "large.md").write_bytes(b"a " * (600 << 10))
    files = list(open_source(str(docs)).files())
    with LanceStore(tmp_path / "here") as here, LanceStore(tmp_path / "there") as there:
        expected = add_files(files, here, None, settings=settings)
        report = add_over_nodes(files, there, None, settings=settings, open_engine=Nodes().opened)

        assert [one.name for one in report.failed] == ["broken.pdf", "large.md"]
        assert report.failed == expected.failed
    work._pool(settings).close()


def test_every_row_is_in_the_indexes(docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After adding, tables are few files and their indexes know every row."""
    monkeypatch.setattr(maintenance, "_LEAST_INDEXED", 10)
    monkeypatch.setattr(adding, "MOST_FILES", 1)
    with LanceStore(tmp_path / "there") as there:
        added(there, docs, Nodes(), embed=True)
        (docs / "later.md").write_text(TEXT.format("the attic", 7))
        added(there, docs, Nodes(), embed=True)

        counted = 0
        for name, column in there.sharing.tables_to_tidy().items():
            dataset: Any = there._tables.at(name)
            if dataset is None or column is None:
                continue
            if dataset.count_rows() >= 10:
                assert dataset.describe_indices()
                assert maintenance.n_unindexed(there._tables, name) == 0
                counted += 1
            # Lance keeps rows that were indexed apart from those that came later.
            assert len(dataset.get_fragments()) <= 2
        assert counted == 4


def test_tables_are_tidied_while_much_is_added() -> None:
    """Tidying comes after 64 pieces, 128, 256: its work stays a small share, and tables do not fall into files."""
    job = Job(job_id="j", place="p", settings=SETTINGS, version="v")
    pieces = [planning.Files(job, ()) for _ in range(300)]
    tidying = TidyOrder(job=job, table="t", column=None, least_files=1)

    given = list(planning.with_tidying(pieces, lambda: [tidying]))

    assert [at for at, piece in enumerate(given) if isinstance(piece, planning.Table)] == [64, 129, 258]


def test_a_node_that_sees_another_library_is_found_out(docs: Path, tmp_path: Path) -> None:
    """A node on which the folder is not shared writes nothing, and the error says so."""
    with LanceStore(tmp_path / "there") as there:
        files = list(open_source(str(docs)).files())
        nodes = Nodes()
        start = nodes.start
        (tmp_path / "elsewhere").mkdir()

        def elsewhere(work: Any, order: Any, *, on_gpu: bool = False) -> int:
            from msgspec.structs import replace

            return start(work, replace(order, job=replace(order.job, place=str(tmp_path / "elsewhere"))))

        nodes.start = elsewhere  # type: ignore[method-assign]
        with pytest.raises(ClusterError, match="does not see the driver's library"):
            add_over_nodes(files, there, None, settings=SETTINGS, open_engine=nodes.opened)

        assert list((tmp_path / "elsewhere").iterdir()) == []
        assert there.records() == ()


def test_a_node_of_another_version_is_found_out(docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of another pincite would not fit beside the others: its nodes are refused."""
    monkeypatch.setattr(adding, "node_version", lambda: "9.9, terms 1")
    with LanceStore(tmp_path / "there") as there, pytest.raises(ClusterError, match=r"the driver has 9\.9, terms 1"):
        added(there, docs, Nodes())


def test_words_of_documents_do_not_reach_the_logs_of_nodes(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever goes wrong on a node is said by its kind and place in the code, and nothing is logged."""

    def failing(*_: Any, **__: Any) -> Any:
        logging.getLogger("pincite.add.embedding").warning("the secret clause")
        raise ValueError("the secret clause")

    monkeypatch.setattr(work, "passages_of", failing)
    with LanceStore(tmp_path / "there") as there, pytest.raises(ClusterError) as raised:
        added(there, docs, Nodes())

    assert "ValueError at test_adding.py" in str(raised.value)
    assert "secret" not in str(raised.value) + caplog.text


def test_a_service_that_is_down_is_one_failure_as_it_is_here(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Words are searched all the same; the next run makes the vectors."""

    class Down:
        name, dimension = "service:model", 3

        def embed(self, texts: Any) -> Any:
            del texts
            raise ProviderUnavailableError("service: no connection")

    down: Any = Down()
    for module in (adding, work):
        monkeypatch.setattr(module, "open_embedder", lambda *_, **__: down)
    files = list(open_source(str(docs)).files())
    with LanceStore(tmp_path / "here") as here, LanceStore(tmp_path / "there") as there:
        expected = add_files(files, here, down, settings=SETTINGS)
        nodes = Nodes()
        report = add_over_nodes(files, there, down, settings=SETTINGS, open_engine=nodes.opened)

        assert [one.code for one in report.failed] == ["corrupt_pdf", "provider_unavailable"]
        assert (report.failed, report.n_embedded) == (expected.failed, 0)


def test_another_embedder_than_the_settings_name_is_refused(docs: Path, tmp_path: Path) -> None:
    """Nodes make the embedder that the settings name: one that was handed over would be another on each of them."""

    class Own:
        name, dimension = "own", 3

    embedder: Any = Own()
    with LanceStore(tmp_path / "there") as there, pytest.raises(SettingsError, match="setting embedder names"):
        add_over_nodes([], there, embedder, settings=SETTINGS, open_engine=Nodes().opened)
