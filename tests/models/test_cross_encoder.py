"""A reranker of the user's own, loaded from a folder: tried with a tiny real ONNX model."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from pincite.errors import ProviderError, SettingsError
from pincite.models.cross_encoder import CrossEncoder

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "lamp", "lock", "deep", "green")


def tiny(folder: Path, *, classes: int = 1) -> Path:
    """Write a model that likes the word "deep": the sum over the word pieces of a weight for each."""
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))  # noqa: S106 - the name of a piece
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    table = np.zeros((len(WORDS), classes), dtype=np.float32)
    table[WORDS.index("deep"), -1] = 2.0
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
            helper.make_node("ReduceSum", ["rows", "axes"], ["logits"], keepdims=0),
        ],
        "tiny",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, None])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, classes])],
        [numpy_helper.from_array(table, "table"), numpy_helper.from_array(np.array([1], dtype=np.int64), "axes")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, folder / "model.onnx")
    return folder


@pytest.mark.parametrize("classes", [1, 2])
def test_the_model_decides(tmp_path: Path, classes: int) -> None:
    """Scores are the model's, between 0 and 1, whether it gives one number or two classes."""
    scores = CrossEncoder(tiny(tmp_path, classes=classes)).scores("lock", ["lock deep", "lamp green"])
    assert scores == pytest.approx([1 / (1 + np.exp(-2.0)), 0.5])


def test_a_long_passage_is_cut_not_refused(tmp_path: Path) -> None:
    """A passage longer than the model reads still gets a score."""
    assert CrossEncoder(tiny(tmp_path)).scores("lock", ["lamp " * 3000]) == pytest.approx([0.5])


def test_a_folder_without_the_model_says_which_file(tmp_path: Path) -> None:
    """The error names the file that is not there."""
    with pytest.raises(SettingsError, match=r"model\.onnx is not there"):
        CrossEncoder(tmp_path)


def test_a_broken_model_is_a_typed_failure(tmp_path: Path) -> None:
    """A file that is no model ends in a provider error, which a question survives."""
    folder = tiny(tmp_path)
    (folder / "model.onnx").write_bytes(b"no model")
    with pytest.raises(ProviderError, match="failed"):
        CrossEncoder(folder).scores("lock", ["lamp"])
