"""Follow-ups become full questions, shown to whoever asked; several intents become several questions."""

import json
from pathlib import Path

import pytest

from pincite.ask.conversation import Conversation
from pincite.errors import InvalidOutputError, ProviderUnavailableError
from pincite.models.scripted import Scripted, ScriptedModel
from pincite.types.answer import Answer, Item, Refusal, Result, Signals

SIGNALS = Signals(
    answer_found=True, complete_answer_found=True, context_completeness=1.0, context_structured=True, confidence=1.0
)


def talking(*items: str, model: ScriptedModel | None = None) -> tuple[Conversation, list[str]]:
    """Return a conversation whose every answer has these items, and the questions it was asked."""
    asked: list[str] = []

    def answer(question: str) -> Result:
        asked.append(question)
        made = tuple(Item(text=item, citations=()) for item in items)
        return Answer(question=question, shape="list", items=made, signals=SIGNALS, trace_id="t")

    return Conversation(answer, lambda: model), asked


@pytest.mark.parametrize(
    ("first", "then", "full"),
    [
        ("What was the revenue in 2018?", "And for 2019?", "What was the revenue in 2019?"),
        ("What was the revenue in 2018?", "and in 2019?", "What was the revenue in 2019?"),
        ("What is the fee for small boats?", "What about large boats?", "What is the fee for large boats?"),
        ("What is the fee for small boats?", "And for large boats?", "What is the fee for large boats?"),
        ("How high is the tower?", "And in Oslo?", "How high is the tower in Oslo?"),
        ("What is the fee?", "Who wrote the report?", "Who wrote the report?"),
        ("What is the fee?", "And who wrote the report?", "And who wrote the report?"),
        ("Which functions are there?", "The second one?", "What is said about Berta?"),
        ("Which functions are there?", "What does the last one cost?", "What does Clara cost?"),
        ("Which functions are there?", "What is the fifth one?", "What is the fifth one?"),
    ],
)
def test_follow_ups_by_rules(first: str, then: str, full: str) -> None:
    """Another year, place or thing, or an item by its place, is put into the question before; the rest stays."""
    conversation, asked = talking("Alma", "Berta.", "Clara")
    conversation.ask(first)
    (turn,) = conversation.ask(then)
    assert asked[-1] == full
    assert (turn.message, turn.question, turn.is_rewritten) == (then, full, then != full)


def test_several_questions_are_answered_one_by_one() -> None:
    """Each question of a message is asked alone; a sentence before a question goes with it."""
    conversation, asked = talking()
    turns = conversation.ask("What is the fee? I have a boat. Where do I pay?")
    assert asked == ["What is the fee?", "I have a boat. Where do I pay?"]
    assert [turn.question for turn in turns] == asked


def test_a_model_rewrites_with_the_history() -> None:
    """With a model the earlier questions and answers go in as data, and full questions come out."""
    model = ScriptedModel([{"questions": ["Who keeps Berta?", "What does Berta cost?"]}])
    conversation, asked = talking("Alma", "Berta", model=model)
    conversation.ask("Which boats are there?")
    turns = conversation.ask("Who keeps the longer one and what does it cost?")
    assert asked[1:] == ["Who keeps Berta?", "What does Berta cost?"]
    assert len(turns) == 2
    data = json.loads(model.requests[0].data)
    assert data["earlier"] == [{"question": "Which boats are there?", "answer": ["Alma", "Berta"]}]
    assert "Berta" not in model.requests[0].instructions


@pytest.mark.parametrize("bad", [InvalidOutputError("no JSON"), {"questions": []}])
def test_a_useless_rewriting_leaves_the_rules(bad: Scripted) -> None:
    """When the model's rewriting cannot be used the rules do it, or the message is asked as it is."""
    conversation, asked = talking(model=ScriptedModel([bad]))
    conversation.ask("What was the revenue in 2018?")
    conversation.ask("And for 2019?")
    assert asked[-1] in ("What was the revenue in 2019?", "And for 2019?")


def test_a_failed_service_is_an_error() -> None:
    """Nothing is asked when the service failed."""
    conversation, asked = talking(model=ScriptedModel([ProviderUnavailableError("down")]))
    conversation.ask("What was the revenue in 2018?")
    with pytest.raises(ProviderUnavailableError):
        conversation.ask("And for 2019?")
    assert len(asked) == 1


def test_a_library_converses(tmp_path: Path) -> None:
    """`Library.conversation()` answers from its documents, each turn with cites of its own."""
    from pincite.library import Library
    from pincite.settings import Settings

    (tmp_path / "fees.md").write_text("# Fees\n\nThe fee in 2018 was 40 EUR.\n\nThe fee in 2019 was 50 EUR.\n")
    with Library(tmp_path / "l", settings=Settings(jobs=1, embedder="none")) as library:
        library.add(tmp_path / "fees.md")
        conversation = library.conversation()
        conversation.ask("What was the fee in 2018?")
        (turn,) = conversation.ask("And in 2019?")
    assert isinstance(turn.result, Answer)
    assert str(turn.result.items[0].citations[0]) == "fees.md l.5"
    assert not isinstance(turn.result, Refusal)
