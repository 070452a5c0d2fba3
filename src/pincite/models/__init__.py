"""Embedders, rerankers and chat models. One file and one line in a table add one."""

from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.protocols import ChatModel, Embedder
from pincite.registry import load
from pincite.settings import Settings

if TYPE_CHECKING:
    from pincite.models.retrying import CallLimits

#: Name → where the embedder is; names also serve as the `pincite.embedders` entry-point group.
EMBEDDERS = {
    "minilm": "pincite.models.minilm:MiniLmEmbedder",
}
#: Name → where the reranker is; names also serve as the `pincite.rerankers` entry-point group.
RERANKERS = {
    "late-interaction": "pincite.models.late_interaction:LateInteraction",
    "cross-encoder": "pincite.models.cross_encoder:CrossEncoder",
}

__all__ = ["EMBEDDERS", "open_embedder", "open_model"]


def open_model(name: str, settings: Settings, replies: Path | None = None) -> ChatModel:
    """Return the chat model of a name, its good replies kept in `replies` unless the settings say no.

    Nothing is loaded and nothing sent before its first call.

    Raises:
        SettingsError: the name has another form than `provider:model`.

    """
    # Whoever uses no model does not pay for loading this.
    from pincite.models.cache import CachedModel
    from pincite.models.chat import ServiceModel

    model = ServiceModel(name, _limits(settings))
    return CachedModel(model, replies) if replies is not None and settings.model_cache else model


def open_embedder(name: str, settings: Settings, *, n_threads: int | None = None) -> Embedder | None:
    """Return the embedder of a name: one of `EMBEDDERS`, a plug-in's, or `provider:model`; `None` for "none".

    One that runs on this machine is told the device of the settings and on how many threads to run, where it takes
    those (`None`: all cores).

    Raises:
        SettingsError: there is none of that name.

    """
    if name == "none":
        return None
    if ":" in name:
        from pincite.models.embedding import ServiceEmbedder

        return ServiceEmbedder(name, _limits(settings))
    make = load(name, EMBEDDERS, group="pincite.embedders")
    offered = {"device": settings.embedder_device, "n_threads": n_threads}
    parameters = signature(make).parameters
    made: Embedder = make(**{option: value for option, value in offered.items() if option in parameters})
    return made


def _limits(settings: Settings) -> "CallLimits":
    from pincite.models.retrying import CallLimits

    return CallLimits(
        timeout_s=settings.model_timeout_s, retries=settings.model_retries, output_form=settings.model_output
    )
