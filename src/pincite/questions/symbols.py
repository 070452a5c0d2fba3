"""Greek letters by name: who types "delta T" or "beta 2" means the ΔT or β2 of the documents."""

import re
from typing import Final

from pincite.questions.corpus import Corpus
from pincite.text.characters import GREEK_NAMES

_LETTERS: Final = {name: letter for letter, name in reversed(GREEK_NAMES.items())}
#: A name, and what is written to its letter without a blank: "beta2", "delta T", "epsilon_ls".
_NAMED: Final = re.compile(
    rf"(?<![\w-])(?P<name>{'|'.join(_LETTERS)})"
    r"(?:[ _-]?(?P<digits>\d{1,3})|[ _-](?P<letters>[^\W\d_]{1,3}))(?![\w-])",
    re.IGNORECASE,
)


def with_symbols(question: str, corpus: Corpus) -> str:
    """Return the question with "delta T" as ΔT where the documents write it so and not by its name.

    A name alone stays: the terms of a letter hold its name.
    """
    for match in reversed(list(_NAMED.finditer(question))):
        suffix = match["digits"] or match["letters"]
        letter = _LETTERS[match["name"].lower()]
        joined = next((letter + gap + suffix for gap in ("", "_") if _holds(corpus, letter + gap + suffix)), None)
        if joined is not None and not _holds(corpus, match["name"] + suffix):
            shown = joined.upper() if suffix.isupper() else joined
            question = question[: match.start()] + shown + question[match.end() :]
    return question


def _holds(corpus: Corpus, word: str) -> bool:
    return bool(corpus.term_counts([word.lower()]).get(word.lower()))
