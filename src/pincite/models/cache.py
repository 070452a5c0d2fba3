"""Replies kept on disk: the same request to the same model is answered without a call."""

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from pincite.errors import InvalidOutputError
from pincite.models.replies import read_reply
from pincite.models.schemas import described
from pincite.protocols import ChatModel, OnPartial, R
from pincite.types.model import FinishReason, ModelReply, ModelRequest, ModelUsage
from pincite.types.record import Record

#: Raise this when a kept reply may no longer be used.
VERSION: Final = 1
#: The folder inside a library.
FOLDER: Final = "model-replies"


class _Kept(Record, frozen=True, kw_only=True):
    """A reply as it is kept: its text, which is read again, and what it cost."""

    text: str
    usage: ModelUsage
    provider: str
    model: str
    cost_usd: float | None
    finish_reason: FinishReason


class CachedModel:
    """Another model whose good replies are kept in `folder`. Failures are never kept."""

    def __init__(self, model: ChatModel, folder: Path) -> None:
        """Keep the replies of `model`; the folder is made with the first one."""
        self._model = model
        self._folder = folder

    @property
    def name(self) -> str:
        """The name of the model behind."""
        return self._model.name

    def fill(self, request: ModelRequest, schema: type[R], *, on_partial: OnPartial | None = None) -> ModelReply[R]:
        """Return the kept reply to the identical request, else what the model replies.

        Raises:
            ProviderError: as the model behind.

        """
        path = self._folder / f"{self._key(request, schema)}.json"
        known = _read(path, schema)
        if known is not None:
            return known
        reply = self._model.fill(request, schema, on_partial=on_partial)
        _write(path, reply)
        return reply

    def _key(self, request: ModelRequest, schema: type[Record]) -> str:
        identity = getattr(self._model, "identity", self._model.name)
        parts = (str(VERSION), identity, schema.__name__, described(schema))
        content = msgspec.json.encode([*parts, replace(request, fragments=())])
        return hashlib.sha256(content).hexdigest()


def _read(path: Path, schema: type[R]) -> ModelReply[R] | None:
    """Return what is kept; a file that is gone, damaged or of another form is as good as none."""
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=_Kept)
        value = read_reply(kept.text, schema)
    except (OSError, msgspec.DecodeError, InvalidOutputError):
        return None
    return ModelReply(
        value=value,
        text=kept.text,
        usage=kept.usage,
        provider=kept.provider,
        model=kept.model,
        seconds=0.0,
        cost_usd=kept.cost_usd,
        finish_reason=kept.finish_reason,
        attempts=0,
        is_cached=True,
    )


def _write(path: Path, reply: ModelReply[R]) -> None:
    """Keep a reply whole or not at all; a full disk or a folder that cannot be written costs a call, no answer."""
    kept = _Kept(
        text=reply.text,
        usage=reply.usage,
        provider=reply.provider,
        model=reply.model,
        cost_usd=reply.cost_usd,
        finish_reason=reply.finish_reason,
    )
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(msgspec.json.encode(kept))
            Path(name).replace(path)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise
