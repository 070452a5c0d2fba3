"""Libraries on object storage: one command line, many writers, and a writer that is killed."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pincite import Answer, Library
from pincite.settings import Settings
from pincite.storage.opening import open_store

pytestmark = pytest.mark.scale

NOTICE = "# Notice\n\nThe notice period is 30 days.\n\n# Panes\n\nThe lamp has 6 panes.\n"


def pincite(bucket: Any, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command line on the library in the bucket."""
    environment = {**os.environ, **bucket.environment}
    command = [sys.executable, "-c", "from pincite.interfaces.cli import main; main()"]
    return subprocess.run(
        [*command, "--library", bucket.address, *arguments],
        env=environment, cwd=cwd, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_command_line_works_on_a_bucket(bucket: Any, tmp_path: Path) -> None:
    """add, ls, ask, trace, search, show, sync and rm do on `s3://…` what they do on a folder."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "contract.md").write_text(NOTICE)

    added = pincite(bucket, "add", "docs", cwd=tmp_path)
    asked = pincite(bucket, "ask", "What is the notice period?", "--json", cwd=tmp_path)
    trace = pincite(bucket, "trace", json.loads(asked.stdout)["trace_id"], cwd=tmp_path)
    found = pincite(bucket, "search", "panes", cwd=tmp_path)
    shown = pincite(bucket, "show", "contract.md", "--page", "1", cwd=tmp_path)
    (docs / "contract.md").write_text(NOTICE.replace("30 days", "60 days"))
    synced = pincite(bucket, "sync", "docs", "--json", cwd=tmp_path)
    again = pincite(bucket, "ask", "What is the notice period?", "--json", cwd=tmp_path)
    removed = pincite(bucket, "rm", "contract.md", cwd=tmp_path)
    listed = pincite(bucket, "ls", "--json", cwd=tmp_path)

    for run in (added, asked, trace, found, shown, synced, again, removed, listed):
        assert run.returncode == 0, run.stderr
    assert "contract.md" in added.stdout
    assert "30 days" in json.loads(asked.stdout)["items"][0]["text"]
    assert "panes" in found.stdout
    assert "The lamp has 6 panes." in shown.stdout
    assert "60 days" in json.loads(again.stdout)["items"][0]["text"]
    assert json.loads(listed.stdout)["documents"] == []
    everything = "".join(run.stdout + run.stderr for run in (added, asked, synced))
    assert bucket.environment["AWS_SECRET_ACCESS_KEY"] not in everything


def test_answers_and_traces_are_there_for_another_machine(bucket: Any, tmp_path: Path) -> None:
    """Who opens the bucket elsewhere finds documents, originals and the traces of what was asked."""
    (tmp_path / "contract.md").write_text(NOTICE)
    settings = Settings(embedder="none")
    with Library(bucket.address, settings=settings) as library:
        library.add(tmp_path / "contract.md")
        result = library.ask("What is the notice period?")
        assert isinstance(result, Answer)
    (tmp_path / "contract.md").unlink()

    with Library(bucket.address, settings=settings) as elsewhere:
        again = elsewhere.result(result.trace_id)
        assert isinstance(again, Answer)
        assert again.items == result.items
        record = elsewhere.documents()[0]
        assert elsewhere.store.original(record.doc_id) == NOTICE.encode()


def test_a_library_moves_to_a_bucket_and_back(bucket: Any, tmp_path: Path) -> None:
    """`pincite migrate` copies a folder to a bucket and the bucket to another folder; all three answer alike."""
    (tmp_path / "contract.md").write_text(NOTICE)
    first, last = tmp_path / "first", tmp_path / "last"
    with Library(first) as library:
        library.add(tmp_path / "contract.md")

    there = pincite(bucket, "migrate", str(first), bucket.address, cwd=tmp_path)
    back = pincite(bucket, "migrate", bucket.address, str(last), "--json", cwd=tmp_path)

    assert (there.returncode, back.returncode) == (0, 0), there.stderr + back.stderr
    assert json.loads(back.stdout)["contents"]["counts"]["documents"] == 1
    answers = []
    for place in (first, bucket.address, last):
        with Library(place) as library:
            result = library.ask("What is the notice period?")
            assert isinstance(result, Answer)
            answers.append(result.items)
    assert answers[0] == answers[1] == answers[2]


WRITER = Path(__file__).with_name("writing_process.py")


def writer(bucket: Any, *arguments: str) -> subprocess.Popen[str]:
    """Start a process that writes documents to the bucket."""
    return subprocess.Popen(
        [sys.executable, str(WRITER), bucket.address, *arguments],
        env={**os.environ, **bucket.environment}, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


def check(address: str, committed: dict[str, int]) -> int:
    """Compare everything that is visible with what the documents say; return how many documents there are."""
    with open_store(address, create=False) as store:
        while True:
            before = store.sequence
            try:
                return check_state(store, committed)
            except AssertionError:
                # Each call sees one whole state; two calls may see two.
                if store.sequence == before:
                    raise


def check_state(store: Any, committed: dict[str, int]) -> int:
    """Compare one state."""
    records = {record.name: record for record in store.records()}
    assert len(records) == len({record.doc_id for record in store.records()}) == len(store.records())
    assert committed.keys() <= records.keys()
    n_passages = 0
    for name, record in records.items():
        version = record.metadata["version"]
        assert version >= committed.get(name, 1)
        expected = [f"Marker {name[:3]} edition{version} part{part} of the log." for part in range(5 + version)]
        assert [line.text for line in store.document(record.doc_id).lines] == expected
        stored = store.passages_at(record.doc_id, 1, 10**6)
        assert [one.passage.text for one in stored] == expected
        hits = store.search_terms({name[:3]: 1.0}, k=10**6)
        assert {hit.passage_id for hit in hits} == {one.passage_id for one in stored}
        named = store.named(["LOG"], doc_ids=[record.doc_id])
        assert [one.named.title for one in named] == expected[:1]
        n_passages += len(expected)
    assert store.words().get("marker", 0) == n_passages == store.passage_count()
    return len(records)


#: The table after whose commit the writer dies, and the number of that commit; the first one of `documents` makes it.
MOMENTS = [
    "bodies:1",
    "passages:1",
    "postings:2",
    "objects:1",
    "documents:1",
    "documents:2",
    "documents:3",
    "postings:3",
]


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_killed_writer_loses_nothing_and_leaves_nothing_half(bucket: Any, moment: str) -> None:
    """Killed between any two commits: what is visible is whole, what was committed is there, a new run finishes."""
    committed: dict[str, int] = {}
    process = writer(bucket, "0", "6", "--batch", "2", "--die-after", moment)
    output, _ = process.communicate()
    assert process.returncode == -signal.SIGKILL
    for line in output.splitlines():
        name, version = line.split()
        committed[name] = int(version)

    check(bucket.address, committed)
    process = writer(bucket, "0", "6")
    process.communicate()

    assert process.returncode == 0
    assert check(bucket.address, committed) == 6
    with open_store(bucket.address) as store:
        store.sweep()
    assert check(bucket.address, committed) == 6


def test_writers_beside_each_other_lose_and_double_nothing(bucket: Any) -> None:
    """Two writers on other documents and two on the same ones, with a reader beside them: every state is whole."""
    writers = [
        writer(bucket, "0", "6", "--batch", "2", "--rounds", "2"),
        writer(bucket, "6", "12", "--batch", "2", "--rounds", "2"),
        writer(bucket, "4", "8", "--batch", "1", "--rounds", "2"),
    ]
    seen = 0
    while any(process.poll() is None for process in writers):
        if seen == 0:
            writers[0].stdout.readline()  # type: ignore[union-attr]
        seen = max(seen, check(bucket.address, {}))

    for process in writers:
        process.communicate()
        assert process.returncode == 0
    assert check(bucket.address, {}) == 12
    with open_store(bucket.address) as store:
        rows: Any = store._tables.rows("documents", ["doc_id", "first_id"])  # type: ignore[union-attr]
        assert len(set(rows["doc_id"].to_pylist())) == rows.num_rows == 12
