"""The page as a reader has it: typing, clicking, looking at boxes and pixels."""

import io
import json
import urllib.parse
import urllib.request
from typing import Any

import numpy as np
from PIL import Image
from tests.web.making import SHOTS

Box = tuple[float, float, float, float]


class Opened:
    """A window with the page open; `faults` are what its console and its policy complained of."""

    def __init__(self, window: Any, address: str, hash_: str = "") -> None:
        """Open the page, at a place if `hash_` names one."""
        self.window = window
        self.address = address
        self.faults: list[str] = []
        self.page = window.new_page()
        self.page.set_default_timeout(30_000)
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.goto(address + hash_)
        self.page.locator(".doc, .welcome .primary, dialog[open]").first.wait_for(state="attached")

    def _hear(self, said: Any) -> None:
        if said.type in ("error", "warning"):
            self.faults.append(f"{said.text} {said.location.get('url', '')}")

    def api(self, path: str) -> Any:
        """Return what the server says at a path of the API."""
        with urllib.request.urlopen(self.address + "v1/" + path) as reply:  # noqa: S310 - the server of this test
            return json.loads(reply.read())

    def doc_id(self, name: str) -> str:
        """Return the id of the document of that name."""
        found = self.api("documents?limit=100")["documents"]
        return str(next(one["doc_id"] for one in found if one["name"] == name))

    def ask(self, question: str) -> Any:
        """Ask, wait for the result and return it."""
        # What is typed while a dialog is open goes into the dialog.
        self.page.locator("dialog[open]").wait_for(state="hidden")
        self.page.locator("#question").fill(question)
        self.page.locator("#question").press("Enter")
        self.page.locator(".result", has_text=question).wait_for()
        return self.page.locator(".result")

    def texts(self, selector: str) -> list[str]:
        """Return the texts of what matches."""
        return [str(text) for text in self.page.locator(selector).all_inner_texts()]

    def open_cite(self, at: int = 0) -> None:
        """Click a cite and wait until its page is drawn."""
        self.page.locator(".cite").nth(at).click()
        self.page.locator("#viewer .page.drawn:has(.highlight)").first.wait_for()

    def on_page(self, selector: str, page_num: int) -> list[Box]:
        """Return where elements lie on a page of the viewer, in points."""
        script = """([selector, num]) => {
          const page = document.querySelector(`#viewer .page[data-page="${num}"]`);
          const { left, top } = page.getBoundingClientRect();
          const scale = parseFloat(page.style.getPropertyValue("--s"));
          return [...page.querySelectorAll(selector)].map((element) => {
            const box = element.getBoundingClientRect();
            return [box.left - left, box.top - top, box.right - left, box.bottom - top]
              .map((value) => value / scale); });
        }"""
        boxes: list[Box] = [tuple(box) for box in self.page.evaluate(script, [selector, page_num])]
        return boxes

    def seen(self, page_num: int) -> np.ndarray[Any, Any]:
        """Return the pixels of a page as they are on the screen, red, green and blue."""
        picture = self.page.locator(f'#viewer .page[data-page="{page_num}"]').screenshot()
        return np.asarray(Image.open(io.BytesIO(picture)).convert("RGB")).astype(int)

    def shot(self, name: str) -> None:
        """Keep a picture of the window for whoever wants to look."""
        SHOTS.mkdir(exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{name}.png")

    def place_in_address(self) -> dict[str, str]:
        """Return what the part of the address after `#` says."""
        hash_ = str(self.page.evaluate("location.hash"))
        return dict(urllib.parse.parse_qsl(hash_.lstrip("#")))


def extent(mask: np.ndarray[Any, Any]) -> Box:
    """Return the box of the true pixels: left, top, right, bottom."""
    ys, xs = np.nonzero(mask)
    return float(xs.min()), float(ys.min()), float(xs.max()) + 1, float(ys.max()) + 1


def inside(inner: Box, outer: Box, slack: float) -> bool:
    """Say whether a box lies in another, give or take `slack`."""
    return (
        inner[0] >= outer[0] - slack
        and inner[1] >= outer[1] - slack
        and inner[2] <= outer[2] + slack
        and inner[3] <= outer[3] + slack
    )
