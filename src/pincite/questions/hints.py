"""Places that the question itself names: pages, sections, tables and figures, documents."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from pincite.types.question import Hints

_I: Final = re.IGNORECASE
_LABEL: Final = r"(?:\d+|[ivxlc]+\b|[A-Z]{1,2}-?\d+)"
_PAGE: Final = re.compile(
    rf"\b(?:pages?|p\.|pp\.)\s*(?P<label>{_LABEL})(?P<more>(?:\s*(?:,|and|&|or|to|through|[-–])\s*{_LABEL})*)(?!\w)", _I
)
#: A range of pages is read out up to this many.
_MOST_PAGES: Final = 50
_PAGE_CJK: Final = re.compile(r"第\s*(?P<label>\d+)\s*[页頁]")
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
    pages = [label for match in _PAGE.finditer(question) for label in _pages(match)]
    pages += [match["label"] for match in _PAGE_CJK.finditer(question)]
    objects = [
        f"{_KINDS.get(m['kind'].lower(), m['kind'].capitalize())} {m['label']}" for m in _OBJECT.finditer(question)
    ]
    return Hints(
        pages=tuple(dict.fromkeys(pages)),
        sections=tuple(dict.fromkeys(m["label"] for m in _SECTION.finditer(question))),
        objects=tuple(dict.fromkeys(objects)),
        documents=tuple(_documents(question, document_names)),
    )


def without_pages(question: str) -> str:
    """Return the question without the pages it names.

    >>> without_pages("What do pages 4 and 5 say?")
    'What do   say?'
    """
    return _PAGE_CJK.sub(" ", _PAGE.sub(" ", question))


def _pages(match: re.Match[str]) -> list[str]:
    """Return every page of "pages 4, 5 and 7–9"."""
    labels = [match["label"]]
    for between, label in re.findall(rf"(,|and|&|or|to|through|[-–])\s*({_LABEL})", match["more"], _I):
        first = labels[-1]
        if between.lower() in ("to", "through", "-", "–") and first.isdigit() and label.isdigit():
            labels.extend(str(n) for n in range(int(first) + 1, min(int(label), int(first) + _MOST_PAGES) + 1))
        else:
            labels.append(label)
    return labels


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
