"""Is what was said what is right? Exact match, token F1, amounts with unit and scale, yes or no."""

import re
import string
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from typing import Final

from pincite.text.amounts import find_quantities
from pincite.text.units import unit_name
from pincite.types.answer import Quantity

_ARTICLES: Final = re.compile(r"\b(?:a|an|the)\b")
_MARKS: Final = str.maketrans("", "", string.punctuation)
_SCALES: Final = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
#: What stands behind an ordinal number or a decade is no unit: "10th", "1050s".
_NO_UNIT: Final = frozenset({"st", "nd", "rd", "th", "s"})
_TRUE, _FALSE = frozenset({"yes", "true"}), frozenset({"no", "false"})


def normalised(text: str) -> str:
    """Return an answer as SQuAD's official script compares it: lower case, no marks, no articles, single blanks.

    >>> normalised("The  Normans, of  course!")
    'normans of course'
    """
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_MARKS)).split())


def exact_match(said: str, answers: Sequence[str]) -> float:
    """Return 1 when `said` is one of the answers, else 0."""
    return float(normalised(said) in {normalised(answer) for answer in answers})


def token_f1(said: str, answers: Sequence[str]) -> float:
    """Return the best harmonic mean of precision and recall of words, over the answers."""
    return max((_f1(normalised(said).split(), normalised(answer).split()) for answer in answers), default=0.0)


def _f1(said: Sequence[str], right: Sequence[str]) -> float:
    if not said or not right:
        return float(said == right)
    shared = sum((Counter(said) & Counter(right)).values())
    return 2 * shared / (len(said) + len(right))


def holds(text: str, answer: str) -> bool:
    """Say whether an answer stands in a text, whole words, case and marks aside.

    >>> holds("gave their name to Normandy, a region", "Normandy"), holds("1066", "106")
    (True, False)
    """
    wanted = _plain(answer)
    return bool(wanted.strip()) and wanted in _plain(text)


def _plain(text: str) -> str:
    return " " + " ".join(re.findall(r"\w+", text.lower())) + " "


def boolean_of(text: str) -> bool | None:
    """Return the truth value that an answer is, or `None`."""
    word = text.strip().strip(".!").lower()
    return True if word in _TRUE else False if word in _FALSE else None


def quantity_of(answer: str) -> Quantity | None:
    """Return the amount that an answer is, or `None` where it says more, or something else.

    >>> quantity_of("$1,577.00").number, quantity_of("6.2 %").unit, quantity_of("since 1066"), quantity_of("10th")
    ('1577.00', '%', None, None)
    """
    found = find_quantities(answer)
    if len(found) != 1 or found[0].value.unit in _NO_UNIT:
        return None
    around = answer[: found[0].span.start] + answer[found[0].end :]
    return None if re.search(r"\w", re.sub(r"\bU?S?\b(?=\$)", "", around)) else found[0].value


def same_amount(said: Quantity, right: Quantity, *, tolerance: float = 0.0) -> bool:
    """Say whether two amounts are the same number, in the same unit and currency where the right one has them.

    `tolerance` is the share (0–1) by which the numbers may differ. Scales are multiplied out: 1.2 million is 1200000.
    """
    ours, theirs = _number(said), _number(right)
    if ours is None or theirs is None or abs(ours - theirs) > abs(theirs) * Decimal(str(tolerance)):
        return False
    if right.currency is not None and said.currency != right.currency:
        return False
    return right.unit is None or (said.unit is not None and _unit(said.unit) == _unit(right.unit))


def amounts_in(text: str) -> list[Quantity]:
    """Return every amount of a text, in order."""
    return [found.value for found in find_quantities(text)]


def _number(quantity: Quantity) -> Decimal | None:
    try:
        return Decimal(quantity.number) * _SCALES.get(quantity.scale or "", 1)
    except InvalidOperation:
        return None


def _unit(written: str) -> str:
    name = (unit_name(written) or written).lower()
    return name[:-1] if len(name) > 3 and name.endswith("s") else name
