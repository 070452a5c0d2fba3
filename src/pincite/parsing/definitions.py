"""Terms that a document defines: "“Business Day” means …", "X is defined as …", entries of a glossary."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pincite.types.document import Line, Section

_OPEN, _CLOSE = "“\"„«‘'", "”\"“»’'"
#: The verbs that define; "is" alone does so only in a glossary.
_VERBS: Final = (
    r"(?:shall\s+)?(?:means?\b|have\s+the\s+meaning|has\s+the\s+meanings?)|(?:is|are)\s+defined\s+(?:as|in|to)"
    r"|refers?\s+to|bedeutet|bezeichnet|désigne|signifie"
)
_QUOTED: Final = re.compile(
    rf"(?:^|[\s(.;:])(?:the\s+term\s+)?[{_OPEN}](?P<term>[^{_OPEN}{_CLOSE}]{{2,60}})[{_CLOSE}]"
    rf"(?:\s*(?:\([^)]{{1,60}}\)|or\s+[{_OPEN}][^{_CLOSE}]{{2,60}}[{_CLOSE}]|,[^,]{{1,60}},))*\s*(?P<verb>{_VERBS})",
    re.IGNORECASE,
)
_PLAIN: Final = re.compile(
    r"^(?:[-*•]\s+|\(?[a-z0-9]{1,3}[.)]\s+|\d+(?:\.\d+)*\.?\s+)?(?:(?:a|an|the)\s+)?"
    r"(?P<term>[A-Z][\w’'/-]*(?:\s[\w’'/-]+){0,5})"
    r"\s+(?:means\b|(?:is|are)\s+defined\s+as\b)",
)
#: Titles of sections that are lists of terms.
_GLOSSARY: Final = re.compile(
    r"\b(?:glossary|definitions?|defined terms|terms and definitions|abbreviations|acronyms|glossar|begriffe"
    r"|begriffsbestimmungen|abkürzungen|glossaire|définitions)\b",
    re.IGNORECASE,
)
_ENTRY: Final = re.compile(
    r"^(?:[-*•]\s+|\d+(?:\.\d+)*\.?\s+)?(?:\*\*|__)?(?P<term>[^\W_][\w ./()&’'-]{0,48}?)(?:\*\*|__)?"
    r"(?:\s*[:–—]\s*(?:\*\*)?|\s-\s|\s{2,}|\t)\s*(?P<said>\S.*)"
)
#: "Constant currency. Financial results translated at …": a few words as a sentence, where the one before has ended.
_SAID: Final = re.compile(r"^(?P<term>[A-Z][\w ,/()&’'-]{1,60}?)\s?\.\s+(?P<said>[A-Z].*)")
_ENDED: Final = re.compile(r"[.;:)]\s*$")
#: A term in small letters begins an entry only where a mark shows that one begins.
_MARKED: Final = re.compile(r"[-*•_\d]")
#: What stands between a term's quote and its verb may break a line; this much of the next line is looked at.
_NEXT_CHARS: Final = 120
#: Terms of so many words or more are sentences.
_MOST_WORDS: Final = 8


@dataclass(frozen=True, slots=True)
class Definition:
    """A term, the line that defines it, and what that line says of it."""

    term: str
    line: Line
    said: str


def definitions(lines: Sequence[Line], toc: Sequence[Section]) -> Iterator[Definition]:
    """Yield the terms that visible lines define, in order; of several definitions of a term each."""
    glossaries = {section.section_id for section in toc if any(map(_GLOSSARY.search, section.breadcrumb[-2:]))}
    for at, line in enumerate(lines):
        text = line.text
        following = lines[at + 1].text if at + 1 < len(lines) else ""
        yield from _quoted(line, following)
        if "means" in text or "defined as" in text:
            match = _PLAIN.match(text)
            if match is not None and _is_term(match["term"]):
                yield Definition(match["term"], line, text[match.end() :].strip(" :,"))
        if line.section_id in glossaries and line.role != "heading":
            match = _ENTRY.match(text)
            if match is not None and _is_term(match["term"]) and (match["term"][0].isupper() or _MARKED.match(text)):
                yield Definition(match["term"].strip(), line, match["said"].strip("* "))
                continue
            before = lines[at - 1] if at else None
            ended = before is None or before.role == "heading" or _ENDED.search(before.text) is not None
            said = _SAID.match(text) if ended else None
            if said is not None and _is_term(said["term"]):
                yield Definition(said["term"].strip(), line, said["said"])


def _quoted(line: Line, following: str) -> Iterator[Definition]:
    """Yield the terms in quotes that a line defines; the verb may stand in the next line."""
    text = line.text
    if not ('"' in text or "“" in text or "„" in text or "«" in text or "‘" in text):
        return
    joined = f"{text} {following[:_NEXT_CHARS]}"
    for match in _QUOTED.finditer(joined):
        term = match["term"].strip(" ,.;:")
        if match.start("term") < len(text) and _is_term(term):
            yield Definition(term, line, joined[match.end("verb") :].strip(" :,")[:_NEXT_CHARS])


def _is_term(term: str) -> bool:
    words = term.split()
    return 0 < len(words) <= _MOST_WORDS and any(char.isalpha() for char in term) and words[0].lower() not in _NO_TERM


#: Words that no term begins with: "This means that …".
_NO_TERM: Final = frozenset(
    "this that it which what these those there here such if when as note see in on for http https attn example source "
    "tel fax email e-mail".split()
)
