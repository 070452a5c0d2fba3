"""The viewer: highlights on the right words, text that can be selected, deep links, long documents, lines."""

from collections.abc import Callable

import pytest
from tests.web.opened import Opened, extent, inside

Open = Callable[..., Opened]


def line_box(web: Opened, name: str, page: int, text: str) -> tuple[float, float, float, float]:
    """Return the box of a line as the API gives it, in points."""
    lines = web.api(f"documents/{web.doc_id(name)}/lines?page={page}")["lines"]
    box = next(line["box"] for line in lines if line["text"] == text)
    return box["x0"], box["y0"], box["x1"], box["y1"]


def test_the_highlight_lies_on_the_quoted_words(web: Opened) -> None:
    """A click on a cite leads to its page; the mark covers the quoted line and no other, by box and by pixel."""
    web.ask("What is the notice period?")
    web.open_cite()
    quoted = line_box(web, "lease.pdf", 1, "The notice period is three months.")

    (marked,) = web.on_page(".highlight", 1)
    assert marked == pytest.approx(quoted, abs=1.0)

    pixels = web.seen(1)
    scale = pixels.shape[1] / 420
    yellow = (pixels[:, :, 0] > 220) & (pixels[:, :, 2] < 160)
    on_screen = tuple(value / scale for value in extent(yellow))
    assert inside(on_screen, (quoted[0] - 8, *quoted[1:]), 2.0)
    ink = pixels.max(axis=2) < 90
    rows = slice(int((quoted[1] - 6) * scale), int((quoted[3] + 6) * scale))
    left, top, right, bottom = extent(ink[rows])
    words = (left / scale, top / scale + quoted[1] - 6, right / scale, bottom / scale + quoted[1] - 6)
    assert inside(words, quoted, 1.5)
    assert right - left > 0.9 * (quoted[2] - quoted[0]) * scale
    web.shot("cite")


def test_text_lies_on_its_picture(web: Opened) -> None:
    """What is selected on a page is the line under it: every line of text lies on its box, and is copied in order."""
    web.ask("What is the notice period?")
    web.open_cite()
    lines = web.api(f"documents/{web.doc_id('lease.pdf')}/lines?page=1")["lines"]

    laid = web.on_page(".text-layer span", 1)
    assert len(laid) == len(lines)
    for box, line in zip(laid, lines, strict=True):
        assert box == pytest.approx([line["box"][side] for side in ("x0", "y0", "x1", "y1")], abs=1.5)
    copied = web.page.evaluate("""() => { const range = document.createRange();
      range.selectNodeContents(document.querySelector('#viewer .page[data-page="1"] .text-layer'));
      getSelection().removeAllRanges(); getSelection().addRange(range); return getSelection().toString(); }""")
    assert [part for part in copied.splitlines() if part] == [line["text"] for line in lines]


def test_a_deep_link_opens_the_lines(open_page: Open, web: Opened) -> None:
    """A link with document, page and lines shows exactly those lines, whoever opens it; the address is kept."""
    doc = web.doc_id("lease.pdf")

    sent = open_page(f"#doc={doc}&page=2&lines=2-3")
    sent.page.locator("#viewer .page.drawn .highlight").first.wait_for()

    texts = ["The lease begins on 3 March 2025.", "Subletting is not allowed."]
    expected = [line_box(sent, "lease.pdf", 2, text) for text in texts]
    marked = sent.on_page(".highlight", 2)
    assert [pytest.approx(box, abs=1.0) for box in expected] == marked
    assert sent.place_in_address() == {"doc": doc, "page": "2", "lines": "2-3"}
    assert sent.page.get_by_label("Page", exact=True).input_value() == "12"
    assert "2 of 2" in sent.texts(".page-count")[0]


def test_a_deep_link_by_name(open_page: Open) -> None:
    """A link that a person wrote may name the document instead of its id."""
    sent = open_page("#doc=plan.md&lines=10")
    sent.page.locator("#viewer .line.cited").wait_for()

    assert sent.texts("#viewer .line.cited .line-text") == [
        "The Basic plan costs 10 EUR a month and renews every month."
    ]


def test_a_link_that_leads_nowhere_says_so(open_page: Open) -> None:
    """A document that is gone is said to be gone, in words."""
    sent = open_page("#doc=0123456789abcdef&page=2")
    sent.page.get_by_text("This document is not here").wait_for()

    sent.shot("gone")
    assert all("404" in fault for fault in sent.faults)
    sent.faults.clear()


def test_a_thousand_pages_scroll(open_page: Open) -> None:
    """Only the pages near the view exist, however far one scrolls; each is drawn with its own text."""
    sent = open_page("#doc=long.pdf")
    sent.page.locator("#viewer .page.drawn").first.wait_for()
    most = sent.page.evaluate("""async () => {
      const pages = document.querySelector("#viewer .pages");
      let most = 0;
      for (let at = 0; at < 40; at++) {
        pages.scrollTop = (pages.scrollHeight / 40) * at;
        await new Promise(requestAnimationFrame);
        most = Math.max(most, document.querySelectorAll("#viewer .page").length);
      }
      return most; }""")
    assert most < 12

    sent.page.get_by_label("Page", exact=True).fill("873")
    sent.page.keyboard.press("Enter")
    sent.page.locator('#viewer .page.drawn[data-page="873"]').wait_for()
    text = sent.page.locator('#viewer .page[data-page="873"] .text-layer')
    text.get_by_text("The mark of sheet 873 is M0873.").wait_for()
    sent.shot("thousand-pages")


