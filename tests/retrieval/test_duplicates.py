"""Copies of one text: shown once, with all places, and never taken for what only looks alike."""

from pathlib import Path

import pytest
from tests.making import WordEmbedder

from pincite.library import Library
from pincite.settings import Settings
from pincite.types.answer import Answer

NOTICE = (
    "# Mooring\n\nBoats that stay over night at the north quay pay a mooring fee of 12 crowns for each night, "
    "which the harbour master collects at noon on the quay itself, and which is given back where the boat has to leave "
    "by order.\n"
)
LONG = NOTICE.replace("by order.", "by order. Who leaves without paying is written to, and pays the postage as well.")


def library_of(folder: Path, files: dict[str, str]) -> Library:
    for name, text in files.items():
        path = folder / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    library = Library(folder / "library", settings=Settings(jobs=1), embedder=WordEmbedder())
    library.add(folder / "docs")
    return library


def places(library: Library, query: str) -> list[tuple[str, list[str]]]:
    names = {record.doc_id: record.name for record in library.documents()}
    found = library.search(query).candidates
    return [(names[c.anchor.doc_id], sorted(names[place.doc_id] for place in c.also)) for c in found]


def test_copies_are_one_candidate_with_all_places_and_leave_room(tmp_path: Path) -> None:
    """Twenty copies take one place of the ten, and what else answers is among them."""
    copies = {f"copy{n:02}/note.md": NOTICE for n in range(20)}
    with library_of(tmp_path, copies | {"other.md": "# Fees\n\nThe mooring fee of ships is 90 crowns.\n"}) as library:
        found = places(library, "mooring fee")
        assert sorted(found[0][1] + [found[0][0]] + found[1][1] + [found[1][0]]) == sorted(
            [*copies_named(library), "other.md"]
        )
        assert len(found) == 2


def copies_named(library: Library) -> list[str]:
    return [record.name for record in library.documents() if record.name != "other.md"]


def test_an_answer_names_the_other_places(tmp_path: Path) -> None:
    """The answer is given once, cites one place, and says where the same text stands."""
    with library_of(tmp_path, {"a.md": NOTICE, "b.md": NOTICE}) as library:
        result = library.ask("How high is the mooring fee for each night?")
        assert isinstance(result, Answer)
        assert len(result.items) == 1
        cited = result.items[0].citations[0].doc_name
        other = {"a.md": "b.md", "b.md": "a.md"}[cited]
        assert f"the same text stands in {other} l.3" in result.signals.caveats


@pytest.mark.parametrize(
    "changed",
    [
        LONG.replace("the harbour master collects", "the  HARBOUR-\nmaster collects").replace(
            "HARBOUR-\nm", "harbour m"
        ),
        LONG.replace("written to", "written down"),
        LONG.replace("noon", "midday"),
    ],
)
def test_a_few_other_words_make_no_other_text(tmp_path: Path, changed: str) -> None:
    """Other spaces, and a word or two that turn nothing: nearly the same, shown once."""
    with library_of(tmp_path, {"a.md": LONG, "b.md": changed}) as library:
        assert len(places(library, "mooring fee")) == 1


@pytest.mark.parametrize(
    "changed",
    [
        LONG.replace("12 crowns", "14 crowns"),
        LONG.replace("north quay", "south quay"),
        LONG.replace("is written", "is not written"),
        LONG.replace("harbour master", "Weber"),
        LONG.replace("# Mooring", "# Anchoring"),
        LONG.replace("# Mooring", "# Mooring\n\nFees, and who pays them, in the year of 2031."),
    ],
)
def test_what_says_something_else_is_another_text(tmp_path: Path, changed: str) -> None:
    """A number, a name, a negation or an opposite, or another title: both are shown, however alike they are."""
    with library_of(tmp_path, {"a.md": LONG, "b.md": changed}) as library:
        assert len(places(library, "mooring fee")) == 2


def test_short_texts_are_alike_by_chance(tmp_path: Path) -> None:
    """Two records with the same short text are two; two files of the same bytes are one."""
    with library_of(tmp_path, {"a.md": "# Alma\n\nLength: 12 m\n", "b.md": "# Berta\n\nLength: 12 m\n"}) as library:
        assert len(places(library, "length")) == 2
