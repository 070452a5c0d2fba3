"""The engines that the tests of the widget run JavaScript in."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.widget.browser import Site, served
from tests.widget.engine import ELEMENT, RUN, Engine, node, node_engine


@pytest.fixture(scope="session")
def chromium_engine(browser: Any) -> Iterator[Engine]:
    """Return the JavaScript of the widget, run in a page."""
    page_files = {
        "/": ("text/html", b"<!doctype html><title>engine</title>"),
        "/pincite-ask.js": ("text/javascript", ELEMENT.encode()),
    }
    with served(Site(files=page_files, headers={})) as site:
        page = browser.new_page()
        page.goto(site.url)
        script = "async (given) => { " + RUN + " return run(await import('/pincite-ask.js'), JSON.parse(given)); }"

        def call(op: str, **given: Any) -> Any:
            import json

            return page.evaluate(script, json.dumps({"op": op, **given}))

        yield call
        page.close()


@pytest.fixture(scope="session")
def javascript(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """Return the JavaScript of the widget in node, or in Chromium where there is no node."""
    program = node()
    if program is None:
        yield request.getfixturevalue("chromium_engine")
        return
    with node_engine(program) as engine:
        yield engine
