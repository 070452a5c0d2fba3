"""Places that the question itself names: pages, sections, tables and figures, documents."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from pincite.questions.places import find_pages
from pincite.types.question import Hints

_I: Final = re.IGNORECASE
_SECTION: Final = re.compile(
    r"(?:\b(?:section|sec\.|chapter|ch\.|clause|paragraph|article|appendix|annex|part)|§)\s*"
    r"(?P<label>\d+(?:\.\d+)*[a-z]?(?:\([a-z0-9]+\))*|[A-Z](?:\.\d+)*)(?![\w-])",
    _I,
)
_OBJECT: Final = re.compile(
    r"\b(?P<kind>table|figure|fig\.|equation|eq\.|algorithm|exhibit)\s*(?P<label>\d+(?:\.\d+)*[a-z]?|[A-Z]\.?\d+)\b", _I
)
_KINDS: Final = {"fig.": "Figure", "eq.": "Equation"}


def find_hints(question: str, document_names: Sequence[str]) -> Hints:
    """Return the places a question names, as typed.

    >>> find_hints("What does page iii say about Table 2?", []).pages
    ('iii',)
    """
    objects = [
        f"{_KINDS.get(m['kind'].lower(), m['kind'].capitalize())} {m['label']}" for m in _OBJECT.finditer(question)
    ]
    return Hints(
        pages=find_pages(question),
        sections=tuple(dict.fromkeys(m["label"] for m in _SECTION.finditer(question))),
        objects=tuple(dict.fromkeys(objects)),
        documents=tuple(_documents(question, document_names)),
    )


def _documents(question: str, names: Sequence[str]) -> list[str]:
    """Return the documents whose file name, or its stem of two words or six characters, stands in the question."""
    text = _plain(question)
    found = []
    for name in names:
        base = _plain(name.rsplit("/", 1)[-1])
        stem = base.rsplit(".", 1)[0]
        is_file_name = "." in base and re.search(rf"(?<!\w){re.escape(base)}(?!\w)", text)
        is_stem = len(stem) >= 6 and not stem.isdigit() and re.search(r"[\d_-]", stem) and stem in text
        if is_file_name or is_stem:
            found.append(name)
    return found


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()
