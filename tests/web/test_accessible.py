"""Keyboard alone, a screen reader, narrow windows, light and dark: every state passes axe without a serious finding."""

from collections.abc import Callable

import pytest
from tests.web.opened import Opened

Open = Callable[..., Opened]


def focused(web: Opened) -> str:
    """Return what has the focus: its label, else its text or id."""
    return str(
        web.page.evaluate("""() => { const at = document.activeElement;
      return at.getAttribute("aria-label") || at.id || at.textContent.trim(); }""")
    )


def test_everything_by_keyboard(web: Opened) -> None:
    """From the skip link to a cite on its page and back without a mouse: ask, open, read, close, with visible focus."""
    web.page.keyboard.press("Tab")
    assert focused(web) == "Skip to the question"
    web.page.keyboard.press("Enter")
    web.page.keyboard.type("What is the notice period?")
    web.page.keyboard.press("Enter")
    web.page.locator(".result").wait_for()
    web.page.keyboard.press("Tab")
    web.page.keyboard.press("Tab")
    web.page.keyboard.press("Tab")
    assert focused(web).startswith("Source 1: lease.pdf")
    outline = web.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    web.page.keyboard.press("Enter")
    web.page.locator("#viewer .page.drawn .highlight").first.wait_for()
    web.page.keyboard.press("v")
    assert focused(web) == "Pages of lease.pdf"
    before = web.page.evaluate("document.activeElement.scrollTop")
    web.page.keyboard.press("PageDown")
    web.page.wait_for_function(f"() => document.activeElement.scrollTop !== {before}")
    web.page.keyboard.press("f")
    web.page.keyboard.type("rent")
    web.page.locator("mark.current").wait_for()
    web.page.keyboard.press("Escape")
    web.page.keyboard.press("Escape")
    assert focused(web).startswith("Source 1: lease.pdf")


def test_lists_are_walked_with_arrows(web: Opened) -> None:
    """A list is one stop of the Tab key; arrows move in it, left and right along a row, and Enter opens."""
    web.page.keyboard.press("d")
    first = focused(web)
    web.page.keyboard.press("ArrowDown")
    second = focused(web)
    assert first != second
    assert [name.startswith("Open ") for name in (first, second)] == [True, True]
    web.page.keyboard.press("ArrowLeft")
    assert focused(web).startswith("Ask only ")
    web.page.keyboard.press("ArrowRight")
    web.page.keyboard.press("ArrowRight")
    assert focused(web).startswith("Delete ")
    web.page.keyboard.press("ArrowLeft")
    web.page.keyboard.press("Enter")
    web.page.locator("#viewer .viewer-name").wait_for()


def test_shortcuts_are_listed_and_can_be_off(web: Opened) -> None:
    """`?` lists the keys; who speaks to the computer turns single keys off, and letters in a field are letters."""
    web.page.keyboard.press("?")
    dialog = web.page.get_by_role("dialog", name="Keyboard")
    dialog.wait_for()
    web.shot("keyboard")
    dialog.get_by_label("Single keys work outside of text fields").uncheck()
    web.page.keyboard.press("Escape")
    web.page.locator(".brand").click()
    web.page.keyboard.press("h")
    assert web.page.locator("#left-history").is_hidden()
    web.page.locator("#question").fill("")
    web.page.keyboard.type("/d?")
    assert web.page.locator("#question").input_value() == "/d?"


def test_the_width_can_be_moved(web: Opened) -> None:
    """The bar between answer and page is a separator that arrow keys move."""
    bar = web.page.get_by_role("separator")
    before = int(bar.get_attribute("aria-valuenow") or 0)
    bar.focus()
    web.page.keyboard.press("ArrowLeft")

    assert int(bar.get_attribute("aria-valuenow") or 0) == before + 2


