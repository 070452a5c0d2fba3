"""What may not be swapped for its twin: codes, numbered names and years that an answer has to hold itself."""

import re
from typing import Final

from pincite.text.codes import code_pattern, number_pattern
from pincite.types.question import GenerationBrief


def must_patterns(brief: GenerationBrief) -> list[re.Pattern[str]]:
    """Return a pattern for each thing that may not be swapped for its twin.

    A bare number has to stand near the word before it in the question ("lock 5"), a code has to stand whole.
    """
    patterns = []
    for name in brief.must_distinguish:
        if re.fullmatch(r"(?:1[6-9]|20|21)\d\d", name):
            patterns.append(re.compile(rf"(?<!\d){name}(?!\d)|(?<!\d)’?'{name[2:]}(?!\d)"))
        elif re.fullmatch(r"[A-Z]", name):
            patterns.append(re.compile(rf"(?:(?<![\w.])|(?<=[Α-Ωα-ω])){name}(?!\w|[#+]|\.\w)"))
        elif re.fullmatch(r"\d+(?:\.\d+)*", name) and len(name) < _CODE_DIGITS:
            # "429: too many calls" is about the status 429, wherever the word stands.
            labelled = rf"(?m:^\W*{re.escape(name)}\W{{0,2}}(?:[:–—|]|\s-\s))"
            patterns.append(re.compile(f"{number_pattern(name, brief.question).pattern}|{labelled}", re.IGNORECASE))
        else:
            patterns.append(code_pattern(name))
    return patterns


#: A bare number this long is a code: an ISBN, a telephone number.
_CODE_DIGITS: Final = 8
