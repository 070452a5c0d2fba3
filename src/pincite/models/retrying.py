"""A request to a service, sent again while what went wrong may pass."""

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from pincite.errors import ProviderError
from pincite.models.failures import failure, is_final
from pincite.models.keys import key_of
from pincite.models.names import ModelName
from pincite.models.providers import Service, missing_extra
from pincite.types.model import OutputForm
from pincite.types.record import Record

#: Seconds before the first retry; it doubles with each, and is spread by half so that many callers do not meet again.
FIRST_WAIT_S: Final = 0.5
#: The longest wait that a service may ask for: who has to wait longer is told so at once.
LONGEST_WAIT_S: Final = 60.0

T = TypeVar("T")


class CallLimits(Record, frozen=True, kw_only=True):
    """How long one request may take, how often it is sent again, and how its form is asked for."""

    timeout_s: float = 120.0
    retries: int = 3
    output_form: OutputForm = "schema"
    first_wait_s: float = FIRST_WAIT_S


async def with_retries(once: Callable[[], Awaitable[T]], service: Service, limits: CallLimits) -> tuple[T, int]:
    """Return what `once` returns and how often it was tried.

    Raises:
        MissingExtraError: the libraries for models are not installed.
        ProviderError: it failed for good, or as often as the limits allow; without the library's own error behind it,
            which may show the key.

    """
    for attempt in range(1, limits.retries + 2):
        raised: Exception | None = None
        try:
            return await once(), attempt
        except ImportError as error:
            raise missing_extra(service.name, error) from error
        except Exception as error:  # noqa: BLE001 - every library has errors of its own; all become ours
            raised = error
        failed = failure(raised, service, timeout_s=limits.timeout_s, keys=_keys(service.name))
        wait = _wait(failed, attempt, limits.first_wait_s)
        # Raised outside of `except`, so that the library's own error is not the context of ours.
        if is_final(failed) or attempt > limits.retries or wait > LONGEST_WAIT_S:
            raise failed
        await _pause(wait)
    raise AssertionError("the loop returns or raises")


async def _pause(seconds: float) -> None:
    await asyncio.sleep(seconds)


def _wait(error: ProviderError, attempt: int, first_wait_s: float) -> float:
    asked: float | None = getattr(error, "retry_after_s", None)
    if asked is not None:
        return asked
    return float(first_wait_s * 2 ** (attempt - 1) * random.uniform(0.5, 1.5))  # noqa: S311 - no secret


def _keys(name: ModelName) -> tuple[str, ...]:
    with contextlib.suppress(ProviderError):
        return (key_of(name),)
    return ()
