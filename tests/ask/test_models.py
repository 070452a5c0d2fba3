"""Questions answered by a model: drafts are checked, corrected once, and never trusted."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.replying import NOT_FOUND, claimed, found, things

from pincite.errors import InvalidOutputError, OutputTruncatedError, ProviderUnavailableError, SettingsError
from pincite.library import Library
from pincite.models.scripted import Scripted, ScriptedModel
from pincite.settings import Settings
from pincite.types.answer import Answer, DateValue, Quantity, Refusal, Truth

FILES = {
    "lamp.md": "# Lamp\n\nThe lamp has 6 panes.\n\nIt was lit on 3 May 1996.\n\nIts keeper is Tove Lind.\n",
    "boats.md": "# Boats\n\n- Alma, 9 m\n- Berta, 12 m\n- Clara, 7 m\n",
    "fees.md": "# Fees\n\n| Class | Fee |\n| --- | --- |\n| small | 40 EUR |\n| large | 90 EUR |\n",
}
Open = Callable[..., tuple[Library, ScriptedModel]]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Return what opens a library of three files whose questions a scripted model answers."""
    made: list[Library] = []

    def open_it(*replies: Scripted, **settings: Any) -> tuple[Library, ScriptedModel]:
        model = ScriptedModel(replies)
        library = Library(
            tmp_path / f"library{len(made)}",
            settings=Settings(jobs=1, embedder="none", **settings),
            models={"answer": model},
        )
        made.append(library)
        docs = tmp_path / "docs"
        docs.mkdir(exist_ok=True)
        for name, text in FILES.items():
            (docs / name).write_text(text, encoding="utf-8")
        library.add(docs)
        return library, model

    yield open_it
    for library in made:
        library.close()


def answered(library: Library, question: str, **more: Any) -> Answer:
    result = library.ask(question, **more)
    assert isinstance(result, Answer), result
    return result


def test_a_models_answer_has_pin_cites(opened: Open) -> None:
    """An item of a model has the page, lines and source characters of its quote, like any other."""
    library, _ = opened(found(("Six panes.", "The lamp has 6 panes.")))
    item = answered(library, "What does the text say about panes of the lamp?").items[0]
    assert (item.text, str(item.citations[0])) == ("Six panes.", "lamp.md l.3")
    assert item.citations[0].verdict.status == "verified"


def test_values_come_from_the_quotes(opened: Open) -> None:
    """Amounts, dates and truths are typed, as the quote has them."""
    library, _ = opened(
        found(("6 panes", "The lamp has 6 panes."), number="6", unit="panes"),
        found(("3 May 1996", "It was lit on 3 May 1996."), iso="1996-05-03", original="3 May 1996"),
        found(("Yes.", "Its keeper is Tove Lind."), value=True),
    )
    amount = answered(library, "How much of panes does the lamp have?", shape="amount", docs=["lamp.md"])
    assert isinstance(amount.items[0].value, Quantity)
    assert amount.items[0].value.number == "6"
    lit = answered(library, "When was the lamp lit?", docs=["lamp.md"])
    assert lit.items[0].value == DateValue(iso="1996-05-03", original="3 May 1996")
    keeper = answered(library, "Is Tove Lind the keeper of the lamp?", docs=["lamp.md"])
    assert keeper.items[0].value == Truth(value=True)


def test_a_stated_number_is_not_counted(opened: Open) -> None:
    """Where a line states how many there are, that line is the answer."""

    def reply(request: Any) -> dict[str, Any]:
        return {
            "found": True,
            "stated": found(("6", "The lamp has 6 panes."), number="6", unit="panes")(request)["items"],
        }

    library, _ = opened(reply)
    item = answered(library, "How many panes does the lamp have?", docs=["lamp.md"]).items[0]
    assert (item.text, item.derivation) == ("6", None)


