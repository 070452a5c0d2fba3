"""Asking: steps while it works, answers in their shapes, cites, refusals, reasons, what was asked before."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from tests.web.opened import Opened

Open = Callable[..., Opened]


def test_a_question_is_answered_step_by_step(web: Opened) -> None:
    """While it works the steps are shown, in order; then the answer with a verified cite, said to a screen reader."""
    web.page.evaluate("""() => { window.steps = []; new MutationObserver(() => {
      for (const step of document.querySelectorAll(".steps .lead"))
        if (!window.steps.includes(step.textContent)) window.steps.push(step.textContent);
    }).observe(document.getElementById("output"), { childList: true, subtree: true }); }""")

    web.ask("How much is the rent of the boathouse?")

    assert web.page.evaluate("window.steps") == ["Asking", "Understood", "Reading", "Drafted", "Checked"]
    assert web.texts(".valued .value") == ["1,250 EUR"]
    name = "Source 1: lease.pdf p.11 [sheet 1] l.3, verified"
    assert web.page.get_by_role("button", name=name).count() == 1
    assert web.texts(".source .quote") == ["The rent of the boathouse is 1,250 EUR a month."]
    assert web.page.get_by_role("status").filter(has_text="Answer: 1 item").count() == 1
    web.shot("amount")


@pytest.mark.parametrize(
    ("question", "large", "beside"),
    [
        ("When does the lease begin?", "3 March 2025", "2025-03-03"),
        ("Is subletting allowed?", "No", "Subletting is not allowed."),
    ],
)
def test_values_are_shown_as_values(web: Opened, question: str, large: str, beside: str) -> None:
    """A date and a yes or no stand large, with what they come from below."""
    web.ask(question)

    assert web.texts(".valued .value") == [large]
    assert beside in web.texts(".valued .from")[0]


def test_a_list_shares_its_source(web: Opened) -> None:
    """A list is a list; items that rest on the same lines carry the same number."""
    web.ask("What are the keys of the boathouse?")

    assert web.texts(".items li > span[dir]") == ["the gate key", "the shed key", "the locker key"]
    assert web.texts(".items .cite") == ["1"] * 3
    assert len(web.texts(".source")) == 1
    web.shot("list")


def test_a_refusal_says_what_was_done(web: Opened) -> None:
    """No answer: why, what was searched and read, words that occur nowhere, and the nearest lines."""
    web.ask("How much is the deposit of the boathouse?")

    extent = web.texts(".extent")[0]
    assert "6 documents" in extent
    assert "deposit nowhere" in " ".join(extent.split())
    assert "Read" in extent
    assert web.texts(".refused .reason") == ["Not in the lines that were read"]
    assert "These do not answer the question." in web.texts(".result")[0]
    assert web.page.locator(".source .mark").count() == 0
    web.page.locator(".source-place").first.click()
    web.page.locator("#viewer .scroller").wait_for()
    web.shot("refusal")


def made_up(web: Opened, **changed: Any) -> None:
    """Let the next question be answered with a changed copy of a real answer, as a model would give it."""
    real = web.page.request.post(web.address + "v1/ask", data={"question": "Which plans are there?"}).json()
    citations = [item["citations"][0] for item in real["items"]]
    given = real | {"question": "made up"} | changed
    given["items"] = [
        {"derivation": None, "value": None, **item, "citations": [citations[at % 2] | item.get("cited", {})]}
        for at, item in enumerate(given["items"])
    ]
    stream = f"event: done\ndata: {json.dumps({'event': 'done', 'result': given})}\n\n"
    web.page.route("**/v1/ask*", lambda route: route.fulfill(content_type="text/event-stream", body=stream))


def rows(*cells: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return items of cells, named by the first."""
    return [{"text": row[0], "value": {"kind": "cells", "cells": row}} for row in cells]


def test_a_comparison_stands_side_by_side(web: Opened) -> None:
    """The sides of a comparison are columns, a row for each thing; its two places open beside each other."""
    made_up(web, shape="comparison", columns=["Plan", "Price", "Seats"],
            items=rows(("Basic", "10 EUR", "3"), ("Team", "25 EUR", "10")))  # fmt: skip
    web.ask("made up")

    heads = [text.split()[0] for text in web.texts(".sides thead th")]
    assert heads == ["Basic", "Team"]
    body = web.page.locator(".sides tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(c => c.textContent))"
    )
    assert body == [["Price", "10 EUR", "25 EUR"], ["Seats", "3", "10"]]
    web.page.get_by_role("button", name="side by side").click()
    web.page.locator("#viewer-beside .line.cited.second").wait_for()
    assert web.texts("#viewer .line.cited .line-text") == ["| Basic | 10 EUR | 3 |"]
    web.shot("comparison")


