"""`<pincite-ask>` in a real Chromium, on the example site, under its strict policy."""

import gzip
import importlib.util
import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.interfaces.http.access.conftest import SETTINGS, running
from tests.widget.browser import Site, served
from tests.widget.engine import ELEMENT

from pincite.interfaces.http.access.options import AccessOptions
from pincite.library import Library

EXAMPLE = Path(__file__).parents[2] / "examples" / "widget"
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".json": "application/json", ".css": "text/css"}


def example() -> ModuleType:
    """Return the example's server as a module."""
    spec = importlib.util.spec_from_file_location("widget_serve", EXAMPLE / "serve.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Serve the example as it is built, with its policy."""
    module, folder = example(), tmp_path_factory.mktemp("site")
    assert module.build(folder) == 0
    found = {f"/{path.relative_to(folder)}": path for path in folder.rglob("*") if path.is_file()}
    pages = {name: (TYPES[path.suffix], path.read_bytes()) for name, path in found.items()}
    pages["/"] = pages["/index.html"]
    with served(Site(files=pages, headers={"Content-Security-Policy": module.POLICY})) as running:
        yield running


@dataclass
class Opened:
    """The element on an open page, and what went wrong there."""

    page: Any
    faults: list[str]

    def ask(self, question: str) -> None:
        """Type a question and press Enter."""
        self.page.get_by_role("searchbox").fill(question)
        self.page.keyboard.press("Enter")

    def texts(self, selector: str) -> list[str]:
        """Return the texts of what matches, inside the element too."""
        return [str(text) for text in self.page.locator(selector).all_inner_texts()]


def opened_at(browser: Any, url: str, **context: Any) -> Iterator[Opened]:
    """Open a page in a window of its own."""
    window = browser.new_context(**context)
    page = window.new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(url)
    page.locator("pincite-ask button").first.wait_for()
    yield Opened(page, faults)
    window.close()


@pytest.fixture
def opened(browser: Any, site: Site) -> Iterator[Opened]:
    """Open the example."""
    site.requests.clear()
    yield from opened_at(browser, site.url)


def test_a_question_is_answered_verbatim(opened: Opened, site: Site) -> None:
    """The reviewed passage is shown word for word, with its source, its review, its score and the time."""
    index = json.loads(site.files["/pincite-index.json"][1])
    wanted = next(passage for passage in index["passages"] if passage["id"] == "refusal")

    opened.ask("When does pincite refuse?")

    first = opened.page.locator("[part=passage]").first
    assert first.locator("[part=text]").inner_text() == wanted["text"]
    assert first.locator("[part=source]").get_attribute("href") == f"{site.url}/{wanted['url']}"
    assert first.locator("[part=review]").inner_text() == "Reviewed by the maintainers on 2026-11-30"
    assert float(first.locator("[part=score]").inner_text().removeprefix("score ")) >= 3.5
    assert "ms among 35 passages" in opened.texts("[part=elapsed]")[0]
    assert opened.faults == []


def test_the_matched_words_are_marked(opened: Opened) -> None:
    """Who reads sees why: the words of the question, also where only a beginning is shared."""
    opened.ask("When does pincite refuse?")

    opened.page.locator("mark").first.wait_for()
    assert {text.lower() for text in opened.texts("mark")} == {"pincite", "refuse", "refuses"} - {"refuse"}


@pytest.mark.parametrize("question", ["How do I deploy it on Kubernetes?", "salary"])
def test_what_is_not_covered_is_refused(opened: Opened, question: str) -> None:
    """A refusal comes in the site's own words, with what it does cover."""
    opened.ask(question)

    assert opened.page.locator("[part=refusal] > p").first.inner_text() == (
        "This page answers from 35 reviewed facts about pincite, and none of them covers that."
    )
    assert opened.texts("[part=passage]") == []
    opened.page.get_by_role("button", name="What is a pin cite?").click()
    opened.page.locator("[part=passage]").first.wait_for()
    assert opened.texts("[part=title]")[0] == "What a pin cite is"


def test_nothing_is_asked_of_the_network_but_the_index(opened: Opened, site: Site) -> None:
    """A question leaves the machine of whoever asks it in no form."""
    before = list(site.requests)

    opened.ask("What is a pin cite?")
    opened.ask("salary")
    opened.page.wait_for_timeout(100)

    assert sorted(before) == ["/", "/pincite-ask.js", "/pincite-index.json", "/site.css"]
    assert site.requests == before
    assert opened.faults == []


def test_the_keyboard_is_enough(opened: Opened) -> None:
    """Tab, type, Enter, Escape: the field is the first stop, focus stays, results and suggestions follow."""
    page = opened.page
    page.keyboard.press("Tab")
    page.keyboard.type("exit codes")
    page.keyboard.press("Enter")
    page.locator("[part=passage]").first.wait_for()
    focused = "document.activeElement.shadowRoot.activeElement.getAttribute('part')"

    assert page.evaluate(focused) == "input"
    page.keyboard.press("Tab")
    assert page.evaluate(focused) == "button"
    page.keyboard.press("Tab")
    assert page.evaluate(focused) == "source"
    page.get_by_role("searchbox").focus()
    page.keyboard.press("Escape")
    assert (page.get_by_role("searchbox").input_value(), opened.texts("[part=passage]")) == ("", [])
    assert "What is a pin cite?" in opened.texts("[part=suggestion]")


def test_a_screen_reader_hears_it(opened: Opened) -> None:
    """The field has a name in a search landmark; a live region says how it came out, a refusal in full."""
    page = opened.page
    assert page.get_by_role("search").get_by_label("Ask about pincite").count() == 1

    opened.ask("What is a pin cite?")
    page.locator("[part=passage]").first.wait_for()
    n_shown = len(opened.texts("[part=passage]"))
    said = page.get_by_role("status").text_content()
    assert said == ("1 passage answers this." if n_shown == 1 else f"{n_shown} passages answer this.")
    opened.ask("salary")
    page.locator("[part=refusal]").wait_for()
    assert page.get_by_role("status").text_content() == (
        "No answer. This page answers from 35 reviewed facts about pincite, and none of them covers that."
    )


def test_the_log_says_how_it_was_found(opened: Opened) -> None:
    """The steps can be opened: the words, the scores, the threshold, what is shown."""
    opened.ask("When does pincite refuse?")
    opened.page.get_by_text("How this was found").click()

    log = opened.texts("[part=log]")[0]
    assert [word in log for word in ("idf", "refusal", "threshold 3.5: answered", "none below 55 %")] == [True] * 4


def test_a_link_asks(browser: Any, site: Site) -> None:
    """`?ask=` brings an answer with the page, and what is asked can be passed on as a link."""
    for opened in opened_at(browser, f"{site.url}/?ask=What%20is%20a%20pin%20cite%3F&kept=1"):
        opened.page.locator("[part=passage]").first.wait_for()
        assert opened.page.get_by_role("searchbox").input_value() == "What is a pin cite?"
        opened.ask("exit codes")
        assert opened.page.evaluate("location.search") == "?ask=exit+codes&kept=1"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1200])
