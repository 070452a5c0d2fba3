"""Places that the question itself names: pages, sections, tables and figures, documents."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from pincite.questions.places import find_pages
from pincite.text.mentions import find_mentions
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
#: A question for the meaning of a term, which is its only group that is set.
_MEANING: Final = re.compile(
    r"\bwhat (?:do|does|did) (?:the (?:term|word|phrase) )?(?:an? |the )?(.+?) (?:mean|stand for|refer to)\b"
    r"|\b(?:definition|meaning) of (?:the (?:term|word|phrase) )?(?:an? |the )?([^?.,]+)"
    r"|\b(?:how|where) (?:is|are) (?:the (?:term|word|phrase) )?(?:an? |the )?(.+?) defined\b"
    r"|\bwhat is meant by (?:the (?:term|word|phrase) )?(?:an? |the )?([^?.,]+)"
    r"|^\s*(?:please )?define (?:the (?:term|word|phrase) )?(?:an? |the )?([^?.,]+)"
    r"|^\s*was (?:bedeutet|heißt|versteht man unter) (?:der |die |das )?(?:Begriff )?([^?.,]+)"
    r"|\bwhat (?:counts as|qualifies as|constitutes|is considered(?: to be)?) (?:an? |the )?([^?.,]+)",
    _I,
)
#: A question that says no more than what it asks for: whether that is a term of the documents, they say.
_BARE: Final = re.compile(
    r"^\s*(?:(?:what|who)(?: is| are|['’]s) (?:an? |the )?"
    r"|(?:was|wer) (?:ist|sind) (?:ein(?:e|er|en)? |der |die |das |den )?"
    r"|(?:qu['’]est-ce qu(?:e |['’])|(?:que|qui) (?:est|sont) )(?:un |une |le |la |les |l['’]|des )?"
    r"|¿?\s*(?:qué|quién(?:es)?|cuáles?) (?:es|son) (?:un |una |el |la |los |las )?)"
    r"(?P<term>[^?.,;:]+?)\W*$",
    _I,
)
#: A longer phrase (words) is no term.
_MOST_WORDS: Final = 8
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
        places=tuple(dict.fromkeys(m.label for m in find_mentions(question) if not m.is_elsewhere)),
        terms=find_terms(question),
    )


def find_terms(question: str) -> tuple[str, ...]:
    """Return the term whose meaning a question asks for, as typed.

    >>> find_terms("What does “Base Rate” mean?"), find_terms("What is the definition of an advance?")
    (('Base Rate',), ('advance',))
    >>> find_terms("Who is the Lender?"), find_terms("Who pays the Lender?")
    (('Lender',), ())
    """
    match = _MEANING.search(question) or _BARE.search(question)
    if match is None:
        return ()
    term = next(text for text in match.groups() if text is not None).strip(" \"“”„«»‘’'")
    return (term,) if term and len(term.split()) <= _MOST_WORDS else ()


def _documents(question: str, names: Sequence[str]) -> list[str]:
    """Return the documents whose file name, or its stem of two words or six characters, stands in the question."""
    text = _plain(question)
    found = []
    for name in names:
        base, stem = _forms(name)
        # A library has many names, and hardly one of them is in a question: the pattern is made for that one alone.
        is_file_name = "." in base and base in text and re.search(rf"(?<!\w){re.escape(base)}(?!\w)", text)
        if is_file_name or (stem and stem in text):
            found.append(name)
    return found


@lru_cache(maxsize=100_000)
def _forms(name: str) -> tuple[str, str]:
    """Return how a question may name a document: its file name, and its stem where that is no everyday word."""
    base = _plain(name.rsplit("/", 1)[-1])
    stem = base.rsplit(".", 1)[0]
    is_telling = len(stem) >= 6 and not stem.isdigit() and re.search(r"[\d_-]", stem)
    return base, stem if is_telling else ""


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()
