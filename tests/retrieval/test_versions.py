"""Which documents are versions of one another."""

from pathlib import Path

import pytest
from tests.making import filled

from pincite.retrieval.versions import Editions, families_of, superseded
from pincite.storage.sqlite import SqliteStore
from pincite.types.document import Line

REGISTER = "Flag: {}\nCrew: {}\nThe vessel is in the harbour register of the town.\n"
SHIPS = [("Alma", "Norway", 12), ("Berta", "Malta", 9), ("Cora", "Panama", 7)]
FEES = "The mooring fee is {} euros per metre. Boats under five metres pay half. Payment is due on arrival.\n"


def replaced(folder: Path, files: dict[str, str]) -> dict[str, str]:
    """Return the name of each document that is out of force with that of the one in its place."""
    with filled(folder, files) as store:
        names = {r.doc_id: r.name for r in store.records()}
        found = superseded(store.records(), lines_of=lambda doc_id, n: store.lines(doc_id, 1, n))
        return {names[old]: names[new] for old, new in found.items()}


@pytest.mark.parametrize("name", ["v-{}.md", "v{}.md", "ship-v{}.md", "Vessel v{}.md"])
@pytest.mark.parametrize("head", ["# {}\n\n", "# Vessel\n\nName: {}\n", "Ship {} is one of ours.\n\n"])
def test_numbered_files_about_different_things_are_no_versions(tmp_path: Path, name: str, head: str) -> None:
    """What has another title, name or id is another thing, whatever number its file has."""
    files = {name.format(n): head.format(s[0]) + REGISTER.format(*s[1:]) for n, s in enumerate(SHIPS, start=1)}
    assert replaced(tmp_path, files) == {}


@pytest.mark.parametrize(
    ("name", "heads"),
    [
        ("v-{}.md", ("# Fees\n\n", "# Fees\n\n")),
        ("fees-v{}.md", ("# Fees\n\n", "# Mooring fees\n\n")),
        ("fees-v{}.txt", ("", "")),
        ("fees-v{}.md", ("# Fees\n\nName: Harbour\n", "# Fees\n\nName: Harbour\n")),
    ],
)
def test_texts_about_one_thing_are_versions(tmp_path: Path, name: str, heads: tuple[str, str]) -> None:
    """The same title and contents with another number make the newer one the one in force."""
    files = {name.format(n): head + FEES.format(4 * n) for n, head in enumerate(heads, start=1)}
    assert replaced(tmp_path, files) == {name.format(1): name.format(2)}


def test_what_is_known_of_editions_follows_the_documents(tmp_path: Path) -> None:
    """A document that is replaced or renamed is read again, one that stayed is not; families are those of today."""
    heads: list[str] = []
    known = Editions()

    def families(store: SqliteStore) -> list[list[str]]:
        def lines_of(doc_id: str, n: int) -> tuple[Line, ...]:
            heads.append(doc_id)
            return store.lines(doc_id, 1, n)

        found = families_of(store.records(), lines_of, known)
        return [sorted(edition.record.name for edition in family) for family in found]

    with filled(tmp_path, {f"fees-v{n}.md": f"# Fees\n\n{FEES.format(4 * n)}" for n in (1, 2)}) as store:
        first, n_first = families(store), len(heads)
        again, n_again = families(store), len(heads)
        filled(
            tmp_path, {"fees-v2.md": "# Anchors\n\nTwo of them lie in the shed behind the harbour office.\n"}
        ).close()
        changed = families(store)

    assert (first, again, changed) == ([["fees-v1.md", "fees-v2.md"]], first, [])
    assert (n_first, n_again, len(heads)) == (2, 2, 3)


def test_versions_of_versions_are_one_family(tmp_path: Path) -> None:
    """Documents that replace each other one after the other are one family."""
    files = {f"rules{n}.md": f"---\nreplaces: rules{n - 1}.md\n---\n# Rule of {n}\n\nText {n}.\n" for n in range(1, 6)}
    with filled(tmp_path, files) as store:
        found = families_of(store.records(), lambda doc_id, n: store.lines(doc_id, 1, n))
    assert [sorted(e.record.name for e in family) for family in found] == [sorted(files)]
