"""Files of a folder, whatever their names are."""

import json
import os
import sys
import tarfile
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pytest

from pincite.errors import SettingsError, SourceError
from pincite.sources import FolderSource, open_source
from pincite.sources.patterns import GitIgnore, matches

CASE = Path(__file__).parents[1] / "cases" / "OPS05-names-and-paths"


def tree(root: Path, *names: str) -> Path:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, "utf-8")
    return root


def names(source: FolderSource) -> list[str]:
    return [file.name for file in source.files()]


@pytest.mark.skipif(sys.platform != "linux", reason="such names exist on Linux only")
def test_awkward_names_are_kept_and_their_addresses_lead_back(tmp_path: Path) -> None:
    """Twenty-three odd names come as they are, hidden ones when asked; each address leads back to its bytes."""
    with tarfile.open(CASE / "tree.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    expected = {entry["name"] for entry in json.loads((CASE / "expected.json").read_text("utf-8"))}

    files = list(FolderSource(tmp_path / "tree", hidden=True).files())

    assert {file.name for file in files} == expected
    assert {name for name in expected if name.startswith(".")} == expected - set(names(FolderSource(tmp_path / "tree")))
    for file in files:
        assert unquote_to_bytes(file.uri.removeprefix("file://")) == os.fsencode(file.path)
        assert file.uri.isascii()
        assert file.path.is_file()


@pytest.mark.skipif(sys.platform != "linux", reason="such names exist on Linux only")
def test_a_name_that_is_no_text_is_shown_escaped(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 can be printed and still lead to the file."""
    with open(os.path.join(os.fsencode(tmp_path), b"caf\xe9.md"), "wb"):  # noqa: PTH118, PTH123
        pass

    (file,) = FolderSource(tmp_path).files()

    assert file.name == "caf\\xe9.md"
    assert file.uri.endswith("/caf%E9.md")
    assert file.path.is_file()


def test_order_is_that_of_whole_names(tmp_path: Path) -> None:
    """The same folder gives the same order on every machine, folders inside included."""
    tree(tmp_path, "b.md", "a/z.md", "a/b/c.md", "a.md", "a-b.md", "Z.md")

    found = names(FolderSource(tmp_path))

    assert found == sorted(found, key=str.encode)
    assert found == ["Z.md", "a-b.md", "a.md", "a/b/c.md", "a/z.md", "b.md"]


def test_folders_of_tools_and_hidden_files_are_passed_over(tmp_path: Path) -> None:
    """Nobody means the files of .git or node_modules; hidden files come when they are asked for or named."""
    tree(tmp_path, "a.md", ".hidden.md", ".git/config", "node_modules/x/readme.md", ".pincite/db", ".notes/b.md")

    assert names(FolderSource(tmp_path)) == ["a.md"]
    assert names(FolderSource(tmp_path, hidden=True)) == [".hidden.md", ".notes/b.md", "a.md"]
    assert names(FolderSource(tmp_path / ".hidden.md")) == [".hidden.md"]


def test_hidden_files_are_counted(tmp_path: Path) -> None:
    """Documents that only their dot keeps out are counted, and the note says how to take them; settings are not."""
    tree(tmp_path, "a.md", ".hidden.md", "b/..md", ".gitignore", ".git/x.md", ".notes/c.md", ".DS_Store")
    source = FolderSource(tmp_path)

    assert names(source) == ["a.md"]
    assert source.notes == [
        "2 hidden files and 1 hidden folder were passed over: .hidden.md, .notes/, b/..md; to add one, name it"
    ]
    assert names(FolderSource(tmp_path / "b" / "..md")) == ["..md"]
    assert names(FolderSource(tmp_path / ".notes")) == ["c.md"]
    source = FolderSource(tmp_path, hidden=True)
    assert (".hidden.md" in names(source), source.notes) == (True, [])


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_stay_inside_and_loops_end(tmp_path: Path) -> None:
    """A link never leads out of the folder, a loop is walked once, and what was passed over is noted."""
    outside = tree(tmp_path / "outside", "secret.md")
    root = tree(tmp_path / "root", "a.md", "sub/b.md")
    (root / "out.md").symlink_to(outside / "secret.md")
    (root / "out").symlink_to(outside)
    (root / "loop").symlink_to(root)
    (root / "sub" / "up").symlink_to("..")
    (root / "dead.md").symlink_to("nowhere")
    (root / "inside.md").symlink_to("sub/b.md")

    source = FolderSource(root)

    assert names(source) == ["a.md", "inside.md", "sub/b.md"]
    assert sorted(note.partition(":")[0] for note in source.notes) == ["dead.md", "out", "out.md"]


def test_patterns_choose_files(tmp_path: Path) -> None:
    """`include` and `exclude` take names, endings and folders."""
    tree(tmp_path, "a.md", "b.txt", "docs/c.md", "docs/old/d.md", "docs/e.pdf")

    assert names(FolderSource(tmp_path, include=["*.md"])) == ["a.md", "docs/c.md", "docs/old/d.md"]
    assert names(FolderSource(tmp_path, include=["docs/**"], exclude=["**/old/*", "*.pdf"])) == ["docs/c.md"]
    with pytest.raises(SettingsError, match="z-a"):
        FolderSource(tmp_path, include=["[z-a].md"])


def test_gitignore_is_obeyed_when_asked(tmp_path: Path) -> None:
    """Files that git would not take are left out; a later or deeper rule overrules."""
    tree(tmp_path, "a.md", "build/x.md", "sub/build/y.md", "sub/keep.log", "sub/drop.log", "sub/top.md", "top.md")
    (tmp_path / ".gitignore").write_text("# rules\nbuild/\n*.log\n/top.md\n", "utf-8")
    (tmp_path / "sub" / ".gitignore").write_text("!keep.log\n", "utf-8")

    assert names(FolderSource(tmp_path, gitignore=True)) == ["a.md", "sub/keep.log", "sub/top.md"]


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        ("*.md", "a/b.md", True), ("a/*.md", "a/b.md", True), ("a/*.md", "a/c/b.md", False),
        ("**/b.md", "b.md", True), ("a/**/b.md", "a/c/d/b.md", True), ("[!a].md", "b.md", True),
        ("[!a].md", "a.md", False), ("b?.md", "b1.md", True), ("b\\*.md", "b*.md", True), ("[", "[", True),
        ("b.md", "bXmd", False),
    ],
)  # fmt: skip
def test_patterns_mean_what_git_means(pattern: str, name: str, expected: bool) -> None:
    """Stars stay inside a folder, two of them do not; brackets and backslashes work."""
    assert matches(name, pattern) == expected


def test_a_file_without_gitignore_rules_is_not_ignored(tmp_path: Path) -> None:
    """Where no rule speaks of a name, the outer files decide."""
    assert GitIgnore.read(tmp_path / ".gitignore", "").verdict("a.md", is_folder=False) is None


def test_what_is_not_there_is_an_error(tmp_path: Path) -> None:
    """A path without a file is reported at once, and other kinds of sources say that they come later."""
    with pytest.raises(SourceError, match=r"missing\.md: there is no such file"):
        open_source(str(tmp_path / "missing.md"))
    with pytest.raises(SourceError):
        open_source("x" * 5000)
    for spec in ("github:owner/repo", "https://example.org/a.pdf"):
        with pytest.raises(SettingsError, match="pincite sync"):
            open_source(spec)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes in folders")
def test_only_files_are_yielded(tmp_path: Path) -> None:
    """Pipes and devices are passed over: reading them would never end."""
    os.mkfifo(tmp_path / "pipe.md")

    assert names(FolderSource(tmp_path)) == []
    with pytest.raises(SourceError, match="neither"):
        list(FolderSource(tmp_path / "pipe.md").files())
