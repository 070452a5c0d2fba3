"""What a reviewer should look at: passages that do not stand alone, are long, twice there, contradicting, unlinked."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from pincite.text.language import guess_language
from pincite.text.sentences import sentence_spans
from pincite.widget.contradictions import contradictions, numbers_in, words_in
from pincite.widget.likeness import like_pairs
from pincite.widget.records import Draft, Finding, SourceFile
from pincite.widget.words import LANGUAGES, stop_words, words

#: A passage is read as an answer; beyond this many words it is a page.
MAX_WORDS: Final = 100
#: Passages whose terms are shared to this part say the same.
_ALIKE: Final = 0.8
#: Words that stand for something said before, by language.
_POINTING: Final = {
    "en": frozenset("it its this that these those they them their he him his she her such".split()),
    "de": frozenset("es dies diese dieser dieses diesem diesen er sie ihm ihn ihr ihre ihnen dessen deren".split()),
    "fr": frozenset("il elle ils elles ce cela ceci celui celle ceux celles".split()),
    "es": frozenset("esto eso este esta estos estas ese esa él ella ellos ellas".split()),
}
#: "It is possible that", "this is how": a pointing word that points at nothing, or at what follows.
_EXPLETIVE: Final = re.compile(
    r"\s*(?:it (?:is|was) (?:not |also )?(?:possible|impossible|necessary|easy|hard|important|best|better|safe|up to)\b"
    r"|that (?:the|an?|there)\b"
    r"|es gibt\b|il y a\b|il faut\b)",
    re.IGNORECASE,
)
_ELSEWHERE: Final = re.compile(
    r"\b(?:(?:as|see|mentioned|described|shown|listed|explained|the) (?:above|below)|above-mentioned|aforementioned"
    r"|the (?:former|latter)|(?:previous|next|preceding|following) (?:section|paragraph|page|chapter|table|figure)"
    r"|click here|siehe (?:oben|unten)|oben genannt\w*|ci-dessus|ci-dessous|más (?:arriba|abajo))\b",
    re.IGNORECASE,
)


def lint(source: SourceFile) -> tuple[Finding, ...]:
    """Return what to look at, passage by passage, reviewed or not."""
    found = [finding for draft in source.passages for finding in _alone(draft, source.language)]
    found += _duplicates(source.passages)
    found += contradictions(source.passages)
    order = {draft.id: number for number, draft in enumerate(source.passages)}
    return tuple(sorted(found, key=lambda finding: order[finding.id]))


def _alone(draft: Draft, language: str) -> Iterator[Finding]:
    """Yield what can be seen without the other passages."""
    pointing = dangling(draft.text, language)
    if pointing:
        message = f"{pointing!r} stands for something outside of it; name the thing"
        yield Finding(kind="not_self_contained", id=draft.id, place=draft.place, message=message)
    elsewhere = _ELSEWHERE.search(draft.text)
    if elsewhere:
        message = f"{elsewhere.group()!r} leads outside of it; say it here"
        yield Finding(kind="not_self_contained", id=draft.id, place=draft.place, message=message)
    n_words = sum(1 for _ in words(draft.text))
    if n_words > MAX_WORDS:
        message = f"{n_words} words, of at most {MAX_WORDS}; one passage says one thing"
        yield Finding(kind="too_long", id=draft.id, place=draft.place, message=message)
    if not draft.url:
        message = "no url; say where it can be read in full"
        yield Finding(kind="no_url", id=draft.id, place=draft.place, message=message)


def dangling(text: str, language: str = "en") -> str:
    """Return the word of the first sentence that stands for something not named before it; empty where none does.

    >>> dangling("When it is full, the tank is closed."), dangling("The tank is closed when it is full.")
    ('it', '')
    """
    guessed = guess_language(text)
    spoken = guessed if guessed in LANGUAGES else language if language in LANGUAGES else "en"
    silent, pointing = frozenset(stop_words(spoken)), _POINTING[spoken]
    first = next((text[span.start : span.end] for span in sentence_spans(text)), "")
    if _EXPLETIVE.match(first):
        return ""
    for word in words(first):
        if word.term in pointing:
            return first[word.start : word.end]
        if word.term not in silent and len(word.term) > 1:
            return ""
    return ""


def _duplicates(drafts: Sequence[Draft]) -> Iterator[Finding]:
    """Yield the passages that say what an earlier one says, or nearly: most of its words, and all its numbers."""
    sets = [words_in(draft.text) for draft in drafts]
    numbers = [numbers_in(draft.text) for draft in drafts]
    told = set()
    for later, earlier in like_pairs(sets, _ALIKE):
        if later not in told and numbers[later] == numbers[earlier]:
            told.add(later)
            draft, other = drafts[later], drafts[earlier]
            same = "the same words as" if sets[later] == sets[earlier] else "nearly the same words as"
            message = f"{same} {other.id} ({other.place}); keep one of them"
            yield Finding(kind="duplicate", id=draft.id, place=draft.place, message=message)
