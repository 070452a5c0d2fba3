"""How many words a line counts for, and how a blob of characters is cut short."""

import re
from typing import Final

from pincite.text.characters import holds_text, is_cjk

#: Runs of characters without a blank that are longer are blobs (keys, base64): their start says all they can say.
MAX_RUN_CHARS: Final = 200
KEPT_RUN_CHARS: Final = 80
#: A Chinese or Japanese word has about one and a half characters.
CHARS_PER_WORD: Final = 1.5
#: A line without words still takes room, so that endless rows of marks are cut too.
MIN_LINE_WORDS: Final = 0.5

_CJK: Final = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_RUN: Final = re.compile(rf"\S{{{MAX_RUN_CHARS + 1},}}")


def count_words(text: str) -> float:
    """Return about how many words a line has; scripts without spaces count by their characters.

    >>> count_words("make fast, please"), count_words("港の鍵は赤い")
    (3.0, 4.0)
    """
    n_words = float(len(text.split()))
    if not text.isascii():
        n_cjk = len(_CJK.findall(text))
        if n_cjk:
            n_words = len(_CJK.sub(" ", text).split()) + n_cjk / CHARS_PER_WORD
    return max(n_words, MIN_LINE_WORDS)


def shorten_blobs(text: str) -> str:
    """Return `text` with each run of more than `MAX_RUN_CHARS` characters without a blank cut and marked by `…`.

    >>> len(shorten_blobs("key: " + "A7x/" * 15_000))
    86
    """
    if len(text) <= MAX_RUN_CHARS:
        return text
    return _RUN.sub(_shortened, text)


def _shortened(found: re.Match[str]) -> str:
    run = found.group()
    # Text of scripts without spaces has no blanks either, and all of it is words.
    return run if any(is_cjk(char) for char in run[:MAX_RUN_CHARS]) else run[:KEPT_RUN_CHARS] + "…"


def holds_words(text: str) -> bool:
    """Say whether a line has a letter or digit, or a mark beyond ASCII; rules, fences and blanks of no width have none.

    >>> holds_words("-----"), holds_words("| --- |"), holds_words("≥ 5"), holds_words("→")
    (False, False, True, True)
    """
    return holds_text(text)
