"""The documents agree with the code, and the check that says so finds faults."""

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).resolve().parents[1] / "docs"


@pytest.fixture(scope="module", name="check")
def check_module() -> Iterator[ModuleType]:
    """Return `docs/check.py` as a module, which finds its own parts beside it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(DOCS)
        yield importlib.import_module("check")


@pytest.fixture
def page(tmp_path: Path) -> Callable[[str], Path]:
    """Return a function that writes a document."""

    def write(text: str) -> Path:
        path = tmp_path / "page.md"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def messages(faults: object) -> list[str]:
    return [str(fault).split(": ", 1)[1] for fault in faults]  # type: ignore[attr-defined]


def test_the_documents_agree_with_the_code(check: ModuleType) -> None:
    """Commands, options, settings, folds, page flags and error codes are documented as they are; no link is dead."""
    assert messages(check.quick_faults()) == []


def test_a_link_that_leads_nowhere_is_found(check: ModuleType, page: Callable[[str], Path]) -> None:
    """A reader never follows a dead link: to a file, a heading or a picture that is not there."""
    path = page(
        "# Here\n\n[a](gone.md) [b](#here) [c](#there) ![d](gone.png)\n\n`[e](code.md)` [f](https://example.org/x)\n"
    )

    assert messages(check.link_faults(path)) == [
        "there is no 'gone.md'",
        "page.md has no heading 'there'",
        "there is no 'gone.png'",
    ]


def test_a_table_that_differs_from_the_code_is_found(check: ModuleType, page: Callable[[str], Path]) -> None:
    """A fold that was added or reworded is not left out of the documents."""
    path = page("<!-- generated: folds -->\n| `gone` | nothing |\n<!-- end -->\n")

    assert len(list(check.table_faults(path))) == 1


def test_a_table_is_written_anew(check: ModuleType, page: Callable[[str], Path]) -> None:
    """One command brings the tables up to date."""
    path = page("Before\n<!-- generated: error codes -->\n<!-- end -->\nAfter\n")

    list(check.table_faults(path, write=True))

    assert list(check.table_faults(path)) == []
    assert "| `empty_file` | `EmptyFileError` | `ParseError` |" in path.read_text(encoding="utf-8")


def test_a_table_of_an_unknown_name_is_found(check: ModuleType, page: Callable[[str], Path]) -> None:
    """A command that was removed or renamed leaves no table behind."""
    path = page("<!-- generated: command fly -->\n<!-- end -->\n")

    assert messages(check.table_faults(path)) == ["the code knows no table 'command fly'"]


def test_a_command_without_a_section_is_found(check: ModuleType, page: Callable[[str], Path]) -> None:
    """No command is undocumented."""
    path = page(
        "".join(f"<!-- generated: command {name or 'pincite'} -->\n" for name in check.commands() if name != "ask")
    )

    assert messages(check.command_faults(path)) == ["the command 'ask' is not documented"]


def test_an_example_that_fails_is_found(check: ModuleType, page: Callable[[str], Path]) -> None:
    """Examples are run, in order and with the names of those before them; other blocks are left alone."""
    path = page(
        "```python run\nx = 2\n```\n\n```pycon\n>>> x + 1\n3\n>>> x + 2\n5\n```\n\n"
        "```python\nno python\n```\n\n```python run\nx.fly()\n```\n"
    )

    assert [fault.line_num for fault in check.example_faults(path)] == [6, 17]


def test_a_transcript_that_differs_is_found(check: ModuleType, page: Callable[[str], Path]) -> None:
    """What a document shows below a command is what the command prints; ids and confidences may differ."""
    path = page(
        "```console run\n$ echo confidence 0.91 trace 3f9c1e07a2b4\nconfidence 0.85 trace 0123456789ab\n```\n\n"
        "```console run\n$ echo one\ntwo\n```\n"
    )

    assert [fault.line_num for fault in check.example_faults(path)] == [7]


def test_a_transcript_is_written_anew(check: ModuleType, page: Callable[[str], Path]) -> None:
    """Transcripts are what the command prints at 80 columns, not what somebody typed."""
    path = page("```console run\n$ echo $COLUMNS\n$ echo two\n```\n")

    list(check.example_faults(path, write=True))

    assert path.read_text(encoding="utf-8") == "```console run\n$ echo $COLUMNS\n80\n$ echo two\ntwo\n```\n"
