"""Units that point at what was said before them: "It …", "Then …"."""

import re
from typing import Final

from pincite.answering.units import BULLET, Unit

_POINTS_BACK: Final = re.compile(
    r"^(?:it|its|they|their|them|this|that|these|those|such|he|she|his|her|then|there|here|both|after that|if so)\b",
    re.IGNORECASE,
)


def points_back(unit: Unit) -> bool:
    """Say whether a unit begins by pointing at what was said before it: "It …", "Then …"."""
    return bool(_POINTS_BACK.search(BULLET.sub("", unit.text)))
