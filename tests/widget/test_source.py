"""Source files: three forms of the same passages, and every fault with its place."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import PassagesError
from pincite.widget.records import Draft, Scoring, SourceFile
from pincite.widget.source import read_source
from pincite.widget.writing import written

YAML = """\
title: Ask
refusal: Not here.
suggestions: ["What is a cite?"]
scoring: {threshold: 2.5, shown: 2}
passages:
  - id: cite
    title: What is a cite?
    text: >-
      A cite names
      a page.
    url: /cites
    tags: [page, no]
    reviewed-by: Ada
    reviewed-on: 2026-11-30
"""
MARKDOWN = """\
---
title: Ask
refusal: Not here.
suggestions: ["What is a cite?"]
scoring: {threshold: 2.5, shown: 2}
---
A remark.

## What is a cite?
id: cite
url: /cites
tags: page, no
reviewed-by: Ada
reviewed-on: 2026-11-30

A cite names
a page.
"""
JSON = json.dumps({
    "title": "Ask", "refusal": "Not here.", "suggestions": ["What is a cite?"],
    "scoring": {"threshold": 2.5, "shown": 2},
    "passages": [{"id": "cite", "title": "What is a cite?", "text": "A cite names a page.", "url": "/cites",
                  "tags": ["page", "no"], "reviewed_by": "Ada", "reviewed_on": "2026-11-30"}],
})  # fmt: skip


def read(folder: Path, text: str, name: str = "p.yaml") -> SourceFile:
    """Write a source file and read it."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_source(path)


@pytest.mark.parametrize(("name", "text"), [("p.yaml", YAML), ("p.md", MARKDOWN), ("p.json", JSON)])
def test_the_forms_are_the_same(tmp_path: Path, name: str, text: str) -> None:
    """YAML, Markdown and JSON hold the same passages; what is not set has the documented value."""
    source = read(tmp_path, text, name)
    places = {"p.yaml": "p.yaml:6", "p.md": "p.md:9", "p.json": "p.json, passage 1"}

    assert source.passages == (
        Draft(
            id="cite",
            title="What is a cite?",
            text="A cite names a page.",
            url="/cites",
            tags=("page", "no"),
            reviewed_by="Ada",
            reviewed_on="2026-11-30",
            place=places[name],
        ),
    )
    assert (source.title, source.refusal, source.suggestions) == ("Ask", "Not here.", ("What is a cite?",))
    assert source.scoring == Scoring(threshold=2.5, shown=2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("passages:\n  - id: a\n    text: x\n  - id: a\n    text: y\n", "p.yaml:4: the id 'a' is taken by p.yaml:2"),
        ("passages:\n  - id: a b\n    text: x\n", "p.yaml:2: the id 'a b' has to be letters"),
        ("passages:\n  - id: a\n", "p.yaml:2: 'a' has no text"),
        ("passages:\n  - id: a\n    text: x\n    text: y\n", "p.yaml:4: 'text' stands twice"),
        ("passages:\n  - id: a\n    txt: x\n", "p.yaml:2: 'txt' is not known here"),
        (
            "passages:\n  - id: a\n    text: x\n    url: javascript:alert(1)\n",
            "p.yaml:2: the url 'javascript:alert(1)'",
        ),
        ("passages:\n  - id: a\n    text: x\n    url: ' java\tscript:x'\n", "p.yaml:2: the url"),
        ("passages:\n  - id: a\n    text: x\n    url: https:/x\n", "p.yaml:2: the url"),
        ("passages:\n  - id: a\n    text: x\n    reviewed-on: 30.11.2026\n", "p.yaml:2: reviewed-on is '30.11.2026'"),
        ("passages:\n  - id: a\n    text: x\n    reviewed-on: 2026-02-30\n", "p.yaml:2: reviewed-on is '2026-02-30'"),
        ("passages:\n  - id: a\n    text: [x]\n", "p.yaml:2: text has to be text"),
        ("passages: {}\n", "a list `passages`"),
        ("", "a list `passages`"),
        ("passages: [\n", "p.yaml:2: not YAML"),
        ("scoring: {threshold: high}\npassages: []\n", "scoring: "),
        ("scoring: {threshold: nan}\npassages: []\n", "scoring: "),
        ("scoring: {prefix_min: 0}\npassages: []\n", "scoring: "),
        ("scoring: {limit: 3}\npassages: []\n", "scoring: "),
        ("language: ja\npassages: []\n", "stop words are known of"),
        ("a: &a [x]\nb: [*a, *a]\n", "anchors and aliases"),
    ],
)
def test_a_fault_is_said_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    """Whoever keeps the file is told which line, what is wrong, and what to do."""
    with pytest.raises(PassagesError) as fault:
        read(tmp_path, text)

    assert message in str(fault.value)


@pytest.mark.parametrize(
    ("name", "text"), [("p.json", '{"a": 1, "a": 2}'), ("p.json", "{"), ("p.txt", "x"), ("p.md", "---\na: [\n---\n")]
)
def test_a_file_of_another_form_is_refused(tmp_path: Path, name: str, text: str) -> None:
    """A file that is not what its name says is no empty list of passages."""
    with pytest.raises(PassagesError, match=r"^p\."):
        read(tmp_path, text, name)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    """Bytes that are no UTF-8, and files that are not there, are named."""
    (tmp_path / "p.yaml").write_bytes(b"a: \xff")

    with pytest.raises(PassagesError, match="not UTF-8"):
        read_source(tmp_path / "p.yaml")
    with pytest.raises(PassagesError, match=r"gone\.yaml"):
        read_source(tmp_path / "gone.yaml")


def test_markdown_keeps_paragraphs_and_what_looks_like_a_field(tmp_path: Path) -> None:
    """Text is verbatim: only lines right below the heading, of known names, are fields."""
    source = read(tmp_path, "## Opening hours\nurl: /x\n\nnote: open\nat night.\n\nSecond.\n", "p.md")

    assert [(d.id, d.text, d.url) for d in source.passages] == [
        ("opening-hours", "note: open at night.\n\nSecond.", "/x")
    ]


PRINTED = st.text(st.characters(blacklist_categories=["Cs"])).map(str.strip).filter(bool)


@given(text=PRINTED, title=st.text(st.characters(blacklist_categories=["Cs"])).map(str.strip), cite=PRINTED)
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, text: str, title: str, cite: str) -> None:
    """A drafted passage is in the file as it is in the document, whatever its characters."""
    draft = Draft(id="a", text=text, title=title, cite=cite, tags=("x, y: z", "#"))
    expected = [
        text.replace("\r\n", "\n").strip(),
        title.replace("\r\n", "\n").strip(),
        cite.replace("\r\n", "\n").strip(),
    ]

    source = read(tmp_path_factory.getbasetemp(), written([draft]))

    read_back = source.passages[0]
    assert [read_back.text, read_back.title, read_back.cite] == expected
    assert read_back.tags == ("x, y: z", "#")
