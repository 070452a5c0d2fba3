"""Names for who does something, from the verb of a question: who "supplies" a thing is its "supplier"."""

import re
from typing import Final

_HELPING: Final = frozenset(
    "is are was were does did do can could will would must should may might has have had be been ist sind war waren hat"
    " haben wird wurde kann".split()
)
#: "Who owns …", "By whom is … run?", "Who was … built by?", "Which firm supplies …".
_ASKED: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bby\s+whom\b.*\b(?P<verb>[a-z]+)\W*$",
        r"\bwho\s+(?:is|was|are|were)\b.*\b(?P<verb>[a-z]+)\s+by\W*$",
        r"\bwho\s+(?:has\s+|have\s+|had\s+|currently\s+|now\s+)*(?P<verb>[a-z]+)\b",
        r"\bwhich\s+(?P<doer>[a-z]+(?:er|or))\s+(?P<verb>[a-z]+)\b",
    )
)
_ASKED_DE: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:von\s+wem|wer)\b.*\b(?P<verb>(?:be|ver|ent|er|zer)?ge[^\W\d_]+|(?:be|ver|ent|er|zer)[^\W\d_]+t)\W*$",
        r"\bwe[rm]\s+(?P<verb>[^\W\d_]+t)\b",
    )
)
#: When something was done is told by the noun of the deed: "gegründet", "Gründung".
_DEED_DE: Final = re.compile(r"\b(?:wann|wo)\b.*\b(?P<verb>[^\W\d_]{4,}t)\W*$", re.IGNORECASE)
_IRREGULAR: Final = {
    "wrote": "write", "written": "write", "built": "build", "led": "lead", "ran": "run", "taught": "teach",
    "sold": "sell", "bought": "buy", "made": "make", "held": "hold", "drew": "draw", "drawn": "draw", "kept": "keep",
    "won": "win", "paid": "pay", "spoke": "speak",
}  # fmt: skip
#: Who does it by another word than the verb's own.
_ALSO: Final = {
    "write": "author", "run": "operator manager", "own": "proprietor", "deliver": "supplier", "make": "manufacturer",
    "teach": "instructor", "chair": "chairman chairperson chairwoman", "sell": "vendor", "head": "director",
    "gehör": "eigentümer besitzer inhaber", "besitz": "eigentümer inhaber", "beliefer": "lieferant",
    "liefer": "lieferant", "führ": "leiter geschäftsführer",
}  # fmt: skip


def doer_words(question: str) -> dict[str, frozenset[str]]:
    """Return the verb by which a question asks for who does something, with the words that may name them.

    >>> words = doer_words("Who supplies the valves?")["supplies"]
    >>> "supplier" in words, doer_words("Who is the supplier?")
    (True, {})
    """
    for pattern in _ASKED:
        match = pattern.search(question)
        if match is not None and match["verb"].lower() not in _HELPING:
            doer = match.groupdict().get("doer")
            return {match["verb"]: frozenset({doer.lower()}) if doer else _doers(match["verb"].lower())}
    for pattern in _ASKED_DE:
        match = pattern.search(question)
        if match is not None and match["verb"].lower() not in _HELPING:
            return {match["verb"]: _doers_de(match["verb"].lower())}
    match = _DEED_DE.search(question)
    if match is None:
        return {}
    return {match["verb"]: frozenset(f"{s}{end}" for s in _stems_de(match["verb"].lower()) for end in _DEED_ENDINGS)}


_DEED_ENDINGS: Final = ("ung", "ungsjahr", "ungsdatum", "jahr", "datum")


def _doers(verb: str) -> frozenset[str]:
    lemmas = {verb, _IRREGULAR.get(verb, verb)}
    for ending, put in (("ies", "y"), ("ied", "y"), ("es", ""), ("s", ""), ("ed", ""), ("d", "")):
        if verb.endswith(ending) and len(verb) > len(ending) + 1:
            bare = verb.removesuffix(ending)
            lemmas.add(bare + put)
            if ending == "ed" and len(bare) > 2 and bare[-1] == bare[-2]:
                lemmas.add(bare[:-1])
    found = set(lemmas)
    for lemma in lemmas:
        found.update(_ALSO.get(lemma, "").split())
        stem = lemma[:-1] if lemma.endswith(("e", "y")) else lemma
        found.update(stem + ending for ending in (("ier",) if lemma.endswith("y") else ("er", "or")))
        found.add(f"{stem}{stem[-1:]}er")
    return frozenset(found)


def _stems_de(verb: str) -> list[str]:
    bare = re.sub(r"^(?=..)(?:ge)(?=[^\W\d_]{3})", "", verb)
    stems = [
        word.removesuffix(ending) for word in (verb, bare) for ending in ("et", "t", "en") if word.endswith(ending)
    ]
    return [stem for stem in dict.fromkeys(stems) if len(stem) > 2]


def _doers_de(verb: str) -> frozenset[str]:
    found = {verb}
    for stem in _stems_de(verb):
        found.update((stem + "er", stem + "erin", *_ALSO.get(stem, "").split()))
    return frozenset(found)
