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
#: Nouns whose verb or adjective a stemmer does not reach.
_FAMILIES: Final = {
    "response": "respond", "responses": "respond", "decision": "decide", "decisions": "decide", "weight": "weigh",
    "weights": "weigh", "permission": "permit", "permissions": "permit", "sale": "sell", "sales": "sell",
    "choice": "choose", "choices": "choose", "chosen": "choose", "chose": "choose", "proof": "prove",
    "belief": "believe", "growth": "grow", "loss": "lose", "losses": "lose", "speech": "speak", "depth": "deep",
    "width": "wide", "height": "high", "strength": "strong", "breadth": "broad", "expense": "expend",
    "expenses": "expend", "submission": "submit", "admission": "admit", "omission": "omit", "extension": "extend",
    "expansion": "expand", "conclusion": "conclude", "inclusion": "include", "exclusion": "exclude",
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
    """Return a lower-case word in American spelling, a noun as its verb or adjective, as far as rules reach.

    >>> [american(w) for w in ("colour", "harbour", "centre", "organise", "four", "metres")]
    ['color', 'harbor', 'center', 'organize', 'four', 'meters']
    """
    if word in _FAMILIES:
        return _FAMILIES[word]
    if word in _WORDS:
        return _WORDS[word]
    for pattern, replacement in _RULES:
        word = pattern.sub(replacement, word)
    return word
