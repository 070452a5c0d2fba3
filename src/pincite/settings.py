"""One small frozen `Settings`: defaults < pincite.toml < PINCITE_* environment < arguments. It builds nothing."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self

import msgspec

from pincite.errors import SettingsError
from pincite.types.model import Role
from pincite.types.record import Record

#: Settings that mean nothing at 0.
_ABOVE_ZERO = (
    "parse_timeout_s",
    "ocr_timeout_s",
    "parse_memory_mb",
    "top_k",
    "max_question_chars",
    "max_file_mb",
    "model_max_output_tokens",
    "model_timeout_s",
    "model_token_budget",
)


class Settings(Record, frozen=True, kw_only=True):
    """Every setting pincite knows, checked when made.

    `parse_timeout_s` grows by `parse_timeout_per_page_s` for each page; `parse_memory_mb` is the address space
    of one parsing process. `ocr` says which pages are read by text recognition: those without text that can be trusted
    ("auto", where an engine is installed), none, or all; one may take `ocr_timeout_s`.
    Passages have between `passage_min_words` and `passage_max_words` words, and at most `passage_max_chars`
    characters in formats whose lines are paragraphs.
    `refusal_threshold` is the confidence, 0–1, below which pincite refuses. `jobs` 0 means all cores.
    `embedder` "none" turns dense search off; the default one runs on `embedder_device`: "cuda" is a GPU, "auto" a GPU
    where onnxruntime can use one. `reranker` is "late-interaction", "none", or "cross-encoder:FOLDER" with a
    model of your own. `vocabulary` names the tables of expert words that are used ("finance", "none");
    `concept_keywords` is a table of your own.

    `model` names the chat model, `provider:model`; `model_question` and the others name one for a single role
    ("none": no model there), else that role uses `model`. Without any, answers are the source's own sentences.
    The arbiter and the profile of documents cost a call for each question and each document: they have to be named.
    `model_output` is how a model is asked for the form of its reply, `model_timeout_s` bounds one request,
    `model_retries` is how often a request that may pass is sent again, `model_token_budget` bounds the tokens
    that all requests of one question may use. No setting holds a key.
    """

    embedder: str = "minilm"
    embedder_device: Literal["cpu", "cuda", "auto"] = "cpu"
    jobs: int = 0
    parse_timeout_s: float = 60.0
    parse_timeout_per_page_s: float = 0.5
    parse_memory_mb: int = 4096
    passage_min_words: int = 90
    passage_max_words: int = 160
    passage_max_chars: int = 1500
    top_k: int = 10
    dense_weight: float = 1.25
    reranker: str = "late-interaction"
    refusal_threshold: float = 0.5
    max_question_chars: int = 4000
    max_file_mb: int = 1024
    ocr: Literal["auto", "never", "always"] = "auto"
    ocr_engine: Literal["auto", "tesseract", "rapidocr"] = "auto"
    ocr_timeout_s: float = 60.0
    keep_originals: bool = True
    lock_timeout_s: float = 60.0
    concept_keywords: str | None = None
    vocabulary: str = "finance"
    model: str = "none"
    model_question: str | None = None
    model_toc: str | None = None
    model_arbiter: str = "none"
    model_answer: str | None = None
    model_profile: str = "none"
    model_output: Literal["schema", "json", "text"] = "schema"
    model_max_output_tokens: int = 4096
    model_timeout_s: float = 120.0
    model_retries: int = 3
    model_token_budget: int = 100_000
    model_cache: bool = True

    def __post_init__(self) -> None:
        """Refuse values that contradict each other."""
        if self.passage_min_words < 1:
            raise SettingsError(f"passage_min_words is {self.passage_min_words}; use 1 or more")
        if self.passage_max_words < 2 * self.passage_min_words - self.passage_min_words // 2:
            raise SettingsError(
                f"passage_max_words is {self.passage_max_words}; it has to be at least 1.5 times "
                f"passage_min_words ({self.passage_min_words})"
            )
        if self.passage_max_chars < 200:
            raise SettingsError(f"passage_max_chars is {self.passage_max_chars}; use 200 or more")
        for name in _ABOVE_ZERO:
            if getattr(self, name) <= 0:
                raise SettingsError(f"{name} is {getattr(self, name)}; use a number above 0")
        for name in ("jobs", "lock_timeout_s", "parse_timeout_per_page_s", "dense_weight", "model_retries"):
            if getattr(self, name) < 0:
                raise SettingsError(f"{name} is {getattr(self, name)}; use 0 or more")
        if not 0 <= self.refusal_threshold <= 1:
            raise SettingsError(f"refusal_threshold is {self.refusal_threshold}; use a number from 0 to 1")

    def model_of(self, role: Role) -> str | None:
        """Return the name of the model for a role, `None` where none is used there."""
        own: str | None = getattr(self, f"model_{role}")
        name = self.model if own is None else own
        return None if name == "none" else name

    @classmethod
    def load(
        cls,
        *,
        path: Path | None = None,
        environment: Mapping[str, str] | None = None,
        **arguments: Any,
    ) -> Self:
        """Return the settings of a file (default ./pincite.toml), the environment and arguments, later ones winning.

        Arguments that are `None` are passed over.

        Raises:
            SettingsError: a name is unknown or a value has the wrong type; the message names it and its origin.

        """
        merged: dict[str, Any] = {}
        for origin, values in (
            _from_file(path or Path("pincite.toml"), required=path is not None),
            _from_environment(os.environ if environment is None else environment),
            ("arguments", {k: v for k, v in arguments.items() if v is not None}),
        ):
            merged.update(_checked(values, origin))
        return cls(**merged)


def _from_file(path: Path, *, required: bool) -> tuple[str, dict[str, Any]]:
    if not path.is_file():
        if required:
            raise SettingsError(f"{path}: there is no such settings file")
        return str(path), {}
    try:
        return str(path), tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: not a TOML file: {error}") from error


#: Variables that begin with PINCITE_ and are no settings of `Settings`; keys are never settings.
_OTHER_VARIABLES = frozenset(
    {"PINCITE_LIBRARY", "PINCITE_BENCH", "PINCITE_CACHE", "PINCITE_GITHUB_API", "PINCITE_MODEL_API_KEY"}
)


def _from_environment(environment: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    found = {
        name.removeprefix("PINCITE_").lower(): value
        for name, value in environment.items()
        if name.startswith("PINCITE_") and name not in _OTHER_VARIABLES
    }
    return "the environment", found


def _checked(values: Mapping[str, Any], origin: str) -> dict[str, Any]:
    fields = {field.name: field for field in msgspec.structs.fields(Settings)}
    checked = {}
    for name, value in values.items():
        if name not in fields:
            known = ", ".join(sorted(fields))
            raise SettingsError(f"{origin}: there is no setting {name!r}; choose one of: {known}")
        try:
            checked[name] = msgspec.convert(value, fields[name].type, strict=not isinstance(value, str))
        except msgspec.ValidationError as error:
            raise SettingsError(f"{origin}: {name}: {error}") from error
    return checked
