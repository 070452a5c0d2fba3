"""The yes or no that a unit says, and the state that a stamp gives a document."""

import re
from collections.abc import Sequence
from typing import Final

from pincite.answering.facts import Fact
from pincite.answering.units import Unit
from pincite.text.language import question_language
from pincite.text.opposites import OPPOSITES
from pincite.text.senses import senses_in, without_senses
from pincite.text.tokens import is_stop_term, token_terms
from pincite.types.answer import Truth
from pincite.types.question import GenerationBrief

#: What denies, by the language of the question; words that leave something out ("without") are looked at by themselves.
_NEGATION: Final = {
    language: re.compile(rf"(?:{pattern})", re.IGNORECASE)
    for language, pattern in {
        "en": r"\b(?:not|no|never|none|neither|nor|cannot|can't|isn't|aren't|wasn't|doesn't|don't|didn't|won't|mustn't"
        r"|forbidden|prohibited|banned|unable|fails? to|lacks?|excluded)\b",
        "de": r"\b(?:nicht(?!\s+(?:nur|allein))|kein\w*|nie|niemals|weder|verboten|untersagt|unzulässig|ausgeschlossen"
        r"|unmöglich)\b",
        "fr": r"\b(?:ne\s|n['’])(?:(?!\bque?\b)[^.;])*?\b(?:pas|jamais|plus|aucune?|rien|personne)\b"
        r"|\b(?:jamais|aucune?|ni|interdit\w*|défendu\w*|prohibé\w*|exclu\w*|impossible)\b",
        "es": r"\b(?:no|nunca|jamás|ning[uú]n\w*|nada|nadie|ni|tampoco|prohibid\w*|excluid\w*|imposible)\b",
    }.items()
}
_WITHOUT: Final = re.compile(r"\b(?:without|ohne|sans|sin)\s+(?P<what>(?:[\w’'-]+\s*){1,4})", re.IGNORECASE)
_FORM_TRUTH: Final = re.compile(
    r":\s*(?P<yes>yes|true|on|checked)|:\s*(?P<no>no|false|off|not checked|unchecked)\b", re.IGNORECASE
)


#: A box before a task, and words of a question that ask whether it is still to do.
_BOX: Final = re.compile(r"^\W*\[(?P<mark>[ xX✓✔])\]\s")
_TO_DO: Final = re.compile(r"\b(?:open|pending|outstanding|undone|missing|unchecked|offen)\b", re.IGNORECASE)
_YES_CELL: Final = re.compile(r"\W*(?:yes|true|y|x|ja|oui|sí|si|wahr|vrai)\W*|\s*[✓✔☑]\s*", re.IGNORECASE)
_NO_CELL: Final = re.compile(r"\W*(?:no|false|n|nein|non|falsch|faux)\W*|\s*[✗✘☐]\s*", re.IGNORECASE)


def _negation(question: str) -> re.Pattern[str]:
    """Return what denies in the language of a question."""
    return _NEGATION[question_language(question)]


def truth_of_cell(cell: str, question: str) -> Truth | None:
    """Return what a cell that says yes or no answers; `None` where it says neither, or the question denies.

    >>> truth_of_cell("FALSE", "Is Per active?"), truth_of_cell("barn", "Is it in the barn?")
    (Truth(value=False), None)
    """
    if _negation(question).search(question) or not (_YES_CELL.fullmatch(cell) or _NO_CELL.fullmatch(cell)):
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
        asked_not = bool(_negation(brief.question).search(brief.question)) != bool(_TO_DO.search(brief.question))
        return Fact(text=unit.text, value=Truth(value=is_done != asked_not))
    question, text = brief.question, unit.text
    said, asked = senses_in(text), senses_in(question)
    shared = frozenset(n for n in asked if asked[n] is not None and said.get(n) is not None)
    turned = sum(asked[n] != said[n] for n in shared) % 2 == 1
    # "forbidden" is the opposite of "allowed": it may not count once more as a denial.
    question, text = without_senses(question, shared), without_senses(text, shared)
    words = {w.lower() for w in re.findall(r"\w+", text)}
    # A capital inside the question makes a name: "building North" is not the opposite of "building South".
    asked_words = {w for w in re.findall(r"\w+", question) if w.islower()}
    opposites = {OPPOSITES[w] for w in asked_words - words if OPPOSITES.get(w) in words}
    negation = _negation(brief.question)
    asked_not = bool(negation.search(question)) != _leaves_out(question, text)
    said_not = any(m.group().lower() not in opposites for m in negation.finditer(text)) != _leaves_out(text, question)
    value = (asked_not == said_not) != (bool(opposites) != turned)
    return Fact(text=unit.text, value=Truth(value=value))


def _leaves_out(text: str, other: str) -> bool:
    """Say whether a text is about going without what the other names, and does not go without it too.

    "without a keel" denies a keel; "photos without flash" says nothing against photos.
    """
    terms = {t for word in re.findall(r"\w+", _WITHOUT.sub(" ", other)) for t in token_terms(word)[:1]}
    both = {_left_out(m) for m in _WITHOUT.finditer(other)}
    return any((one := _left_out(m)) in terms and one not in both for m in _WITHOUT.finditer(text))


def _left_out(match: re.Match[str]) -> str | None:
    """Return the index term of the first word of weight behind "without"."""
    terms = (t for word in match["what"].split() for t in token_terms(word)[:1])
    return next((term for term in terms if not is_stop_term(term)), None)


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
