"""A suite asked through a language model's service."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.evaluation.test_runner import suite  # noqa: F401 - a fixture
from tests.models.provider_server import Script, serving

from pincite.evaluation import evaluate, load_suite
from pincite.library import Library
from pincite.settings import Settings


def reply(quote: str | None, line: int = 0, **item: Any) -> Script:
    """Return a reply with one quoted item, or with none."""
    quotes = [{"first_line": line, "last_line": line, "quote": quote}]
    items = [{"quotes": quotes, "text": quote, **item}] if quote else []
    return Script(text=json.dumps({"found": bool(quote), "items": items, "reason": None if quote else "not said"}))


@pytest.mark.slow
def test_a_suite_is_asked_through_a_service(suite: Path, tmp_path: Path) -> None:  # noqa: F811
    """Answers of a model are measured as others are: what it quotes, what it refuses; what fails is an error."""
    with serving() as server:
        server.will(
            reply("The annual fee is 40 EUR.", 2, number="40", unit=None, scale=None, currency="EUR"),
            reply("The notice period is three months.", 4),
            *[reply(None)] * 9,
        )
        settings = Settings(
            embedder="none", jobs=1, model_answer=f"openai-compatible:{server.address}/v1#gemma", model_retries=0
        )
        with Library(tmp_path / "l", settings=settings) as library:
            summary = evaluate(load_suite(suite), library, tmp_path / "r")
            assert (summary.errors, summary.measures["accuracy"].value) == ((), 1.0)
            assert summary.measures["gold_in_quote"].value == 1.0
            server.will(*[Script(status=500)] * 9)
            library.store.path.joinpath("model-replies").rename(tmp_path / "old")
            failed = evaluate(load_suite(suite), library, tmp_path / "r2")
    assert [error.split(": ")[:2] for error in failed.errors] == [
        ["fee", "provider_unavailable"],
        ["notice", "provider_unavailable"],
    ]
