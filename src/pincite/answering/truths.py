"""The yes or no that a unit says, and the state that a stamp gives a document."""

import re
from collections.abc import Sequence
from typing import Final

from pincite.answering.facts import Fact
from pincite.answering.units import Unit
from pincite.text.opposites import OPPOSITES
from pincite.types.answer import Truth
from pincite.types.question import GenerationBrief

_NEGATION: Final = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|can't|isn't|aren't|wasn't|doesn't|don't|didn't|won't|mustn't"
    r"|forbidden|prohibited|unable|fails? to|lacks?|excluded)\b",
    re.IGNORECASE,
)
_FORM_TRUTH: Final = re.compile(
    r":\s*(?P<yes>yes|true|on|checked)|:\s*(?P<no>no|false|off|not checked|unchecked)\b", re.IGNORECASE
)


#: A box before a task, and words of a question that ask whether it is still to do.
_BOX: Final = re.compile(r"^\W*\[(?P<mark>[ xX✓✔])\]\s")
_TO_DO: Final = re.compile(r"\b(?:open|pending|outstanding|undone|missing|unchecked|offen)\b", re.IGNORECASE)
_YES_CELL: Final = re.compile(r"\W*(?:yes|true|y|x|ja|oui|sí|si|wahr|vrai)\W*|\s*[✓✔☑]\s*", re.IGNORECASE)
_NO_CELL: Final = re.compile(r"\W*(?:no|false|n|nein|non|falsch|faux)\W*|\s*[✗✘☐]\s*", re.IGNORECASE)


def truth_of_cell(cell: str, question: str) -> Truth | None:
    """Return what a cell that says yes or no answers; `None` where it says neither, or the question denies.

    >>> truth_of_cell("FALSE", "Is Per active?"), truth_of_cell("barn", "Is it in the barn?")
    (Truth(value=False), None)
    """
    if _NEGATION.search(question) or not (_YES_CELL.fullmatch(cell) or _NO_CELL.fullmatch(cell)):
        return None
    return Truth(value=_YES_CELL.fullmatch(cell) is not None)


def truth_in(unit: Unit, brief: GenerationBrief) -> Fact:
    """Return yes or no as the unit says it, with the unit as the text."""
    form = _FORM_TRUTH.search(unit.text)
    if form is not None:
        return Fact(text=unit.text, value=Truth(value=form["yes"] is not None))
    box = _BOX.match(unit.line.line.text) if unit.kind == "item" else None
    if box is not None:
        is_done = box["mark"] != " "
        asked_not = bool(_NEGATION.search(brief.question)) != bool(_TO_DO.search(brief.question))
        return Fact(text=unit.text, value=Truth(value=is_done != asked_not))
    words = {w.lower() for w in re.findall(r"\w+", unit.text)}
    # A capital inside the question makes a name: "building North" is not the opposite of "building South".
    asked_words = {w for w in re.findall(r"\w+", brief.question) if w.islower()}
    opposites = {OPPOSITES[w] for w in asked_words - words if OPPOSITES.get(w) in words}
    asked_not = bool(_NEGATION.search(brief.question))
    # "forbidden" is the opposite of "allowed": it may not count once more as a denial.
    said_not = any(m.group().lower() not in opposites for m in _NEGATION.finditer(unit.text))
    return Fact(text=unit.text, value=Truth(value=(asked_not == said_not) != bool(opposites)))


_STATUS: Final = re.compile(
    r"\b(?:final|draft|preliminary|official|approved|confidential|valid)\b.*\b(?:version|document|copy|edition|text|draft|file"
    r"|paper|report|offer|fassung|entwurf|dokument)\b|\b(?:version|document|copy|edition|text|file|paper|report|offer|this|it|fassung|dokument|dies)\b.*\b(?:final"
    r"|(?:a )?draft|official|confidential|valid|current|gültig|aktuell|endgültig\w*|vertraulich)\b",
    re.IGNORECASE,
)
#: What stamps in other languages and words of their own say of a document.
_MEANT: Final = {
    "entwurf": "draft", "brouillon": "draft", "projet": "draft", "borrador": "draft", "bozza": "draft",
    "concept": "draft", "vertraulich": "confidential", "confidentiel": "confidential", "confidencial": "confidential",
    "riservato": "confidential", "vertrouwelijk": "confidential", "ungültig": "void", "annulé": "void",
    "anulado": "void", "périmé": "obsolete",
}  # fmt: skip
#: Stamps that deny that a document holds, and the words by which that is asked.
_ENDED: Final = frozenset("void cancelled superseded obsolete".split())
_HOLDS: Final = frozenset("valid current gültig aktuell valable".split())
_STAMPS: Final = re.compile(
    r"\b(?:draft|final|confidential|preliminary|void|cancelled|specimen|sample|copy|superseded|obsolete|approved|entwurf"
    r"|vertraulich|ungültig|brouillon|projet|confidentiel|annulé|périmé|borrador|confidencial|anulado|bozza|riservato"
    r"|concept|vertrouwelijk)\b",
    re.IGNORECASE,
)


def status_in(units: Sequence[Unit], brief: GenerationBrief) -> tuple[Unit, Fact] | None:
    """Return what a stamp or watermark says of the state of the document, where the question is about that."""
    if brief.shape != "boolean" or not _STATUS.search(brief.question):
        return None
    asked_words = {w.lower() for w in re.findall(r"\w+", brief.question)}
    for unit in units:
        stamp = _STAMPS.search(unit.text)
        if unit.kind != "mark" or stamp is None:
            continue
        word = _MEANT.get(stamp.group().lower(), stamp.group().lower())
        if word in _ENDED and asked_words & _HOLDS:
            return unit, Fact(text=unit.text, value=Truth(value=False))
        if word in asked_words or OPPOSITES.get(word) in asked_words:
            return unit, Fact(text=unit.text, value=Truth(value=word in asked_words))
    return None
