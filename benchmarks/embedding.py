"""How fast the default embedder is beside onnxruntime alone, on the passages of one annual report.

    .venv/bin/python benchmarks/embedding.py [PDF] [--passages N]

The raw loops get word pieces that are ready and do nothing but run the model: one text at a time on all cores, and
batches of 8 of like length. Ours starts from text. Rounds are interleaved, the best of each counts.
"""

import argparse
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pincite_minilm
import pypdfium2
from tokenizers import Tokenizer

from pincite.models.minilm import MAX_PIECES, MiniLmEmbedder

BENCH = Path(os.environ.get("PINCITE_BENCH", Path(__file__).resolve().parents[2] / "shared" / "bench"))
WORDS_PER_PASSAGE = 110
BATCH = 8


def passages(path: Path, n_passages: int) -> list[str]:
    """Return stretches of the file's words."""
    document = pypdfium2.PdfDocument(path)
    words: list[str] = []
    for page in document:
        words += page.get_textpage().get_text_range().split()
    document.close()
    step = WORDS_PER_PASSAGE
    return [" ".join(words[i : i + step]) for i in range(0, len(words) - step, step)][:n_passages]


class Raw:
    """The model without anything of ours."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Load the model and make the word pieces of `texts`."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = len(os.sched_getaffinity(0))
        self._session = onnxruntime.InferenceSession(
            str(pincite_minilm.MODEL_PATH), options, providers=["CPUExecutionProvider"]
        )
        tokenizer = Tokenizer.from_file(str(pincite_minilm.TOKENIZER_PATH))
        tokenizer.no_padding()
        tokenizer.enable_truncation(MAX_PIECES)
        self.pieces = sorted((tokenizer.encode(text).ids for text in texts), key=len)

    def run(self, batch: int) -> None:
        """Run every text, `batch` at a time."""
        for start in range(0, len(self.pieces), batch):
            self._session.run(None, _inputs(self.pieces[start : start + batch]))


def _inputs(pieces: Sequence[Sequence[int]]) -> dict[str, Any]:
    longest = max(map(len, pieces))
    ids = np.zeros((len(pieces), longest), dtype=np.int64)
    mask = np.zeros_like(ids)
    for row, found in enumerate(pieces):
        ids[row, : len(found)] = found
        mask[row, : len(found)] = 1
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}


def seconds(act: Callable[[], object]) -> float:
    """Return how long a call takes."""
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def main() -> None:
    """Print the figures."""
    arguments = argparse.ArgumentParser(description=__doc__)
    default = BENCH / "financebench" / "docs" / "ADOBE_2022_10K.pdf"
    arguments.add_argument("path", nargs="?", type=Path, default=default)
    arguments.add_argument("--passages", type=int, default=150)
    chosen = arguments.parse_args()
    texts = passages(chosen.path, chosen.passages)
    embedder = MiniLmEmbedder()
    print(f"load and first text   {seconds(lambda: embedder.embed(['lamp'])) * 1000:6.0f} ms")
    question = "What was the capital expenditure in fiscal 2022?"
    print(f"one question          {min(seconds(lambda: embedder.embed([question])) for _ in range(20)) * 1000:6.1f} ms")
    raw = Raw(texts)
    print(f"{len(texts)} passages, {np.mean([len(p) for p in raw.pieces]):.0f} word pieces each on average")
    acts: dict[str, Callable[[], object]] = {
        "raw, one by one": lambda: raw.run(1),
        f"raw, batches of {BATCH}": lambda: raw.run(BATCH),
        "pincite": lambda: embedder.embed(texts),
    }
    best = dict.fromkeys(acts, float("inf"))
    for _ in range(4):
        for name, act in acts.items():
            best[name] = min(best[name], seconds(act))
    for name, taken in best.items():
        print(f"{name:21} {len(texts) / taken:6.1f} passages per second")
    fastest_raw = min(taken for name, taken in best.items() if name != "pincite")
    print(f"pincite / fastest raw {fastest_raw / best['pincite']:6.2f}  (target 0.9)")


if __name__ == "__main__":
    main()
