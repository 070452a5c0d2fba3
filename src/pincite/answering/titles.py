"""Lines of the running text that only name what follows: titles, labels on forms, questions that are answered below."""

import re
from collections.abc import Sequence
from typing import Final

from pincite.text.joining import join_lines
from pincite.text.sentences import sentence_spans
from pincite.types.source import ReadingLine

#: What ends a sentence, or opens one.
TERMINAL: Final = re.compile(r"[.!?:;。！？][\"'”’)\]⁰¹²³⁴-⁹]*\s*$")
#: A line of a few words that stands alone, without a number or a full stop, names what follows: "Permit form".
_TITLE: Final = re.compile(r"^\s*(?!.*\d)[A-Z][^\s.,;:!?]*(?:\s+[^\s.,;:!?]+){1,2}\s*$")
#: A question longer than this is no title of what follows.
_QUESTION_WORDS: Final = 30


def is_title(block: Sequence[ReadingLine], form_pages: set[tuple[str, int]]) -> bool:
    """Say whether a paragraph only names what follows: a title, a label on one of the pages with forms, a question."""
    line = block[0]
    text = line.line.text
    is_label = (line.doc_id, line.line.page_num) in form_pages and not TERMINAL.search(text)
    return (len(block) == 1 and (bool(_TITLE.match(text)) or is_label)) or _asks(block)


def _asks(block: Sequence[ReadingLine]) -> bool:
    """Say whether a paragraph is one question, as in a list of questions and answers."""
    text = re.sub(r"[*_\s]+$", "", join_lines([line.line.text for line in block]).text)
    return text.endswith(("?", "？")) and len(text.split()) <= _QUESTION_WORDS and len(sentence_spans(text)) == 1
