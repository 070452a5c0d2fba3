"""Patterns that find a code or a numbered name however it is written, and never its neighbour."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

from pincite.text.characters import DASHES, GREEK_NAMES, strip_accents
from pincite.text.labels import is_label, label_pattern
from pincite.text.tokens import is_stop_term

_GROUP: Final = re.compile(r"\d+|[^\W\d_]+|[\W_]+")
_JOINT: Final = r"[\s\-‐-―−_./·]{0,2}"
_LETTER_JOINT: Final = r"[\s\-‐-―−_]*"
_AMOUNT: Final = re.compile(r"(\d{1,3}(?:[.,'’]\d{3})+|\d{4,7})([.,]\d{1,2})?")
#: From this many digits on a number is read in groups: ISBN, IBAN, telephone.
_LONG: Final = 8


@lru_cache(maxsize=1)
def _written() -> dict[str, str]:
    """Return each plain letter and digit with the characters that are read as it: 2 → 2²₂."""
    same: dict[str, list[str]] = {}
    for first, last in ((0xB2, 0x24F), (0x2070, 0x209C), (0x1E00, 0x1EFF), (0xFF10, 0xFF5A), (0x1D400, 0x1D7FF)):
        for code in range(first, last + 1):
            folded = plain(chr(code))
            if len(folded) == 1 and folded.isascii() and folded.isalnum():
                same.setdefault(folded, []).append(chr(code))
    return {char: char + "".join(others) for char, others in same.items()}


def plain(text: str) -> str:
    """Return a text as codes are compared: compatibility forms resolved, no accents, lower case, × as x.

    >>> plain("ÅÄÖ-12 CO₂ M8×1")
    'aao-12 co2 m8x1'
    """
    folded = unicodedata.normalize("NFKC", text.translate(_DASHED))
    return strip_accents(folded).lower()


_DASHED: Final = str.maketrans({**dict.fromkeys(DASHES, "-"), "×": "x"})
_NAMES: Final = {name: letter for letter, name in GREEK_NAMES.items()}


@lru_cache(maxsize=512)
def code_pattern(name: str) -> re.Pattern[str]:
    """Return the pattern of a code: blanks, hyphens, dots and slashes between letters and digits may differ.

    >>> [bool(code_pattern("RFC9110").search(t)) for t in ("RFC 9110", "RFC-9110", "RFC 91101", "RFC 911")]
    [True, True, False, False]
    >>> [bool(code_pattern("HX-40").search(t)) for t in ("HX 40", "hx40", "HX-400", "HX-4", "HX-40B")]
    [True, True, False, False, False]
    """
    folded = plain(name)
    if (amount := _AMOUNT.fullmatch(folded)) is not None:
        return re.compile(_amount(amount[1], amount[2] or ""))
    for letter, long in GREEK_NAMES.items():
        folded = folded.replace(letter, long)
    groups = _GROUP.findall(folded)
    n_digits = sum(c.isdigit() for c in folded)
    parts: list[str] = []
    for position, group in enumerate(groups):
        before = groups[position - 1] if position else ""
        after = groups[position + 1] if position + 1 < len(groups) else ""
        if not group[0].isalnum():
            joint = _joint(group, before, after, is_decimal=len(groups) == 3)
            parts.append(joint.replace("{1,3}", "{0,3}") if n_digits >= _LONG else joint)
        else:
            if before and before[0].isalnum():
                parts.append(_JOINT)
            parts.append(_group(group))
    first, last = groups[0], groups[-1]
    start = r"(?<![^\W_])(?<!\d[.,])v?" if first[0].isdigit() else r"(?<![^\W_])" if first[0].isalnum() else ""
    end = r"(?![^\W_]|[.,]?\d)" if last[-1].isalnum() else r"(?!\w)" if last[-1] in "#+" else ""
    return re.compile(f"{start}{''.join(parts)}{end}", re.IGNORECASE)


def _amount(whole: str, decimals: str) -> str:
    """Return the pattern of an amount with any thousands marks and either decimal mark: 1.000,50 and 1000.50."""
    digits = re.sub(r"\D", "", whole)
    head = len(digits) % 3 or 3
    groups = [digits[:head], *(digits[i : i + 3] for i in range(head, len(digits), 3))]
    end = rf"[.,]{decimals[1:]}(?!\d)" if decimals else r"(?![.,]?\d)"
    return r"(?<![\w.,])" + r"[.,'’\s]?".join(groups) + end


def _group(group: str) -> str:
    if group in _NAMES:
        capital = _NAMES[group].upper()
        return f"(?:{group}|[{_NAMES[group]}{capital}])"
    joint = r"[\s\-‐-―]?" if group.isdigit() and len(group) >= _LONG else ""
    return joint.join(_char(c) for c in group)


def _char(char: str) -> str:
    if char == "x":
        return "[x×]"
    same = _written().get(char, char)
    return f"[{same}]" if len(same) > 1 else re.escape(char)


def _joint(mark: str, before: str, after: str, *, is_decimal: bool) -> str:
    """Return the pattern of what stands between two groups; between digits a mark tells 7.3 from 73."""
    if not before or not after:
        blank = r"\s?" if before else ""
        return "".join(blank + re.escape(c) for c in mark if not c.isspace())
    is_plain = bool(re.fullmatch(r"[\s\-_]+", mark))
    if before[0].isdigit() and after[0].isdigit():
        if mark in ".,":
            return "[.,]" if mark == "," or is_decimal else r"\."
        return r"[\s\-‐-―−_/]{1,3}" if is_plain else rf"\s*{re.escape(mark.strip())}\s*"
    if before[0].isdigit() != after[0].isdigit() and (is_plain or mark in "./·"):
        return _JOINT
    return _LETTER_JOINT if is_plain else r"\s*" + r"\s*".join(re.escape(c) for c in mark if not c.isspace()) + r"\s*"


_LISTED: Final = r"(?:\d+(?:\.\d+)*[a-z]?\s*(?:,|/|&|\+|–|-|and|or|to|und|oder|bis|et|ou)\s*)*"
_NUMBERED: Final = r"\W{0,3}(?:(?:no|nr|number|nummer|#|№)\W{0,2})?\W{0,2}"
#: Between an issuer and its number: "ISO/IEC 27001", "DIN EN 13501".
_ISSUERS: Final = r"(?:[/\s-]{1,2}(?-i:[A-Z]{2,6}))"


def number_pattern(number: str, question: str) -> re.Pattern[str]:
    """Return the pattern of a bare number: near the word that stands before it in the question, "lock 5".

    >>> found = number_pattern("17", "What does article 17 say?")
    >>> [bool(found.search(t)) for t in ("Art. 17 GDPR", "article 7", "17 mm", "Articles 15, 16 and 17")]
    [True, False, False, True]
    """
    written = re.escape(number)
    before = re.search(
        rf"([^\W\d_]+|[§№#])\.?\s*(?:no\.?\s*|number\s+|#)?(?<![\w.]){written}(?!\w)", question, re.IGNORECASE
    )
    noun = before.group(1) if before else ""
    is_named = is_label(noun) and noun.lower() not in {"#", "№", "no", "number", "nr"}
    if number.count(".") >= 2 or not (is_named or (noun[:1].isalpha() and not is_stop_term(noun.lower()))):
        return re.compile(rf"(?<![\w.])(?:v)?{written}(?![\w-]|\.\d)", re.IGNORECASE)
    issuers = f"{_ISSUERS}{{0,2}}" if noun.isupper() or len(noun) <= 4 else ""
    near = rf"{label_pattern(noun)}{issuers}{_NUMBERED}{_LISTED}(?<![\d.])(?<!\d-)"
    return re.compile(rf"{near}{written}(?![\w-]|\.\d)", re.IGNORECASE)
