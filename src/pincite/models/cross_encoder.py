"""`CrossEncoder`: a reranker of the user's own, from a folder with an ONNX model and its tokenizer.

The folder holds `model.onnx` (inputs `input_ids`, `attention_mask` and, where the model has it, `token_type_ids`;
output: one number, or two classes, for each pair) and `tokenizer.json`: the files that cross-encoders for passage
ranking are published in (for example ms-marco-MiniLM-L6-v2).
"""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from pincite.errors import ProviderError, SettingsError

#: The longest pair that is read, in word pieces.
MAX_PIECES: Final = 512
#: Texts are cut here before they are tokenized.
_MAX_CHARS: Final = 8192


class CrossEncoder:
    """Scores passages by reading question and passage together. The model loads when it is first used."""

    #: A model trained for the task decides among the passages it has read.
    weight: Final = 10.0

    def __init__(self, folder: Path) -> None:
        """Use the files of `folder`.

        Raises:
            SettingsError: one of the files is not there.

        """
        self._folder = folder.expanduser()
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None
        for name in ("model.onnx", "tokenizer.json"):
            if not (self._folder / name).is_file():
                raise SettingsError(f"reranker: {self._folder / name} is not there; the folder needs it")

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return how well each text answers the question, 0–1.

        Raises:
            ProviderError: the model cannot be loaded or run; the message says why.

        """
        try:
            return [self._score(question, text) for text in texts]
        except Exception as error:
            raise ProviderError(f"the reranker in {self._folder} failed: {error}") from error

    def _score(self, question: str, text: str) -> float:
        import numpy as np

        tokenizer, session = self._load()
        pair = tokenizer.encode(question[:_MAX_CHARS], text[:_MAX_CHARS])
        known = {"input_ids": pair.ids, "attention_mask": pair.attention_mask, "token_type_ids": pair.type_ids}
        inputs = {i.name: np.array([known[i.name]], dtype=np.int64) for i in session.get_inputs()}
        logits = np.asarray(session.run(None, inputs)[0], dtype=np.float64).reshape(-1)
        return float(1 / (1 + np.exp(-(logits[0] if len(logits) == 1 else logits[1] - logits[0]))))

    def _load(self) -> tuple[Any, Any]:
        with self._lock:
            if self._loaded is None:
                import onnxruntime
                from tokenizers import Tokenizer

                tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
                tokenizer.no_padding()
                tokenizer.enable_truncation(MAX_PIECES, strategy="only_second")
                session = onnxruntime.InferenceSession(
                    str(self._folder / "model.onnx"), providers=["CPUExecutionProvider"]
                )
                self._loaded = (tokenizer, session)
            return self._loaded