class Axe:
    """axe, and what it found that is serious, by state."""

    def __init__(self, web: Opened) -> None:
        """Look at a page later."""
        self.web = web
        self.runner = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
        self.found: dict[str, list[str]] = {}

    def look(self, state: str) -> None:
        """Look at the page as it is, light and dark; the rules are the same in the dark but for the colours."""
        page = self.web.page
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), state
        for scheme, options in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            self.web.shot(f"{state}-{scheme}-{page.viewport_size['width']}")
            for one in self.runner.run(page, options=options).response["violations"]:
                if one["impact"] in ("serious", "critical"):
                    self.found[f"{state}, {scheme}: {one['id']}"] = [node["html"][:160] for node in one["nodes"][:3]]


@pytest.mark.parametrize("width", [390, 900, 1360])
def test_axe_finds_nothing_serious(open_page: Open, width: int) -> None:
    """Names, roles, contrast, landmarks, in every state, light and dark, narrow and wide; nothing runs off the side."""
    web = open_page(viewport={"width": width, "height": 780})
    axe = Axe(web)
    axe.look("welcome")
    web.ask("What are the keys of the boathouse?")
    axe.look("answer")
    web.open_cite()
    axe.look("page")
    if width < 600:
        web.page.get_by_role("navigation").get_by_role("button", name="Ask").click()
    web.ask("How much is the deposit of the boathouse?")
    axe.look("refusal")
    web.page.get_by_role("button", name="Why this?").click()
    web.page.get_by_text("Time taken").wait_for()
    axe.look("why")
    web.page.keyboard.press("Escape")
    if width < 1300:
        web.page.locator("[data-shows=documents]:visible, #sheet-toggle:visible").first.click()
    axe.look("documents")
    assert axe.found == {}


def test_axe_finds_nothing_serious_in_what_opens(open_page: Open) -> None:
    """Contents, find, menus, dialogs and history, too."""
    web = open_page("#doc=lease.pdf")
    axe = Axe(web)
    web.page.locator("#viewer .page.drawn").first.wait_for()
    web.page.keyboard.press("t")
    web.page.get_by_role("treeitem").first.wait_for()
    web.page.keyboard.press("f")
    web.page.keyboard.type("boathouse")
    web.page.locator("mark.current").wait_for()
    axe.look("contents-and-find")
    web.page.keyboard.press("Escape")
    web.ask("Is subletting allowed?")
    web.page.get_by_role("button", name="Export").click()
    axe.look("menu")
    web.page.keyboard.press("Escape")
    web.page.locator(".brand").click()
    web.page.keyboard.press("?")
    axe.look("keyboard")
    web.page.keyboard.press("Escape")
    web.page.keyboard.press("d")
    web.page.keyboard.press("Delete")
    web.page.get_by_role("dialog").wait_for()
    axe.look("delete")
    web.page.keyboard.press("Escape")
    web.page.keyboard.press("h")
    web.page.locator(".asked-before").first.wait_for()
    axe.look("history")
    assert axe.found == {}


def test_a_narrow_window_shows_one_pane(open_page: Open) -> None:
    """On a phone panes are tabs: a cite leads to the page, and one tab leads back to the answer."""
    web = open_page(viewport={"width": 390, "height": 780}, has_touch=True, device_scale_factor=2)
    web.ask("What is the notice period?")
    assert web.page.locator(".right").is_hidden()
    web.open_cite()
    assert web.page.locator(".middle").is_hidden()
    web.page.wait_for_function("() => document.activeElement.matches('#viewer .pages')")
    assert web.page.locator("#viewer").is_visible()
    web.page.get_by_role("navigation").get_by_role("button", name="Ask").click()
    assert web.page.locator(".cite.open").is_visible()


def test_nothing_moves_for_who_wants_it_still(open_page: Open, web: Opened) -> None:
    """With reduced motion asked for, nothing is animated."""
    web.ask("What is the notice period?")
    web.open_cite()

    assert web.page.evaluate("document.getAnimations().length") == 0
