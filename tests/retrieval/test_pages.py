"""Pages that a question names."""

from pathlib import Path

import pytest
from tests.making import pages, record_of

from pincite.passages import chunk
from pincite.questions import StoreCorpus, parse_question, retrieval_query
from pincite.retrieval import HybridRetriever
from pincite.retrieval.pages import named_pages
from pincite.storage.sqlite import SqliteStore
from pincite.types.document import Page
from pincite.types.question import Scope

LABELS = ["Cover", "ii", "iii", "1", "2", "3", None]
SHEETS = tuple(Page(page_num=n, label=label) for n, label in enumerate(LABELS, start=1))


@pytest.mark.parametrize(
    ("hint", "sheets", "by_label"),
    [("3", [6], True), ("iii", [3], True), ("III", [3], True), ("cover", [1], True), ("7", [7], False),
     ("12", [], False), ("x", [], False), ("sheet 2", [2], False), ("first", [1], False), ("last", [7], False),
     ("ii–1", [2, 3, 4], True), ("1-3", [4, 5, 6], True), ("2–9", [5, 6], True)],
)  # fmt: skip
def test_the_printed_number_comes_first(hint: str, sheets: list[int], by_label: bool) -> None:
    """Page 3 is the page on which 3 is printed; only where no page is numbered so is it the third sheet."""
    record = record_of(pages("x"))
    hits = named_pages(hint, [(record, SHEETS)])
    assert [h.page.page_num for h in hits] == sheets
    assert all(h.by_label is by_label for h in hits[:1])


def test_a_label_with_a_hyphen_is_no_range() -> None:
    """Page 2-3 is the page so labelled; where no page is, pages 2 and 3 are meant."""
    prefixed = tuple(Page(page_num=n, label=label) for n, label in enumerate(["1-1", "2-1", "2-2", "2-3"], start=1))
    plain = tuple(Page(page_num=n, label=None) for n in range(1, 5))
    record = record_of(pages("x"))
    assert [h.page.page_num for h in named_pages("2-3", [(record, prefixed)])] == [4]
    assert [h.page.page_num for h in named_pages("2-3", [(record, plain)])] == [2, 3]


def test_a_named_page_is_read_whole_and_alone(tmp_path: Path) -> None:
    """A question for a page reads that page, whatever other pages hold; a page that is not there is said."""
    document = pages("Chapter 1\nPilots rest.", "Chapter 2\nPilots sleep.", "Chapter 3\nCooks rest.")
    with SqliteStore(tmp_path) as store:
        store.put(record_of(document), document, chunk(document))

        def found(question: str) -> tuple[list[tuple[int, int]], str | None]:
            query = retrieval_query(parse_question(question, StoreCorpus(store)), Scope())
            result = HybridRetriever(store, None).retrieve(query, top_k=5)
            return [(r.first_line_id, r.last_line_id) for r in result.filtered_lines], result.not_found_reason

        assert found("What does page 2 say of pilots that rest?") == ([(3, 4)], None)
        ranges, reason = found("What does page 12 say?")
        assert ranges == []
        assert reason == "There is no page 12: paper.pdf has 3."
