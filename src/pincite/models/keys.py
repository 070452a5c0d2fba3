"""Keys of model services, from the environment or a keyring only, and text with no key in it."""

import os
import re
from collections.abc import Iterable, Mapping
from typing import Final

from pincite.errors import ProviderAuthenticationError
from pincite.models.names import ModelName, Provider

#: Where each key is looked for, first one first: the variables that the services' own libraries read.
VARIABLES: Final[Mapping[Provider, tuple[str, ...]]] = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "ollama": ("OLLAMA_API_KEY",),
    "openai-compatible": ("PINCITE_MODEL_API_KEY",),
    "voyage": ("VOYAGE_API_KEY",),
    "cohere": ("CO_API_KEY", "COHERE_API_KEY"),
}
#: The name under which a keyring keeps the keys; the user name is the variable.
KEYRING_SERVICE: Final = "pincite"
#: Servers on one's own machine ask for no key, but the client libraries insist on one.
_PLACEHOLDER: Final = "no-key"
_NEEDS_NONE: Final = frozenset({"ollama", "openai-compatible"})
#: What keys look like, for those that are not ours (a service that echoes another one, say).
_LIKE_A_KEY: Final = re.compile(
    r"\b(?:sk|pk|rk|xai|gsk|hf|pa|al|ghp|co)[-_][\w*-]{8,}|\bAIza[\w-]{10,}|(?i:bearer)\s+[\w.~+/-]{8,}=*"
)
#: Shorter than this, a "key" may be an ordinary word, which blotting out would harm messages.
_MIN_LENGTH: Final = 6
_BLOT: Final = "[key]"


def key_of(name: ModelName) -> str:
    """Return the key for a model's service.

    Raises:
        ProviderAuthenticationError: there is none; the message names the variable to set.

    """
    for variable in VARIABLES[name.provider]:
        found = os.environ.get(variable, "").strip() or _from_keyring(variable)
        if found:
            return found
    if name.provider in _NEEDS_NONE:
        return _PLACEHOLDER
    wanted = VARIABLES[name.provider][0]
    raise ProviderAuthenticationError(
        f"{name}: there is no key: set the environment variable {wanted}, or keep it in your keyring "
        f"(`keyring set {KEYRING_SERVICE} {wanted}`)"
    )


def without_keys(text: str, keys: Iterable[str] = ()) -> str:
    """Return `text` with every key blotted out: those given, those in the environment, and what looks like one."""
    known = {*keys, *(os.environ.get(v, "").strip() for found in VARIABLES.values() for v in found)}
    for key in sorted(known, key=len, reverse=True):
        if len(key) >= _MIN_LENGTH and key != _PLACEHOLDER:
            text = text.replace(key, _BLOT)
    return _LIKE_A_KEY.sub(_BLOT, text)


def _from_keyring(variable: str) -> str:
    try:
        import keyring
    except ImportError:
        return ""
    try:
        return (keyring.get_password(KEYRING_SERVICE, variable) or "").strip()
    except Exception:  # noqa: BLE001 - a locked or missing keyring is the same as no key there
        return ""
