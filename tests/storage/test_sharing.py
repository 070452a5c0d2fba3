"""One library and many processes and threads (case OPS02)."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import LibraryBusyError, StoreError
from pincite.storage.locks import WriterLock
from pincite.storage.sqlite import SqliteStore

SCRIPT = Path(__file__).with_name("writing_process.py")


@pytest.mark.slow
def test_two_writers_and_four_readers(tmp_path: Path, tools: Any) -> None:
    """Readers never fail and see whole documents; two writers together make what one would; nothing is double.

    All the while a thread opens and closes the database file, which drops the POSIX locks of this process.
    """
    folder = tmp_path / "library"
    SqliteStore(folder).close()
    writers = [
        subprocess.Popen([sys.executable, SCRIPT, folder, "15", str(seed)], stdout=subprocess.DEVNULL)
        for seed in (1, 2)
    ]
    errors: list[BaseException] = []
    is_done = threading.Event()
    embedder = tools.embedder()

    def read() -> None:
        try:
            with SqliteStore(folder, read_only=True) as store:
                while not is_done.is_set():
                    for record in store.records():
                        lines = store.document(record.doc_id).lines
                        assert len(lines) >= 21
                    store.search_terms({"marker": 1.0}, k=5)
                    store.nearest(embedder.embed(["Marker"])[0], embedder=embedder, k=5)
        except BaseException as error:  # noqa: BLE001 - a thread has nobody to raise to
            errors.append(error)

    def open_and_close() -> None:
        while not is_done.is_set():
            (folder / "pincite.sqlite").open("rb").close()
            time.sleep(0.001)

    threads = [threading.Thread(target=read) for _ in range(4)] + [threading.Thread(target=open_and_close)]
    for thread in threads:
        thread.start()
    codes = [writer.wait() for writer in writers]
    is_done.set()
    for thread in threads:
        thread.join()

    assert errors == []
    assert codes == [0, 0]
    with SqliteStore(folder) as store:
        assert [record.metadata["version"] for record in store.records()] == [2] * 15
        assert len(store.search_terms({"marker": 1.0}, k=10**6)) == 15 * 22
        assert store.words()["marker"] == 15 * 22
        assert store.vectors.progress(embedder) == (15 * 22, 15 * 22)


def test_a_closing_writer_deletes_nothing_that_others_use(tmp_path: Path, tools: Any) -> None:
    """Opening and closing the database file drops the locks of this process: its log must survive other writers."""
    with SqliteStore(tmp_path) as writer, SqliteStore(tmp_path, read_only=True) as reader:
        writer.put(*tools.make("a.md", ["one"]))
        assert len(reader.records()) == 1
        shared = [tmp_path / f"pincite.sqlite-{kind}" for kind in ("wal", "shm")]
        inodes = [path.stat().st_ino for path in shared]
        (tmp_path / "pincite.sqlite").open("rb").close()

        subprocess.run([sys.executable, SCRIPT, tmp_path, "1", "0"], check=True, stdout=subprocess.DEVNULL)

        assert [path.stat().st_ino for path in shared] == inodes
        writer.put(*tools.make("b.md", ["two"]))
        assert [record.name for record in reader.records()] == ["a.md", "b.md", "d00.md"]


def test_a_reader_keeps_its_state_while_a_writer_commits(tmp_path: Path, tools: Any) -> None:
    """A long read sees the library as it was at its start, and does not hold the writer up."""
    with SqliteStore(tmp_path) as writer, SqliteStore(tmp_path, read_only=True) as reader:
        writer.put(*tools.make("a.md", ["one"]))
        with reader._connections.reading() as connection:
            before = connection.execute("SELECT count(*) FROM documents").fetchone()
            writer.put(*tools.make("b.md", ["two"]))
            during = connection.execute("SELECT count(*) FROM documents").fetchone()

        assert (before, during, len(reader.records())) == ((1,), (1,), 2)


def test_a_second_writer_is_told_who_writes(tmp_path: Path, tools: Any) -> None:
    """When waiting runs out, the error names the process that holds the library; readers go on meanwhile."""
    with SqliteStore(tmp_path) as first, SqliteStore(tmp_path, lock_timeout_s=0.05) as second:
        first.put(*tools.make("a.md", ["one"]))
        with first.writing():
            with pytest.raises(LibraryBusyError, match=rf"process {os.getpid()} is writing"):
                second.put(*tools.make("b.md", ["two"]))
            assert len(second.records()) == 1
        second.put(*tools.make("b.md", ["two"]))
        assert len(first.records()) == 2


def test_answers_are_kept_while_another_process_adds(tmp_path: Path) -> None:
    """Whoever asks during a long ingest gets the trace saved, and can close, without waiting for its end."""
    with SqliteStore(tmp_path) as adding, adding.writing():
        with SqliteStore(tmp_path, lock_timeout_s=0) as asking:
            asking.journal.save_trace("t1", b"{}", question="?", result="answer")
        assert adding.journal.trace("t1") == b"{}"


def test_a_waiting_writer_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long wait is told once, with the process that is waited for."""
    monkeypatch.setattr("pincite.storage.locks.PATIENCE_S", 0.0)
    told: list[int | None] = []
    first, second = WriterLock(tmp_path / "lock"), WriterLock(tmp_path / "lock", on_wait=told.append)

    with first.held(1), pytest.raises(LibraryBusyError), second.held(0.1):
        pass

    assert told == [os.getpid()]


