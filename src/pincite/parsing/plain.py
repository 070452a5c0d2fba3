"""Plain text to a document: the file's own lines, with headings where the layout leaves no doubt."""

import re
from typing import ClassVar, Final

from pincite.parsing.encoding import decode
from pincite.parsing.text_document import Heading, TextDocument, make_document, split_lines
from pincite.protocols import Progress
from pincite.types.document import ParsedDocument, Role

#: A line of one repeated mark: the underline of a heading, as reStructuredText and old manuals have it.
_UNDERLINE: Final = re.compile(r"([=\-~^\"'+*#`:._])\1{2,}\s*")
_NUMBERED: Final = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,5})\.?[ \t]+(?=\S*[^\W\d_])(\S.*)")
_LIST_ITEM: Final = re.compile(r"\s*(?:[-*•‣▪◦–]|\(?(?:\d{1,3}|[a-zA-Z])[.)])\s+\S")
#: Longer lines are sentences, not titles.
_MAX_TITLE_CHARS: Final = 80


class PlainTextParser:
    """Parses text of any encoding."""

    version: ClassVar[str] = "plain/3"

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Return the document: one page, one line for each line of the file.

        Raises:
            NotTextError: the bytes are not text.

        """
        decoded = decode(content, name)
        lines = split_lines(decoded.text)
        headings = find_headings(lines)
        text_document = TextDocument(
            lines=lines,
            roles=_roles(lines, headings),
            headings=headings,
            encoding=decoded.encoding,
            warnings=decoded.warnings,
        )
        if progress is not None:
            progress(1, 1)
        return make_document(text_document, content, name=name, uri=uri, parser=self.version)


def _roles(lines: list[str], headings: tuple[Heading, ...]) -> list[Role]:
    roles: list[Role] = ["list" if _LIST_ITEM.match(line) else "body" for line in lines]
    for heading in headings:
        for index in range(heading.first_line - 1, heading.last_line):
            roles[index] = "heading"
    return roles


def find_headings(lines: list[str]) -> tuple[Heading, ...]:
    """Return the headings of a plain text, in order.

    Taken are underlined titles; titles in capitals that stand alone; numbered titles that stand alone, when there
    are at least two and their numbers grow.

    >>> [h.title for h in find_headings(["Mooring", "=======", "", "Make fast.", "", "FIRE WATCH", "", "Keep it."])]
    ['Mooring', 'FIRE WATCH']
    """
    ruled = underlined(lines)
    taken = {number for heading in ruled for number in range(heading.first_line, heading.last_line + 1)}
    alone = [
        (number, line.strip())
        for number, line in enumerate(lines, start=1)
        if number not in taken and _stands_alone(lines, number - 1)
    ]
    numbered = _numbered(alone)
    numbers = {heading.first_line for heading in numbered}
    # Titles in capitals are above numbered ones and beside underlined ones.
    capitals = [
        Heading(level=1, title=text, first_line=number, last_line=number)
        for number, text in alone
        if number not in numbers and _is_capitals(text)
    ]
    if capitals and len(capitals) > len(lines) / 4:
        capitals = []
    shift = 1 if capitals else 0
    below = [
        Heading(level=h.level + shift, title=h.title, first_line=h.first_line, last_line=h.last_line) for h in numbered
    ]
    return tuple(sorted((*ruled, *capitals, *below), key=lambda heading: heading.first_line))


def _stands_alone(lines: list[str], index: int) -> bool:
    text = lines[index].strip()
    is_free = (index == 0 or not lines[index - 1].strip()) and index + 1 < len(lines) and not lines[index + 1].strip()
    return bool(text) and is_free and len(text) <= _MAX_TITLE_CHARS and text[-1] not in ".;,:!?"


def _is_capitals(text: str) -> bool:
    letters = [char for char in text if char.isalpha()]
    return len(letters) >= 4 and all(char.isupper() for char in letters) and "|" not in text


def underlined(lines: list[str]) -> list[Heading]:
    """Return titles with a rule below, whose marks give the level in order of their first use."""
    levels: dict[str, int] = {}
    found = []
    for index in range(1, len(lines)):
        title, rule = lines[index - 1].strip(), lines[index]
        if not title or len(title) > _MAX_TITLE_CHARS or len(rule) > 2 * _MAX_TITLE_CHARS:
            continue
        match = _UNDERLINE.fullmatch(rule)
        if match is None or _UNDERLINE.fullmatch(title) or not any(char.isalnum() for char in title):
            continue
        rule_above = index >= 2 and lines[index - 2].strip() == rule.strip()
        if abs(len(rule.strip()) - len(title)) > 3 and not rule_above:
            continue
        before = index - 3 if rule_above else index - 2
        if before >= 0 and lines[before].strip():
            continue
        mark = match.group(1) + ("above" if rule_above else "")
        level = levels.setdefault(mark, len(levels) + 1)
        found.append(Heading(level=level, title=title, first_line=before + 2, last_line=index + 1))
    return found


def _numbered(alone: list[tuple[int, str]]) -> list[Heading]:
    """Return numbered titles as long as each number follows the one before it."""
    found: list[Heading] = []
    last: tuple[int, ...] = (0,)
    for line_num, text in alone:
        match = _NUMBERED.fullmatch(text)
        if match is None or not match.group(2)[0].isupper():
            continue
        number = tuple(int(part) for part in match.group(1).split("."))
        if _follows(last, number):
            found.append(Heading(level=len(number), title=text, first_line=line_num, last_line=line_num))
            last = number
    return found if len(found) >= 2 else []


def _follows(last: tuple[int, ...], number: tuple[int, ...]) -> bool:
    """Say whether a section number may come next: `2.1` and `2.2` and `3` after `2.1`, or `2.1.1`.

    >>> [_follows((2, 1), n) for n in ((2, 2), (3,), (2, 1, 1), (7,), (2, 1))]
    [True, True, True, False, False]
    """
    if len(number) > len(last):
        return number == (*last, *(1,) * (len(number) - len(last)))
    return number[:-1] == last[: len(number) - 1] and number[-1] == last[len(number) - 1] + 1
