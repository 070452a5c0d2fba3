"""The documents pane: files added with progress, failures that say why, hostile names, deletion, collections."""

import json
import re
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.making import HOSTILE, lease, new_token, pdf_of, serving
from tests.web.opened import Opened

from pincite import Library
from pincite.settings import Settings

Open = Callable[..., Opened]


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a library without documents."""
    with serving(tmp_path_factory.mktemp("empty") / "library") as address:
        yield address


@pytest.fixture
def fresh(open_page: Open, empty: str, request: pytest.FixtureRequest) -> Opened:
    """Return the page with a collection of its own, which has no documents."""
    name = request.node.name.replace("_", "-")[:60]
    body = json.dumps({"name": name}).encode()
    headers = {"Content-Type": "application/json"}
    urllib.request.urlopen(urllib.request.Request(f"{empty}v1/collections", body, headers)).close()  # noqa: S310
    return open_page(f"#collection={name}", at=empty)


def test_from_a_file_to_a_cite(fresh: Opened) -> None:
    """Upload a PDF, watch it go in, ask, click the cite: the line is marked on its page."""
    web = fresh
    web.page.get_by_text("Add documents to begin").wait_for()
    web.shot("empty")
    web.page.evaluate("""() => { window.said = new Set(); new MutationObserver(() => {
      for (const one of document.querySelectorAll(".job-said")) window.said.add(one.textContent.split(" ")[0]);
    }).observe(document.getElementById("adding"), { childList: true, subtree: true, characterData: true }); }""")
    files = [{"name": "lease.pdf", "mimeType": "application/pdf", "buffer": lease()}]
    web.page.locator("#file-input").set_input_files(files)
    web.page.locator(".doc", has_text="lease.pdf").wait_for()
    assert {"sending", "added"} <= set(web.page.evaluate("[...window.said]"))

    web.ask("What is the notice period?")
    web.open_cite()
    assert web.on_page(".highlight", 1) != []


def test_what_cannot_be_read_says_why(fresh: Opened) -> None:
    """A file that is no document is named with its reason, and does not stop the others; the same bytes are known."""
    web = fresh
    files = [
        ("broken.pdf", b"%PDF-1.7 nothing"),
        ("rules.md", b"# Rules\n\nDogs stay outside.\n"),
        ("again.pdf", lease()),
    ]
    web.page.locator("#file-input").set_input_files(
        [{"name": name, "mimeType": "application/octet-stream", "buffer": content} for name, content in files]
    )
    web.page.locator(".doc", has_text="rules.md").wait_for()
    web.page.locator(".job.failed", has_text="broken.pdf").wait_for()

    assert "not added" in web.texts(".job.failed .job-said")[0]
    web.shot("failed-file")
    web.page.get_by_role("button", name="Put away broken.pdf").click()
    assert web.page.locator(".job.failed").count() == 0


def test_many_files_at_once(fresh: Opened) -> None:
    """Many files are taken in one after the other, each with its line; what is there already is not added twice."""
    web = fresh
    files = [
        {"name": f"note-{n:02}.md", "mimeType": "text/markdown", "buffer": f"# Note {n}\n\nThe mark is {n}.\n".encode()}
        for n in range(12)
    ]
    web.page.locator("#file-input").set_input_files([*files, {**files[3], "name": "same-bytes.md"}])
    web.page.get_by_text("12 documents", exact=True).wait_for()
    web.page.wait_for_function("() => !document.querySelector('.job')")

    assert web.texts(".doc-name") == [file["name"] for file in files]
    assert web.page.locator(".job").count() == 0


def test_files_are_dropped_anywhere(fresh: Opened) -> None:
    """Files dropped on the window are added; while they hover the window says so."""
    web = fresh
    transfer = web.page.evaluate_handle("""() => { const given = new DataTransfer();
      given.items.add(new File(["# Dropped\\n\\nThe tide is high at noon.\\n"], "dropped.md")); return given; }""")
    web.page.dispatch_event("body", "dragenter", {"dataTransfer": transfer})
    assert web.page.locator("#veil").is_visible()
    web.page.dispatch_event("body", "drop", {"dataTransfer": transfer})

    web.page.locator(".doc", has_text="dropped.md").wait_for()
    assert web.page.locator("#veil").is_hidden()


def test_text_of_documents_is_never_html(fresh: Opened) -> None:
    """Markup and control characters in names, titles, text and questions are shown as text and run nothing."""
    web = fresh
    name = "<img src=x onerror=document.title='run'>\u202egpj.pdf"
    text = f"# {HOSTILE}\n\n{HOSTILE}\n\nThe wild fee is 5 EUR.\n"
    content = pdf_of((f"# {HOSTILE[:30]}", f"The hostile fee is 77 EUR {HOSTILE[-20:]}"), title=HOSTILE)
    web.page.locator("#file-input").set_input_files(
        [{"name": name, "mimeType": "application/pdf", "buffer": content},
         {"name": "<b>x.md", "mimeType": "text/markdown", "buffer": text.encode()}]
    )  # fmt: skip
    web.page.locator(".doc", has_text="gpj.pdf").wait_for()
    web.page.locator(".doc", has_text="<b>x.md").wait_for()
    assert "\u202e" not in "".join(web.texts(".doc"))

    web.ask("How much is the hostile fee?")
    web.open_cite()
    web.page.locator("#viewer").get_by_role("button", name="Contents and pages").click()
    web.ask(f"{HOSTILE} How much is the wild fee?")
    web.page.locator(".cite, .source-place").first.click()
    web.page.locator("#viewer .line").first.wait_for()
    web.page.get_by_role("button", name="Why this?").click()
    web.page.get_by_text("Time taken").wait_for()

    assert web.page.title() == "pincite"
    assert web.page.locator("body img[onerror], body script, .output img").count() == 0


def test_deleting_asks_first(fresh: Opened) -> None:
    """A document goes only after a yes; Escape and Keep leave it, and the focus comes back."""
    web = fresh
    files = [{"name": "old.md", "mimeType": "text/markdown", "buffer": b"# Old\n\nNobody needs this any more.\n"}]
    web.page.locator("#file-input").set_input_files(files)
    row = web.page.locator(".doc", has_text="old.md")
    row.wait_for()
    row.locator(".doc-open").focus()
    web.page.keyboard.press("Delete")
    web.page.get_by_role("dialog").wait_for()
    web.shot("delete")
    web.page.keyboard.press("Escape")
    assert row.count() == 1
    row.locator(".doc-open").focus()
    web.page.keyboard.press("Delete")
    web.page.get_by_role("button", name="Delete", exact=True).click()
    row.wait_for(state="detached")

    assert web.page.evaluate("document.activeElement.matches('.doc-open, #filter')")


def test_the_filter_narrows_the_list(web: Opened) -> None:
    """The filter finds documents by their names; nothing found is said in words."""
    web.page.get_by_label("Filter the documents by name").fill("lea")
    web.page.get_by_text("1 document", exact=True).wait_for()
    assert web.texts(".doc-name") == ["lease.pdf"]
    web.page.get_by_label("Filter the documents by name").fill("zebra")
    web.page.get_by_text("No document is called “zebra”.").wait_for()


def test_collections_are_apart(open_page: Open, empty: str) -> None:
    """A new collection is empty and knows nothing of the others; the choice is in the links."""
    web = open_page(at=empty)
    web.page.locator("#collection").select_option(label="New collection …")
    web.page.get_by_role("textbox", name="Name").fill("Not A Name")
    web.page.get_by_role("button", name="Create").click()
    web.page.get_by_text("A name begins with").wait_for()
    web.page.get_by_role("textbox", name="Name").fill("second")
    web.page.get_by_role("button", name="Create").click()
    web.page.wait_for_function("() => document.getElementById('collection').value === 'second'")

    assert web.texts(".doc") == []
    assert web.place_in_address()["collection"] == "second"


def test_a_token_is_asked_for(open_page: Open, browser: Any, documents: Path, tmp_path: Path) -> None:
    """Where the server wants a token the page asks for it, says when it is wrong, and shows only what it allows."""
    library = tmp_path / "library"
    with Library(library, settings=Settings(embedder="none")) as opened:
        opened.add(documents / "plan.md")
    reading, asking = (new_token(library, "--scope", scope, "--collection", "default") for scope in ("read", "ask"))
    with serving(library, "--require-token") as address:
        web = open_page(at=address)
        web.page.get_by_label("Token", exact=True).fill("pct_wrong")
        web.page.get_by_role("button", name="Open", exact=True).click()
        web.page.locator(".wrong:not(:empty)").wait_for()
        web.shot("token")
        web.page.get_by_label("Token", exact=True).fill(asking)
        web.page.keyboard.press("Enter")
        web.ask("Which plans are there?")
        assert web.page.locator("#add-button").is_hidden()
        assert web.page.get_by_role("button", name="Delete plan.md").count() == 0
        web.page.reload()
        web.page.locator(".doc").first.wait_for()
        assert all("401" in fault for fault in web.faults)
        web.faults.clear()

        only = open_page(at=address)
        only.page.get_by_label("Token", exact=True).fill(reading)
        only.page.keyboard.press("Enter")
        only.page.locator(".doc").first.wait_for()
        assert only.page.locator("#question").is_disabled()
        assert only.page.get_by_role("button", name="History").count() == 0
        only.faults.clear()
        for one in (web, only):
            one.window.close()


def test_the_page_trusts_nothing_but_itself(web: Opened) -> None:
    """The page comes with a policy that allows no inline script or style, nothing from elsewhere, no HTML of text."""
    headers = web.page.request.get(web.address).headers

    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["require-trusted-types-for"] == "'script'"


def test_the_first_paint_is_small() -> None:
    """Script that is fetched before anything is opened is less than 100 KB, and none of it comes from elsewhere."""
    folder = Path(__file__).parents[2] / "src" / "pincite" / "web"
    needed, waiting = set(), ["app.js"]
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            text = (folder / name).read_text()
            imports = re.findall(r'^import [^;]* from "([^"]+)";', text, re.MULTILINE)
            assert all(one.startswith("./") for one in imports)
            waiting += [one.removeprefix("./") for one in imports]
    assert {"viewer.js", "pages.js", "why.js"}.isdisjoint(needed)
    assert sum((folder / name).stat().st_size for name in needed) < 100_000
    index = (folder / "index.html").read_text()
    preloaded = re.findall(r'rel="modulepreload" href="([^"]+)"', index)
    assert set(preloaded) == needed - {"app.js"}
    assert [part for part in ("http:", "https:", "<style", " style=", "onclick") if part in index] == []
