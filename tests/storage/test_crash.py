"""A library after SIGKILL (case OPS01): nothing that was committed is lost, nothing is half there."""

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pincite.storage.sqlite import SqliteStore

SCRIPT = Path(__file__).with_name("writing_process.py")
N_DOCUMENTS = 12


def check(store: SqliteStore, tools: Any, committed: dict[str, int]) -> None:
    """Compare every table with what the documents say."""
    records = {record.name: record for record in store.records()}
    assert committed.keys() <= records.keys()
    for name, record in records.items():
        version = record.metadata["version"]
        assert version >= committed.get(name, 1)
        expected = [line.text for line in store.document(record.doc_id).lines]
        assert len(expected) == 20 + version
        assert store.original(record.doc_id) == "\n".join(expected).encode()
        stored = store.passages_at(record.doc_id, 1, 10**6)
        assert [p.passage.text for p in stored] == expected
        number = int(name[1:3])
        assert store.term_counts([f"number{number}"])[f"number{number}"] == len(expected)
        hits = store.search_terms({f"number{number}": 1.0}, k=10**6)
        assert {hit.passage_id for hit in hits} == {p.passage_id for p in stored}
    n_passages = sum(20 + record.metadata["version"] for record in records.values())
    assert store.words().get("marker", 0) == n_passages
    embedder = tools.embedder()
    near = store.nearest(embedder.embed(["Marker"])[0], embedder=embedder, k=10**6)
    done, total = store.vectors.progress(embedder)
    assert total == n_passages
    assert len(near) == done


#: Numbers of SQL statements: one document takes about 500, of which the last is the commit.
MOMENTS = [3, 30, 60, 90, 200, 350, 480, 700, 900, 1100, 2000, 2600]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_killed_writer_loses_nothing_and_leaves_nothing_half(tmp_path: Path, tools: Any) -> None:
    """A writer killed in every stage: what is there fits together, what was committed is there, a new run finishes."""
    committed: dict[str, int] = {}
    folder = tmp_path / "library"
    for run, moment in enumerate(MOMENTS):
        arguments = [sys.executable, str(SCRIPT), str(folder), str(N_DOCUMENTS), str(run), str(moment)]
        process = subprocess.run(arguments, stdout=subprocess.PIPE, check=False)
        assert process.returncode == -signal.SIGKILL
        for line in process.stdout.decode().splitlines():
            name, version = line.split()
            committed[name] = max(int(version), committed.get(name, 0))
        with SqliteStore(folder) as store:
            check(store, tools, committed)
    assert committed
    subprocess.run([sys.executable, SCRIPT, folder, str(N_DOCUMENTS), "99"], check=True, stdout=subprocess.DEVNULL)
    with SqliteStore(folder) as store:
        store.sweep()
        check(store, tools, committed)
        assert len(store.records()) == N_DOCUMENTS
        assert store.vectors.progress(tools.embedder())[0] == store.vectors.progress(tools.embedder())[1]
        originals = sorted(path.name for path in (folder / "originals").glob("*/*"))
        assert originals == sorted(record.content_hash for record in store.records())