def test_it_can_be_read(browser: Any, site: Site, scheme: str, width: int) -> None:
    """Light and dark, phone and desk: text keeps a contrast of 4.5 to 1 or more, and nothing runs off the side."""
    window = {"color_scheme": scheme, "viewport": {"width": width, "height": 700}}
    for opened in opened_at(browser, f"{site.url}/?ask=How%20does%20the%20widget%20score%3F", **window):
        opened.page.locator("summary").click()
        assert opened.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert opened.page.evaluate(CONTRASTS) == []


CONTRASTS = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgb = (color) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const light = (color) => { const [r, g, b] = rgb(color).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = (node) => { for (let at = node; at; at = at.parentElement ?? at.getRootNode().host) {
    const color = getComputedStyle(at).backgroundColor; if (rgb(color)[3]) return color; } return "white"; };
  const poor = [];
  for (const node of document.querySelector("pincite-ask").shadowRoot.querySelectorAll("*")) {
    if (![...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim())) continue;
    const [a, b] = [light(getComputedStyle(node).color), light(ground(node))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) poor.push(`${node.tagName} ${node.className}: ${(a + 0.05) / (b + 0.05)}`);
  }
  return poor;
}"""  # noqa: E501  # JavaScript


def test_it_is_small_and_alone() -> None:
    """One file of less than 12 KB as it is sent, that imports nothing."""
    assert len(gzip.compress(ELEMENT.encode(), 9)) < 12 * 1024
    assert [line for line in ELEMENT.splitlines() if line.startswith("import") or "import(" in line] == []


# ── Sites that are not as they should be ──


HOSTILE = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script> {why} $& widgets"


def plain_site(index: Any, tag: str = '<pincite-ask src="i.json"></pincite-ask>') -> Site:
    """Return a site with one element, whose index is given."""
    policy = "default-src 'none'; script-src 'self'; connect-src *; img-src *; require-trusted-types-for 'script'"
    page = f'<!doctype html><title>safe</title><script type="module" src="e.js"></script>{tag}'
    files = {
        "/": ("text/html", page.encode()),
        "/e.js": ("text/javascript", ELEMENT.encode()),
        "/favicon.ico": ("image/png", PICTURE),
        "/i.json": ("application/json", json.dumps(index).encode()),
    }
    return Site(files=files, headers={"Content-Security-Policy": policy})


def small_index(**changed: Any) -> dict[str, Any]:
    """Return an index of one passage, all of whose words are hostile."""
    passage = {"id": "a", "text": HOSTILE, "title": HOSTILE, "url": "javascript:document.title='run'",
               "tags": [HOSTILE], "reviewed_by": HOSTILE, "reviewed_on": HOSTILE}  # fmt: skip
    scoring = {"term_weight": 2, "prefix_share": 0.5, "prefix_min": 4, "shown": 3, "threshold": 1, "keep_share": 0.55}
    given = {"format": "pincite-widget/1", "title": HOSTILE, "language": "en", "refusal": HOSTILE, "words": {},
             "suggestions": [HOSTILE], "scoring": scoring, "stop_words": [], "passages": [passage]}  # fmt: skip
    return given | changed


def test_text_is_never_html(browser: Any) -> None:
    """Whatever a passage, a title or a question holds stays text, and a link that is no web address is none."""
    with served(plain_site(small_index())) as site:
        for opened in opened_at(browser, site.url):
            opened.ask(f"widgets {HOSTILE}")
            opened.page.locator("[part=passage]").wait_for()
            assert opened.texts("[part=text]") == [HOSTILE]
            assert opened.page.locator("[part=source], [part=passage] img").count() == 0
            opened.ask("zebra")
            opened.page.locator("[part=refusal]").wait_for()
            assert opened.page.title() == "safe"
            assert opened.faults == []


@pytest.mark.parametrize(("index", "why"), [({"format": "other"}, "no index of pincite-widget/1"), ("x", "no index")])
def test_a_broken_index_is_said(browser: Any, index: Any, why: str) -> None:
    """Whoever asks is told that the passages could not be loaded, and why."""
    with served(plain_site(index)) as site:
        for opened in opened_at(browser, site.url):
            opened.ask("anything")
            opened.page.get_by_text("could not be loaded").wait_for()
            assert why in opened.texts("[role=status]")[0]


def test_a_site_speaks_its_own_language(browser: Any) -> None:
    """Every word on the surface can be the site's."""
    words = {"label": "Frage", "ask": "Los", "refused": "Keine Antwort.", "placeholder": "Hier fragen"}
    with served(plain_site(small_index(words=words, language="de"))) as site:
        for opened in opened_at(browser, site.url):
            opened.page.get_by_label("Frage").fill("zebra")
            opened.page.get_by_role("button", name="Los").click()
            opened.page.get_by_text("Keine Antwort.").wait_for()


