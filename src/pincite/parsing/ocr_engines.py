"""Which engine reads pictures: Tesseract where it is on the machine, else RapidOCR where it is installed."""

import importlib.util
from functools import cache
from typing import TYPE_CHECKING, Final

from pincite.parsing.ocr_engine import Engine
from pincite.parsing.ocr_rapidocr import RapidOcr
from pincite.parsing.ocr_tesseract import Tesseract, tesseract_path

if TYPE_CHECKING:
    from pincite.parsing.ocr import OcrOptions

INSTALL: Final = 'install Tesseract (apt-get install tesseract-ocr), or: pip install "pincite[ocr]"'


def engine_for(options: "OcrOptions") -> Engine | None:
    """Return the engine of the options, `None` where it is not installed. One that runs already is used again."""
    if options.engine in ("auto", "tesseract") and tesseract_path() is not None:
        return Tesseract(options.timeout_s)
    if options.engine in ("auto", "rapidocr") and importlib.util.find_spec("rapidocr") is not None:
        return _rapid(options.timeout_s)
    return None


@cache
def _rapid(timeout_s: float) -> RapidOcr:
    return RapidOcr(timeout_s)
