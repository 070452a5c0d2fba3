"""One frozen `Settings`, from a file, the environment and arguments."""

from pathlib import Path
from typing import Any

import pytest

from pincite.errors import SettingsError
from pincite.settings import Settings


def test_later_origins_win(tmp_path: Path) -> None:
    """Arguments win over the environment, that over the file, that over the defaults; `None` is passed over."""
    path = tmp_path / "pincite.toml"
    path.write_text('top_k = 3\njobs = 1\nembedder = "none"\n', encoding="utf-8")
    environment = {"PINCITE_JOBS": "2", "PINCITE_TOP_K": "4", "OTHER": "x"}
    loaded = Settings.load(path=path, environment=environment, top_k=5, dense_weight=None)
    assert loaded == Settings(top_k=5, jobs=2, embedder="none")


def test_the_file_of_the_present_folder_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """./pincite.toml counts when it is there, and is not missed when it is not."""
    monkeypatch.chdir(tmp_path)
    assert Settings.load(environment={}) == Settings()
    (tmp_path / "pincite.toml").write_text("top_k = 7\n", encoding="utf-8")
    assert Settings.load(environment={}).top_k == 7


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("topk = 3", "no setting 'topk'"),
        ("top_k = 'three'", "top_k"),
        ("top_k = ", "not a TOML file"),
        (None, "no such"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, content: str | None, said: str) -> None:
    """The message names the file and what is wrong in it."""
    path = tmp_path / "my.toml"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(SettingsError, match=said) as raised:
        Settings.load(path=path, environment={})
    assert "my.toml" in str(raised.value)


@pytest.mark.parametrize("environment", [{"PINCITE_TOPK": "3"}, {"PINCITE_TOP_K": "many"}])
def test_a_bad_variable_is_named(environment: dict[str, str]) -> None:
    """An unknown or wrong variable is an error, not a default in silence."""
    with pytest.raises(SettingsError, match="environment"):
        Settings.load(environment=environment)


def test_other_variables_are_no_settings() -> None:
    """Variables of other parts that begin alike are passed over."""
    assert Settings.load(environment={"PINCITE_LIBRARY": "x", "PINCITE_BENCH": "y"}) == Settings()


@pytest.mark.parametrize(
    "values",
    [
        {"passage_min_words": 0},
        {"passage_min_words": 100, "passage_max_words": 120},
        {"passage_max_words": -1},
        {"top_k": 0},
        {"max_file_mb": 0},
        {"parse_timeout_s": 0},
        {"jobs": -1},
        {"dense_weight": -0.5},
        {"refusal_threshold": 1.5},
        {"refusal_threshold": -0.1},
    ],
)
def test_values_that_make_no_sense_are_refused(values: dict[str, Any]) -> None:
    """Every value is checked when the settings are made; the message names the setting."""
    with pytest.raises(SettingsError, match=next(iter(values))):
        Settings(**values)
