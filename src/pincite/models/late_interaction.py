"""`LateInteraction`: the embedder's own word-piece vectors, piece against piece, as a second look at a few passages.

Each content piece of the question looks for its nearest piece in the passage; the mean of those cosines is the score
(MaxSim of O. Khattab and M. Zaharia, "ColBERT", SIGIR 2020, with the default embedder instead of a model of its own).
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from pincite.models.minilm import available_cores, load_model
from pincite.text.stopwords import STOP_WORDS

_MARKS: Final = frozenset({"[CLS]", "[SEP]", "[UNK]"})


class LateInteraction:
    """Scores passages by the word pieces of the question; uses the model that is loaded already."""

    #: How much its score (a mean cosine) counts beside the fused score, whose detectors count about 1 each.
    weight: Final = 3.0

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return a score for each text, between -1 and 1, higher is better; a question without content scores 0.

        Raises:
            SettingsError: the model files are not what this version of pincite was made for.

        """
        model = load_model()
        pieces, asked = model.pieces(question)
        content = [i for i, piece in enumerate(pieces) if _is_content(piece)]
        if not content or not texts:
            return [0.0] * len(texts)
        asked = asked[content]

        def score(text: str) -> float:
            _, held = model.pieces(text)
            return _max_sim(asked, held)

        n_threads = min(available_cores(), len(texts))
        if n_threads == 1:
            return [score(text) for text in texts]
        with ThreadPoolExecutor(n_threads) as pool:
            return list(pool.map(score, texts))


def _is_content(piece: str) -> bool:
    return piece not in _MARKS and piece not in STOP_WORDS and any(c.isalnum() for c in piece) and len(piece) > 1


def _max_sim(asked: Any, held: Any) -> float:
    return float((asked @ held.T).max(axis=1).mean()) if len(held) else 0.0