def test_a_table_is_a_table(web: Opened) -> None:
    """A table keeps its columns, with the cites of each row at its end."""
    made_up(web, shape="table", columns=["Plan", "Price"], items=rows(("Basic", "10 EUR"), ("Team", "25 EUR")))
    web.ask("made up")

    assert web.texts(".grid thead th") == ["Plan", "Price", "Source"]
    assert web.page.locator(".grid tbody tr").nth(1).get_by_role("button").count() == 1


def test_marks_say_what_was_checked(web: Opened) -> None:
    """Green says verified; repaired and OCR look and read differently, and nothing else on the page is green."""
    verdict = {"status": "repaired", "match": "folded", "folds": ["case"], "value": "none", "reason": None}
    made_up(web, shape="list", columns=[], items=[
        {"text": "one", "cited": {"verdict": verdict}}, {"text": "two", "cited": {"layer": "ocr"}}])  # fmt: skip
    web.ask("made up")

    names = web.page.locator(".cite").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    assert [name.split(", ", 1)[1] for name in names] == ["repaired", "verified, OCR"]
    greens = web.page.evaluate("""() => [...document.querySelectorAll("body *")].filter((element) => {
      const [r, g, b] = getComputedStyle(element).color.match(/[\\d.]+/g).map(Number);
      return g > r + 30 && g > b + 20; }).map((element) => element.closest(".mark")?.className ?? element.tagName)""")
    assert set(greens) == {"mark good"}
    web.shot("marks")


def test_a_quote_that_is_not_in_its_lines_is_not_green(web: Opened) -> None:
    """The browser looks each quote up in the lines that came with it: a server that is wrong gets no green mark."""
    made_up(
        web,
        shape="list",
        columns=[],
        items=[{"text": "one", "cited": {"quote": "| Basic | 1 EUR | 3 |"}}, {"text": "two"}],
    )
    web.ask("made up")

    assert "not in its lines" in web.page.locator(".cite").first.get_attribute("aria-label")
    assert web.page.locator(".items .mark.good").count() == 1


def test_very_long_text_stays_in_its_place(web: Opened) -> None:
    """Words without end, many items and long questions make the page longer, never wider."""
    made_up(web, shape="list", columns=[], question="q" * 900, items=[
        {"text": "w" * 4000 if at == 3 else f"item {at}"} for at in range(120)])  # fmt: skip
    web.page.locator("#question").fill("why " * 300)
    web.page.keyboard.press("Enter")
    web.page.locator(".items li").nth(119).wait_for()

    assert web.page.evaluate(
        "document.querySelector('.middle').scrollWidth <= document.querySelector('.middle').clientWidth"
    )
    web.shot("very-long")


def test_a_failed_server_is_no_refusal(web: Opened) -> None:
    """A failure is shown as a failure, with its words and a way to try again; nobody takes it for a no."""
    problem = {"title": "The model cannot be reached", "status": 502, "detail": "Is it running?", "code": "provider"}
    web.page.route("**/v1/ask*", lambda route: route.fulfill(
        content_type="text/event-stream", body=f"event: error\ndata: {json.dumps(problem)}\n\n"))  # fmt: skip
    web.page.locator("#question").fill("anything")
    web.page.keyboard.press("Enter")
    web.page.get_by_text("The model cannot be reached").wait_for()

    assert web.page.locator(".refused, .result").count() == 0
    web.shot("failure")
    web.page.unroute("**/v1/ask*")
    web.page.locator("#question").fill("Is subletting allowed?")
    web.page.get_by_role("button", name="Ask", exact=True).click()
    web.page.locator(".result").wait_for()


def test_a_busy_server_is_waited_for(web: Opened) -> None:
    """Where the server says "come again in a second", the page does, and nobody has to press a button."""
    turned_away: list[str] = []

    def answer(route: Any) -> None:
        if turned_away:
            route.continue_()
        else:
            turned_away.append(route.request.url)
            route.fulfill(status=503, headers={"Retry-After": "1"}, json={"status": 503, "title": "Too much to do"})

    web.page.route("**/v1/ask*", answer)
    web.ask("Is subletting allowed?")

    assert len(turned_away) == 1
    assert web.texts(".valued .value") == ["No"]
    assert [fault for fault in web.faults if "503" not in fault] == []
    web.faults.clear()


