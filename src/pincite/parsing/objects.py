"""Figures, tables, annexes, equations and sections that text can name, and where it names them."""

import re
from collections.abc import Sequence

from pincite.types.document import FURNITURE, Line, NamedObject, ObjectKind, Reference, Section

_KINDS: dict[str, ObjectKind] = {
    "figure": "figure", "fig": "figure", "abbildung": "figure", "abb": "figure", "figura": "figure",
    "table": "table", "tabelle": "table", "tableau": "table", "tabla": "table", "tabella": "table",
    "annex": "annex", "appendix": "annex", "anhang": "annex", "annexe": "annex", "exhibit": "annex",
    "equation": "equation", "eq": "equation", "section": "section", "sec": "section", "§": "section",
}  # fmt: skip
_SHOWN = {"figure": "Figure", "table": "Table", "annex": "Annex", "equation": "Equation", "section": "Section"}
_WORDS = "|".join(sorted((re.escape(word) for word in _KINDS), key=len, reverse=True))
#: What a caption may begin with; looked at first because it is quick ("ſ" is another way to write an s).
_FIRST = frozenset("".join(word[0] + word[0].upper() for word in _KINDS) + "ſ")
#: A line without any of these names nothing; looked for first because it is quick.
_HINTS = ("fig", "tab", "ann", "append", "anhang", "exhibit", "eq", "sec", "§", "abb")
_NUMBER = r"(?:\d{1,3}(?:[.\-–]\d{1,3})*[a-z]?|[A-Z](?:[.\-]?\d{1,3})*|[IVX]{1,5})"
_MENTION = re.compile(rf"(?<![\w])(?P<word>{_WORDS})s?\.?\s*\(?(?P<number>{_NUMBER})\)?(?![\w%])", re.IGNORECASE)
#: A caption: the label at the start of a line, then a colon, stop or dash, or a title in capitals, or nothing.
_CAPTION = re.compile(
    rf"(?P<word>{_WORDS})\.?\s+(?P<number>{_NUMBER})(?:\s*[:.–—|-]\s*(?P<title>\S.*)?|\s{{2,}}(?P<far>\S.*)|\s*$|"
    rf"\s+(?P<near>[A-ZÀ-Þ0-9(].*))",
    re.IGNORECASE,
)
_EQUATION = re.compile(r".*\s{2,}\((?P<number>\d{1,3}(?:\.\d{1,3})?[a-z]?)\)")
_SECTION_NUMBER = re.compile(r"(?:section\s+)?(?P<number>\d{1,3}(?:\.\d{1,3})*)\.?\s+\S", re.IGNORECASE)
_ANNEX_TITLE = re.compile(r"(?:annexe?|appendix|anhang)\s+(?P<number>[A-Z]|\d{1,2}|[IVX]{1,5})\b", re.IGNORECASE)


def may_be_caption(text: str) -> bool:
    """Return whether a line that begins like this could be a caption: a quick look that leaves out most lines."""
    return text[:1] in _FIRST


def caption(text: str) -> tuple[ObjectKind, str, str] | None:
    """Return `(kind, label, title)` when a line is the caption of a figure, table, annex or equation.

    >>> caption("Table 2. Loads by pier")
    ('table', 'Table 2', 'Loads by pier')
    >>> caption("Table 2 shows the loads") is None
    True
    """
    match = _CAPTION.match(text) if may_be_caption(text) else None
    if match is None:
        return None
    near = match["near"]
    if near is not None and not near[0].isupper() and not near[0].isdigit():
        return None
    kind = _KINDS[match["word"].lower()]
    if kind == "section" or not _is_number(match["number"]):
        return None
    title = match["title"] or match["far"] or near or ""
    if match["title"] and match["title"][0].islower() and not re.match(rf".*?{re.escape(match['number'])}\s*:", text):
        return None
    return kind, f"{_SHOWN[kind]} {match['number']}", title.strip()


def _is_number(number: str) -> bool:
    return number[0].isdigit() or number[0].isupper()


def named_objects(lines: Sequence[Line], toc: Sequence[Section]) -> tuple[NamedObject, ...]:
    """Return what can be named: captions, numbered equations, numbered sections and annexes."""
    out: list[NamedObject] = []
    seen: set[str] = set()
    for line in lines:
        if line.layer == "hidden" or line.role in FURNITURE:
            continue
        found = caption(line.text) if line.role == "caption" else None
        if found is None and line.text.endswith(")") and (match := _EQUATION.fullmatch(line.text)):
            found = ("equation", f"Equation {match['number']}", "")
        if found is not None and found[1] not in seen:
            seen.add(found[1])
            out.append(_object(*found, line.page_num, line.line_num))
    for section in toc:
        label = _section_label(section.title)
        if label is not None and label[1] not in seen and section.start_line is not None:
            seen.add(label[1])
            out.append(_object(*label, section.title, section.start_page, section.start_line))
    return tuple(out)


def _object(kind: ObjectKind, label: str, title: str, page_num: int, line_num: int) -> NamedObject:
    return NamedObject(kind=kind, label=label, title=title, page_num=page_num, line_num=line_num)


def _section_label(title: str) -> tuple[ObjectKind, str] | None:
    if match := _ANNEX_TITLE.match(title):
        return "annex", f"Annex {match['number']}"
    if match := _SECTION_NUMBER.match(title):
        return "section", f"Section {match['number']}"
    return None


def _hints(low: str) -> bool:
    for word in _HINTS:  # noqa: SIM110 - three times as quick as a generator in `any`
        if word in low:
            return True
    return False


def references(lines: Sequence[Line], objects: Sequence[NamedObject]) -> tuple[Reference, ...]:
    """Return the mentions of objects in running text; `target` is set when the object is in the document."""
    labels = {named.label for named in objects}
    out = []
    for line in lines:
        if line.layer == "hidden" or line.role in FURNITURE or line.role in {"caption", "heading"}:
            continue
        if not _hints(line.text.lower()):
            continue
        for match in _MENTION.finditer(line.text):
            if not _is_number(match["number"]):
                continue
            kind = _KINDS[match["word"].lower()]
            label = f"{_SHOWN[kind]} {match['number']}"
            target = label if label in labels else None
            out.append(Reference(kind=kind, label=label, page_num=line.page_num, line_num=line.line_num, target=target))
    return tuple(out)
