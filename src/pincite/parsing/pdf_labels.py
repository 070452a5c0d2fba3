"""Page labels from the numbers printed in headers and footers, where the file has no label tree."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from pincite.parsing.furniture import page_number, roman
from pincite.types.document import FURNITURE, Line

#: A run of printed numbers holds for at least so many pages, or half of a short document.
_FEWEST = 3
_EDGE_NUMBER = re.compile(r"(?:page\s+|p\.\s*)?(?P<n>\d{1,4}|[ivxlc]{1,7})(?:\s*(?:of|/)\s*\d{1,4})?", re.IGNORECASE)


def printed_labels(lines: Sequence[Line], n_pages: int) -> list[str | None]:
    """Return a label for each page whose printed number goes up with the pages around it, else `None`."""
    shown: dict[int, set[tuple[int, str]]] = {}
    for line in lines:
        if line.role in FURNITURE:
            shown.setdefault(line.page_num, set()).update(_numbers(line.text))
    arabic = Counter(n - page for page, numbers in shown.items() for n, form in numbers if form.isdigit())
    roman_steps = Counter(n - page for page, numbers in shown.items() for n, form in numbers if not form.isdigit())
    need = min(_FEWEST, max(2, n_pages // 2))
    labels: list[str | None] = [None] * n_pages
    for steps, digits in ((arabic, True), (roman_steps, False)):
        for step, count in steps.most_common(4):
            if count < need:
                break
            for page, numbers in shown.items():
                for n, form in numbers:
                    if n - page == step and form.isdigit() == digits and labels[page - 1] is None:
                        labels[page - 1] = form
    return _without_gaps(labels)


def _numbers(text: str) -> set[tuple[int, str]]:
    """Return the page numbers a header or footer may show: alone, or as its first or last part."""
    out = set()
    parts = [text.strip(), *text.split("  ")]
    words = text.split()
    if words:
        parts += [words[0], words[-1], " ".join(words[-2:])]
    for part in parts:
        match = _EDGE_NUMBER.fullmatch(part.strip(" -–—|"))
        if match is not None:
            value = int(match["n"]) if match["n"].isdigit() else roman(match["n"])
            if value:
                out.add((value, match["n"]))
    if (value := page_number(text)) is not None and (digits := re.search(r"\d+", text)) and int(digits[0]) == value:
        out.add((value, digits[0]))
    return out


def _without_gaps(labels: list[str | None]) -> list[str | None]:
    """Fill pages that show no number between two that do, when the count fits."""
    known = [at for at, label in enumerate(labels) if label is not None and label.isdigit()]
    for a, b in pairwise(known):
        first, last = labels[a], labels[b]
        if first is not None and last is not None and int(last) - int(first) == b - a:
            for at in range(a + 1, b):
                labels[at] = str(int(first) + at - a)
    return labels
