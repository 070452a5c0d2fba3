"""British and American spellings meet in one form, for search only."""

import re
from typing import Final

#: Whole words whose spellings differ without a rule.
_WORDS: Final = {
    "grey": "gray", "tyre": "tire", "tyres": "tires", "cheque": "check", "cheques": "checks", "kerb": "curb",
    "programme": "program", "programmes": "programs", "aluminium": "aluminum", "sulphur": "sulfur",
    "plough": "plow", "draught": "draft", "mould": "mold", "jewellery": "jewelry", "ageing": "aging",
    "judgement": "judgment", "storey": "story", "defence": "defense", "offence": "offense",
    "licence": "license", "pretence": "pretense", "practise": "practice", "artefact": "artifact",
    "gaol": "jail", "lite": "light", "lites": "lights",
    "nite": "night", "tonite": "tonight", "thru": "through",
}  # fmt: skip
#: (pattern, replacement): colour, centre, fibre, organise, analyse, catalogue, travelled, anaemia.
_RULES: Final = (
    (re.compile(r"(?<=[a-z]{2}[bdlmnv])our(?=$|s$|ed$|ing$|able$|ful|less|ist|ite|er|ab)"), "or"),
    (re.compile(r"(?<=[a-z])(t|b)re(?=$|s$|d$)"), r"\1er"),
    (re.compile(r"(?<=[a-z]{3})is(?=e$|es$|ed$|ing$|er$|ers$|ation|able)"), "iz"),
    (re.compile(r"(?<=[a-z]{3})ys(?=e$|es$|ed$|ing$|er$)"), "yz"),
    (re.compile(r"(?<=[a-z]{3})ogue(?=$|s$)"), "og"),
    (re.compile(r"(?<=[a-z]{2}[aeiou])ll(?=ed$|ing$|er$|ers$|ation)"), "l"),
    (re.compile(r"(?<=[a-z])ae(?=[mnstd])"), "e"),
)


def american(word: str) -> str:
    """Return a lower-case word in American spelling, as far as rules reach.

    >>> [american(w) for w in ("colour", "harbour", "centre", "organise", "four", "metres")]
    ['color', 'harbor', 'center', 'organize', 'four', 'meters']
    """
    if word in _WORDS:
        return _WORDS[word]
    for pattern, replacement in _RULES:
        word = pattern.sub(replacement, word)
    return word
