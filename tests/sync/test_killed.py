"""Syncs that are killed, and syncs that meet."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pincite.library import Library
from pincite.settings import Settings
from pincite.storage.sqlite import SqliteStore

SYNC = "import sys; from pincite.interfaces.cli import main; sys.exit(main(sys.argv[1:]))"
SETTINGS = Settings(jobs=1, embedder="none")
N_FILES = 240


def command(folder: Path, library: Path, *more: str) -> list[str]:
    return [
        sys.executable,
        "-c",
        SYNC,
        "sync",
        str(folder),
        "--library",
        str(library),
        "--jobs",
        "2",
        "--no-embed",
        *more,
    ]


def fill(folder: Path) -> None:
    for number in range(N_FILES):
        path = folder / f"part{number % 7}" / f"note{number:03}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# Note {number}\n\nThe gauge of mill {number} shows {number * 7} mm.\n", "utf-8")


def change(folder: Path) -> None:
    """Edit, delete, move and add a fifth each."""
    for number in range(N_FILES):
        path = folder / f"part{number % 7}" / f"note{number:03}.md"
        if number % 5 == 0:
            path.write_text(f"# Note {number}\n\nThe gauge of mill {number} shows {number * 9} mm.\n", "utf-8")
        elif number % 5 == 1:
            path.unlink()
        elif number % 5 == 2:
            (folder / "moved").mkdir(exist_ok=True)
            path.rename(folder / "moved" / path.name)
        elif number % 5 == 3:
            path.with_name(f"new{number}.md").write_text(f"# New {number}\n\nFresh {number}.\n", "utf-8")


def state(path: Path) -> dict[str, Any]:
    """Return all that a reader can see of a library."""
    with SqliteStore(path) as store:
        records = store.records()
        return {
            "documents": [(r.name, r.uri, r.doc_id, r.content_hash, r.origin, r.n_lines) for r in records],
            "passages": [[p.passage.text for p in store.passages_at(r.doc_id, 1, 10**6)] for r in records],
            "words": dict(store.words()),
            "originals": all(store.original(r.doc_id) is not None for r in records),
            "failures": store.journal.failures(),
            "files": [store.sources.files(source.spec) for source in store.sources.all()],
        }


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_sync_that_is_killed_again_and_again_ends_like_one_that_is_not(tmp_path: Path) -> None:
    """Killed at random points while adding and while changing, then run to its end: the same library as undisturbed."""
    moments = random.Random(7)  # noqa: S311 - moments, not secrets
    folder, disturbed, undisturbed = tmp_path / "docs", tmp_path / "disturbed", tmp_path / "undisturbed"
    n_killed = 0
    for prepare in (fill, change):
        prepare(folder)
        with Library(undisturbed, settings=SETTINGS) as library:
            library.sync(folder)
        for _ in range(6):
            process = subprocess.Popen(command(folder, disturbed), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(moments.uniform(0.3, 2.2))
            process.send_signal(signal.SIGKILL)
            n_killed += process.wait() == -signal.SIGKILL
        subprocess.run(command(folder, disturbed), check=True, stdout=subprocess.DEVNULL)
        assert state(disturbed) == state(undisturbed)
    assert n_killed > 0
    assert not list((disturbed / "incoming").glob("*")) if (disturbed / "incoming").exists() else True


@pytest.mark.slow
def test_two_syncs_of_one_library_wait_for_one_another_and_say_so(tmp_path: Path) -> None:
    """The second process waits, names the one it waits for, and both succeed."""
    folder, place = tmp_path / "docs", tmp_path / "library"
    fill(folder)
    with SqliteStore(place) as store, store.writing():
        waiting = subprocess.Popen(
            command(folder, place), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
        )
        assert waiting.stderr is not None
        said = waiting.stderr.readline()
    _, rest = waiting.communicate()
    assert "waiting for another process (pid " in said + rest
    assert waiting.returncode == 0
    both = [subprocess.Popen(command(folder, place), stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    with SqliteStore(place) as store:
        assert len(store.records()) == N_FILES
