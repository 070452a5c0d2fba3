"""An answer that travels is checked again offline, and whatever was changed in it is found."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.making import cited

from pincite.errors import QuoteError
from pincite.types.answer import Answer, ClaimedQuote, Draft, DraftItem, Quantity, Signals
from pincite.types.record import from_json, to_json
from pincite.types.trace import Bundle, DocumentState, Trace
from pincite.verifying import bundle_of, check_bundle, result_of, verify

NOTE = cited("# Lock\n\nThe sill of lock 4 is 3.2 m deep.\nIt was re-\nbuilt in 1996.\n")


def bundle() -> Bundle:
    quotes = [("The sill of lock 4 is 3.2 m deep.", 3, 3), ("It was rebuilt in 1996.", 4, 5)]
    items = tuple(
        DraftItem(
            text=text,
            quotes=(ClaimedQuote(doc_id="note.md", first_line_id=first, last_line_id=last, quote=text),),
            value=Quantity(number="3.2", unit="m") if first == 3 else None,
        )
        for text, first, last in quotes
    )
    found = verify(Draft(shape="text", items=items), {"note.md": NOTE})
    assert len(found.items) == 2
    signals = Signals(
        answer_found=True, complete_answer_found=True, context_completeness=1, context_structured=True, confidence=1
    )
    answer = Answer(question="q", shape="text", items=found.items, signals=signals, trace_id="t")
    state = DocumentState(
        doc_id="note.md", name="note.md", content_hash=NOTE.document.content_hash, parser=NOTE.document.parser
    )
    trace = Trace(
        trace_id="t", question="q", asked_at="now", versions={}, settings={}, scope=None, steps=(), rounds=(),
        documents=(state,), result=to_json(answer),
    )  # fmt: skip
    return bundle_of(trace, lambda _: NOTE.document, "1.0")


HONEST = to_json(bundle())


def reasons(data: Any) -> list[str | None]:
    return [checked.reason for checked in check_bundle(from_json(data, Bundle))]


def changed(*path: Any, to: Any) -> Any:
    """Return the honest bundle with one value changed."""
    data = to_json(from_json(HONEST, Bundle))
    at = data
    for key in path[:-1]:
        at = at[key]
    assert at[path[-1]] != to
    at[path[-1]] = to
    return data


CITATION = ("result", "items", 0, "citations", 0)


def test_an_honest_bundle_holds() -> None:
    """Every citation holds, over line ends as well; the bundle keeps just the quoted lines."""
    assert reasons(HONEST) == [None, None]
    assert [line["line_id"] for line in HONEST["lines"]] == [3, 4, 5]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (changed(*CITATION, "quote", to="The sill of lock 4 is 3.3 m deep."), "value"),
        (changed(*CITATION, "quote", to="The sill of lock 4 is 3.2 m wide."), "quote"),
        (changed(*CITATION, "quote", to="THE SILL OF LOCK 4 IS 3.2 m DEEP."), "quote"),
        (changed(*CITATION, "claimed_quote", to="The sill of lock 5 is 3.2 m deep."), "claimed"),
        (changed(*CITATION, "page", to=2), "page"),
        (changed(*CITATION, "first_line", to=4), "line"),
        (changed(*CITATION, "last_line", to=4), "line"),
        (changed(*CITATION, "last_page", to=3), "page"),
        (changed(*CITATION, "doc_name", to="other.md"), "name"),
        (changed(*CITATION, "line_ids", to=[4]), "page or line"),
        (changed(*CITATION, "line_ids", to=[99]), "hold the cited lines"),
        (changed(*CITATION, "line_ids", to=[]), "hold the cited lines"),
        (changed(*CITATION, "content_hash", to="0" * 64), "hash"),
        (changed("documents", 0, "content_hash", to="0" * 64), "hash"),
        (changed("documents", to=[]), "hash"),
        (changed("lines", 0, "text", to="The sill of lock 4 is 3.9 m deep."), "quote"),
        (changed("lines", 0, "page_num", to=2), "page"),
        (changed("result", "items", 0, "value", "number", to="3.9"), "value"),
        (changed("result", "items", 0, "text", to="The sill is 3.9 m deep."), "value"),
    ],
)
def test_whatever_is_changed_is_found(data: Any, said: str) -> None:
    """A changed quote, place, hash, line, value or text does not hold, and the reason says which it is."""
    reason = reasons(data)[0]
    assert reason is not None
    assert said in reason


@given(st.data())
def test_any_other_letter_or_digit_in_a_quote_is_found(data: st.DataObject) -> None:
    """Whichever character of a quote is another, its citation does not hold."""
    quote = HONEST["result"]["items"][0]["citations"][0]["quote"]
    at = data.draw(st.integers(0, len(quote) - 1))
    other = data.draw(st.sampled_from([c for c in "aZ59-§" if c != quote[at]]))
    assert reasons(changed(*CITATION, "quote", to=quote[:at] + other + quote[at + 1 :]))[0] is not None


def test_another_normaliser_is_said() -> None:
    """A bundle of other folds cannot be judged, and says what to do."""
    with pytest.raises(QuoteError, match="normaliser"):
        check_bundle(from_json(changed("normaliser_version", to=99), Bundle))


@pytest.mark.parametrize("data", [None, {}, {"result": "answer"}, [1], "x"])
def test_what_is_no_answer_is_said(data: Any) -> None:
    """Anything else than an answer or refusal is a `QuoteError`."""
    with pytest.raises(QuoteError):
        result_of(data)