def test_stop_ends_the_work(web: Opened) -> None:
    """Escape or Stop leaves a question that is being answered; the words stay to be changed."""
    web.page.route("**/v1/ask*", lambda _: None)
    web.page.locator("#question").fill("How long will this take?")
    web.page.keyboard.press("Enter")
    web.page.locator(".steps").wait_for()
    web.shot("steps")
    web.page.get_by_role("button", name="Stop").click()
    web.page.get_by_text("Nothing was answered").wait_for()

    assert web.page.locator("#question").input_value() == "How long will this take?"


def test_only_the_ticked_documents_are_asked(web: Opened) -> None:
    """A tick narrows the question to a document, and says so beside the box."""
    web.page.get_by_label("Ask only plan.md").check()
    assert web.texts(".chip-name") == ["Only plan.md"]
    web.ask("What is the notice period?")
    assert web.page.locator(".result.refusal").count() == 1
    assert "1 document" in web.texts(".extent")[0]

    web.page.get_by_role("button", name="Ask all documents again").click()
    web.ask("What is the notice period?")
    assert web.page.locator(".result.answer").count() == 1


def test_why_says_how_it_came_about(web: Opened) -> None:
    """The drawer shows what was understood, which detectors found what by which words, and how long each step took."""
    web.ask("What is the notice period?")
    web.page.get_by_role("button", name="Why this?").click()
    drawer = web.page.get_by_role("dialog")
    drawer.get_by_text("Looked at").wait_for()

    text = drawer.inner_text()
    assert [word in text for word in ("Understood", "notice", "keyword #1", "×1", "Time taken", "retrieval")] == [
        True
    ] * 6
    web.shot("why")
    drawer.locator(".place").first.click()
    web.page.locator("#viewer .page.drawn .highlight").first.wait_for()
    assert web.page.get_by_role("dialog").count() == 0


def test_what_was_asked_comes_back(open_page: Open, web: Opened) -> None:
    """History lists what was asked; a click shows the stored answer, and so does its link on another machine."""
    web.ask("When does the lease begin?")
    web.page.get_by_role("button", name="History").click()
    web.page.locator(".asked-before", has_text="When does the lease begin?").first.wait_for()
    web.shot("history")
    web.ask("Is subletting allowed?")
    web.page.locator(".asked-before", has_text="When does the lease begin?").first.click()
    web.page.locator(".valued .value", has_text="3 March 2025").wait_for()

    again = open_page("#answer=" + web.place_in_address()["answer"])
    again.page.locator(".valued .value", has_text="3 March 2025").wait_for()


def test_answers_can_be_taken_along(web: Opened) -> None:
    """An answer is downloaded as a report, Markdown, a table, a highlighted PDF or JSON."""
    web.ask("How much is the rent of the boathouse?")
    kinds = {
        "Report": b"<!doctype html>",
        "Markdown": b"",
        "Table": b"",
        "Highlighted PDF": b"%PDF-",
        "JSON": b"{",
        "Bundle": b"{",
    }
    for label, start in kinds.items():
        web.page.get_by_role("button", name="Export").click()
        with web.page.expect_download() as download:
            web.page.get_by_role("menuitem", name=label).click()
        content = download.value.path().read_bytes()
        assert content.startswith(start)
        assert b"1,250" in content or label == "Highlighted PDF"


def test_a_cite_can_be_copied(web: Opened) -> None:
    """A cite is copied as text, Markdown or BibTeX; marks of those languages in a name or quote are escaped."""
    web.window.grant_permissions(["clipboard-read", "clipboard-write"])
    web.ask("How much is the hostile fee?")
    copied = {}
    for form in ("Text", "Markdown", "BibTeX", "Link"):
        web.page.get_by_role("button", name="Copy cite 1").click()
        web.page.get_by_role("menuitem", name=form).click()
        web.page.get_by_text(f"{form} copied").first.wait_for()
        copied[form] = web.page.evaluate("navigator.clipboard.readText()")

    assert "The hostile fee is 77 EUR <script>" in copied["Text"]
    assert re.search(r"\.pdf p\.1 l\.(?:1–)?2$", copied["Text"])
    assert "\\<script\\>" in copied["Markdown"]
    assert copied["BibTeX"].startswith("@misc{")
    assert re.search(r"lines=[12]-2", copied["Link"])


def test_is_this_cite_right(web: Opened) -> None:
    """Yes or no to a cite is kept on the server for evaluation."""
    web.ask("Is subletting allowed?")
    with web.page.expect_response("**/feedback*") as reply:
        web.page.get_by_role("button", name="Cite 1 is right").click()

    assert reply.value.ok
    assert json.loads(reply.value.request.post_data)["right"] is True
    assert web.page.get_by_role("button", name="Cite 1 is right").get_attribute("aria-pressed") == "true"
