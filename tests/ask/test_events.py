"""What is told while a question is answered."""

from pathlib import Path
from typing import Any

import pytest
from tests.replying import NOT_FOUND, claimed, found

from pincite.ask.events import (
    AskEvent,
    CandidatesFound,
    Done,
    ItemsChecked,
    ItemsDrafted,
    QuestionParsed,
    RoundDone,
    partial_event,
)
from pincite.errors import ProviderUnavailableError, QuestionError
from pincite.interfaces.cli.live import status_of, watched
from pincite.library import Library
from pincite.models.scripted import Scripted, ScriptedModel
from pincite.settings import Settings
from pincite.types.answer import Answer
from pincite.types.record import to_json


def library_with(tmp_path: Path, *replies: Scripted) -> Library:
    (tmp_path / "lamp.md").write_text("# Lamp\n\nThe lamp has 6 panes.\n", encoding="utf-8")
    models = {"answer": ScriptedModel(replies)} if replies else {}
    library = Library(tmp_path / "l", settings=Settings(jobs=1, embedder="none"), models=models)  # type: ignore[arg-type]
    library.add(tmp_path / "lamp.md")
    return library


def events_of(library: Library, question: str = "What is said of the panes of the lamp?") -> list[AskEvent]:
    with library:
        return list(library.ask_events(question, shape="text"))


def test_events_come_in_order_and_end_with_the_result(tmp_path: Path) -> None:
    """Question, places, draft, verdicts, and last the very result; the same without a model as with one."""
    for folder, replies in (("a", ()), ("b", (found(("Six panes.", "The lamp has 6 panes.")),))):
        (tmp_path / folder).mkdir()
        events = events_of(library_with(tmp_path / folder, *replies))
        kinds = [type(event) for event in events if not (isinstance(event, ItemsDrafted) and event.is_partial)]
        assert kinds == [QuestionParsed, CandidatesFound, ItemsDrafted, ItemsChecked, Done]
        last = events[-1]
        assert isinstance(last, Done)
        assert isinstance(last.result, Answer)
        assert [to_json(event)["event"] for event in events][-1] == "done"


def test_unchecked_items_are_never_shown_as_checked(tmp_path: Path) -> None:
    """An item that fails the check is told as drafted and as rejected, never among the items that hold."""
    wrong = claimed("Nine panes.", "The lamp has 9 panes.")
    events = events_of(library_with(tmp_path, wrong, wrong))
    drafted = [text for event in events if isinstance(event, ItemsDrafted) for text in event.texts]
    checked = [item.text for event in events if isinstance(event, ItemsChecked) for item in event.items]
    assert "Nine panes." in drafted
    assert checked == []
    assert any(event.is_partial for event in events if isinstance(event, ItemsDrafted))


def test_failures_come_out_where_they_are_waited_for(tmp_path: Path) -> None:
    """An error of the question or of a service is raised by the iteration."""
    with library_with(tmp_path, ProviderUnavailableError("down")) as library:
        with pytest.raises(ProviderUnavailableError):
            list(library.ask_events("What is said of the panes of the lamp?"))
        with pytest.raises(QuestionError):
            list(library.ask_events("  "))


def test_who_stops_listening_ends_the_work(tmp_path: Path) -> None:
    """After the first event nothing more is asked of the model when nobody listens."""
    (tmp_path / "lamp.md").write_text("# Lamp\n\nThe lamp has 6 panes.\n", encoding="utf-8")
    model = ScriptedModel([NOT_FOUND] * 5)
    with Library(tmp_path / "l", settings=Settings(jobs=1, embedder="none"), models={"answer": model}) as library:
        library.add(tmp_path / "lamp.md")
        events = library.ask_events("What is said of the panes of the lamp?")
        next(events)
        events.close()  # type: ignore[attr-defined]
    assert len(model.requests) <= 1


@pytest.mark.parametrize("reply", [{}, {"items": None}, {"items": [{"text": 3}, "x", {"text": "a"}]}, [], None, "x"])
def test_half_replies_are_read_safely(reply: Any) -> None:
    """Whatever is there of a reply, only texts of items come out."""
    assert set(partial_event(reply).texts) <= {"a"}


def test_the_status_line_says_unchecked(tmp_path: Path) -> None:
    """Progress calls what is being written unchecked, on one line without control characters or markup."""
    said = status_of(ItemsDrafted(texts=("Six\x1b[31m panes\nof [bold]glass",), is_partial=True))
    assert said.startswith("Writing, not checked yet: Six")
    assert said.isprintable()
    assert "[" not in said
    for event in events_of(library_with(tmp_path)):
        assert len(status_of(event)) <= 72


def test_watching_returns_the_result(tmp_path: Path) -> None:
    """Where there is no terminal nothing is shown, and the result is that of the last event."""
    with library_with(tmp_path) as library:
        result = watched(library.ask_events("What is said of the panes of the lamp?", shape="text"))
    assert isinstance(result, Answer)
    assert RoundDone.__struct_config__.tag == "round"
