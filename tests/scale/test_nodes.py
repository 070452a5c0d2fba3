"""Adding over two nodes of a Ray cluster on this machine, one of which is killed: the library is what it has to be."""

import contextlib
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pincite import Answer, Library
from pincite.settings import Settings
from pincite.storage.opening import open_store
from pincite.text.tokens import index_terms

pytestmark = pytest.mark.scale
pytest.importorskip("lance", reason="the extra `scale` (pylance) is not installed")
pytest.importorskip("ray", reason="the extra `scale` (ray) is not installed")

#: Nothing of Ray leaves this machine: no statistics, no address but loopback, and a token for who connects.
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": secrets.token_hex(32),
}
#: Sections of 25 words are passages of their own then: 20,000 of them are half a million words.
SHORT = {"PINCITE_PASSAGE_MIN_WORDS": "20", "PINCITE_PASSAGE_MAX_WORDS": "40"}
N_PASSAGES = 50
#: How long one run may take, in seconds; on a machine that is busy they take minutes.
PATIENCE_S = 900.0


class Nodes:
    """Two nodes; `kill` ends everything of the second one."""

    def __init__(self, environment: dict[str, str]) -> None:
        """Start them."""
        self.environment = {**os.environ, **environment, **QUIET, **SHORT}
        self.folder = tempfile.mkdtemp(prefix="pn")
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("nodes_process.py")), self.folder],
            env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.address = self._said()

    def _said(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        assert line, "the cluster does not begin"
        return line

    def kill(self) -> None:
        """Kill the second node."""
        assert self._process.stdin is not None
        self._process.stdin.write("kill\n")
        self._process.stdin.flush()
        assert self._said() == "killed"

    def close(self) -> None:
        """End the cluster, and delete what it has written."""
        self._process.communicate()
        shutil.rmtree(self.folder, ignore_errors=True)

    def add(self, place: str, docs: Path, *options: str) -> "Adding":
        """Start the command line, which adds a folder over the nodes."""
        command = [sys.executable, "-c", "import sys; from pincite.interfaces.cli import main; sys.exit(main())"]
        given = ["--library", place, "add", str(docs), "--engine", "ray", "--address", self.address, "--json", *options]
        output = Path(self.folder, f"report{secrets.token_hex(4)}")
        # Reports are longer than a pipe takes while nobody reads it.
        with output.open("wb") as out, output.with_suffix(".errors").open("wb") as errors:
            return Adding(subprocess.Popen([*command, *given], env=self.environment, stdout=out, stderr=errors), output)


class Adding(NamedTuple):
    """The command line at work, and where it writes to."""

    process: "subprocess.Popen[bytes]"
    output: Path

    @property
    def is_running(self) -> bool:
        """Whether it has not ended yet."""
        return self.process.poll() is None

    def report(self) -> Any:
        """Wait for its end, and return what it reports."""
        self.process.wait(PATIENCE_S)
        text = self.output.read_text()
        assert text, self.output.with_suffix(".errors").read_text()
        return json.loads(text)


@pytest.fixture
def nodes(bucket: Any) -> Iterator[Nodes]:
    """Give two nodes that reach the bucket."""
    running = Nodes(bucket.environment)
    yield running
    running.close()


def text_of(number: int, n_passages: int) -> str:
    """Return a document; every word of it says whose it is."""
    sections = [
        f"# Part {part}\n\n" + " ".join(f"doc{number}x" if w % 5 == 0 else f"w{part}y{w}" for w in range(25)) + ".\n"
        for part in range(n_passages)
    ]
    return "\n".join(sections)


def write(folder: Path, n_documents: int, n_passages: int = N_PASSAGES) -> Path:
    """Write documents to a new folder, and two files that are none."""
    folder.mkdir()
    for number in range(n_documents):
        (folder / f"d{number:03}.md").write_text(text_of(number, n_passages))
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nonsense")
    (folder / "unknown.bin").write_bytes(bytes(range(256)))
    return folder


def check(store: Any, n_passages: int = N_PASSAGES) -> int:
    """Return how many documents are visible; each is there once and whole, in every table."""
    records = store.records()
    assert len({record.uri for record in records}) == len({r.name for r in records}) == len(records)
    for record in records[:: max(1, len(records) // 10)]:
        number = int(record.name[1:4])
        expected = [line for line in text_of(number, n_passages).splitlines() if line]
        assert [line.text for line in store.document(record.doc_id).lines if line.text] == expected
        assert len(store.passages_at(record.doc_id, 1, 10**6)) == n_passages
        assert len(store.search_terms({index_terms(f"doc{number}x")[0]: 1.0}, k=10**6)) == n_passages
    return len(records)


def wait_for(done: Callable[[], bool], adding: Adding) -> None:
    """Wait until something is so while a process runs."""
    until = time.monotonic() + PATIENCE_S
    while not done():
        assert adding.is_running, adding.report()
        assert time.monotonic() < until
        time.sleep(0.2)


def visible(place: str) -> int:
    """Return how many documents a new reader sees; all are whole."""
    with contextlib.suppress(Exception), open_store(place, create=False, read_only=True) as store:
        n_documents = len(store.records())
    with open_store(place, create=False, read_only=True) as store:
        return max(n_documents, check(store))


def rows(store: Any, table: str, key: str) -> list[Any]:
    """Return a column of all rows of a table, those that nobody sees too."""
    found = store._tables.rows(table, [key])
    return [] if found is None else list(found[key].to_pylist())


def test_a_node_that_is_killed_costs_its_work_and_nothing_else(bucket: Any, nodes: Nodes, tmp_path: Path) -> None:
    """20,000 passages over two nodes, one killed on the way: each document once and whole, the report complete."""
    docs = write(tmp_path / "docs", 400)
    adding = nodes.add(bucket.address, docs, "--no-embed")
    with open_store(bucket.address) as store:
        wait_for(lambda: len(store.records()) >= 50, adding)
        assert check(store) < 400
        nodes.kill()
        while adding.is_running:
            check(store)
            time.sleep(1)
    report = adding.report()

    assert adding.process.returncode == 1  # as with the local engine: one file failed
    assert [one["name"] for one in report["added"]] == [f"d{number:03}.md" for number in range(400)]
    assert [(one["name"], one["code"]) for one in report["failed"]] == [("broken.pdf", "corrupt_pdf")]
    assert report["skipped"] == ["unknown.bin"]
    assert not any(one["replaced"] for one in report["added"])
    with open_store(bucket.address) as store:
        assert check(store) == 400
        assert store.passage_count() == 20_000
        for table, key in (("documents", "doc_id"), ("passages", "passage_id"), ("originals", "content_hash")):
            ids = rows(store, table, key)
            assert len(set(ids)) == len(ids) >= (20_000 if table == "passages" else 400)
        from pincite.storage.lance import maintenance

        tables: Any = store._tables  # type: ignore[union-attr]
        assert tables.at("passages").describe_indices()
        assert [maintenance.n_unindexed(tables, name) for name in ("passages", "postings", "bodies")] == [0, 0, 0]
    logs = b"".join(
        path.read_bytes() for path in Path(nodes.folder).rglob("*.*") if path.is_file() and "logs" in path.parts
    )
    assert logs
    assert b"doc1x" not in logs
    assert bucket.environment["AWS_SECRET_ACCESS_KEY"].encode() not in logs


def test_a_driver_that_is_killed_goes_on_where_it_was(bucket: Any, nodes: Nodes, tmp_path: Path) -> None:
    """What was visible stays, is not read again, and the same command does the rest."""
    docs = write(tmp_path / "docs", 120)
    adding = nodes.add(bucket.address, docs, "--no-embed")
    with open_store(bucket.address) as store:
        wait_for(lambda: len(store.records()) >= 10, adding)
        adding.process.send_signal(signal.SIGKILL)
        adding.process.wait()
        n_before = check(store)
    report = nodes.add(bucket.address, docs, "--no-embed").report()

    assert 10 <= n_before < 120
    assert len(report["unchanged"]) >= n_before
    assert len(report["added"]) + len(report["unchanged"]) == 120
    with open_store(bucket.address) as store:
        assert check(store) == 120
        assert store.passage_count() == 120 * N_PASSAGES
        ids = rows(store, "documents", "doc_id")
        assert len(set(ids)) == len(ids) == 120


def test_vectors_are_made_once_though_a_node_is_killed(bucket: Any, nodes: Nodes, tmp_path: Path) -> None:
    """A node killed while it embeds: every text has one vector, the one that this machine makes; answers are alike."""
    docs = write(tmp_path / "docs", 8, 25)
    (docs / "contract.md").write_text("# Notice\n\nThe notice period of the lamp contract is 30 days.\n")
    adding = nodes.add(bucket.address, docs)
    settings = Settings.load(environment={**os.environ, **SHORT})
    with Library(tmp_path / "sqlite", settings=settings) as local:
        expected = local.add(docs)
        answer = local.ask("What is the notice period?")
        with open_store(bucket.address) as store:
            wait_for(lambda: len(rows(store, known_table(store), "text_hash")) > 0, adding)
        nodes.kill()
        report = adding.report()

        assert report["n_embedded"] == expected.n_embedded == 201
        with Library(bucket.address, settings=settings) as over:
            same = over.ask("What is the notice period?")
            assert isinstance(answer, Answer)
            assert isinstance(same, Answer)
            assert same.items == answer.items
            hashes = rows(over.store, known_table(over.store), "text_hash")
            assert len(set(hashes)) == len(hashes) == 201
            for query in ("notice period of a lamp", "doc5x"):
                assert places(over, query) == places(local, query)


def test_ray_is_started_on_this_machine_where_none_is_named(tmp_path: Path) -> None:
    """Without an address the work is done on this machine, in a folder of Lance tables, and nothing of Ray stays."""
    docs = write(tmp_path / "docs", 3, 4)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    command = [sys.executable, "-c", "import sys; from pincite.interfaces.cli import main; sys.exit(main())"]
    given = ["--library", f"lance:{tmp_path / 'library'}", "add", str(docs), "--no-embed", "--json"]
    before = of_ray()

    over = subprocess.run([*command, *given, "--engine", "ray"], env=environment, capture_output=True, check=False)
    again = subprocess.run([*command, *given], env=environment, capture_output=True, check=False)

    assert (over.returncode, again.returncode) == (1, 1), over.stderr
    assert over.stderr == again.stderr == b""
    assert len(json.loads(over.stdout)["added"]) == len(json.loads(again.stdout)["unchanged"]) == 3
    assert of_ray() <= before
    with Library(tmp_path / "library") as by_nodes, Library(f"lance:{tmp_path / 'other'}") as here:
        here.add(docs, embed=False)
        assert state(by_nodes.store) == state(here.store)


def state(store: Any) -> Any:
    """Return what is in every table, without times and numbers of rows."""
    documents = {
        one.doc_id: (
            one.name,
            store.document(one.doc_id),
            [stored.passage for stored in store.passages_at(one.doc_id, 1, 10**6)],
            store.original(one.doc_id),
        )
        for one in store.records()
    }
    failures = [(one.uri, one.code, one.message) for one in store.journal.failures()]
    scores = [hit.score for hit in store.search_terms(dict.fromkeys(index_terms("doc1x w3y7"), 1.0), k=100)]
    return documents, failures, dict(store.words()), scores


def of_ray() -> set[bytes]:
    """Return the commands of all processes that Ray has started on this machine."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            found.add(path.read_bytes())
    return {command for command in found if b"/ray/" in command and b"session_" in command}


def known_table(store: Any) -> str:
    """Return the table of vectors, the name of one that is not there before there are any."""
    embedders = store.vectors.embedders()
    return str(embedders[0].table) if embedders else "vectors-none"


def places(library: Library, query: str) -> list[tuple[str, int, int]]:
    """Return what a search finds, in order."""
    found = library.search(query).candidates
    return [(one.anchor.doc_id, one.anchor.first_line_id, one.anchor.last_line_id) for one in found]