def test_things_are_counted_by_code(opened: Open) -> None:
    """The model finds each thing, code counts them, and the count cites every one."""
    library, _ = opened(things(("Alma", "Alma, 9 m"), ("Berta", "Berta, 12 m"), ("Clara", "Clara, 7 m")))
    item = answered(library, "How many boats are there?", docs=["boats.md"]).items[0]
    assert isinstance(item.value, Quantity)
    assert (item.value.number, len(item.citations)) == ("3", 3)
    assert item.derivation is not None
    assert item.derivation.operands == ("Alma", "Berta", "Clara")


def test_tables_have_columns_and_cells(opened: Open) -> None:
    """A table answer has named columns; each cell stands in the quote of its row."""

    def reply(request: Any) -> dict[str, Any]:
        rows = found(("small", "| small | 40 EUR |"), ("large", "| large | 90 EUR |"))(request)
        for row, cells in zip(rows["items"], (["small", "40 EUR"], ["large", "90 EUR"]), strict=True):
            row["cells"] = cells
        return {**rows, "columns": ["Class", "Fee"]}

    library, _ = opened(reply)
    table = answered(library, "Which fee does each class pay?", shape="table", docs=["fees.md"])
    assert table.columns == ("Class", "Fee")
    assert [getattr(item.value, "cells", None) for item in table.items] == [("small", "40 EUR"), ("large", "90 EUR")]


WRONG = [
    (claimed("Nine panes.", "The lamp has 9 panes."), "the quote is not in"),
    (found(("The lamp has 9 panes.", "The lamp has 6 panes.")), "value is not in its quotes"),
    ({"found": True, "items": []}, "there are no items"),
    ({**claimed("Six.", "The lamp has 6 panes."), "found": False}, "found is false, but there are items"),
    ({"found": True, "items": [{"text": "Six panes.", "quotes": []}]}, "has no quote"),
    (claimed("Six panes.", "The lamp has 6 panes.", line=99), "cites line 99"),
    (found(("The keeper of the lamp is Ole Berg.", "Its keeper is Tove Lind.")), "names Ole, Berg"),
]


@pytest.mark.parametrize(("wrong", "reason"), WRONG, ids=[reason for _, reason in WRONG])
def test_what_is_wrong_is_told_once(opened: Open, wrong: Scripted, reason: str) -> None:
    """A draft that does not hold goes back once, with the exact reason; a mended reply is the answer."""
    library, model = opened(wrong, found(("Six panes.", "The lamp has 6 panes.")))
    answer = answered(library, "What is said about panes of the lamp?", docs=["lamp.md"])
    assert answer.items[0].text == "Six panes."
    assert len(model.requests) == 2
    assert reason in (model.requests[1].correction or "")
    assert model.requests[1].earlier_reply


@pytest.mark.parametrize("wrong", [WRONG[i][0] for i in (0, 1, 2, 3, 4, 6)])
def test_what_stays_wrong_is_refused(opened: Open, wrong: Scripted) -> None:
    """When the second reply is no better there is no third: the item is dropped, and a refusal is left."""
    library, model = opened(wrong, wrong)
    result = library.ask("What is said about panes of the lamp?", docs=["lamp.md"])
    assert isinstance(result, Refusal)
    assert len(model.requests) == 2


def test_a_right_quote_at_a_wrong_line_is_repaired(opened: Open) -> None:
    """A quote that stands elsewhere than claimed is found there, and the citation says that it was repaired."""
    library, model = opened(claimed("Six panes.", "The lamp has 6 panes.", line=1))
    answer = answered(library, "What is said about panes of the lamp?", docs=["lamp.md"])
    assert answer.items[0].citations[0].verdict.status == "repaired"
    assert answer.items[0].citations[0].first_line == 3
    assert len(model.requests) == 1


def test_good_items_stay_when_others_are_dropped(opened: Open) -> None:
    """An item that fails is dropped with a caveat; those that hold are the answer."""
    wrong = found(("Six panes.", "The lamp has 6 panes."), ("The lamp has 9 panes.", "The lamp has 6 panes."))
    library, _ = opened(wrong, wrong)
    answer = answered(library, "What is said about panes of the lamp?", docs=["lamp.md"])
    assert [item.text for item in answer.items] == ["Six panes."]
    assert any(caveat.startswith("dropped:") for caveat in answer.signals.caveats)
    assert not answer.signals.complete_answer_found


