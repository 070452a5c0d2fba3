"""Tables of characters that look alike, and what each is compared as."""

import unicodedata
from typing import Final

#: Curly, low, angle and prime quote marks (Unicode General Punctuation, CJK Symbols).
SINGLE_QUOTES: Final = "‘’‚‛′‹›`´ʼ＇"
DOUBLE_QUOTES: Final = "“”„‟″«»〝〞＂"
#: Hyphens, dashes and the minus sign; all are compared as U+002D.
DASHES: Final = "‐‑‒–—―−﹘﹣－⁃"
#: Characters without width: they carry no meaning for a reader.
INVISIBLE: Final = "\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u200f"
#: Latin ligatures U+FB00 to U+FB06.
LIGATURES: Final = "ﬀﬁﬂﬃﬄﬅﬆ"
SUBSCRIPTS: Final = "₀₁₂₃₄₅₆₇₈₉"
#: Full stops and commas of Chinese and Japanese that NFKC leaves as they are.
CJK_PUNCTUATION: Final = {"。": ".", "、": ",", "「": '"', "」": '"', "『": '"', "』": '"'}
COMPARISONS: Final = {"≥": ">=", "≤": "<=", "≠": "!="}

GREEK_NAMES: Final = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta",
    "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi",
    "ο": "omicron", "π": "pi", "ρ": "rho", "σ": "sigma", "ς": "sigma", "τ": "tau", "υ": "upsilon",
    "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega",
}  # fmt: skip
SYMBOL_NAMES: Final = {"§": "section", "¶": "paragraph", "№": "no", "%": "percent", "°": "degree", "Ω": "ohm"}


def is_cjk(char: str) -> bool:
    """Say whether words of this script are written without spaces (Han, Kana, Hangul excluded).

    >>> [is_cjk(c) for c in "款かa가"]
    [True, True, False, False]
    """
    code = ord(char)
    return (
        0x3040 <= code <= 0x30FF
        or 0x3400 <= code <= 0x4DBF
        or 0x4E00 <= code <= 0x9FFF
        or 0xF900 <= code <= 0xFAFF
        or 0x20000 <= code <= 0x3FFFF
        or 0x0E00 <= code <= 0x0EFF
    )


def holds_text(text: str) -> bool:
    """Say whether a reader sees more than blanks and ASCII marks: a letter, a digit, or a sign beyond ASCII.

    >>> holds_text("---"), holds_text("\u200b\u2060"), holds_text("→"), holds_text("5")
    (False, False, True, True)
    """
    return any(char.isalnum() or (char > "\xa0" and char.isprintable()) for char in text)


def is_cjk_or_mark(char: str) -> bool:
    """Say whether no space belongs between this character and its CJK neighbour."""
    return is_cjk(char) or 0x3000 <= ord(char) <= 0x303F or 0xFF00 <= ord(char) <= 0xFFEF


def strip_accents(text: str) -> str:
    """Return `text` without combining marks on Latin, Greek and Cyrillic letters.

    >>> strip_accents("équipage Malmö")
    'equipage Malmo'
    """
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if unicodedata.category(c) != "Mn"))