# ── A running server ──


def answer(quote: str, *, lines: bool = True) -> dict[str, Any]:
    """Return an answer as the server gives it."""
    box = {"page": 2, "width_pt": 600.0, "height_pt": 800.0, "box": [60.0, 400.0, 300.0, 420.0]}
    given = [{"line_id": 9, "page_num": 2, "line_num": 4, "text": "The notice period"},
             {"line_id": 10, "page_num": 2, "line_num": 5, "text": "is three months."}]  # fmt: skip
    citation = {"doc_id": "d/1", "doc_name": "lease.pdf", "page": 2, "page_label": "ii", "first_line": 4,
                "last_line": 5, "quote": quote, "boxes": [box], **({"lines": given} if lines else {})}  # fmt: skip
    item = {"text": "three months", "citations": [citation]}
    return {"result": "answer", "question": "q", "shape": "text", "items": [item], "signals": {"caveats": []}}


PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8ffff3f0005fe02fe0def46b80000000049454e44ae426082"
)


def asked_of_server(browser: Any, given: Any, check: Any, *, status: int = 200) -> Site:
    """Ask an element that has a server and no index, let `check` look at it, and return the server."""
    allowed = {"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "content-type"}
    picture = {"/v1/documents/d%2F1/pages/2.png": ("image/png", PICTURE)}
    with ExitStack() as stack:
        server = stack.enter_context(served(Site(files=picture, headers=allowed, answer=lambda _: (status, given))))
        site = stack.enter_context(served(plain_site({}, f'<pincite-ask server="{server.url}/"></pincite-ask>')))
        for opened in opened_at(browser, site.url):
            opened.ask("What is the notice period?")
            check(opened)
    return server


def test_a_server_is_asked_and_its_quote_checked(browser: Any) -> None:
    """The answer of `pincite serve` comes with its quote checked in the browser and the page with its highlight."""

    def check(opened: Opened) -> None:
        opened.page.locator("img").evaluate("image => image.scrollIntoView()")
        opened.page.wait_for_function(
            "() => document.querySelector('pincite-ask').shadowRoot.querySelector('img').naturalWidth"
        )
        assert opened.texts("[part=text]") == ["three months"]
        assert opened.texts("[part=place]") == ["lease.pdf p.ii l.4–5"]
        assert opened.texts("[part=verified]") == ["✓ quote checked here: it is in these lines"]
        style = "node => [node.style.left, node.style.top, node.style.width, node.style.height]"
        assert opened.page.locator("[part=highlight]").evaluate(style) == ["10%", "50%", "40%", "2.5%"]
        assert opened.page.locator("img").get_attribute("alt") == "Page ii of lease.pdf, the cited lines highlighted"
        assert opened.faults == []
        opened.page.set_viewport_size({"width": 360, "height": 700})
        assert opened.page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    server = asked_of_server(browser, answer("notice period\nis three months"), check)

    assert server.posted == [{"question": "What is the notice period?"}]
    assert "/v1/documents/d%2F1/pages/2.png?scale=2" in server.requests


def test_a_quote_that_is_not_in_its_lines_is_withheld(browser: Any) -> None:
    """A server that is wrong, or somebody in between, cannot put words into a document."""

    def check(opened: Opened) -> None:
        opened.page.locator("[part=withheld]").wait_for()
        assert opened.texts("[part=item]") == []

    asked_of_server(browser, answer("is two months"), check)


def test_a_quote_without_lines_is_not_called_checked(browser: Any) -> None:
    """Where the lines did not come, the element says that it checked nothing."""

    def check(opened: Opened) -> None:
        opened.page.locator("[part=unchecked]").wait_for()
        assert opened.texts("[part=verified]") == []

    asked_of_server(browser, answer("is three months", lines=False), check)


def test_a_refusal_of_the_server_is_shown(browser: Any) -> None:
    """A refusal says why, and shows the nearest places."""
    near = answer("is three months")["items"][0]["citations"]
    given = {"result": "refusal", "reason": "not_found", "message": "Not in the lines that were read.", "nearest": near}

    def check(opened: Opened) -> None:
        opened.page.locator("[part=refusal]").wait_for()
        text = opened.texts("[part=refusal]")[0]
        assert ("Not in the lines that were read." in text, "is three months" in text) == (True, True)

    asked_of_server(browser, given, check)


def test_a_server_that_fails_is_no_refusal(browser: Any) -> None:
    """A failed server is said to have failed: nobody takes it for a no."""

    def check(opened: Opened) -> None:
        opened.page.get_by_text("could not be asked (HTTP 500)").wait_for()
        assert opened.texts("[part=refusal]") == []

    asked_of_server(browser, {"result": "error"}, check, status=500)


def test_a_real_server_shows_its_pages_on_another_site(browser: Any, tmp_path: Path) -> None:
    """With `--cors` the cited page of `pincite serve` is seen on a site of that origin, and the quote is checked."""
    with Library(tmp_path / "library", settings=SETTINGS) as library:
        library.add(Path(__file__).parents[2] / "demo" / "NIST.CSWP.29.pdf")
    with ExitStack() as stack:
        site = stack.enter_context(served(plain_site({})))
        server = stack.enter_context(running(tmp_path / "library", AccessOptions(cors=(site.url,))))
        site.files |= plain_site({}, f'<pincite-ask server="{server.url}"></pincite-ask>').files
        for opened in opened_at(browser, site.url):
            opened.ask("What are the six functions?")
            opened.page.locator("img").first.evaluate("image => image.scrollIntoView()")
            opened.page.wait_for_function(
                "() => document.querySelector('pincite-ask').shadowRoot.querySelector('img').naturalWidth > 100"
            )
            assert opened.texts("[part=verified]")[0].startswith("✓")
            assert opened.faults == []


def test_reviewed_passages_come_before_the_server(browser: Any) -> None:
    """With both, the server is asked only what the passages refuse."""
    allowed = {"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "content-type"}
    with ExitStack() as stack:
        given = answer("is three months")
        server = stack.enter_context(served(Site(files={}, headers=allowed, answer=lambda _: (200, given))))
        tag = f'<pincite-ask src="i.json" server="{server.url}"></pincite-ask>'
        site = stack.enter_context(served(plain_site(small_index(), tag)))
        for opened in opened_at(browser, site.url):
            opened.ask("widgets")
            opened.page.locator("[part=passage]").wait_for()
            assert server.posted == []
            opened.ask("zebra")
            opened.page.locator("[part=item]").wait_for()
            assert server.posted == [{"question": "zebra"}]


def test_it_is_dark_only_where_its_page_is(browser: Any) -> None:
    """On a page that knows no dark, a reader who likes dark still sees dark letters on white."""
    with served(plain_site(small_index())) as site:
        for opened in opened_at(browser, site.url, color_scheme="dark"):
            assert opened.page.evaluate(CONTRASTS) == []