def test_a_failed_service_is_no_refusal(opened: Open) -> None:
    """An error of the service says nothing about the documents, and comes out as that error."""
    library, _ = opened(ProviderUnavailableError("down"))
    with pytest.raises(ProviderUnavailableError):
        library.ask("How many panes has the lamp?")
    library, model = opened(OutputTruncatedError("cut"))
    with pytest.raises(OutputTruncatedError):
        library.ask("How many panes has the lamp?")
    assert len(model.requests) == 1


def test_not_found_is_a_refusal(opened: Open) -> None:
    """A model that finds nothing is believed, and the refusal says what was read."""
    library, _ = opened(*[NOT_FOUND] * 5)
    result = library.ask("Who painted the lamp?", docs=["lamp.md"])
    assert isinstance(result, Refusal)
    assert result.reason == "not_found"


def test_verbatim_quotes_beside_the_point_are_refused(opened: Open) -> None:
    """A weak model that quotes any line at all gets a refusal: the quote says nothing of what was asked."""
    library, _ = opened(*[found(("Clara, 7 m", "Clara, 7 m"))] * 5)
    result = library.ask("How high is the insurance premium of the cathedral?", docs=["boats.md"])
    assert isinstance(result, Refusal)


def test_the_trace_holds_the_calls(opened: Open) -> None:
    """Each call is in the trace: role, model, fragments, tokens, finish reason, and what was wrong before it."""
    library, _ = opened(claimed("Nine.", "nine panes"), found(("Six panes.", "The lamp has 6 panes.")))
    answer = answered(library, "What is said about panes of the lamp?", docs=["lamp.md"])
    first, second = library.trace(answer.trace_id).calls
    assert (first.role, first.provider, first.model, first.finish_reason) == ("answer", "scripted", "test", "stop")
    assert {"base", "data", "shape.text"} <= set(first.fragments)
    assert first.input_tokens > 0
    assert (first.is_correction, second.is_correction) == (False, True)
    assert library.trace(answer.trace_id).versions["model.answer"] == "scripted:test"


def test_marks_in_free_text_are_read(opened: Open) -> None:
    """A model without structured output answers in sentences with [n]; each is quoted from the line that n names."""

    def reply(request: Any) -> str:
        from tests.replying import number_of

        return f"The lamp has 6 panes [{number_of(request, '6 panes')}]. It is nice."

    library, _ = opened(reply, reply, model_output="text")
    answer = answered(library, "What is said about panes of the lamp?", docs=["lamp.md"])
    assert [item.text for item in answer.items] == ["The lamp has 6 panes."]
    assert answer.items[0].citations[0].quote == "The lamp has 6 panes."


def test_free_text_without_marks_is_an_error_after_one_correction(opened: Open) -> None:
    """Text that cites nothing is asked for again once, and is then an error of the model, not of the documents."""
    library, model = opened("It has six.", "Six, I said.")
    with pytest.raises(InvalidOutputError):
        library.ask("How many panes has the lamp?", docs=["lamp.md"])
    assert len(model.requests) == 2


def test_replies_are_kept_in_the_library(tmp_path: Path) -> None:
    """A model of the settings is opened by its name; a name of another form is an error before anything is asked."""
    library = Library(tmp_path / "l", settings=Settings(embedder="none", model="gpt"))
    with library, pytest.raises(SettingsError, match="names no model"):
        library.ask("What is it?")


def test_replay_asks_the_model_again(opened: Open) -> None:
    """A trace can be answered again from its retrieval, with the model there is now."""
    good = found(("Six panes.", "The lamp has 6 panes."))
    library, model = opened(good, good)
    answer = answered(library, "What is said about panes of the lamp?", docs=["lamp.md"])
    again = library.replay(answer.trace_id, from_step="answer")
    assert isinstance(again, Answer)
    assert len(model.requests) == 2
    library.replay(answer.trace_id, from_step="verify")
    assert len(model.requests) == 2
