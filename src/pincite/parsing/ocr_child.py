"""The process that reads pictures with RapidOCR: they come in on standard input, texts go out on standard output."""

import os
import sys
from typing import Any, Final

import msgspec

from pincite.parsing.ocr_rapidocr import Picture, Text
from pincite.parsing.processes import read_frame, write_frame

#: Text recognised with less confidence is noise more often than text.
MIN_SCORE: Final = 0.6


def main() -> None:
    """Serve pictures until standard input ends. Its models are part of the package: nothing is fetched."""
    out, source = os.fdopen(os.dup(1), "wb"), os.fdopen(os.dup(0), "rb")
    os.dup2(2, 1)  # what the library prints is no reply
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115
    engine: Any = None
    while (body := read_frame(source)) is not None:
        picture = msgspec.msgpack.decode(body, type=Picture)
        if engine is None:
            from rapidocr import RapidOCR

            # Whether a line stands on its head is found out for the whole page: lines turned one by one are read well
            # and in the wrong order.
            engine = RapidOCR(
                params={"Global.log_level": "critical", "Global.text_score": MIN_SCORE, "Global.use_cls": False}
            )
        write_frame(out, msgspec.msgpack.encode(_read(picture, engine)))
    os._exit(0)


def _read(picture: Picture, engine: Any) -> list[Text]:
    import numpy as np

    grey = np.frombuffer(picture.pixels, np.uint8).reshape(picture.height, picture.width)
    found = engine(np.ascontiguousarray(np.repeat(grey[:, :, None], 3, axis=2)))
    if found.boxes is None or found.txts is None:
        return []
    return [
        Text(text=words, corners=tuple((float(x), float(y)) for x, y in box), score=float(score))
        for box, text, score in zip(found.boxes, found.txts, found.scores, strict=True)
        if (words := " ".join(str(text).split())) and score >= MIN_SCORE
    ]


if __name__ == "__main__":
    main()
