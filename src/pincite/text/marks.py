"""Text without Markdown marks, or without reference marks, and the way back."""

import re
from typing import Final

from pincite.text.fold import Folded

_MARKDOWN: Final = re.compile(
    r"^\s{0,3}(?:#{1,6}\s+|>\s?|(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?)+"  # heading, block quote, list item
    r"|!?\[(?=[^\[\]]*\]\([^()\s]*(?:\s+\"[^\"]*\")?\))"  # [ of a link or picture
    r"|(?<=\S)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)"  # ](address)
    r"|\[\^[^\]\s]+\]:?"  # footnote reference
    r"|(?<!\\)\*{1,3}(?=\S)|(?<=[^\s\\])\*{1,3}"
    r"|(?<![\w\\])_{1,3}(?=\S)|(?<=[^\s\\])_{1,3}(?!\w)"
    r"|~~|`+"
    r"|\\(?=[!-/:-@\[-`{-~])"  # the backslash of an escaped sign
    # Tags that only dress words (a raised 6 is an exponent and stays marked), and the rest of an escaped `&`.
    r"|</?(?:a|b|code|em|i|kbd|mark|s|small|span|strong|u)(?:\s[^<>]*)?>|(?<=&)amp;"
    r"|^\s*\|\s?|\s?\|\s*$"
)
_REFERENCE: Final = re.compile(
    r"\s?\[\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*\]"  # [12], [3, 4], [5–7]
    r"|(?<=[^\W\d_]{4})[⁰¹²³⁴-⁹]+(?=\W|$)|(?<=[.,;:!?)”\"])[⁰¹²³⁴-⁹]+(?=\s|$)"  # word¹² and sentence.¹²
)


def without_markdown(text: str) -> Folded:
    """Return a Markdown line as it reads when rendered.

    >>> without_markdown("**Bold** and a [link](https://x.org) to `code_name`").text
    'Bold and a link to code_name'
    """
    return _without(_MARKDOWN, text)


def without_reference_marks(text: str) -> Folded:
    """Return a line without bracketed reference numbers and raised note numbers after words.

    >>> without_reference_marks("As shown [3, 4], costs fell¹² by 5 m².").text
    'As shown, costs fell by 5 m².'
    """
    return _without(_REFERENCE, text)


def _without(pattern: re.Pattern[str], text: str) -> Folded:
    kept: list[int] = []
    at = 0
    for match in pattern.finditer(text):
        kept.extend(range(at, match.start()))
        at = match.end()
    if at == 0:
        return Folded(text)
    kept.extend(range(at, len(text)))
    return Folded("".join(text[i] for i in kept), tuple(kept), tuple(i + 1 for i in kept))
