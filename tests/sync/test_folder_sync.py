"""A library in step with a folder."""

import os
import shutil
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.making import WordEmbedder

from pincite.errors import SettingsError, SourceError
from pincite.library import Library
from pincite.storage.sqlite import SqliteStore
from pincite.sync import SyncReport
from pincite.types.answer import Answer, Refusal
from pincite.types.source import SyncOptions

CASES = Path(__file__).parents[1] / "cases"
WriteFiles = Callable[..., Path]


def synced(library: Library, folder: Path, options: SyncOptions | None = None, *, dry_run: bool = False) -> SyncReport:
    (report,) = library.sync(folder, options=options, dry_run=dry_run)
    return report


def step(folder: Path, number: int) -> None:
    """Replace the folder by a step of case RET07."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(CASES / "RET07-sync-delete-edit-rename" / f"step{number}", folder)
    for file in folder.glob("same-size.md"):
        os.utime(file, (1_700_000_000, 1_700_000_000))


def test_edit_delete_rename_swap_and_an_edit_that_shows_in_nothing_but_the_bytes(
    library: Library, tmp_path: Path, embedder: WordEmbedder
) -> None:
    """Case RET07: after each sync only the present text answers, and only new text is embedded."""
    folder = tmp_path / "docs"
    step(folder, 1)
    assert synced(library, folder).added == ("fees.md", "gone.md", "name-a.md", "same.md", "swap-x.md", "swap-y.md")
    known = {record.name: record.doc_id for record in library.documents()}
    embedder.read.clear()

    step(folder, 2)
    report = synced(library, folder)
    assert report.changed == ("fees.md", "swap-x.md", "swap-y.md")
    assert (report.deleted, report.added, report.unchanged) == (("gone.md",), ("same-size.md",), ("same.md",))
    assert [(move.old, move.new) for move in report.moved] == [("name-a.md", "moved/name-b.md")]
    assert report.moved[0].doc_id == known["name-a.md"]
    assert len(embedder.read) == report.n_embedded <= 2
    assert isinstance(library.ask("What is the secret word?"), Refusal)
    assert isinstance(library.ask("What do children pay?"), Refusal)
    fee, rope = library.ask("What is the fee?"), library.ask("Where is the rope store?")
    assert isinstance(fee, Answer)
    assert "13" in fee.items[0].text
    assert isinstance(rope, Answer)
    assert {c.doc_name for item in rope.items for c in item.citations} == {"moved/name-b.md"}
    north = library.ask("Is X north or south?")
    assert isinstance(north, Answer)
    assert [(item.text, c.doc_name) for item in north.items for c in item.citations] == [("X is north.", "swap-y.md")]

    step(folder, 3)
    assert synced(library, folder).changed == ("same-size.md",)
    assert library.document("same-size.md").lines[2].text == "omega"
    assert library.store.term_counts(["alpha", "omega"]) == {"alpha": 0, "omega": 1}
    assert isinstance(library.ask("What is the fee?"), Refusal)


@pytest.mark.skipif(sys.platform != "linux", reason="such names exist on Linux only")
def test_odd_names_are_synced_and_stay(library: Library, tmp_path: Path) -> None:
    """Case OPS05: any file name is added, found unchanged, and gone when it is deleted."""
    with tarfile.open(CASES / "OPS05-names-and-paths" / "tree.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    options = SyncOptions(hidden=True)
    added = synced(library, tmp_path / "tree", options).added
    assert len(added) == 23

    assert synced(library, tmp_path / "tree").unchanged == added
    shutil.rmtree(tmp_path / "tree")
    (tmp_path / "tree").mkdir()
    assert synced(library, tmp_path / "tree").deleted == added
    assert library.documents() == ()


def test_a_dry_run_says_what_would_be_done_and_does_nothing(library: Library, write: WriteFiles) -> None:
    """What a dry run prints is what the next sync does; between them nothing has changed."""
    folder = write(a="# A\n\nThe mill has 3 wheels.\n", b="# B\n\nThe barn is red.\n", c="# C\n\nThe cart is old.\n")
    synced(library, folder)
    write(a="# A\n\nThe mill has 4 wheels.\n", d="# D\n\nThe dam leaks.\n")
    (folder / "b.md").rename(folder / "e.md")
    (folder / "c.md").unlink()
    before = library.documents()

    would = synced(library, folder, dry_run=True)

    assert library.documents() == before
    assert (would.added, would.changed, would.deleted, would.dry_run) == (("d.md",), ("a.md",), ("c.md",), True)
    done = synced(library, folder)
    assert (done.added, done.changed, done.moved, done.deleted) == (
        would.added, would.changed, would.moved, would.deleted,
    )  # fmt: skip


def test_originals_of_what_is_gone_stay_until_gc(library: Library, write: WriteFiles) -> None:
    """The bytes of deleted and replaced documents are kept until they are collected; present ones always."""
    folder = write(a="# A\n\nOne.\n", b="# B\n\nTwo.\n")
    synced(library, folder)
    write(a="# A\n\nThree.\n")
    (folder / "b.md").unlink()
    synced(library, folder)
    originals = library.path / "originals"
    assert len(list(originals.glob("*/*"))) == 3

    assert library.collect_garbage()[0] == 2
    assert [path.read_text("utf-8") for path in originals.glob("*/*")] == ["# A\n\nThree.\n"]


def test_without_a_name_every_place_is_synced_with_the_options_it_had(library: Library, write: WriteFiles) -> None:
    """`sync` alone repeats what was asked for before, patterns and all."""
    with pytest.raises(SettingsError, match="name a folder"):
        library.sync()
    folder = write(a="# A\n\nOne.\n", drafts__b="# B\n\nTwo.\n")
    synced(library, folder, SyncOptions(exclude=("drafts/**",)))
    write(c="# C\n\nThree.\n", drafts__d="# D\n\nFour.\n")

    (report,) = library.sync()

    assert (report.added, report.unchanged) == (("c.md",), ("a.md",))


def test_a_place_that_is_gone_deletes_nothing(library: Library, write: WriteFiles, tmp_path: Path) -> None:
    """A folder that is not there (a disk that is not mounted) is an error, and its documents stay."""
    folder = write(a="# A\n\nOne.\n")
    synced(library, folder)
    folder.rename(tmp_path / "elsewhere")

    with pytest.raises(SourceError, match="no such file or folder"):
        library.sync(folder)
    (report,) = library.sync()
    assert [failed.code for failed in report.failed] == ["source_failed"]
    assert [record.name for record in library.documents()] == ["a.md"]


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="needs permissions that hold")
def test_what_cannot_be_looked_at_stays_and_is_said(library: Library, write: WriteFiles) -> None:
    """Files and folders without permission are reported; what the library has of them is kept."""
    folder = write(a="# A\n\nOne.\n", sub__b="# B\n\nTwo.\n", c="# C\n\nThree.\n")
    synced(library, folder)
    (folder / "a.md").chmod(0)
    (folder / "sub").chmod(0)
    (folder / "c.md").unlink()
    try:
        report = synced(library, folder)
    finally:
        (folder / "sub").chmod(0o755)
    assert [failed.name for failed in report.failed] == ["a.md"]
    assert any(note.startswith("sub") for note in report.notes)
    assert report.deleted == ("c.md",)
    assert [record.name for record in library.documents()] == ["a.md", "sub/b.md"]


def test_what_the_system_refuses_stays_and_is_said(
    library: Library, write: WriteFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same where permissions do not hold (a superuser): a folder and a file that the system refuses to open."""
    folder = write(a="# A\n\nOne.\n", sub__b="# B\n\nTwo.\n", c="# C\n\nThree.\n")
    synced(library, folder)
    (folder / "c.md").unlink()
    scandir, opened = os.scandir, Path.open

    def refuse(path: Any, *arguments: Any, **named: Any) -> Any:
        if not isinstance(path, int) and Path(path).name in ("sub", "a.md"):
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *arguments, **named) if arguments or named else scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    monkeypatch.setattr(Path, "open", refuse)
    report = synced(library, folder)
    monkeypatch.undo()
    assert [(failed.name, failed.code) for failed in report.failed] == [("a.md", "source_failed")]
    assert [note.split(":")[0] for note in report.notes] == ["sub/"]
    assert report.deleted == ("c.md",)
    assert [record.name for record in library.documents()] == ["a.md", "sub/b.md"]


