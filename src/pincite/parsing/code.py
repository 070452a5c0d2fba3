"""Source code to a document: the file's own lines, with the symbols it defines as sections."""

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import ClassVar, Final

from pincite.parsing.code_symbols import SYMBOL_PATTERNS, SYMBOLS_OF
from pincite.parsing.encoding import decode
from pincite.parsing.media_types import SOURCE_CODE
from pincite.parsing.text_document import Heading, TextDocument, make_document, split_lines
from pincite.protocols import Progress
from pincite.types.document import ParsedDocument, Role

#: Longer lines are data or made by a program, and define nothing that a person looks for.
_MAX_LINE_CHARS: Final = 400
_COMMENT: Final = re.compile(r"\s*(?://|#(?!\s*(?:define|include|if|endif|pragma|!))|--|;|%|\*|/\*)")
_DECORATION: Final = re.compile(r"\s*(?:@\w|#\[|//|#(?!\s*(?:define|include|if|end))|--|/\*|\*|\[[A-Z]\w*[\](])")
_QUOTES: Final = ('"""', "'''")


class CodeParser:
    """Parses source code as text; the language is known by the ending of the name."""

    version: ClassVar[str] = "code/2"

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Return the document: one page, one line for each line of the file, each symbol a section.

        Raises:
            NotTextError: the bytes are not text.

        """
        decoded = decode(content, name)
        lines = split_lines(decoded.text)
        language = SYMBOLS_OF.get(PurePath(name.strip()).suffix.lower(), "")
        found = TextDocument(
            lines=lines,
            roles=[_role(line) for line in lines],
            headings=tuple(_symbols(lines, language)),
            encoding=decoded.encoding,
            warnings=decoded.warnings,
            media_type=SOURCE_CODE,
            format_name=f"{language} source".strip(),
            origin="markup",
            title=PurePath(name).name,
        )
        if progress is not None:
            progress(1, 1)
        return make_document(found, content, name=name, uri=uri, parser=self.version)


def _role(line: str) -> Role:
    return "code" if line.strip() else "body"


def _symbols(lines: list[str], language: str) -> Iterator[Heading]:
    """Yield the symbols that lines define; one indented below another belongs to it.

    A section begins with the comments and decorators that stand right above the definition.
    """
    patterns = [re.compile(pattern) for pattern in SYMBOL_PATTERNS.get(language, ())]
    open_at: list[int] = []
    free_from = 1
    quoted = False
    for number, line in enumerate(lines, start=1):
        was_quoted, quoted = quoted, quoted ^ (language == "Python" and _opens_quote(line))
        if was_quoted or len(line) > _MAX_LINE_CHARS or _COMMENT.match(line):
            continue
        indent = len(line) - len(line.lstrip())
        found = next((match for pattern in patterns if (match := pattern.match(line.strip()))), None)
        if found is None:
            continue
        while open_at and open_at[-1] >= indent:
            open_at.pop()
        open_at.append(indent)
        first = number
        while first > free_from and _DECORATION.match(lines[first - 2]):
            first -= 1
        free_from = number + 1
        yield Heading(level=min(len(open_at), 6), title=_title(found), first_line=first, last_line=number)


def _opens_quote(line: str) -> bool:
    """Say whether a line opens or closes a string over several lines."""
    return sum(line.count(mark) for mark in _QUOTES) % 2 == 1


def _title(found: re.Match[str]) -> str:
    kind = found.groupdict().get("kind")
    return " ".join(filter(None, (kind, found["name"].strip())))
