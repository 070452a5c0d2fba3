"""The numbers and bullets of Word's lists, which stand in no paragraph: counted as Word counts them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

#: The namespace of WordprocessingML (ECMA-376 part 1).
W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_PLACE: Final = re.compile(r"%([1-9])")
_ROMAN: Final = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
                 (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
_MAX_COUNTED: Final = 100_000


@dataclass(frozen=True, slots=True)
class _Level:
    form: str = "decimal"
    text: str = ""
    start: int = 1


@dataclass(slots=True)
class Numbering:
    """Counts the items of all lists of a document, which share counters where they share a definition."""

    levels: Mapping[str, Mapping[int, _Level]]
    abstract_of: Mapping[str, str]
    _counts: dict[str, dict[int, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, root: Any) -> "Numbering":
        """Return the lists that the numbering part of a document defines; `None` for a document without one."""
        if root is None:
            return cls({}, {})
        abstract = {
            definition.get(f"{W}abstractNumId", ""): {
                int(level.get(f"{W}ilvl", "0") or 0): _level_of(level) for level in definition.iter(f"{W}lvl")
            }
            for definition in root.iter(f"{W}abstractNum")
        }
        levels, abstract_of = {}, {}
        for number in root.iter(f"{W}num"):
            num_id = number.get(f"{W}numId", "")
            found = number.find(f"{W}abstractNumId")
            abstract_id = found.get(f"{W}val", "") if found is not None else ""
            own = dict(abstract.get(abstract_id, {}))
            restarts = False
            for override in number.iter(f"{W}lvlOverride"):
                at = int(override.get(f"{W}ilvl", "0") or 0)
                start = override.find(f"{W}startOverride")
                before = own.get(at, _Level())
                if start is not None:
                    own[at] = _Level(before.form, before.text, _number(start.get(f"{W}val"), 1))
                    restarts = True
            levels[num_id] = own
            abstract_of[num_id] = num_id if restarts else f"abstract {abstract_id}"
        return cls(levels, abstract_of)

    def mark(self, num_id: str, level: int) -> str:
        """Return the number or bullet of the next item, with a blank behind it; none for a list that is not there."""
        levels = self.levels.get(num_id)
        if not levels or num_id == "0":
            return ""
        one = levels.get(level, _Level(form="bullet"))
        if one.form == "none":
            return ""
        if one.form == "bullet":
            return "• " if level == 0 else "◦ "
        counts = self._counts.setdefault(self.abstract_of[num_id], {})
        counts[level] = counts.get(level, one.start - 1) + 1
        for deeper in [deeper for deeper in counts if deeper > level]:
            del counts[deeper]

        def shown(match: re.Match[str]) -> str:
            at = int(match.group(1)) - 1
            of = levels.get(at, _Level())
            return _form(counts.get(at, of.start), of.form)

        return _PLACE.sub(shown, one.text or f"%{level + 1}.").strip() + " "


def _level_of(level: Any) -> _Level:
    def value(tag: str) -> str:
        found = level.find(f"{W}{tag}")
        return str(found.get(f"{W}val", "")) if found is not None else ""

    return _Level(value("numFmt") or "decimal", value("lvlText"), _number(value("start"), 1))


def _number(text: str | None, otherwise: int) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 7 else otherwise


def _form(number: int, form: str) -> str:
    """Return a number as a list shows it.

    >>> [_form(4, form) for form in ("decimal", "lowerLetter", "upperRoman", "decimalZero")]
    ['4', 'd', 'IV', '04']
    """
    if form in {"lowerLetter", "upperLetter"} and 0 < number <= _MAX_COUNTED:
        letters = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letters.upper() if form == "upperLetter" else letters
    if form in {"lowerRoman", "upperRoman"} and 0 < number < 4000:
        rest, digits = number, ""
        for value, digit in _ROMAN:
            times, rest = divmod(rest, value)
            digits += digit * times
        return digits.upper() if form == "upperRoman" else digits
    return f"{number:02d}" if form == "decimalZero" else str(number)