def test_broken_files_are_named_and_the_rest_is_done(library: Library, write: WriteFiles) -> None:
    """One broken file is reported at every sync, not read again while it is the same, and stops nothing."""
    folder = write(a="# A\n\nOne.\n")
    (folder / "bad.pdf").write_bytes(b"%PDF-1.7\nnothing")
    (folder / "empty.pdf").write_bytes(b"")
    first = synced(library, folder)
    assert (first.added, first.n_fetched) == (("a.md",), 3)
    assert [failed.code for failed in first.failed] == ["corrupt_pdf"]
    assert [(file.name, file.reason) for file in first.passed_over] == [("empty.pdf", "empty")]

    again = synced(library, folder)
    assert (again.failed, again.passed_over, again.n_fetched) == (first.failed, first.passed_over, 0)
    (folder / "bad.pdf").unlink()
    assert synced(library, folder).failed == ()
    assert library.store.journal.failures() == ()


def test_a_file_that_is_broken_now_keeps_its_last_version_and_an_emptied_one_does_not(
    library: Library, write: WriteFiles
) -> None:
    """Bytes that cannot be read replace nothing; a file without bytes says nothing any more."""
    folder = write(a="# A\n\nThe mill has 3 wheels.\n", b="# B\n\nThe barn is red.\n")
    synced(library, folder)
    (folder / "a.md").write_bytes(b"\x00\x01\x02\xff" * 400)
    (folder / "b.md").write_bytes(b"")

    report = synced(library, folder)

    assert [failed.name for failed in report.failed] == ["a.md"]
    assert [(record.name, record.status) for record in library.documents()] == [("a.md", "ready"), ("b.md", "no_text")]


