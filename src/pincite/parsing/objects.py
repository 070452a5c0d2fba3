"""What text can name, where it stands, and where it is named: captions, sections, clauses, notes, terms."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from pincite.parsing.definitions import definitions
from pincite.parsing.locating import bare, key
from pincite.text.mentions import Mention, find_mentions, may_mention, normal, resolved
from pincite.types.document import FURNITURE, Line, NamedObject, ObjectKind, Reference, Section

_NUMBER: Final = r"(?:\d{1,3}(?:[.\-–]\d{1,3})*[a-z]?|[A-Z](?:[.\-]?\d{1,3})*|[IVX]{1,5})"
_WORDS: Final = (
    "abbildung|tableau|tabelle|tabella|équation|equation|appendix|schedule|diagram|exhibit|figure|anhang|annexe|anlage"
    "|scheme|figura|tabla|table|annex|chart|abb|fig|eq"
)
#: What a caption may begin with; looked at first because it is quick ("ſ" is another way to write an s).
_FIRST: Final = frozenset("".join(word[0] + word[0].upper() for word in _WORDS.split("|")) + "ſ")
#: A caption: the label at the start of a line, then a colon, stop or dash, or a title in capitals, or nothing.
_CAPTION: Final = re.compile(
    rf"(?P<word>{_WORDS})\.?\s+(?P<number>{_NUMBER})(?:\s*[:.–—|-]\s*(?P<title>\S.*)?|\s{{2,}}(?P<far>\S.*)|\s*$|"
    rf"\s+(?P<near>[A-ZÀ-Þ0-9(].*))",
    re.IGNORECASE,
)
#: What a list of figures or a contents page ends its entries with: dots that lead to a page number.
_LED: Final = re.compile(r"(?:\.{4,}|…{2,}|(?:\s\.){4,})\s*(?:\d{1,4}|[ivxlc]{1,6})?\s*$")
_EQUATION: Final = re.compile(r".*[=<>≤≥≈∼∝→∑∫∏√].*\s{2,}\((?P<number>(?:\d{1,2}\.)?(?P<last>\d{1,3})[a-z]?)\)")
#: "7.3.2 Scope", "7. Debt": a number, then words; the word before it, if any, is read by `find_mentions`.
_LEADING: Final = re.compile(r"(?P<number>\d{1,3}(?:\.\d{1,3})*)[.)]?\s+(?=[^\W\d_])")
_LETTERED: Final = re.compile(r"(?P<number>[A-Z](?:\.\d{1,2})*)[.)]?\s+(?=[A-Z][^\W\d_])")
#: A clause in running text: a number of two parts or more, then a sentence.
_CLAUSE: Final = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){1,4})[.)]?\s+(?=[\"“(]?[A-ZÀ-Þ][^\W\d_])")
#: A clause may leave out so many numbers after the one before it.
_SKIPPED: Final = 3
#: A longer heading is a sentence (characters).
_LONGEST_HEAD: Final = 90
_STATEMENTS: Final = re.compile(r"\bnotes?\b|financial statements", re.IGNORECASE)

_Found = tuple[ObjectKind, str, str]


def may_be_caption(text: str) -> bool:
    """Return whether a line that begins like this could be a caption: a quick look that leaves out most lines."""
    return text[:1] in _FIRST


def caption(text: str) -> _Found | None:
    """Return `(kind, label, title)` when a line is the caption of a figure, table, annex or equation.

    >>> caption("Table 2. Loads by pier")
    ('table', 'Table 2', 'Loads by pier')
    >>> caption("Table 2 shows the loads") is None
    True
    """
    match = _CAPTION.match(text) if may_be_caption(text) else None
    if match is None or _LED.search(text) is not None:
        return None
    near = match["near"]
    if near is not None and not near[0].isupper() and not near[0].isdigit():
        return None
    if not match["number"][0].isdigit() and not match["number"][0].isupper():
        return None
    named = _mention_at_start(text)
    if named is None or named.kind not in {"figure", "table", "annex", "equation"}:
        return None
    title = match["title"] or match["far"] or near or ""
    if match["title"] and match["title"][0].islower() and not re.match(rf".*?{re.escape(match['number'])}\s*:", text):
        return None
    return named.kind, f"{named.word} {normal(match['number'])}", title.strip()


def _mention_at_start(text: str) -> Mention | None:
    return next((found for found in find_mentions(text[:80]) if found.start == 0), None)


def named_objects(lines: Sequence[Line], toc: Sequence[Section]) -> tuple[NamedObject, ...]:
    """Return what can be named: captions, equations, sections, annexes, notes, clauses, and terms that are defined.

    Of several places with one label the first counts, a heading before a line of text.
    """
    shown = [line for line in lines if line.layer != "hidden" and line.role not in FURNITURE]
    out: dict[str, NamedObject] = {}
    for (kind, label, title), page_num, line_num in _named(shown, toc):
        if kind == "clause" and label.replace("Clause", "Section") in out:
            continue
        out.setdefault(label, NamedObject(kind=kind, label=label, title=title, page_num=page_num, line_num=line_num))
    return tuple(out.values())


def _named(shown: Sequence[Line], toc: Sequence[Section]) -> Iterator[tuple[_Found, int, int]]:
    """Yield what can be named with page and line, what is surest first."""
    yield from _captions(shown)
    at_start = {(line.page_num, line.line_num): line.text for line in shown if line.role == "heading"}
    for section in toc:
        if section.start_line is not None:
            for found in _names_of(section, at_start.get((section.start_page, section.start_line), "")):
                yield found, section.start_page, section.start_line
    for line, found in _heads(shown):
        yield found, line.page_num, line.line_num
    for line, number in _equations(shown):
        yield ("equation", f"Equation {number}", ""), line.page_num, line.line_num
    for line, number in _clauses(shown):
        yield ("clause", f"Clause {number}", ""), line.page_num, line.line_num
    for term in definitions(shown, toc):
        yield ("definition", term.term, term.said), term.line.page_num, term.line.line_num


def _captions(shown: Sequence[Line]) -> Iterator[tuple[_Found, int, int]]:
    """Yield the captions; those in a row are a list of figures or tables, and stand for none that is elsewhere."""
    found: list[tuple[int, _Found, Line]] = []
    for at, line in enumerate(shown):
        may_be = line.role == "caption" or (line.box is None and _stands_alone(shown, at))
        if may_be and (named := caption(line.text)) is not None:
            found.append((at, named, line))
    places = [at for at, _, _ in found]
    listed = set()
    for first, second, third in zip(places, places[1:], places[2:], strict=False):
        if third - first == 2 * (second - first) == 2:
            listed |= {first, second, third}
    for _at, named, line in sorted(found, key=lambda one: one[0] in listed):
        yield named, line.page_num, line.line_num


def _stands_alone(lines: Sequence[Line], at: int) -> bool:
    """Return whether a line of a file without type may be a caption by its place: alone, or over or under a table."""
    line = lines[at]
    if not may_be_caption(line.text) or line.role not in {"body", "heading"}:
        return False
    above = lines[at - 1] if at else None
    below = lines[at + 1] if at + 1 < len(lines) else None
    return (above is None or not above.text.strip() or above.role == "table") and (
        below is None or not below.text.strip() or below.role in {"table", "code"}
    )


def _names_of(section: Section, heading: str) -> Iterator[_Found]:
    """Yield how other text may name a section: by its word and number, by its number alone, as a note.

    An outline may leave out the number that stands in the `heading`.
    """
    text = section.title
    if heading and key(bare(heading)) == key(text) != key(heading):
        text = heading
    named = _mention_at_start(text)
    if named is not None and named.kind not in {"figure", "table", "equation"}:
        yield named.kind, named.label, text[named.end :].strip(" .:–—-")
        return
    match = _LEADING.match(text) or _LETTERED.match(text)
    if match is None:
        return
    number, title = match["number"], text[match.end() :].strip()
    above = section.breadcrumb[-2] if len(section.breadcrumb) > 1 else ""
    if number.isdigit() and _STATEMENTS.search(above):
        yield "note", f"Note {number}", title
    elif number[0].isdigit():
        yield "section", f"Section {number}", title
    else:
        yield "annex", f"Appendix {number}", title


def _heads(lines: Sequence[Line]) -> Iterator[tuple[Line, _Found]]:
    """Yield headings that the contents do not list: "EXHIBIT A", "SCHEDULE I – LOANS"; some in a row are a list."""
    found: list[tuple[int, Line, Mention]] = []
    for at, line in enumerate(lines):
        if (
            len(line.text) > _LONGEST_HEAD
            or not (line.role == "heading" or line.text.isupper())
            or line.role == "table"
        ):
            continue
        named = _mention_at_start(line.text) if line.text[:1].isalpha() else None
        rest = line.text[named.end :].lstrip() if named is not None else ""
        if named is not None and named.kind in {"annex", "section", "note"} and (not rest or not rest[0].islower()):
            found.append((at, line, named))
    for before, (at, line, named), after in zip([None, *found], found, [*found[1:], None], strict=False):
        listed = (before is not None and at - before[0] == 1) or (after is not None and after[0] - at == 1)
        if not listed:
            yield line, (named.kind, named.label, line.text[named.end :].strip(" .:–—-"))


def _equations(lines: Sequence[Line]) -> Iterator[tuple[Line, str]]:
    """Yield the lines of formulas with a number at the right, as far as the numbers go up: "(12)" may be a loss."""
    last = 0
    for line in lines:
        if line.text.endswith(")") and line.role != "table" and (match := _EQUATION.fullmatch(line.text)):
            number = int(match["last"])
            if number == 1 or 0 < number - last <= _SKIPPED:
                last = number
                yield line, match["number"]


def _clauses(lines: Sequence[Line]) -> Iterator[tuple[Line, str]]:
    """Yield the lines that begin a numbered clause, as far as their numbers follow one another."""
    last: tuple[int, ...] = ()
    for line in lines:
        if line.role not in {"body", "list", "heading"} or not line.text[:1].isdigit():
            continue
        match = _CLAUSE.match(line.text)
        if match is None:
            continue
        number = tuple(map(int, match["number"].split(".")))
        if _follows(last, number):
            last = number
            yield line, match["number"]


def _follows(last: tuple[int, ...], number: tuple[int, ...]) -> bool:
    """Return whether a number is the next: one more at some depth, or the first below the last."""
    if not last or number[0] == last[0] + 1:
        return all(part == 1 for part in number[1:])
    if number[: len(last)] == last:
        return all(part == 1 for part in number[len(last) :])
    depth = next((at for at, (a, b) in enumerate(zip(last, number, strict=False)) if a != b), None)
    if depth is None or depth == 0:
        return False
    step = number[depth] - last[depth]
    return 0 < step <= _SKIPPED and all(part == 1 for part in number[depth + 1 :])


def references(lines: Sequence[Line], objects: Sequence[NamedObject]) -> tuple[Reference, ...]:
    """Return the mentions of places in running text; `target` is the label of the object, when it is in the document.

    A section of another document ("Section 13 of the Securities Exchange Act") has no target.
    """
    labels = {named.label for named in objects if named.kind != "definition"}
    out = []
    for line in lines:
        if line.layer == "hidden" or line.role in FURNITURE or line.role in {"caption", "heading"}:
            continue
        if not may_mention(line.text):
            continue
        for found in find_mentions(line.text):
            target = None if found.is_elsewhere else resolved(found.label, labels)
            out.append(
                Reference(
                    kind=found.kind,
                    label=found.label,
                    page_num=line.page_num,
                    line_num=line.line_num,
                    target=target,
                )
            )
    return tuple(out)
