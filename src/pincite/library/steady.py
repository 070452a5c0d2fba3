"""Work that reads documents while others write: done again when one of them goes away meanwhile."""

import logging
from collections.abc import Callable
from typing import Final, TypeVar

from pincite.errors import DocumentGoneError

logger = logging.getLogger(__name__)

T = TypeVar("T")

#: A question takes a second or less; a document that is replaced five times in that time is not one to be asked of.
MOST_TRIES: Final = 5


def steadily(work: Callable[[], T]) -> T:
    """Return what `work` returns, from the state of the library in which no document went away under it.

    Raises:
        DocumentGoneError: a document went away in each of five tries.

    """
    for _ in range(MOST_TRIES - 1):
        try:
            return work()
        except DocumentGoneError as error:
            logger.info("begun again: %s", error)
    return work()
