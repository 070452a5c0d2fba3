"""One file of cases that both implementations pass."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.widget.cases import INDEXES, QUESTIONS, TEXTS, as_json
from tests.widget.engine import Engine

from pincite.types.record import from_json, to_json
from pincite.widget.records import Index
from pincite.widget.scoring import Searcher
from pincite.widget.words import stop_words, terms

FILE = Path(__file__).with_name("vectors.json")


def made() -> dict[str, Any]:
    """Return the vectors as Python has them now."""
    stop = list(stop_words("en"))
    asked = [
        {"index": name, "expected": as_json(Searcher(INDEXES[name]).ask(question))}
        for name, questions in QUESTIONS.items()
        for question in questions
    ]
    return {
        "stop_words": stop,
        "indexes": {name: to_json(index) for name, index in INDEXES.items()},
        "terms": [{"text": text, "expected": list(terms(text, frozenset(stop)))} for text in TEXTS],
        "asked": asked,
    }


def lines(cases: list[Any]) -> str:
    """Return the cases as JSON, a line for each."""
    return "[\n" + ",\n".join(map(json.dumps, cases)) + "\n]"


@pytest.fixture(scope="module")
def vectors() -> Any:
    """Return the file; `PINCITE_REWRITE_GOLDEN=1` writes it anew."""
    if os.environ.get("PINCITE_REWRITE_GOLDEN"):
        parts = made()
        listed = [
            f"{json.dumps(key)}: {lines(value) if key in ('terms', 'asked') else json.dumps(value)}"
            for key, value in parts.items()
        ]
        FILE.write_text("{\n" + ",\n".join(listed) + "\n}\n", encoding="utf-8")
    return json.loads(FILE.read_text(encoding="utf-8"))


def test_there_are_enough(vectors: Any) -> None:
    """Who writes a third implementation has at least 300 cases to hold it to."""
    assert len(vectors["terms"]) + len(vectors["asked"]) >= 300


def test_python_passes(vectors: Any) -> None:
    """The scoring of the evals and of the build gate is that of the file."""
    stop = frozenset(vectors["stop_words"])
    searchers = {name: Searcher(from_json(given, Index)) for name, given in vectors["indexes"].items()}

    assert [(c["text"], list(terms(c["text"], stop))) for c in vectors["terms"]] == [
        (c["text"], c["expected"]) for c in vectors["terms"]
    ]
    assert [as_json(searchers[c["index"]].ask(c["expected"]["question"])) for c in vectors["asked"]] == [
        c["expected"] for c in vectors["asked"]
    ]


def passes(engine: Engine, vectors: Any) -> None:
    """Fail where the engine differs from the file."""
    stop = vectors["stop_words"]
    assert [(c["text"], engine("terms", text=c["text"], stop=stop)) for c in vectors["terms"]] == [
        (c["text"], c["expected"]) for c in vectors["terms"]
    ]
    for name, index in vectors["indexes"].items():
        expected = [c["expected"] for c in vectors["asked"] if c["index"] == name]
        assert engine("ask", index=index, questions=[e["question"] for e in expected]) == expected


def test_javascript_passes(javascript: Engine, vectors: Any) -> None:
    """What the browser shows is what the evals were run on."""
    passes(javascript, vectors)


def test_chromium_passes(chromium_engine: Engine, vectors: Any) -> None:
    """The same in the browser itself."""
    passes(chromium_engine, vectors)
