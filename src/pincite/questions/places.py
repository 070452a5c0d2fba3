"""Pages, sheets and slides that a question names, as typed: "3", "iii", "G-II", "2-3", "8 to 10", "last"."""

import re
from typing import Final

_I: Final = re.IGNORECASE
_ROMAN: Final = r"(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})"
#: What may be printed as a page number: with a digit ("12", "A-1", "2-3", "12r"), a letter before a Roman number
#: ("G-II"), a Roman number, a single letter.
_LABEL: Final = (
    rf"(?:(?:[a-z]{{1,4}}[-–.]?)?\d+(?:[-–.]\d+)*[a-z]?|[a-z]{{1,3}}[-–]{_ROMAN}|{_ROMAN}|[a-z])(?![\w’'])(?![-–]\w)"
)
_WORDS: Final = {w: str(n) for n, w in enumerate(
    "one two three four five six seven eight nine ten eleven twelve".split(), start=1)}  # fmt: skip
_PAGE_WORD: Final = (
    r"(?:(?<![\w-])(?:pages?|pg\.?|pp?\.|seiten?|folios?|fol\.|página|páginas|pág\.|pagina|pagine)(?!\w)"
    r"|(?<![\w.-])(?-i:S\.)(?=\s*\d))"
)
_PAGE: Final = re.compile(
    rf"{_PAGE_WORD}(?:\s+|(?=\d))(?:(?:no|nr|number|nummer)\b\.?\s*|#\s*)?(?P<label>{'|'.join(_WORDS)}\b|{_LABEL})"
    rf"(?P<more>(?:\s*(?:,|&|\b(?:and|or|to|through|und|oder|bis|et|ou|à|y|e)\b|[-–])\s*{_LABEL})*)",
    _I,
)
_MORE: Final = re.compile(rf"(,|&|\b(?:and|or|to|through|und|oder|bis|et|ou|à|y|e)\b|[-–])\s*({_LABEL})", _I)
_RANGE_MARKS: Final = frozenset({"to", "through", "bis", "à", "-", "–"})
#: "sheet 4" names a sheet of the file only where something is on it or it says something: steel has sheets, too.
_SHEET: Final = re.compile(
    r"(?:\b(?:on|in|from|see|does|do|auf|sur)\s+(?:the\s+)?)\b(?P<what>sheet|slide|folie|blatt|feuille|diapositive)"
    r"\s+(?:(?:no|nr|number)\b\.?\s*)?(?P<number>\d+)(?![\w.-])",
    _I,
)
_PAGE_CJK: Final = re.compile(r"第\s*(?P<label>\d+)\s*[页頁]")
_ORDINALS: Final = {
    w: str(n) for n, w in enumerate("second third fourth fifth sixth seventh eighth ninth tenth".split(), start=2)
}
_END: Final = re.compile(
    rf"\b(?:(?P<first>first|erste[nrs]?|première|primera)|(?P<last>last|final|letzte[nrs]?|dernière|última)"
    rf"|(?P<nth>{'|'.join(_ORDINALS)}))\s+(?:page|seite|página)\b"
    r"(?!\s+(?:number|of\s+(?:the\s+)?(?:chapter|section|part|appendix|annex|index)\b))",
    _I,
)
_BARE: Final = re.compile(r"[a-z]", _I)
#: After a single letter: it is a page only where the sentence ends or goes on with what the page does.
_AFTER_LETTER: Final = re.compile(
    r"\s*(?:$|[?.!,;:)]|(?:say|says|state|show|tell|contain|mention|list|describe|cover|give|define|explain|of|in|and"
    r"|or|to|through)s?\b)",
    _I,
)


def find_pages(question: str) -> tuple[str, ...]:
    """Return the pages a question names, as typed; a range is one entry, "first", "last" and "sheet 4" are words.

    >>> find_pages("What do pages 4, 6 and 8–10 say?"), find_pages("Who is on the last page?")
    (('4', '6', '8–10'), ('last',))
    >>> find_pages("What is the page layout of a page a day?")
    ()
    """
    found = [(m.start(), page) for m in _pages(question) for page in _pages_of(m)]
    found += [(m.start(), m["label"]) for m in _PAGE_CJK.finditer(question)]
    found += [(m.start(), f"sheet {m['number']}") for m in _SHEET.finditer(question)]
    for match in _END.finditer(question):
        name = "first" if match["first"] else "last" if match["last"] else f"sheet {_ORDINALS[match['nth'].lower()]}"
        found.append((match.start(), name))
    return tuple(dict.fromkeys(page for _, page in sorted(found, key=lambda f: f[0])))


def without_pages(question: str) -> str:
    """Return the question without the pages it names.

    >>> without_pages("What do pages 4 and 5 say?")
    'What do   say?'
    """
    spans = [m.span() for m in _pages(question)]
    spans += [m.span() for pattern in (_PAGE_CJK, _SHEET, _END) for m in pattern.finditer(question)]
    for start, end in sorted(spans, reverse=True):
        question = f"{question[:start]} {question[end:]}"
    return question


def _pages(question: str) -> list[re.Match[str]]:
    return [
        m
        for m in _PAGE.finditer(question)
        if not _BARE.fullmatch(m["label"]) or _AFTER_LETTER.match(question, m.end("label"))
    ]


def _pages_of(match: re.Match[str]) -> list[str]:
    """Return every page of "pages 4, 5 and 7 to 9"; the last three are one range, "7–9"."""
    label = match["label"]
    labels = [_WORDS.get(label.lower(), label)]
    is_lettered = not any(c.isdigit() for c in labels[0])
    for mark, label in _MORE.findall(match["more"]):
        if _BARE.fullmatch(label) and not is_lettered:
            continue  # "page 3, I think", "page 3 and a note"
        if mark.lower() in _RANGE_MARKS:
            labels[-1] = f"{labels[-1]}–{label}"
        else:
            labels.append(label)
    return labels
