"""Settings of the whole suite, and the browser that its rooms share."""

import signal
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings
from tests.widget.browser import launched, missing

# The same examples on every run, and no clock decides: a slow machine is no failure.
settings.register_profile("suite", deadline=None, derandomize=True, database=None, max_examples=60)
settings.load_profile("suite")
# Tests that send Ctrl-C to a program do so too when the suite itself was begun in the background, where it is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Return a running Chromium, or skip with the reason why there is none."""
    reason = missing()
    if reason:
        pytest.skip(reason)
    with launched() as running:
        yield running
