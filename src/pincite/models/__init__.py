"""Embedders, rerankers and chat models. One file and one line in a table add one."""

from pathlib import Path

from pincite.protocols import ChatModel
from pincite.settings import Settings

#: Name → where the embedder is; names also serve as the `pincite.embedders` entry-point group.
EMBEDDERS = {
    "minilm": "pincite.models.minilm:MiniLmEmbedder",
}
#: Name → where the reranker is; names also serve as the `pincite.rerankers` entry-point group.
RERANKERS = {
    "late-interaction": "pincite.models.late_interaction:LateInteraction",
    "cross-encoder": "pincite.models.cross_encoder:CrossEncoder",
}

__all__ = ["EMBEDDERS", "open_model"]


def open_model(name: str, settings: Settings, replies: Path | None = None) -> ChatModel:
    """Return the chat model of a name, its good replies kept in `replies` unless the settings say no.

    Nothing is loaded and nothing sent before its first call.

    Raises:
        SettingsError: the name has another form than `provider:model`.

    """
    # Whoever uses no model does not pay for loading this.
    from pincite.models.cache import CachedModel
    from pincite.models.chat import CallLimits, ServiceModel

    limits = CallLimits(
        timeout_s=settings.model_timeout_s, retries=settings.model_retries, output_form=settings.model_output
    )
    model = ServiceModel(name, limits)
    return CachedModel(model, replies) if replies is not None and settings.model_cache else model
