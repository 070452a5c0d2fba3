"""Text to forms, schemas, kept replies, and the scripted double."""

from pathlib import Path
from typing import Annotated, Any

import pytest
from msgspec import Meta

from pincite.errors import EmptyOutputError, InvalidOutputError, ProviderUnavailableError
from pincite.models.cache import CachedModel
from pincite.models.replies import read_reply
from pincite.models.schemas import strict_schema
from pincite.models.scripted import ScriptedModel
from pincite.types.model import ModelRequest
from pincite.types.record import Record


class Source(Record, frozen=True, kw_only=True):
    """A quote."""

    source: int
    quote: str


class Found(Record, frozen=True, kw_only=True):
    """A form whose list has a limit."""

    items: Annotated[tuple[Source, ...], Meta(max_length=3)] = ()


class Reply(Record, frozen=True, kw_only=True):
    """An answer."""

    answer: str
    citations: tuple[Source, ...] = ()
    refused: bool = False


GOOD = '{"answer": "six", "citations": [{"source": 1, "quote": "6 panes"}], "refused": false}'
VALUE = Reply(answer="six", citations=(Source(source=1, quote="6 panes"),))


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"Sure! Here it is:\n{GOOD}\nAnything else?",
        GOOD + GOOD,
        f"<think>maybe {{9}}?</think>{GOOD}",
        '{"answer": "six", "citations": "[{\\"source\\": 1, \\"quote\\": \\"6 panes\\"}]"}',
        '{"answer": "six", "citations": [{"source": "1", "quote": "6 panes"}], "refused": null}',
    ],
)
def test_what_models_put_around_it_is_read(text: str) -> None:
    """Fences, preambles, thoughts, a second object, lists and numbers as strings, nulls: the form is still read."""
    assert read_reply(text, Reply) == VALUE


def test_a_list_with_a_limit_is_read_from_a_string_too() -> None:
    """A list that the form limits may come as a string of JSON, with nulls in it, like any other."""
    said = '{"items": "[{\\"source\\": \\"1\\", \\"quote\\": \\"6 panes\\"}]"}'
    assert read_reply(said, Found) == Found(items=(Source(source=1, quote="6 panes"),))
    assert read_reply('{"items": null}', Found) == Found()


def test_raw_line_ends_in_strings_are_read() -> None:
    """A line end inside a string is no reason to lose a reply."""
    assert read_reply('{"answer": "a\nb"}', Reply).answer == "a\nb"


@pytest.mark.parametrize(
    "text",
    [
        '{"answer":"x","citations":[],"refused":NaN}',
        '{"answer":"x","citations":[{"source": 1, "quote": "q"}],"refused":NaN}',
        "{“answer”:“x”}",
        '{"answer": "The lamp", "cita',
        '{"citations": []}',
        '{"answer": {"a": 1}}',
        "[]",
        "The lamp has six panes [1].",
        "{" * 100_000,
    ],
)
def test_other_forms_are_errors(text: str) -> None:
    """What is not the form is an error that keeps the text, never a made-up or partial value."""
    with pytest.raises(InvalidOutputError) as caught:
        read_reply(text, Reply)
    assert caught.value.text == text


@pytest.mark.parametrize("text", ["", "  \n", "<think>only thoughts"])
def test_nothing_is_its_own_error(text: str) -> None:
    """An empty reply is told apart from a wrong one."""
    with pytest.raises(EmptyOutputError):
        read_reply(text, Reply)


def test_schemas_are_strict() -> None:
    """Every object of a schema requires all its fields and allows no others, without references."""

    def objects(schema: Any) -> list[dict[str, Any]]:
        inner = [*schema.get("properties", {}).values(), schema.get("items", {})]
        return [schema] * ("properties" in schema) + [o for one in inner if one for o in objects(one)]

    found = objects(strict_schema(Reply))
    assert [sorted(one["required"]) for one in found] == [["answer", "citations", "refused"], ["quote", "source"]]
    assert all(one["additionalProperties"] is False for one in found)
    assert "$ref" not in str(found)


REQUEST = ModelRequest(role="answer", instructions="i", data="d")


def test_identical_requests_cost_once(tmp_path: Path) -> None:
    """A kept reply answers the identical request, is marked so, and survives a new process; another request asks."""
    model = ScriptedModel([GOOD, {"answer": "other"}])
    first = CachedModel(model, tmp_path).fill(REQUEST, Reply)
    again = CachedModel(model, tmp_path).fill(REQUEST, Reply)
    assert (first.is_cached, again.is_cached, again.value) == (False, True, VALUE)
    assert again.usage == first.usage
    other = ModelRequest(role="answer", instructions="i", data="d2")
    assert CachedModel(model, tmp_path).fill(other, Reply).value.answer == "other"
    assert len(model.requests) == 2


def test_failures_and_wrong_forms_are_not_kept(tmp_path: Path) -> None:
    """After a failure the model is asked again."""
    model = CachedModel(ScriptedModel([ProviderUnavailableError("down"), "nonsense", GOOD]), tmp_path)
    with pytest.raises(ProviderUnavailableError):
        model.fill(REQUEST, Reply)
    with pytest.raises(InvalidOutputError):
        model.fill(REQUEST, Reply)
    assert model.fill(REQUEST, Reply).value == VALUE


def test_damaged_files_are_asked_again(tmp_path: Path) -> None:
    """A kept file that was cut or altered is as good as none; other models do not share it."""
    CachedModel(ScriptedModel([GOOD]), tmp_path).fill(REQUEST, Reply)
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(kept.read_bytes()[:20])
    assert not CachedModel(ScriptedModel([GOOD]), tmp_path).fill(REQUEST, Reply).is_cached
    assert not CachedModel(ScriptedModel([GOOD], name="other:model"), tmp_path).fill(REQUEST, Reply).is_cached


def test_a_folder_that_cannot_be_written_costs_no_answer(tmp_path: Path) -> None:
    """Replies that cannot be kept are still replies."""
    (tmp_path / "file").write_text("")
    assert CachedModel(ScriptedModel([GOOD]), tmp_path / "file" / "in").fill(REQUEST, Reply).value == VALUE


def test_scripts_run_out_loudly() -> None:
    """A call that nobody scripted fails the test that made it."""
    with pytest.raises(AssertionError, match="no scripted reply"):
        ScriptedModel([]).fill(REQUEST, Reply)


def test_half_a_character_is_read_as_a_lost_one() -> None:
    """JSON may hold half a surrogate pair, which no text that is written or shown can."""
    assert read_reply('{"source": 1, "quote": "\\ud800 oak"}', Source).quote == "\ufffd oak"
