"""A refusal says what was searched and read, and no more."""

from typing import Any

import pytest

from pincite.types.answer import ReadExtent, Refusal, Searched, UnreadablePage
from pincite.verifying.absence import Absence, refuse


def refusal(*, documents: int = 3, lines: int = 40, **known: Any) -> Refusal:
    absence = Absence(
        searched=Searched(documents=documents, pages=12, sections=5, terms=()),
        read=ReadExtent(lines=lines, pages=2),
        **known,
    )
    return refuse("What is the fee?", absence, trace_id="t")


def test_not_found_claims_only_what_was_read() -> None:
    """The message names the lines that were read, of all that was searched."""
    refused = refusal()
    assert refused.reason == "not_found"
    assert refused.message == "Not in the 40 lines that were read, of the 3 documents (12 pages) searched."
    assert not refused.signals.answer_found


def test_only_a_whole_reading_says_more() -> None:
    """That every line was read is said when it was, for one document or several."""
    assert "every line of the document was read" in refusal(documents=1, whole_scope_read=True).message
    assert "every line" not in refusal().message


def test_nothing_that_matches() -> None:
    """Without a line to read, the message does not speak of lines; words that occur nowhere are named."""
    refused = refusal(lines=0, missing_keywords=("zebra",))
    assert refused.message.startswith("Nothing that matches was found")
    assert "zebra" in refused.message
    assert refused.signals.missing_keywords == ("zebra",)


def test_pages_that_could_not_be_read_are_named() -> None:
    """An unreadable page may hold the answer: the refusal says which one and why."""
    page = UnreadablePage(doc_name="a.pdf", page=2, reason="a picture")
    refused = refusal(unreadable=(page,), whole_scope_read=True)
    assert (refused.reason, refused.unreadable_pages) == ("unreadable", (page,))
    assert "a.pdf page 2 (a picture)" in refused.message
    assert "every line" not in refused.message


def test_many_pages_are_counted() -> None:
    """A long list is cut, and says by how much."""
    unreadable = tuple(UnreadablePage(doc_name="a.pdf", page=n, reason="x") for n in range(1, 9))
    assert refusal(unreadable=unreadable).message.endswith("and 3 more.")


@pytest.mark.parametrize(
    ("known", "reason"),
    [
        ({"ambiguous": "Which lock?"}, "ambiguous"),
        ({"documents": 0}, "empty"),
        ({"rejected": ("no quote",)}, "unsupported"),
        ({"reason": "There is no page 12."}, "not_found"),
    ],
)
def test_other_reasons(known: dict[str, Any], reason: str) -> None:
    """A question back, an empty library, a draft that failed and a missing page are told apart."""
    refused = refusal(**known)
    assert refused.reason == reason
    assert refused.message == known.get("ambiguous", known.get("reason", refused.message))


def test_what_failed_the_check_is_said() -> None:
    """The caveats give the reason for every item that was dropped."""
    assert refusal(rejected=("A: no quote",)).signals.caveats == ("dropped: A: no quote",)


def test_attachments_that_were_not_read_are_named() -> None:
    """A file inside the file may hold the answer."""
    refused = refusal(unread_files=("annex.pdf",))
    assert "attachment annex.pdf" in refused.message
    assert refused.signals.caveats == ("attachment annex.pdf not indexed",)
