"""The value of the setting that a question names by its keys."""

import re
from collections.abc import Sequence
from typing import Final

from pincite.answering.conditions import all_terms
from pincite.answering.keyed import Setting, settings_in
from pincite.text.amounts import find_quantities
from pincite.text.stopwords import WEAK
from pincite.text.tokens import is_stop_term, token_terms
from pincite.types.answer import ClaimedQuote, Draft, DraftItem, Truth, Value
from pincite.types.question import GenerationBrief
from pincite.types.source import ReadingLine

#: Words of a question that only say that a setting is meant; they count where a key has them.
_FILLING: Final = frozenset(
    token_terms(word)[0]
    for word in "default setting option parameter configured configuration config set key variable value file section "
    "field enabled active disabled turned switched on off used run runs policy service level number many "
    "size maximum minimum max min".split()
)
_YES: Final = re.compile(r"^(?:true|yes|on|enabled)$", re.IGNORECASE)
_NO: Final = re.compile(r"^(?:false|no|off|disabled|none|null)$", re.IGNORECASE)
_ASKS_OFF: Final = re.compile(r"\b(?:disabled|off|inactive)\b", re.IGNORECASE)
#: More settings of one name than this are no answer.
_MOST: Final = 6
#: Of a longer line (characters) only the part with the setting is quoted.
_LONG_LINE: Final = 200
_SURE: Final = 0.9


def setting_answer(brief: GenerationBrief, lines: Sequence[ReadingLine]) -> Draft | None:
    """Return the value of the setting that holds every word of the question in its keys, with the lines of the keys.

    Settings that hold them equally well are all given. `None` where no setting does.
    """
    if brief.shape in ("table", "comparison"):
        return None
    words = _words(brief)
    found = [(rank, one) for one in settings_in(lines) if (rank := _rank(words, one)) is not None] if words else []
    if not found:
        return None
    best = max(rank for rank, _ in found)
    chosen = [one for rank, one in found if rank == best]
    if len(chosen) > _MOST or (brief.counts and any(one.elements for one in chosen)):
        return None
    named = {one.path for one in chosen}
    caveats = (f"several settings have this name: {', '.join(sorted(named))}",) if len(named) > 1 else ()
    if len(chosen) == 1 and chosen[0].elements:
        items = tuple(_item(text, chosen[0], line) for text, line in chosen[0].elements)
        return Draft(shape="list", items=items, confidence=_SURE, caveats=caveats, summary=brief.question)
    typed = [(one, _value(one, brief)) for one in chosen]
    if brief.shape in ("amount", "boolean") and any(value is None for _, value in typed):
        return None
    items = tuple(
        _item(one.value if brief.shape == "amount" or one.elements else _line_text(one), one, one.line, value)
        for one, value in typed
    )
    shape = brief.shape if brief.shape in ("amount", "boolean") else "text"
    return Draft(shape=shape, items=items, confidence=_SURE, caveats=caveats)


def _words(brief: GenerationBrief) -> list[tuple[frozenset[str], bool]]:
    """Return the terms of each word of the question, and whether a setting has to hold it."""
    own = [k.text for k in brief.keywords if k.origin in ("question", "correction")]
    words = [frozenset(token_terms(token)) | _forms_of(token, brief) for text in own for token in text.split()]
    weak = {term for word in WEAK for term in token_terms(word)[:1]}
    return [(terms, not terms & (_FILLING | weak)) for terms in words if terms and not all(map(is_stop_term, terms))]


def _forms_of(word: str, brief: GenerationBrief) -> frozenset[str]:
    """Return the terms of other forms of a word: "keep" for "kept"."""
    forms = [k.text for k in brief.keywords if k.origin == "vocabulary" and k.stands_for == word]
    return frozenset(term for form in forms if " " not in form for term in token_terms(form)[:1])


def _rank(words: Sequence[tuple[frozenset[str], bool]], one: Setting) -> tuple[float, ...] | None:
    """Return how well a setting holds the words; `None` where it lacks a word, or its key is not asked."""
    around = all_terms(" ".join((*one.line.breadcrumb, one.comment, re.sub(r"[._-]", " ", one.line.doc_name))))
    told = one.key_terms | one.path_terms
    if any(needed and not terms & (told | around) for terms, needed in words):
        return None
    asked = frozenset(term for terms, _ in words for term in terms)
    in_key = sum(bool(terms & one.key_terms) for terms, _ in words)
    named = [needed for terms, needed in words if terms & told]
    if not in_key or (not any(named) and any(needed for _, needed in words)):
        return None
    in_path = sum(bool(terms & told) for terms, _ in words)
    rest = len(one.key_terms - asked)
    return (in_path, in_key / (in_key + rest), -len(one.path_terms - asked), sum(bool(t & around) for t, _ in words))


def _value(one: Setting, brief: GenerationBrief) -> Value | None:
    if brief.shape == "boolean":
        yes, no = _YES.match(one.value), _NO.match(one.value)
        return Truth(value=bool(yes) != bool(_ASKS_OFF.search(brief.question))) if yes or no else None
    quantities = find_quantities(one.value) if brief.shape == "amount" else []
    return quantities[0].value if len(quantities) == 1 else None


def _line_text(one: Setting) -> str:
    return f"{one.key}: {one.value}" if one.sign == ":" else f"{one.key} = {one.value}"


def _item(text: str, one: Setting, line: ReadingLine, value: Value | None = None) -> DraftItem:
    """Return a value with its own line and those of the keys that it stands in."""
    keys = [above for _, above in one.above] + ([one.line] if one.line is not line else [])
    keys = [key for key in dict.fromkeys(keys) if key is not line]
    is_long = len(line.line.text) > _LONG_LINE
    quotes = (_quote(line, one.said if is_long else ""), *(_quote(key) for key in keys))
    return DraftItem(text=text, quotes=quotes, value=value)


def _quote(line: ReadingLine, said: str = "") -> ClaimedQuote:
    one = line.line
    quote = said or one.text.strip()
    return ClaimedQuote(doc_id=line.doc_id, first_line_id=one.line_id, last_line_id=one.line_id, quote=quote)
