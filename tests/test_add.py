"""Adding: what is new, unchanged, changed or failed, with reasons."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.making import WordEmbedder, filled, parsed

from pincite.add import put_document, unique_name
from pincite.errors import SourceError
from pincite.library import Library
from pincite.settings import Settings
from pincite.types.answer import Answer

SETTINGS = Settings(jobs=1)


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture
def library(tmp_path: Path, embedder: WordEmbedder) -> Iterator[Library]:
    with Library(tmp_path / "library", settings=SETTINGS, embedder=embedder) as made:
        yield made


def write(folder: Path, **files: str | bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_", ".", 1)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def test_the_second_time_nothing_is_done(library: Library, embedder: WordEmbedder, tmp_path: Path) -> None:
    """Unchanged files are neither parsed nor embedded again."""
    folder = write(tmp_path / "docs", a_md="# A\n\nOne.\n", b_txt="Two.\n")
    first = library.add(folder)
    assert ({d.name for d in first.added}, first.unchanged) == ({"a.md", "b.txt"}, ())
    assert first.n_embedded == len(embedder.read) > 0
    embedder.read.clear()
    again = library.add(folder)
    assert (again.added, set(again.unchanged), again.failed, embedder.read) == ((), {"a.md", "b.txt"}, (), [])
    assert set(again.doc_ids) == set(first.doc_ids)


def test_a_changed_file_is_replaced(library: Library, embedder: WordEmbedder, tmp_path: Path) -> None:
    """Only the present text is answered from; text that stayed keeps its vectors; the id stays."""
    folder = write(tmp_path / "docs", fee_md="# Fee\n\nThe fee is 10 crowns.\n", tea_md="Tea is free.\n")
    library.add(folder)
    record = next(r for r in library.documents() if r.name == "fee.md")
    embedder.read.clear()
    write(folder, fee_md="# Fee\n\nThe fee is 13 crowns.\n")
    report = library.add(folder)
    assert [(d.name, d.replaced) for d in report.added] == [("fee.md", True)]
    assert report.unchanged == ("tea.md",)
    assert len(embedder.read) == 1
    result = library.ask("What is the fee?")
    assert isinstance(result, Answer)
    assert [item.text for item in result.items] == ["13 crowns"]
    assert next(r for r in library.documents() if r.name == "fee.md").doc_id == record.doc_id
    assert len(library.documents()) == 2


def test_a_bad_file_stops_no_other(library: Library, tmp_path: Path) -> None:
    """Each failure has the file's name, a code and a message; the rest is added."""
    folder = write(
        tmp_path / "docs", a_md="Fine.\n", z_md="Fine too.\n", b_pdf=b"%PDF-1.7 nothing", c_txt=bytes(range(256)) * 9,
        d_pdf=b"<html><body>no</body></html>", e_pdf=b"",
    )  # fmt: skip
    report = library.add(folder)
    assert {d.name for d in report.added} == {"a.md", "z.md"}
    assert {f.name: f.code for f in report.failed} == {
        "b.pdf": "corrupt_pdf",
        "c.txt": "not_text",
        "d.pdf": "not_a_pdf",
        "e.pdf": "empty_file",
    }
    assert all(f.name in f.message for f in report.failed)


def test_formats_without_a_parser_are_passed_over_in_folders_only(library: Library, tmp_path: Path) -> None:
    """A picture in a folder is skipped and counted; named itself it is an error."""
    folder = write(tmp_path / "docs", a_md="Fine.\n", p_svg=b"<svg></svg>")
    report = library.add(folder)
    assert (report.skipped, report.failed) == (("p.svg",), ())
    assert [f.code for f in library.add(folder / "p.svg").failed] == ["unsupported_format"]


def test_a_path_that_is_not_there_is_an_error(library: Library, tmp_path: Path) -> None:
    """Nothing is added by halves when a source cannot be read at all."""
    folder = write(tmp_path / "docs", a_md="Fine.\n")
    with pytest.raises(SourceError, match="none"):
        library.add(folder, tmp_path / "none")
    assert library.documents() == ()


def test_an_empty_file_is_kept_and_said(library: Library, tmp_path: Path) -> None:
    """A text without words is a document without text, with a warning: nobody wonders where it is."""
    report = library.add(write(tmp_path / "docs", a_md="\n \n"))
    (added,) = report.added
    assert any("no text" in warning for warning in added.warnings)
    assert [r.status for r in library.documents()] == ["no_text"]


def test_names_are_unique(library: Library, tmp_path: Path) -> None:
    """Files of one name from different folders are told apart by their folders."""
    library.add(write(tmp_path / "one", note_md="One.\n"))
    library.add(write(tmp_path / "two", note_md="Two.\n"))
    assert {r.name for r in library.documents()} == {"note.md", "two/note.md"}


def test_when_folders_are_not_enough_a_number_is_added(tmp_path: Path) -> None:
    """Whatever names are taken, another one is found."""
    with filled(tmp_path, {"note.md": "x"}) as store:
        document = parsed("y", "note.md")
        assert unique_name(document, store) == "docs/note.md"


def test_a_name_is_found_without_reading_all_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Adding a thousand files does not decode a thousand records for each of them."""
    with filled(tmp_path, {"note.md": "x"}) as store:
        monkeypatch.setattr(store, "records", lambda: pytest.fail("every record was read"))
        put_document(parsed("y", "other.md"), store, SETTINGS, original=None)
        assert store.find_by_name("other.md") is not None
        assert store.find_by_name("absent.md") is None


def test_progress_is_told(library: Library, tmp_path: Path) -> None:
    """A watcher hears of every file and of every batch of vectors, up to the end."""
    heard: list[tuple[str, int, int]] = []

    class Ear:
        def parsed(self, done: int, total: int, name: str) -> None:  # noqa: ARG002 - the form of a Watcher
            heard.append(("parsed", done, total))

        def embedded(self, done: int, total: int) -> None:
            heard.append(("embedded", done, total))

    library.add(write(tmp_path / "docs", a_md="One.\n", b_md="Two.\n"), watcher=Ear())
    assert [h for h in heard if h[0] == "parsed"] == [("parsed", 1, 2), ("parsed", 2, 2)]
    assert heard[-1] == ("embedded", 2, 2)
