"""The bounded loop: what sets off a round, what it reads, and when it stops."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.replying import NOT_FOUND, found

from pincite.library import Library
from pincite.models.scripted import Scripted, ScriptedModel
from pincite.settings import Settings
from pincite.types.answer import Answer, Refusal
from pincite.types.model import ModelRequest

FILLER = "\n\n".join(f"The {n}th day was quiet and nobody came to the quay." for n in range(200))
MANUAL = (
    f"# Manual\n\n## Dues\n\nThe dues of visiting boats: see Annex B.\n\n{FILLER}\n\n"
    "## Annex B\n\nA keel of 9 metres is charged 150 crowns.\n"
)
Ask = Callable[..., tuple[Any, Library, ScriptedModel]]


@pytest.fixture
def ask(tmp_path: Path) -> Iterator[Ask]:
    """Return what asks a question of files, with a scripted model."""
    made: list[Library] = []

    def ask_it(files: dict[str, str], question: str, *replies: Scripted, **settings: Any) -> Any:
        model = ScriptedModel(replies)
        library = Library(
            tmp_path / f"library{len(made)}",
            settings=Settings(jobs=1, embedder="none", **settings),
            models={"answer": model},
        )
        made.append(library)
        for name, text in files.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
            library.add(tmp_path / name)
        return library.ask(question, shape="text"), library, model

    yield ask_it
    for library in made:
        library.close()


def test_references_are_followed(ask: Ask) -> None:
    """Lines that say "see Annex B" lead to Annex B, wherever it stands; the round says so."""

    def reply(request: ModelRequest) -> dict[str, Any]:
        if "150 crowns" not in request.data:
            return NOT_FOUND
        text = "Visiting boats of 9 metres pay dues of 150 crowns."
        said = found((text, "A keel of 9 metres is charged 150 crowns."))(request)
        said["items"][0]["quotes"] += found(("", "The dues of visiting boats: see Annex B."))(request)["items"][0][
            "quotes"
        ]
        return said

    result, library, model = ask({"manual.md": MANUAL}, "What are the dues of visiting boats?", *[reply] * 4)
    assert isinstance(result, Answer)
    assert [c.first_line for c in result.items[0].citations] == [409, 5]
    assert len(model.requests) == 2
    (done,) = library.trace(result.trace_id).rounds
    assert "Annex B" in done.trigger
    assert done.action == "read Annex B"


def test_a_small_document_is_read_whole_in_the_end(ask: Ask) -> None:
    """When neither the places nor their surroundings say it, a document that fits is read whole."""
    text = f"# Quay\n\nThe quay of oak is old.\n\n{FILLER}\n\nOnly Tove may mend oak there.\n"

    def reply(request: ModelRequest) -> dict[str, Any]:
        if "Tove" not in request.data:
            return NOT_FOUND
        return found(("Tove may mend the quay of oak.", "Only Tove may mend oak there."))(request)

    result, library, _ = ask({"quay.md": text}, "Who repairs the quay of oak?", *[reply] * 4)
    assert isinstance(result, Answer)
    assert library.trace(result.trace_id).calls


def test_three_rounds_at_most(ask: Ask) -> None:
    """Whatever a model says, the question is asked at most four times, each with more to read than the one before."""
    result, library, model = ask({"manual.md": MANUAL}, "Who painted the dues of visiting boats?", *[NOT_FOUND] * 9)
    assert isinstance(result, Refusal)
    assert 1 < len(model.requests) <= 4
    sizes = [len(request.data) for request in model.requests]
    assert len(set(sizes)) == len(sizes)
    assert len(library.trace(result.trace_id).rounds) == len(model.requests) - 1


def test_nothing_new_means_no_round(ask: Ask) -> None:
    """Where everything was read at once, asking again could change nothing: there is one call."""
    result, _, model = ask({"lamp.md": "# Lamp\n\nThe lamp has 6 panes.\n"}, "Who owns the lamp?", NOT_FOUND)
    assert isinstance(result, Refusal)
    assert len(model.requests) == 1
    assert "every line" in result.message


def test_the_token_budget_ends_it(ask: Ask) -> None:
    """When the calls of a question have used its tokens there is no further round."""
    _, _, model = ask(
        {"manual.md": MANUAL}, "What are the dues of visiting boats?", *[NOT_FOUND] * 9, model_token_budget=1
    )
    assert len(model.requests) == 1


def test_an_incomplete_list_reads_on(ask: Ask) -> None:
    """A model that says its answer is not whole is given more to read; an answer with more items wins."""

    def reply(request: ModelRequest) -> dict[str, Any]:
        pairs = [("Visiting boats pay dues.", "The dues of visiting boats: see Annex B.")]
        if "150 crowns" in request.data:
            pairs.append(("Dues are 150 crowns.", "A keel of 9 metres is charged 150 crowns."))
        return {**found(*pairs)(request), "complete": len(pairs) > 1}

    result, _, model = ask({"manual.md": MANUAL}, "What is said of the dues of visiting boats?", *[reply] * 4)
    assert isinstance(result, Answer)
    assert len(result.items) == 2
    assert len(model.requests) == 2


def test_each_part_is_asked(tmp_path: Path) -> None:
    """A question of two parts gets a pass for each, and one answer; a part without an answer is said."""

    def reply(request: ModelRequest) -> dict[str, Any]:
        asked = request.data.splitlines()[1]
        if "high" in asked:
            return found(("40 m", "The tower is 40 m high."), number="40", unit="m")(request)
        return NOT_FOUND

    (tmp_path / "tower.md").write_text("# Tower\n\nThe tower is 40 m high.\n", encoding="utf-8")
    settings = Settings(jobs=1, embedder="none")
    with Library(tmp_path / "l", settings=settings, models={"answer": ScriptedModel([reply] * 6)}) as library:
        library.add(tmp_path / "tower.md")
        result = library.ask("How high is the tower and who built the tower?")
    assert isinstance(result, Answer)
    assert [item.text for item in result.items] == ["40 m"]
    assert any("who built the tower" in caveat for caveat in result.signals.caveats)
    assert not result.signals.complete_answer_found


def test_without_a_model_there_is_one_wider_look(tmp_path: Path) -> None:
    """Rules alone look again once, in whole sections, and never at more than two places of the trace."""
    (tmp_path / "manual.md").write_text(MANUAL, encoding="utf-8")
    with Library(tmp_path / "l", settings=Settings(jobs=1, embedder="none")) as library:
        library.add(tmp_path / "manual.md")
        result = library.ask("Who painted the green lighthouse of dues?")
        trace = library.trace(result.trace_id)
    assert len(trace.rounds) <= 2
    assert trace.calls == ()
