"""Libraries in Lance tables and on object storage, where a command needs a folder or works on any library."""

from pathlib import Path

import pytest
from tests.interfaces.conftest import Run

from pincite.interfaces.cli.opening import library_place, served_folder


@pytest.mark.parametrize(
    "command",
    [
        ("serve", "--port", "0"),
        ("token", "ls"),
        ("token", "new", "--scope", "ask", "--collection", "*"),
        ("token", "revoke", "x"),
        ("feedback", "export", "suite"),
    ],
)
def test_what_the_server_keeps_needs_a_folder(run: Run, command: tuple[str, ...], tmp_path: Path) -> None:
    """On object storage these commands say that they need a folder and how to get one; nothing is made here."""
    before = sorted(tmp_path.iterdir())

    ran = run("--library", "s3://bucket/reports", *command)

    assert (ran.code, ran.out) == (1, "")
    assert "object storage" in ran.err
    assert "pincite migrate s3://bucket/reports FOLDER" in ran.err
    assert sorted(tmp_path.iterdir()) == before


def test_a_lance_folder_is_served_as_what_it_is(tmp_path: Path) -> None:
    """`serve --library lance:DIR` makes Lance tables where nothing is, and opens them where they are."""
    pytest.importorskip("lance", reason="the extra `scale` (pylance) is not installed")
    named = f"lance:{tmp_path / 'library'}"

    assert served_folder(named) == served_folder(named) == tmp_path / "library"
    assert (tmp_path / "library" / "documents.lance").is_dir()
    assert not (tmp_path / "library" / "pincite.sqlite").exists()


def test_an_address_on_object_storage_stays_one() -> None:
    """No command takes an address for the path of a folder."""
    assert library_place("s3://bucket/reports/") == "s3://bucket/reports"


def test_an_answer_of_a_lance_library_is_explained_and_replayed(run: Run, docs: Path) -> None:
    """What looks for a trace finds it in the library that is named, whatever it is kept in."""
    pytest.importorskip("lance", reason="the extra `scale` (pylance) is not installed")
    library = ("--library", "lance:tables")
    assert run(*library, "add", docs).code == 0
    asked = run(*library, "ask", "What is the annual fee?", "--json").json

    for command in (("trace", asked["trace_id"]), ("replay", asked["trace_id"], "--from", "retrieval")):
        ran = run(*library, *command)
        assert ran.code == 0, ran.err
