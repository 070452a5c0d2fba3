"""Passages for what stands beside the running text: form fields, annotations, running heads and feet."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from pincite.passages.making import PassageMaker
from pincite.passages.words import count_words, holds_words
from pincite.types.document import FURNITURE, Line, Page, ParsedDocument
from pincite.types.passage import Passage

#: How far above a field its label may stand, in points.
_LABEL_GAP_PT: Final = 30.0
_NUMBER: Final = re.compile(r"\d+")
#: A shorter running head (characters) is a page number or a mark.
_SHORTEST_HEAD: Final = 3


def field_passages(document: ParsedDocument, maker: PassageMaker, max_words: float) -> Iterator[Passage]:
    """Yield the form fields and annotations of each page, each line with the label beside or above it."""
    pages: dict[int, list[Line]] = {}
    for line in document.lines:
        if line.layer in {"form", "annotation"} and holds_words(line.text):
            pages.setdefault(line.page_num, []).append(line)
    if not pages:
        return
    neighbours: dict[int, list[Line]] = {page_num: [] for page_num in pages}
    for line in document.lines:
        if line.page_num in pages and line.layer in {"text", "ocr"} and holds_words(line.text):
            neighbours[line.page_num].append(line)
    for page_num, fields in pages.items():
        lines: list[Line] = []
        texts: list[str] = []
        n_words = 0.0
        for field in fields:
            text = _labelled(field, neighbours[page_num])
            if lines and n_words + count_words(text) > max_words:
                yield maker.make(lines, "\n".join(texts), "prose")
                lines, texts, n_words = [], [], 0.0
            lines.append(field)
            texts.append(text)
            n_words += count_words(text)
        yield maker.make(lines, "\n".join(texts), "prose")


def _labelled(field: Line, neighbours: Sequence[Line]) -> str:
    label = _label(field, neighbours)
    return field.text if label is None or label.text in field.text else f"{label.text} {field.text}"


def _label(field: Line, neighbours: Sequence[Line]) -> Line | None:
    """Return the nearest line to the left in the same row, else the nearest above."""
    if field.box is None:
        return next((line for line in reversed(neighbours) if line.line_id < field.line_id), None)
    box = field.box
    beside, above = [], []
    for line in neighbours:
        if line.box is None:
            continue
        overlap = min(box.y1, line.box.y1) - max(box.y0, line.box.y0)
        if overlap >= 0.5 * min(box.height_pt, line.box.height_pt) and line.box.x0 < box.x0:
            beside.append((box.x0 - line.box.x1, line.line_id, line))
        elif 0 <= box.y0 - line.box.y0 <= _LABEL_GAP_PT and line.box.x0 < box.x1 and box.x0 < line.box.x1:
            above.append((box.y0 - line.box.y1, line.line_id, line))
    nearest = min(beside or above, default=None, key=lambda entry: entry[:2])
    return None if nearest is None else nearest[2]


def furniture_passages(document: ParsedDocument, maker: PassageMaker) -> Iterator[Passage]:
    """Yield each text of running heads and feet that stands nowhere else, where it stands first.

    Page numbers are left out of the comparison, so `Page 3 of 90` and `Page 4 of 90` are one text.
    """
    elsewhere = {
        _bare(line.text)
        for line in document.lines
        if line.role not in FURNITURE and line.role != "metadata" and line.layer != "hidden"
    }
    seen: set[str] = set()
    pages = {page.page_num: page for page in document.pages}
    for line in document.lines:
        if line.role not in FURNITURE or line.layer not in {"text", "ocr"} or not holds_words(line.text):
            continue
        key = _pattern(line, pages.get(line.page_num), len(document.pages))
        if key in seen or _bare(line.text) in elsewhere or key == "#":
            continue
        seen.add(key)
        yield maker.make([line], line.text.strip(), "prose")


#: A page head of a table is at most this many lines.
_HEAD_LINES: Final = 3
_BACK_TO_CONTENTS: Final = re.compile(r"(?:back to |return to )?(?:table of )?contents", re.IGNORECASE)


def page_heads(lines: Sequence[Line]) -> dict[int, str]:
    """Return the running head of each page that has one: whose figures those are, and often of what.

    Page numbers and links back to the contents are left out. With it in the text of its tables the right page of an
    annual report is first by meaning for .39 of the questions, without it for .23 (`benchmarks/README.md`).
    """
    heads: dict[int, list[str]] = {}
    for line in lines:
        text = line.text.strip()
        is_head = line.role == "header" and line.layer in {"text", "ocr"} and len(text) > _SHORTEST_HEAD
        if is_head and holds_words(text) and _BACK_TO_CONTENTS.fullmatch(text) is None:
            heads.setdefault(line.page_num, []).append(text)
    return {page_num: "\n".join(texts[:_HEAD_LINES]) for page_num, texts in heads.items()}


def _bare(text: str) -> str:
    return " ".join(text.split())


def _pattern(line: Line, page: Page | None, n_pages: int) -> str:
    label = page.label if page is not None else None
    numbers = {str(line.page_num), str(n_pages), label}
    return _NUMBER.sub(lambda found: "#" if found.group() in numbers else found.group(), _bare(line.text))
