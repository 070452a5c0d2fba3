"""The normaliser: text made easy to compare, with the way back to the source's own characters.

There is one normaliser, and it has a version. It folds only what a reader would call the same text; `FOLDS`
names every fold. Digits, signs, letters, case, accents, word order and superscripts are never folded.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pincite.text.characters import (
    CJK_PUNCTUATION,
    COMPARISONS,
    DASHES,
    DOUBLE_QUOTES,
    INVISIBLE,
    LIGATURES,
    SINGLE_QUOTES,
    SUBSCRIPTS,
    is_cjk_or_mark,
)

#: Raise this when a fold changes: verdicts carry it through the parser version they were checked with.
NORMALISER_VERSION: Final = 2

#: Every fold and what it allows. The receipt of a citation lists those without which it would not match.
FOLDS: Final[dict[str, str]] = {
    "white_space": "runs of blanks, tabs and line breaks are one blank; none counts between CJK characters",
    "quote_marks": "curly, low, angle and prime quote marks are ' and \", without the blanks inside « and »",
    "dashes": "hyphens, en and em dashes and the minus sign are -",
    "ligatures": "ﬁ, ﬂ, ﬀ, ﬃ, ﬄ, ﬅ, ﬆ are their letters",
    "compatibility": "Unicode compatibility forms (full width, µ and μ, Ω and Ω, ℃) are their plain forms (NFKC)",
    "subscripts": "lowered digits after a letter are digits, as in H₂O; never after or before another digit",
    "composition": "letters with accents are composed or not (NFC and NFD)",
    "soft_hyphens": "soft hyphens and characters without width are dropped",
    "line_end_hyphens": "a hyphen at a line end inside a word may stay or go",
    "ellipses": "… is three full stops",
    "cjk_punctuation": "。、「」 are . , and quote marks",
    "comparison_signs": "≥ ≤ ≠ are >= <= !=",
    "reference_marks": "bracketed reference numbers and raised note numbers may be left out",
    "markdown": "Markdown marks (emphasis, code ticks, links, list and heading marks) may be left out",
}

_TABLE: Final[dict[str, tuple[str, str]]] = {
    **{c: ("'", "quote_marks") for c in SINGLE_QUOTES if c != "`"},
    **dict.fromkeys(DOUBLE_QUOTES, ('"', "quote_marks")),
    **dict.fromkeys(DASHES, ("-", "dashes")),
    **dict.fromkeys(INVISIBLE, ("", "soft_hyphens")),
    **{c: (unicodedata.normalize("NFKC", c), "ligatures") for c in LIGATURES},
    **{c: (r, "cjk_punctuation") for c, r in CJK_PUNCTUATION.items()},
    **{c: (r, "comparison_signs") for c, r in COMPARISONS.items()},
    "…": ("...", "ellipses"),
}
#: Blanks that French sets inside its quote marks: `« mot »` is one word in quote marks, `»Wort« und` is no such place.
_INNER_BLANK: Final = re.compile(
    r"(?:(?<=^[«‹])|(?<=[\s(\[{—–-][«‹]))\s+(?=\S)|(?<=\S)\s+(?=[»›](?:[\s)\]}.,;:!?…—–-]|$))"
)
_SUBSCRIPT_VALUES: Final = {char: str(value) for value, char in enumerate(SUBSCRIPTS)}
#: Compatibility forms that change what is meant: 10⁶ is not 106, ½ is not 1/2 glued to its neighbour.
_KEPT_FORMS: Final = ("<super>", "<sub>", "<fraction>", "<circle>", "<square>")


@dataclass(frozen=True, slots=True)
class Folded:
    """Text made easy to compare.

    `offsets[i]` is where character `i` of `text` came from, so `len(offsets) == len(text)` and offsets never
    decrease; `None` means that nothing moved. `ends[i]` is where what it came from ends.
    """

    text: str
    offsets: tuple[int, ...] | None = None
    ends: tuple[int, ...] | None = None

    def start_of(self, index: int) -> int:
        """Return where character `index` of `text` starts in the source."""
        return index if self.offsets is None else self.offsets[index]

    def end_of(self, index: int) -> int:
        """Return where what made character `index` of `text` ends in the source."""
        return index + 1 if self.ends is None else self.ends[index]


def fold(text: str, *, without: str | None = None) -> Folded:
    r"""Return `text` after every fold that works on characters (all but one, if `without` names it).

    >>> fold("Net\n  Pro\ufb01t").text
    'Net Profit'
    >>> fold("10⁶ – “x”").text
    '10⁶ - "x"'
    """
    if without is None and text.isascii() and _is_plain(text):
        return Folded(text)
    chars: list[str] = []
    offsets: list[int] = []
    ends: list[int] = []
    dropped = _inner_blanks(text) if without not in {"quote_marks", "white_space"} else frozenset()
    for start, end, out in _folded_clusters(text, without):
        if start in dropped:
            continue
        if out == " ":
            if chars and chars[-1] == " ":
                continue
        elif out and without != "white_space" and chars[-1:] == [" "] and _cjk_around(text, offsets[-1], start):
            for kept in (chars, offsets, ends):
                kept.pop()
        for char in out:
            chars.append(char)
            offsets.append(start)
            ends.append(end)
    if without != "subscripts":
        _lower_to_plain(chars)
    return Folded("".join(chars), tuple(offsets), tuple(ends))


def _inner_blanks(text: str) -> frozenset[int]:
    if not any(mark in text for mark in "«»‹›"):
        return frozenset()
    return frozenset(at for found in _INNER_BLANK.finditer(text) for at in range(*found.span()))


def _lower_to_plain(chars: list[str]) -> None:
    """Make lowered digits plain in place, where they stand after a letter and no number can come of it.

    `10₂` and `log₂8` stay, and so does what would read as an exponent or a size: `2e₅`, `3x₁`.
    """
    at = 0
    while at < len(chars):
        if chars[at] not in _SUBSCRIPT_VALUES:
            at += 1
            continue
        end = at
        while end < len(chars) and chars[end] in _SUBSCRIPT_VALUES:
            end += 1
        before, after = "".join(chars[max(0, at - 2) : at]), "".join(chars[end : end + 2])
        is_number = re.search(r"\d[eExX]$", before) or re.match(r"[.,]?\d", after) or after[:1].isdigit()
        if before[-1:].isalpha() and not is_number:
            chars[at:end] = [_SUBSCRIPT_VALUES[char] for char in chars[at:end]]
        at = end


def _is_plain(text: str) -> bool:
    return "  " not in text and text.isprintable()


def _cjk_around(text: str, blank_at: int, after: int) -> bool:
    if blank_at == 0 or not (is_cjk_or_mark(text[blank_at - 1]) and is_cjk_or_mark(text[after])):
        return False
    # Words of full-width letters and digits have blanks between them like any other.
    return not (_is_wide(text[blank_at - 1]) and _is_wide(text[after]))


def _is_wide(char: str) -> bool:
    return "\uff10" <= char <= "\uff5a" and char.isalnum()


def _folded_clusters(text: str, without: str | None) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, folded form) for each character with the combining marks that follow it."""
    start, n = 0, len(text)
    while start < n:
        end = start + 1
        if text[start] > "\u02ff" or (end < n and text[end] > "\u02ff"):
            while end < n and unicodedata.combining(text[end]):
                end += 1
        yield start, end, _fold_cluster(text[start:end], without)
        start = end


@lru_cache(maxsize=20_000)
def _fold_cluster(cluster: str, without: str | None) -> str:
    if len(cluster) > 1 and without != "composition":
        cluster = unicodedata.normalize("NFC", cluster)
    if len(cluster) > 1:
        return "".join(_fold_cluster(c, without) for c in cluster)
    replaced = _TABLE.get(cluster)
    if replaced is not None:
        return cluster if replaced[1] == without else replaced[0]
    if cluster.isspace():
        return cluster if without == "white_space" else " "
    if cluster < "\u00a0" or without == "compatibility":
        return cluster
    if unicodedata.decomposition(cluster).startswith(_KEPT_FORMS):
        return cluster
    plain = unicodedata.normalize("NFKC", cluster)
    if plain != cluster and any(c.isdigit() for c in plain) and unicodedata.category(cluster) != "Nd":
        return cluster
    if without == "composition" and unicodedata.normalize("NFC", cluster) == plain:
        return cluster
    return " " if plain.isspace() else plain
