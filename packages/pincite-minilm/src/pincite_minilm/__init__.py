"""Where the model files are, and what their bytes must hash to."""

from pathlib import Path

NAME = "minilm-l6-v2-int8"
DIMENSION = 384
MODEL_PATH = Path(__file__).with_name("model.onnx")
TOKENIZER_PATH = Path(__file__).with_name("tokenizer.json")
MODEL_SHA256 = "cf19b0207b3a925afa505aa0f22012512b1790e3a634aede6ab8d8dc92a3b2e9"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