def test_the_lock_goes_with_its_holder(tmp_path: Path) -> None:
    """A killed writer does not lock the library for ever, even when it has left children."""
    code = (
        "import sys, os, time\nfrom pathlib import Path\nfrom pincite.storage.locks import WriterLock\n"
        "with WriterLock(Path(sys.argv[1])).held(1):\n"
        "    if os.fork() == 0:\n        time.sleep(60)\n"
        "    print('held', flush=True)\n    time.sleep(60)\n"
    )
    if sys.platform == "win32":
        pytest.skip("needs fork")
    process = subprocess.Popen([sys.executable, "-c", code, tmp_path / "lock"], stdout=subprocess.PIPE,
                               start_new_session=True)  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    process.kill()
    process.wait()
    try:
        with WriterLock(tmp_path / "lock").held(60):
            pass
    finally:
        os.killpg(process.pid, 9)
        process.stdout.close()


def test_threads_share_a_store(store: SqliteStore, tools: Any) -> None:
    """One store may be used from many threads at a time."""
    errors: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for part in range(3):
                store.put(*tools.make(f"{number}-{part}.md", [f"lamp{number} wick{part}"]))
                assert len(store.search_terms({f"lamp{number}": 1.0}, k=9)) == part + 1
        except BaseException as error:  # noqa: BLE001 - a thread has nobody to raise to
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert errors == []
    assert len(store.records()) == 18


def test_a_store_notices_that_the_files_were_replaced(tmp_path: Path, tools: Any) -> None:
    """When the library is deleted and made again under an open store, it goes on with the new one."""
    with SqliteStore(tmp_path) as store:
        store.put(*tools.make("a.md", ["one"]))
        for file in tmp_path.glob("pincite.sqlite*"):
            file.unlink()
        with SqliteStore(tmp_path) as other:
            other.put(*tools.make("b.md", ["two"]))
            store.put(*tools.make("c.md", ["three"]))

            names = [[record.name for record in opened.records()] for opened in (store, other)]

    assert names == [["b.md", "c.md"], ["b.md", "c.md"]]


def test_read_only_changes_nothing(tmp_path: Path, tools: Any) -> None:
    """A store opened for reading refuses every change."""
    with SqliteStore(tmp_path) as store:
        store.put(*tools.make("a.md", ["one"]))
    with SqliteStore(tmp_path, read_only=True) as store:
        with pytest.raises(StoreError, match="reading only"):
            store.put(*tools.make("b.md", ["two"]))
        with pytest.raises(StoreError, match="reading only"):
            store.remove("x")
        with pytest.raises(StoreError, match="reading only"):
            store.journal.save_trace("t1", b"{}", question="?", result="answer")
        assert len(store.records()) == 1


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="needs a user that permissions bind")
def test_a_folder_that_cannot_be_written_can_be_read(tmp_path: Path, tools: Any) -> None:
    """A library on a read-only disk answers."""
    with SqliteStore(tmp_path) as store:
        store.put(*tools.make("a.md", ["lamp"]))
    tmp_path.chmod(0o555)
    try:
        with SqliteStore(tmp_path, read_only=True) as store:
            assert len(store.search_terms({"lamp": 1.0}, k=9)) == 1
    finally:
        tmp_path.chmod(0o755)
