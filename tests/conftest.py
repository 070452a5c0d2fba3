"""Settings of the whole suite, and the browser that its rooms share."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings
from tests.widget.browser import launched, missing

# The same examples on every run, and no clock decides: a slow machine is no failure.
settings.register_profile("suite", deadline=None, derandomize=True, database=None, max_examples=60)
settings.load_profile("suite")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Return a running Chromium, or skip with the reason why there is none."""
    reason = missing()
    if reason:
        pytest.skip(reason)
    with launched() as running:
        yield running
