"""The block of metadata at the top of a Markdown file."""

import json
from pathlib import Path
from typing import Any

import pytest

from pincite.parsing.front_matter import UNREADABLE, read_front_matter
from pincite.parsing.markdown import MarkdownParser
from pincite.types.record import to_json

CASE = Path(__file__).parents[1] / "cases" / "CHK04-front-matter"
EXPECTED: dict[str, dict[str, Any]] = json.loads((CASE / "case.json").read_text("utf-8"))["expected"]["files"]


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_front_matter_of_every_make(name: str) -> None:
    """Metadata is read where it is valid, the body is never lost, and lines count from the top of the file."""
    expected = EXPECTED[name]

    document = MarkdownParser().parse((CASE / name).read_bytes(), name=name, uri="")

    (line,) = [line for line in document.lines if expected["quote"] in line.text]
    assert (line.line_num, line.role) == (expected["line"], "body")
    if not str(expected["title"]).startswith("policy"):
        assert document.metadata.get("title") == expected["title"]
    assert document.metadata.get("date") == expected.get("metadata_date")
    assert document.parsing_summary.warnings == ((UNREADABLE,) if "warning" in expected else ())
    text = "\n".join(line.text for line in document.lines if line.role != "metadata")
    assert expected.get("text_must_contain", "") in text


def test_values_are_plain() -> None:
    """Dates become ISO strings; what only old YAML takes for a number or an object stays text."""
    block = ["---", "date: 2027-05-01", "at: 2027-05-01 10:00:00", "time: 12:30", "mode: 0777", "n: 7", "x: 1.5",
             "draft: true", "none: null", "tags: [a, 2]", "who: {name: Runa}", "evil: !!python/object:os.system ls",
             "huge: 99999999999999999999999", "---"]  # fmt: skip

    assert read_front_matter(block).metadata == {
        "date": "2027-05-01", "at": "2027-05-01T10:00:00", "time": "12:30", "mode": "0777", "n": 7, "x": 1.5,
        "draft": True, "tags": ["a", 2], "who": {"name": "Runa"}, "evil": "ls", "huge": "99999999999999999999999",
    }  # fmt: skip


def test_toml_values_are_plain() -> None:
    """TOML dates become ISO strings and everything can be written as JSON."""
    block = [
        "+++",
        "date = 2027-05-01",
        "at = 10:00:00",
        "big = 99999999999999999999",
        "x = nan",
        "[who]",
        "n = 1",
        "+++",
    ]

    metadata = read_front_matter(block).metadata

    assert metadata == {
        "date": "2027-05-01", "at": "10:00:00", "big": "99999999999999999999", "x": "nan", "who": {"n": 1},
    }  # fmt: skip
    assert to_json(metadata) == metadata


@pytest.mark.parametrize(
    ("lines", "last_line"),
    [
        (["---", "title:\tQuay", "tags:", "-\twood", "who:", "\tname: Runa", "---", "x"], 7),
        ([";;;", '{"title": "Quay", "tags": ["wood"], "who": {"name": "Runa"}, "none": null}', ";;;", "x"], 3),
        (["{", '"title": "Quay", "tags": ["wood"],', '"who": {"name": "Runa"}', "}", "", "x"], 4),
        (["---json", '{"title": "Quay", "tags": ["wood"], "who": {"name": "Runa"}}', "---", "x"], 3),
        (["---toml", 'title = "Quay"', 'tags = ["wood"]', "[who]", 'name = "Runa"', "---", "x"], 6),
    ],
    ids=["tabs", "json-marks", "json-bare", "json-named", "toml-named"],
)
def test_forms_that_other_readers_take(lines: list[str], last_line: int) -> None:
    """YAML with tabs, JSON in either of its forms and a language named behind the dashes are metadata, no text."""
    read = read_front_matter(lines)

    assert read.metadata == {"title": "Quay", "tags": ["wood"], "who": {"name": "Runa"}}
    assert (read.last_line, read.warnings) == (last_line, ())


def test_a_title_is_one_line() -> None:
    """A folded title reads as one line, in the metadata and as the title of the document."""
    content = b"---\ntitle: >\n  Folded\n  title\n---\nThe wheel is brass.\n"

    document = MarkdownParser().parse(content, name="a.md", uri="")

    assert (document.metadata["title"], document.parsing_summary.title) == ("Folded title", "Folded title")


BOMB = [
    "a: &a [x,x,x,x,x,x,x,x,x,x]",
    *(f"{b}: &{b} [{','.join(['*' + a] * 10)}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)),
]


@pytest.mark.parametrize(
    "block", [BOMB, ["a: &a", "  b: *a"], ["a: " + "[" * 1500], ["a: {" * 500]], ids=["bomb", "loop", "deep", "deeper"]
)
def test_bombs_are_harmless(block: list[str]) -> None:
    """Alias bombs, loops and endless nesting are reported as unreadable at once."""
    read = read_front_matter(["---", *block, "---", "body"])

    assert read.metadata == {}
    assert read.warnings == (UNREADABLE,)


@pytest.mark.parametrize(
    "lines",
    [
        ["---", "title: never closed", "", "# Oil", "", "Oil is kept in tank 2.", "", "---", "after"],
        ["---", "", "A rule comes first.", "", "---"],
        ["---", "A sentence: with a colon and more: text.", "", "Another one.", "---"],
        ["---", "just a sentence", "---"],
        ["text", "---", "title: late", "---"],
        ['{"title": "the whole file"}'],
        ['{"title": "no"} is how JSON begins.', "", "x"],
        ["{", '"title": "no blank line"', "}", "x"],
        ["{{ include header }}", "", "x"],
        [";;;", "a note, no JSON", ";;;"],
    ],
)
def test_what_is_no_front_matter_stays_text(lines: list[str]) -> None:
    """Text between rules is never swallowed."""
    assert read_front_matter(lines).last_line == 0
