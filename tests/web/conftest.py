"""The page in Chromium, served by a real `pincite serve` over a library of small documents."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.making import made_documents, serving
from tests.web.opened import Opened
from tests.widget.browser import missing

from pincite import Library
from pincite.settings import Settings


@pytest.fixture(scope="session")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the documents."""
    return made_documents(tmp_path_factory.mktemp("web") / "documents")


@pytest.fixture(scope="session")
def address(documents: Path) -> Iterator[str]:
    """Serve a library that holds the documents."""
    reason = missing()
    if reason:
        pytest.skip(reason)
    folder = documents.parent / "library"
    with Library(folder, settings=Settings(embedder="none")) as library:
        library.add(documents)
    with serving(folder) as running:
        yield running


@pytest.fixture
def open_page(browser: Any, address: str) -> Iterator[Callable[..., Opened]]:
    """Return what opens the page in a window of its own; at the end nothing has gone wrong in any of them."""
    windows: list[Opened] = []

    def opened(hash_: str = "", *, at: str = address, **context: Any) -> Opened:
        window = browser.new_context(
            **{"viewport": {"width": 1360, "height": 820}, "reduced_motion": "reduce"} | context
        )
        one = Opened(window, at, hash_)
        windows.append(one)
        return one

    yield opened
    for one in windows:
        one.window.close()
    assert [fault for one in windows for fault in one.faults] == []


@pytest.fixture
def web(open_page: Callable[..., Opened]) -> Opened:
    """Return the page, opened."""
    return open_page()
