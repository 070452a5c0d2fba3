"""The confidence of a model's draft decides what its constants say it decides."""

from pincite.answering.sureness import FLOOR, FOREIGN, NEAR, UNMET
from pincite.settings import Settings


def test_what_the_constants_decide_at_the_default_threshold() -> None:
    """Quotes without the question's words, or without a name it asks for, are refused; another language is answered."""
    threshold = Settings().refusal_threshold
    assert FLOOR < threshold < FOREIGN < 1
    assert threshold > FLOOR + (1 - FLOOR) * NEAR
    assert threshold > UNMET
