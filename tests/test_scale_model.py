"""What large libraries would take is worked out from what was measured, and from nothing else."""

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"


@pytest.fixture(scope="module", name="model")
def model_module() -> Iterator[Any]:
    """Return `benchmarks/scale_model.py` as a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(BENCHMARKS)
        yield importlib.import_module("scale_model")


def test_at_the_sizes_that_were_measured_it_says_what_was_measured(model: Any) -> None:
    """The calculation goes through the measured points: nothing is rounded in its favour."""
    given = model.measured()

    assert model.words_ms(20_000, given) == pytest.approx(given.words_cpu_ms_20k)
    assert model.words_ms(200_000, given) == pytest.approx(given.words_cpu_ms_200k)
    assert model.meaning_ms(200_000, given) == pytest.approx(given.meaning_cpu_ms_200k)
    assert model.question_ms(200_000, given) == pytest.approx(given.question_cpu_ms_200k)
    assert model.memory_mb(200_000, given) == pytest.approx(given.memory_mb_200k)


def test_every_measured_number_says_where_it_is_from() -> None:
    """A number without the benchmark that gave it would be a guess."""
    found = json.loads((BENCHMARKS / "measured.json").read_text(encoding="utf-8"))

    assert all(one["value"] > 0 and one["unit"] and one["source"] for one in found.values())


def test_more_pages_take_more_of_everything_and_keep_the_limits(model: Any) -> None:
    """Nodes are as many as the week needs and no more, shards as many as the longest search allows and no more."""
    given, assumed = model.measured(), model.Assumed()
    before = None
    for pages in (10_000, 10**6, 10**8, 10**10):
        worked = model.work_out(pages, given, assumed)
        a_node = assumed.cores_a_node * assumed.busy_share
        core_hours = worked.parse_core_hours + worked.embed_core_hours + worked.index_core_hours
        assert worked.hours <= assumed.hours_to_add
        assert worked.nodes == 1 or core_hours > (worked.nodes - 1) * a_node * assumed.hours_to_add
        assert model.question_ms(worked.passages / worked.shards, given) <= assumed.most_question_ms * 1.01
        assert worked.shards == 1 or worked.passages / (worked.shards - 1) > model.shard_passages(given, assumed)
        if before is not None:
            assert worked.originals_tb > before.originals_tb
            assert worked.question_ms > before.question_ms
            assert worked.shards >= before.shards
        before = worked


def test_the_table_has_the_numbers_that_were_worked_out(model: Any) -> None:
    """What the page shows comes from the calculation, with two digits that count."""
    given, assumed = model.measured(), model.Assumed()
    table = model.worked_table(given, assumed)

    for pages in model.PAGES:
        assert f"{pages:,} pages" in table
        assert model.said(model.work_out(pages, given, assumed).embed_core_hours) in table
    assert model.said(1234.0) == "1,200"
