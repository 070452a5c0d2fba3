"""Libraries in Lance tables and on object storage: what the command line does with their addresses."""

from pathlib import Path

import pytest
from tests.interfaces.conftest import Run

from pincite.interfaces.cli.opening import library_place, served_place
from pincite.interfaces.http.access.tokens import listed
from pincite.interfaces.http.served import Served, collection_address
from pincite.library import Library
from pincite.settings import Settings


def test_a_lance_folder_is_served_as_what_it_is(tmp_path: Path) -> None:
    """`serve --library lance:DIR` makes Lance tables where nothing is; a folder with such tables is opened as that."""
    pytest.importorskip("lance", reason="the extra `scale` (pylance) is not installed")
    named = f"lance:{tmp_path / 'library'}"
    for place in (served_place(named), served_place(str(tmp_path / "library"))):
        with Served(place, settings=Settings(embedder="none")) as served:
            served.claim()  # there may be any number of servers
            assert served.state.is_shared
            assert served.place == tmp_path / "library"

    assert (tmp_path / "library" / "documents.lance").is_dir()
    assert not list((tmp_path / "library").glob("*.sqlite*"))


def test_tokens_are_kept_where_the_library_is(run: Run, tmp_path: Path) -> None:
    """`pincite token` works on a library in Lance tables, before anything is in it and with either name of it."""
    pytest.importorskip("lance", reason="the extra `scale` (pylance) is not installed")
    library = ("--library", "lance:tables")

    made = run(*library, "token", "new", "--scope", "ask", "--collection", "default", "--json").json
    token_id = made["record"]["token_id"]
    assert run(*library, "token", "revoke", token_id).code == 0
    with Library("lance:tables", settings=Settings(embedder="none", jobs=1)) as tables:
        report = tables.add(tmp_path)  # the library itself is in that folder

    assert (report.added, report.failed) == ((), ())
    assert [token.state for token in listed("tables")] == ["revoked"]
    assert not list((tmp_path / "tables").glob("*.sqlite*"))


@pytest.mark.parametrize(
    ("library", "wanted"),
    [
        ("s3://bucket/reports/", "s3://bucket/reports/collections/papers"),
        ("lance:reports", "lance:reports/collections/papers"),
        ("reports", Path("reports/collections/papers")),
    ],
)
def test_a_collection_is_a_library_of_the_same_kind_below(library: str, wanted: str | Path) -> None:
    """What a server calls a collection is opened by the command line as a library at this address."""
    assert collection_address(library, "papers") == wanted


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
