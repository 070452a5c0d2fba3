"""The default embedder: loaded once, from files that are checked, the same vector for the same text."""

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pincite.errors import SettingsError
from pincite.models import EMBEDDERS, minilm, open_embedder
from pincite.models.minilm import Device, MiniLmEmbedder, providers_for
from pincite.protocols import Embedder
from pincite.registry import load
from pincite.settings import Settings


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    made: Embedder = load("minilm", EMBEDDERS, group="pincite.embedders")()
    return made


def test_says_which_model_made_the_vectors(embedder: Embedder) -> None:
    """The name holds model and version, so vectors of another are told apart."""
    assert (embedder.name, embedder.dimension) == ("minilm-l6-v2-int8@1", 384)


def test_vectors_have_length_one(embedder: Embedder) -> None:
    """Rows are float32 of length one, in the order of the texts."""
    vectors = embedder.embed(["a lamp", "The lamp has six panes of glass, and it is lit at dusk.", "tax law"])

    assert (vectors.dtype, vectors.shape) == (np.float32, (3, 384))
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert vectors[0] @ vectors[1] > 0.5 > vectors[0] @ vectors[2]


def test_a_text_without_words_is_zero(embedder: Embedder) -> None:
    """Nothing to read gives the zero vector; no texts give no rows."""
    assert not embedder.embed(["", " \n\t", "\u200b"]).any()
    assert embedder.embed([]).shape == (0, 384)


def test_a_text_has_one_vector_in_any_company(embedder: Embedder) -> None:
    """What stands beside a text changes nothing: a run that was stopped and resumed gives the same library."""
    texts = ["lamp", "The lamp has six panes. " * 20, "", "Net revenue rose 4 % in 2027.", "x" * 50]

    together = embedder.embed(texts)

    assert (together == np.concatenate([embedder.embed([text]) for text in texts])).all()


def test_reads_the_first_256_word_pieces(embedder: Embedder) -> None:
    """A long text is cut, not refused; a blob of a million characters costs no more than a page."""
    same = "lamp " * 254

    vectors = embedder.embed([same, same + "mast " * 1000, "A" * 1_000_000, " " * 1_000_000 + "lamp", "\udc80 lamp"])

    assert (vectors[0] == vectors[1]).all()
    assert np.isfinite(vectors).all()


def test_is_loaded_once_by_whoever_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Case OPS10: many embedders in many threads make one model; making an embedder or asking its name makes none."""
    made: list[Any] = []

    class Counted(minilm._Model):
        def __init__(self, device: Device) -> None:
            made.append(self)
            super().__init__(device)

    monkeypatch.setattr(minilm, "_loaded", {})
    monkeypatch.setattr(minilm, "_Model", Counted)
    embedders = [MiniLmEmbedder() for _ in range(8)]
    assert [(e.name, e.dimension) for e in embedders] == [("minilm-l6-v2-int8@1", 384)] * 8
    assert made == []

    threads = [threading.Thread(target=e.embed, args=(["lamp"],)) for e in embedders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(made) == 1


@pytest.mark.parametrize("file", ["MODEL_PATH", "TOKENIZER_PATH"])
def test_an_altered_model_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str) -> None:
    """A file that is not the one pincite was made for is named, with its hash, and never loaded."""
    import pincite_minilm

    altered = tmp_path / "altered.bin"
    altered.write_bytes(getattr(pincite_minilm, file).read_bytes()[:-1] + b"?")
    monkeypatch.setattr(pincite_minilm, file, altered)
    monkeypatch.setattr(minilm, "_loaded", {})

    with pytest.raises(SettingsError, match=r"altered\.bin.*SHA-256.*install pincite-minilm again"):
        MiniLmEmbedder().embed(["lamp"])


def test_a_missing_model_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing file is a typed error, not a traceback."""
    import pincite_minilm

    monkeypatch.setattr(pincite_minilm, "MODEL_PATH", tmp_path / "none.onnx")
    monkeypatch.setattr(minilm, "_loaded", {})

    with pytest.raises(SettingsError, match=r"none\.onnx"):
        MiniLmEmbedder().embed(["lamp"])


CPU, CUDA = "CPUExecutionProvider", "CUDAExecutionProvider"


@pytest.mark.parametrize(
    ("device", "available", "providers"),
    [
        ("cpu", [CPU], [CPU]),
        ("cpu", [CUDA, CPU], [CPU]),
        ("auto", [CPU], [CPU]),
        ("auto", ["TensorrtExecutionProvider", CUDA, CPU], [CUDA, CPU]),
        ("cuda", [CUDA, CPU], [CUDA, CPU]),
    ],
)
def test_runs_on_a_gpu_where_that_is_wanted_and_possible(
    device: Device, available: list[str], providers: list[str]
) -> None:
    """A GPU is used when the setting says so and this onnxruntime can; what it cannot do the CPU does."""
    assert providers_for(device, available) == providers


def test_a_gpu_that_cannot_be_used_is_an_error_where_it_was_asked_for() -> None:
    """Who asks for a GPU is not served by the CPU in silence; the message says what to install."""
    embedder = open_embedder("minilm", Settings(embedder_device="cuda"))
    assert embedder is not None
    with pytest.raises(SettingsError, match=r"embedder_device is \"cuda\".*onnxruntime-gpu"):
        embedder.embed(["lamp"])


def test_threads_do_not_change_a_vector(embedder: Embedder) -> None:
    """A node runs many processes of one thread each: their vectors are those of one process on all cores."""
    texts = ["a lamp of six panes", "the lease runs for five years", "tax"]
    single = open_embedder("minilm", Settings(), n_threads=1)
    assert single is not None
    assert (single.embed(texts) == embedder.embed(texts)).all()