def test_a_moved_document_and_a_new_file_at_its_old_place_are_two(library: Library, write: WriteFiles) -> None:
    """A name that is used again is another document; the one that moved keeps its identity."""
    folder = write(a="# A\n\nOne.\n")
    synced(library, folder)
    (folder / "a.md").rename(folder / "b.md")
    synced(library, folder)
    write(a="# New\n\nTwo.\n")

    assert synced(library, folder).added == ("a.md",)
    assert [record.name for record in library.documents()] == ["a.md", "b.md"]
    assert len({record.doc_id for record in library.documents()}) == 2


def test_another_ending_is_no_move(library: Library, write: WriteFiles) -> None:
    """The ending decides how a file is read, so the same bytes under another one are read again."""
    folder = write(a="# A\n\nOne.\n")
    synced(library, folder)
    (folder / "a.md").rename(folder / "a.txt")
    report = synced(library, folder)
    assert (report.added, report.deleted, report.moved) == (("a.txt",), ("a.md",), ())


def test_what_was_added_by_hand_is_kept_in_step_too(library: Library, write: WriteFiles) -> None:
    """Documents of the folder that `add` brought are not read again, and go when their file goes."""
    folder = write(a="# A\n\nOne.\n", b="# B\n\nTwo.\n")
    library.add(folder)
    (folder / "b.md").unlink()
    report = synced(library, folder)
    assert (report.unchanged, report.deleted, report.n_fetched) == (("a.md",), ("b.md",), 0)


def test_what_is_excluded_now_goes_and_a_neighbour_with_a_like_name_stays(
    library: Library, write: WriteFiles, tmp_path: Path
) -> None:
    """A pattern that leaves a file out takes it from the library; `docs-old` is not part of `docs`."""
    folder = write(a="# A\n\nOne.\n", b="# B\n\nTwo.\n")
    old = tmp_path / "docs-old"
    old.mkdir()
    (old / "z.md").write_text("# Z\n\nLast.\n", "utf-8")
    library.add(old)
    synced(library, folder)
    assert synced(library, folder, SyncOptions(exclude=("b.md",))).deleted == ("b.md",)
    assert [record.name for record in library.documents()] == ["a.md", "z.md"]


def test_a_library_inside_the_folder_is_not_a_document(embedder: WordEmbedder, write: WriteFiles) -> None:
    """The files of a library that lies in the folder itself are passed over."""
    folder = write(a="# A\n\nOne.\n")
    with Library(folder / "lib", embedder=embedder) as library:
        assert synced(library, folder).added == ("a.md",)
        assert synced(library, folder).is_empty


def test_a_full_disk_is_said_file_by_file_and_a_later_sync_does_the_rest(library: Library, write: WriteFiles) -> None:
    """No room in the database: the files that do not fit are failures, the report comes, what is there is whole."""
    folder = write(**{f"n{number}": f"# N{number}\n\n" + f"Word{number} " * 20_000 for number in range(4)})
    assert isinstance(library.store, SqliteStore)
    with library.store._connections.writing() as connection:
        n_pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {n_pages + 120}")
    report = synced(library, folder)
    assert report.failed
    assert {failed.code for failed in report.failed} == {"store_failed"}
    assert any("full" in failed.message for failed in report.failed)
    assert len(library.documents()) == len(report.added) < 4

    connection = library.store._connections._opened(library.store._connections._documents)
    connection.execute("PRAGMA max_page_count = 1000000")
    again = synced(library, folder)
    assert (len(again.added) + len(report.added), again.failed) == (4, ())


def test_a_cite_is_drawn_on_what_was_cited(library: Library, write: WriteFiles, tmp_path: Path) -> None:
    """After a document changed, the picture of an old answer shows the old text or the quote alone, never the new."""
    folder = write(a="# A\n\nThe mill has 3 wheels.\n\nIt is red.\n")
    synced(library, folder)
    old = library.ask("How many wheels does the mill have?")
    assert isinstance(old, Answer)
    cited = old.items[0].citations[0]
    write(a="# A\n\nThe barn is 90 years old.\n\nIt is green.\n")
    synced(library, folder)

    assert library.store.original_of(cited.content_hash) == b"# A\n\nThe mill has 3 wheels.\n\nIt is red.\n"
    page = library.highlight(old, tmp_path / "old.html").read_text("utf-8")
    assert "3 wheels" in page
    assert "barn" not in page
