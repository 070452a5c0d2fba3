"""The number in a table cell, as accounts write it: "(1,822)" is negative, marks of notes are no part of it."""

import re
from decimal import Decimal, InvalidOperation
from typing import Final

from pincite.text.amounts import plain_number

#: What may stand around a number in a cell: a sign of currency or its code, a unit, the mark of a note.
_CELL: Final = re.compile(
    r"(?P<sign>[-−–+])?\s*(?:US\s?\$|[$€£¥₹]|[A-Z]{3}(?=\s?[\d(]))?\s*(?P<open>\()?\s*(?P<inner>[-−–+])?\s*"
    r"(?:US\s?\$|[$€£¥₹])?\s*(?P<number>(?:\d{1,3}(?:[,\u00a0\u202f\u2009 ’']\d{3})+|\d+)(?:[.,]\d+)?|\.\d+)"
    r"\s*(?P<unit>%|[€£$]|[^\W\d_]{1,4}[²³]?)?\s*(?P<close>\))?\s*(?P<percent>%)?"
    r"\s*(?:[*†‡§#]{1,3}|[⁰¹²³⁴-⁹]+|\((?:[a-z]|\d)\)|\[[a-z\d]\])*"
)


def number_in_cell(text: str) -> Decimal | None:
    """Return the number that a cell holds, `None` when it holds none, several, or words.

    >>> [str(number_in_cell(text)) for text in ("$ 7,679", "(1,822)", "12.5 %", "250⁹", "1,110 (a)", "—", "Q3 2031")]
    ['7679', '-1822', '12.5', '250', '1110', 'None', 'None']
    """
    match = _CELL.fullmatch(text.strip())
    if match is None or (match["open"] is None) != (match["close"] is None):
        return None
    try:
        number = Decimal(plain_number(match["number"]))
    except InvalidOperation:
        return None
    signs = {match["sign"], match["inner"]} - {None, "+"}
    return -number if signs or match["open"] else number
