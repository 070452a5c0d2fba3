"""The caption of a table and the lines around it that say what its numbers count."""

import re
from collections.abc import Sequence

from pincite.parsing.objects import caption
from pincite.parsing.pdf_lines import DraftLine
from pincite.parsing.table_units import Counted, counted_in

#: A caption stands at most so many lines above a table, a title without a number so many line heights.
_REACH, _NEAR = 5, 3.5
#: A caption takes at most so many lines.
_MOST_LINES = 3
#: A title has at most so many words.
_TITLE_WORDS = 18
_STATEMENT = re.compile(
    r"\b(?:balance sheets?|income statements?|cash flow statements?|statements? of (?:\w+ )?(?:income|operations"
    r"|earnings|cash flows?|financial position|changes in|shareholders|stockholders|equity|profit|comprehensive))\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"^\s*\(.*\)\s*$|^\s*(?:in|amounts in|dollars in|\$ in|years? ended|as of|for the)\b", re.IGNORECASE
)


def title_of(lines: Sequence[DraftLine], first: int, last: int) -> str | None:
    """Return the caption of the table on lines `first` to `last`: a numbered one above or below, else a title above."""
    above = list(_above(lines, first))
    for at in above:
        if (found := caption(lines[at].text)) is not None:
            return _joined(lines, at, first) if found[0] in {"table", "annex"} else None
    for at in range(last + 1, min(len(lines), last + 3)):
        found = caption(lines[at].text)
        if found is not None and found[0] == "table" and lines[at].upright[1] - lines[last].upright[3] < 25:
            return lines[at].text
    for at in above:
        line = lines[at]
        if _is_title(line) and not _ASIDE.match(line.text):
            return line.text
    return None


def statement_title(headers: Sequence[DraftLine]) -> str | None:
    """Return the title of a financial statement among the headers of a page, which begin all its pages alike."""
    titles = [line.text for line in headers if len(line.text.split()) <= _TITLE_WORDS and len(line.cells) <= 1]
    return next((text for text in reversed(titles) if _STATEMENT.search(text)), None)


def counted_by(lines: Sequence[DraftLine], first: int, names: Sequence[str]) -> Counted:
    """Return what the numbers count, as the lines above a table or the names of its columns say."""
    return counted_in([*(lines[at].text for at in _above(lines, first)), *names])


def _above(lines: Sequence[DraftLine], first: int) -> Sequence[int]:
    """Return the places of lines above a table, the nearest first, up to another table, text or a wide gap."""
    out = []
    below = lines[first]
    for at in range(first - 1, max(-1, first - 1 - _REACH), -1):
        line = lines[at]
        gap, high = below.upright[1] - line.upright[3], max(1.0, line.upright[3] - line.upright[1])
        if line.table or line.column != below.column or gap > _NEAR * high or gap < -high:
            break
        out.append(at)
        below = line
    return out


def _is_title(line: DraftLine) -> bool:
    words = line.text.split()
    return 1 < len(words) <= _TITLE_WORDS and line.bold and not line.text.rstrip().endswith((".", ";", ","))


def _joined(lines: Sequence[DraftLine], at: int, first: int) -> str:
    """Return a caption with the lines it goes on in."""
    texts = [lines[at].text]
    for below in range(at + 1, min(first, at + _MOST_LINES)):
        line, before = lines[below], lines[below - 1]
        gap, high = line.upright[1] - before.upright[3], max(1.0, line.upright[3] - line.upright[1])
        same = line.bold == lines[at].bold and abs(line.size - lines[at].size) < 0.5
        if not same or gap > 0.6 * high or _ASIDE.match(line.text) or texts[-1].endswith((".", ":")):
            break
        texts.append(line.text)
    return " ".join(texts)
