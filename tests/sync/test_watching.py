"""`--watch`: a sync when something changed and came to rest."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pincite.storage.sqlite import SqliteStore
from pincite.sync.watching import signature, wait_for_change

MAIN = "import sys; from pincite.interfaces.cli import main; sys.exit(main(sys.argv[1:]))"


class Clock:
    """A clock that sleeping moves on."""

    def __init__(self) -> None:
        self.now = 0.0

    def sleep(self, seconds: float) -> None:
        """Move on."""
        self.now += seconds

    def __call__(self) -> float:
        """Return the time."""
        return self.now


def test_a_change_is_told_when_it_has_come_to_rest() -> None:
    """Changes that go on are waited out; the last state is the one that is told."""
    clock = Clock()
    states = {3.0: 2, 4.0: 3, 5.0: 4}

    def look() -> int:
        return states.get(min(clock.now, 5.0), 1)

    assert wait_for_change(look, 1, debounce_s=2.0, at_most_s=60.0, sleep=clock.sleep, clock=clock) == 4
    assert clock.now >= 7.0


def test_a_place_that_says_nothing_is_looked_at_again_after_a_while() -> None:
    """Without a change the wait ends after its limit."""
    clock = Clock()
    assert wait_for_change(lambda: 1, 1, debounce_s=2.0, at_most_s=60.0, sleep=clock.sleep, clock=clock) == 1
    assert 60.0 <= clock.now <= 62.0


def test_an_edit_of_the_same_size_and_time_changes_the_signature(tmp_path: Path) -> None:
    """No program can hide a change from the watcher by setting the time back."""
    file = tmp_path / "sub" / "a.md"
    file.parent.mkdir()
    file.write_text("alpha", "utf-8")
    os.utime(file, (1_700_000_000, 1_700_000_000))
    before, changed_at = signature(tmp_path), file.stat().st_ctime_ns
    assert signature(tmp_path) == before
    while file.stat().st_ctime_ns == changed_at:  # the clock of a file system goes in steps
        file.write_text("omega", "utf-8")
        os.utime(file, (1_700_000_000, 1_700_000_000))
    assert signature(tmp_path) != before


def test_a_library_in_the_folder_is_no_change_of_it(tmp_path: Path) -> None:
    """A watched folder may hold the library that follows it: what a sync writes there begins no other one."""
    (tmp_path / "a.md").write_text("alpha", "utf-8")
    SqliteStore(tmp_path / "kept").close()
    before = signature(tmp_path)
    with SqliteStore(tmp_path / "kept") as store:
        store.sources.begin("file:///x", {})
        assert signature(tmp_path) == before
    (tmp_path / "kept" / "b.md").write_text("beta", "utf-8")
    assert signature(tmp_path) != before


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGINT")
def test_watch_syncs_what_changes_until_it_is_stopped(tmp_path: Path) -> None:
    """A file that comes while the command runs is in the library a moment later; Ctrl-C ends it with 130."""
    folder, place = tmp_path / "docs", tmp_path / "library"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nOne.\n", "utf-8")
    arguments = ["sync", str(folder), "--library", str(place), "--watch", "--debounce", "0.2", "--no-embed"]
    process = subprocess.Popen(
        [sys.executable, "-c", MAIN, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )

    def wait_for(line: str, names: list[str]) -> None:
        """Read what the command prints until it says so, and look into the library."""
        assert process.stdout is not None
        assert any(said.startswith(line) for said in iter(process.stdout.readline, ""))
        with SqliteStore(place, read_only=True) as store:
            assert [record.name for record in store.records()] == names

    try:
        wait_for("added     a.md", ["a.md"])
        (folder / "b.md").write_text("# B\n\nTwo.\n", "utf-8")
        wait_for("added     b.md", ["a.md", "b.md"])
        (folder / "a.md").unlink()
        wait_for("deleted   a.md", ["b.md"])
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate()
    assert process.returncode == 130


def test_the_command_prints_what_was_done_and_exits_with_1_where_something_failed(tmp_path: Path) -> None:
    """In JSON a report for each place; a broken file makes the exit code 1, and gc counts what it deletes."""
    folder, place = tmp_path / "docs", tmp_path / "library"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nOne.\n", "utf-8")
    (folder / "b.pdf").write_bytes(b"%PDF-1.7 broken")

    def run(*arguments: str) -> tuple[int, Any]:
        command = [sys.executable, "-c", MAIN, *arguments, "--library", str(place), "--json"]
        done = subprocess.run(command, capture_output=True, check=False)
        return done.returncode, json.loads(done.stdout)

    code, said = run("sync", str(folder), "--no-embed")
    (report,) = said["sources"]
    assert (code, report["added"], [f["name"] for f in report["failed"]]) == (1, ["a.md"], ["b.pdf"])
    (folder / "b.pdf").unlink()
    (folder / "a.md").unlink()
    code, said = run("sync")
    assert (code, said["sources"][0]["deleted"]) == (0, ["a.md"])
    assert run("gc") == (0, {"result": "collected", "originals": 1, "bytes": 10})