def test_the_picture_is_sharp_at_any_zoom(open_page: Open) -> None:
    """A picture has a pixel for every pixel of the screen, on dense screens and zoomed in."""
    sent = open_page("#doc=lease.pdf", device_scale_factor=2)
    sharp = """() => { const image = document.querySelector("#viewer .page.drawn img");
      const wanted = image ? image.getBoundingClientRect().width * devicePixelRatio * 0.97 : Infinity;
      return image && image.naturalWidth >= Math.min(420 * 4, wanted); }"""

    sent.page.wait_for_function(sharp)
    before = sent.page.locator("#viewer .page").first.bounding_box()["width"]
    sent.page.get_by_role("button", name="Larger").click()
    sent.page.wait_for_function(sharp)
    assert sent.page.locator("#viewer .page").first.bounding_box()["width"] == pytest.approx(before * 1.25, rel=0.02)


def test_find_leads_from_hit_to_hit(open_page: Open) -> None:
    """Find marks every hit on its words, counts them, and Enter leads on; Escape takes the marks away."""
    sent = open_page("#doc=lease.pdf")
    sent.page.locator("#viewer .page.drawn").first.wait_for()
    sent.page.get_by_role("button", name="Find in this document").click()
    sent.page.keyboard.type("boathouse")
    sent.page.get_by_text("1 of 3", exact=True).wait_for()

    current = sent.page.locator(".text-layer mark.current")
    assert current.inner_text() == "boathouse"
    sent.page.keyboard.press("Enter")
    sent.page.keyboard.press("Enter")
    sent.page.get_by_text("3 of 3", exact=True).wait_for()
    sent.page.locator('.page[data-page="2"] mark.current').wait_for()
    line = line_box(sent, "lease.pdf", 2, "The keys of the boathouse are:")
    (box,) = sent.on_page("mark.current", 2)
    assert inside(box, line, 2.0)
    assert box[0] == pytest.approx(line[0] + (line[2] - line[0]) * 0.49, abs=12)
    sent.page.keyboard.press("Escape")
    assert sent.page.locator("mark.current").count() == 0


def test_a_sheet_shows_its_cells(web: Opened) -> None:
    """Formats without pictures have a line view: the cited row of a sheet is marked, cell by cell."""
    web.ask("How much was the rent in 2026?")
    web.page.locator(".cite").first.click()
    web.page.locator("#viewer .line.cited").wait_for()

    assert web.texts("#viewer tr.cited td mark.quoted") == ["Rent", "15000", "15600"]
    assert web.texts("#viewer tr:not(.cited) mark") == []
    web.shot("sheet")


def test_lines_of_a_pdf(open_page: Open) -> None:
    """A PDF can be read as numbered lines, with the same lines marked."""
    sent = open_page("#doc=lease.pdf&page=1&lines=4-5")
    sent.page.locator("#viewer .page.drawn .highlight").first.wait_for()
    sent.page.get_by_role("button", name="Show as lines").click()
    sent.page.locator("#viewer .line.cited").first.wait_for()

    cited = ["It is paid on the first working day of each month.", "2 Notice"]
    assert sent.texts("#viewer .line.cited .line-text") == cited
    sent.shot("lines")


def test_contents_and_small_pages(open_page: Open) -> None:
    """The contents are a tree that the keyboard walks; small pages lead to their page."""
    sent = open_page("#doc=plan.md")
    sent.page.locator("#viewer .line").first.wait_for()
    sent.page.get_by_role("button", name="Contents and pages").click()
    first = sent.page.get_by_role("treeitem").first
    first.focus()
    assert first.get_attribute("aria-expanded") == "true"
    sent.page.keyboard.press("ArrowLeft")
    assert sent.page.locator("[role=treeitem]:visible").count() == 1
    sent.page.keyboard.press("ArrowRight")
    sent.page.keyboard.press("ArrowDown")
    assert sent.page.evaluate("document.activeElement.querySelector('.toc-title').textContent") == "Basic"

    long = open_page("#doc=long.pdf")
    long.page.get_by_role("button", name="Contents and pages").click()
    long.page.get_by_role("button", name="Pages", exact=True).click()
    long.page.locator(".thumb img").first.wait_for()
    assert long.page.locator(".thumb img").count() < 60
    long.page.get_by_role("button", name="Page 7", exact=True).click()
    long.page.locator('#viewer .page.drawn[data-page="7"]').wait_for()
    assert long.page.locator(".thumbs").is_hidden()


def test_two_places_side_by_side(web: Opened) -> None:
    """A second cite opens beside the first, each with its own highlight; Escape closes it, then the first."""
    web.ask("Which plans are there?")
    web.page.locator(".cite").first.click()
    web.page.locator("#viewer .line.cited").wait_for()
    web.page.get_by_role("button", name="beside what is open").nth(1).click()
    web.page.locator("#viewer-beside .line.cited.second").wait_for()

    assert web.texts("#viewer .line.cited .line-text") == ["| Basic | 10 EUR | 3 |"]
    assert web.texts("#viewer-beside .line.cited .line-text") == ["| Team | 25 EUR | 10 |"]
    web.shot("side-by-side")
    web.page.locator("#viewer-beside .lines").focus()
    web.page.keyboard.press("Escape")
    assert web.page.locator("#viewer-beside").is_hidden()
    web.page.keyboard.press("Escape")
    assert web.page.locator("#viewer").is_hidden()
