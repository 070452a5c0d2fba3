"""`MiniLmEmbedder`: all-MiniLM-L6-v2 in 8-bit ONNX, from files that ship with pincite; no network, no hub.

Each text is run alone, on one thread, as many at a time as there are cores. The quantised model takes its scales from
everything in a batch, so in batches a text would get another vector in other company (cosine down to 0.986); alone
it always gets the same, and without padding this is the faster way too (160 against 130 passages a second on 2 cores).
"""

import contextlib
import os
import threading
import unicodedata
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, Literal

from pincite.errors import SettingsError
from pincite.types.content_hash import hash_of

#: Raise this when the same text gets another vector: vectors of different names are never mixed.
VERSION: Final = 1
#: The longest input of the model; what comes after is not read (model card of all-MiniLM-L6-v2).
MAX_PIECES: Final = 256
#: Texts are cut here before they are tokenized: 256 word pieces of English are about 1,200 characters.
MAX_CHARS: Final = 8192
#: Every input begins with [CLS] and ends with [SEP].
_N_MARKS: Final = 2

#: So many texts are remembered, at most 0.4 MB each: a question and the sentences it is compared with.
_REMEMBERED: Final = 24
#: Where the model runs: "cuda" on a GPU, "auto" on a GPU where onnxruntime can use one.
Device = Literal["cpu", "cuda", "auto"]
_CPU: Final = "CPUExecutionProvider"
_CUDA: Final = "CUDAExecutionProvider"

_lock = threading.Lock()
_loaded: "dict[Device, _Model]" = {}


def providers_for(device: Device, available: Sequence[str]) -> list[str]:
    """Return the providers of onnxruntime for a device, the first one first; what it cannot do the CPU does.

    Raises:
        SettingsError: the device is "cuda", and this onnxruntime has no provider for it.

    """
    if device == "cuda" and _CUDA not in available:
        raise SettingsError(
            f'the setting embedder_device is "cuda", and this onnxruntime has {", ".join(available)} alone; install '
            'onnxruntime-gpu in its place, or set embedder_device to "cpu"'
        )
    return [_CUDA, _CPU] if device != "cpu" and _CUDA in available else [_CPU]


class _Model:
    """The session and the tokenizer; made once in a process for each device."""

    def __init__(self, device: Device) -> None:
        import onnxruntime
        import pincite_minilm
        from tokenizers import Tokenizer

        providers = providers_for(device, onnxruntime.get_available_providers())
        model = _checked(pincite_minilm.MODEL_PATH, pincite_minilm.MODEL_SHA256)
        tokenizer = _checked(pincite_minilm.TOKENIZER_PATH, pincite_minilm.TOKENIZER_SHA256)
        onnxruntime.disable_telemetry_events()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(model, options, providers=providers)
        self.tokenizer = Tokenizer.from_buffer(tokenizer)
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MAX_PIECES)
        #: Text → its pieces and what the model made of them, the last texts only: sentences that were compared by
        #: their vectors are compared piece by piece right after. Threads may use it at once: single steps are whole.
        self._recent: OrderedDict[str, tuple[Any, Any]] = OrderedDict()

    def vector(self, text: str) -> Any:
        """Return the mean over the word pieces, of length one; all zeros for a text without any."""
        import numpy as np
        import pincite_minilm

        pieces, vectors = self._understood(text)
        if len(pieces.ids) <= _N_MARKS:
            return np.zeros(pincite_minilm.DIMENSION, dtype=np.float32)
        mean = vectors.mean(axis=0)
        return mean / max(float(np.linalg.norm(mean)), 1e-12)

    def pieces(self, text: str) -> tuple[list[str], Any]:
        """Return the word pieces of a text with a vector of length one for each."""
        import numpy as np

        pieces, vectors = self._understood(text)
        return pieces.tokens, vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)

    def _understood(self, text: str) -> tuple[Any, Any]:
        """Return the word pieces of a text, and the model's vector for each."""
        known = self._recent.get(text)
        if known is None:
            pieces = self._encoded(text)
            known = self._recent[text] = (pieces, self._run(pieces))
            with contextlib.suppress(KeyError):  # another thread was quicker
                while len(self._recent) > _REMEMBERED:
                    self._recent.popitem(last=False)
        return known

    def _encoded(self, text: str) -> Any:
        # The tokenizer does not know compatibility forms: "ﬁnal" would be cut into pieces that mean nothing.
        cut = unicodedata.normalize("NFKC", text[:MAX_CHARS]).encode("utf-8", "replace").decode("utf-8")
        # One text at a time: `encode_batch` starts threads that print warnings when the process forks later.
        return self.tokenizer.encode(cut)

    def _run(self, pieces: Any) -> Any:
        import numpy as np

        ids = np.array([pieces.ids], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        return self.session.run(None, inputs)[0][0]


class MiniLmEmbedder:
    """Vectors of 384 numbers for English text. Making one costs nothing: the model loads at the first `embed`.

    `n_threads` is how many texts are worked on at a time, `None`: as many as there are cores.
    """

    def __init__(self, device: Device = "cpu", n_threads: int | None = None) -> None:
        self._device: Device = device
        self._n_threads = n_threads

    @property
    def name(self) -> str:
        """The model and the version of how its output is made into a vector."""
        import pincite_minilm

        return f"{pincite_minilm.NAME}@{VERSION}"

    @property
    def dimension(self) -> int:
        """384."""
        import pincite_minilm

        return int(pincite_minilm.DIMENSION)

    def warm(self) -> None:
        """Load the model now, so that the first `embed` need not; safe in a thread.

        Raises:
            SettingsError: the model files are not what this version of pincite was made for.

        """
        load_model(self._device)

    def embed(self, texts: Sequence[str]) -> Any:
        """Return a float32 array `[len(texts), 384]`, each row of length one, zero for a text without words.

        The first 256 word pieces of a text count. A text gets the same row whatever stands beside it.

        Raises:
            SettingsError: the model files are not what this version of pincite was made for.

        """
        import numpy as np

        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        if not len(texts):
            return vectors
        model = load_model(self._device)
        n_threads = min(self._n_threads or available_cores(), len(texts))
        if n_threads == 1:
            for index, text in enumerate(texts):
                vectors[index] = model.vector(text)
            return vectors
        # Longest first, so that no thread is left with a long one at the end.
        order = sorted(range(len(texts)), key=lambda index: -len(texts[index]))
        with ThreadPoolExecutor(n_threads) as pool:
            for index, vector in zip(order, pool.map(model.vector, [texts[i] for i in order]), strict=True):
                vectors[index] = vector
        return vectors


def load_model(device: Device = "cpu") -> _Model:
    """Return the model of this process for a device, loaded by whoever asks first."""
    with _lock:
        if device not in _loaded:
            _loaded[device] = _Model(device)
        return _loaded[device]


def _checked(path: Path, sha256: str) -> bytes:
    """Return the bytes of a file, the very bytes that were hashed."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SettingsError(f"the embedder's file {str(path)!r} cannot be read: {error}") from error
    found = hash_of(content)
    if found != sha256:
        raise SettingsError(
            f"the embedder's file {str(path)!r} has SHA-256 {found}, not {sha256}: it was altered or cut; "
            "install pincite-minilm again"
        )
    return content


def available_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
