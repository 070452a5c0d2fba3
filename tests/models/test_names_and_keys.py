"""Names of models, where keys come from, and where they never go."""

import sys
from types import SimpleNamespace

import pytest

from pincite.errors import MissingExtraError, ProviderAuthenticationError, SettingsError
from pincite.models.chat import ServiceModel
from pincite.models.keys import key_of, without_keys
from pincite.models.names import ModelName, parse_model_name
from pincite.models.providers import service_of
from pincite.settings import Settings
from pincite.types.model import ModelRequest
from pincite.types.record import Record


class Empty(Record, frozen=True, kw_only=True):
    """Nothing."""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("openai:gpt-5", ModelName(provider="openai", model="gpt-5")),
        ("ollama:llama3.2:3b", ModelName(provider="ollama", model="llama3.2:3b")),
        (
            "openai-compatible:http://localhost:8080/v1#my/model",
            ModelName(provider="openai-compatible", base_url="http://localhost:8080/v1", model="my/model"),
        ),
    ],
)
def test_names(name: str, expected: ModelName) -> None:
    """`provider:model` is read, and written back as it was."""
    assert parse_model_name(name) == expected
    assert str(expected) == name


@pytest.mark.parametrize(
    "name",
    [
        "gpt-5",
        "openai:",
        "acme:x",
        ":x",
        "",
        "openai-compatible:localhost#m",
        "openai-compatible:http://h/v1",
        "openai-compatible:file:///etc#m",
        "openai-compatible:http://[::1#m",
    ],
)
def test_other_forms_are_refused(name: str) -> None:
    """What names no model is an error that says how to write one."""
    with pytest.raises(SettingsError, match="openai-compatible:URL#MODEL"):
        parse_model_name(name)


@pytest.mark.parametrize("name", ["openai-compatible:http://me:hunter2@host/v1#m", "openai-compatible:x//me:hunter2@h"])
def test_passwords_are_not_names(name: str) -> None:
    """An address with a password is refused, and the password is not shown."""
    with pytest.raises(SettingsError) as caught:
        parse_model_name(name)
    assert "hunter2" not in str(caught.value)


def test_a_missing_key_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a key nothing is sent, and the message says which variable to set."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ProviderAuthenticationError, match="OPENAI_API_KEY"):
        ServiceModel("openai:gpt-5").fill(ModelRequest(role="answer", instructions="", data=""), Empty)


def test_keyrings_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that is in no variable may be in the keyring; a broken keyring is the same as none."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    asked: list[tuple[str, str]] = []

    def get_password(service: str, user: str) -> str:
        asked.append((service, user))
        return "sk-from-keyring"

    monkeypatch.setitem(sys.modules, "keyring", SimpleNamespace(get_password=get_password))
    assert key_of(parse_model_name("openai:x")) == "sk-from-keyring"
    assert asked == [("pincite", "OPENAI_API_KEY")]

    def broken(service: str, user: str) -> str:
        raise RuntimeError("locked")

    monkeypatch.setitem(sys.modules, "keyring", SimpleNamespace(get_password=broken))
    with pytest.raises(ProviderAuthenticationError):
        key_of(parse_model_name("openai:x"))


def test_keys_go_only_where_they_belong(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key for OpenAI is never sent to another address."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-real-one-123456")
    monkeypatch.delenv("PINCITE_MODEL_API_KEY", raising=False)
    assert "sk-real" not in key_of(parse_model_name("openai-compatible:http://elsewhere/v1#m"))


def test_keys_are_blotted_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Known keys and what looks like one are gone from a text; ordinary words stay."""
    monkeypatch.setenv("GOOGLE_API_KEY", "plainlookingsecret")
    said = without_keys("bad plainlookingsecret, sk-proj-abcdefgh1234, Bearer abc.def-ghi_jkl and risk-free words")
    assert said == "bad [key], [key], [key] and risk-free words"


def test_no_key_is_in_settings_or_reprs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings have no field for a key, and an opened model does not show one."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-real-one-123456")
    model = ServiceModel("openai:gpt-5")
    assert "sk-real" not in f"{model!r} {vars(model)!r} {service_of(model._name)!r}"
    assert not [field for field in Settings.__struct_fields__ if "key" in field and field != "concept_keywords"]


def test_ollama_listens_where_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """OLLAMA_HOST, with or without scheme, is where Ollama is; else its usual port."""
    for variable in ("OLLAMA_HOST", "OLLAMA_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    name = parse_model_name("ollama:x")
    assert service_of(name).base_url == "http://localhost:11434/v1"
    monkeypatch.setenv("OLLAMA_HOST", "box:9000")
    assert service_of(name).base_url == "http://box:9000/v1"


def test_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the libraries for models are not installed, the message says what to install."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-x-123456789")
    monkeypatch.setitem(sys.modules, "pydantic_ai.models.anthropic", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'pincite\[models\]'"):
        ServiceModel("anthropic:x").fill(ModelRequest(role="answer", instructions="", data=""), Empty)


def test_roles_have_models_of_their_own() -> None:
    """One model serves every role but those that have their own; the arbiter is off unless named."""
    settings = Settings(model="openai:a", model_question="openai:b", model_toc="none")
    named = {role: settings.model_of(role) for role in ("question", "toc", "arbiter", "answer")}
    assert named == {"question": "openai:b", "toc": None, "arbiter": None, "answer": "openai:a"}
    assert Settings().model_of("answer") is None
