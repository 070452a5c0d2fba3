"""Where the sentences of running text start and end."""

import re
from typing import Final

from pincite.text.months import MONTHS
from pincite.types.citation import Span

#: A full stop after one of these ends no sentence (lower case, without the stop).
_ABBREVIATIONS: Final = frozenset(
    """mr mrs ms dr prof sr jr st rev gen col capt lt sgt hon inc ltd co corp llc plc bros e.g i.e etc cf vs al fig figs
    eq eqs sec secs ch chap no nos vol vols p pp art arts para paras app appx approx ca dept est ed eds jan feb mar
    apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun u.s u.k e.u a.m p.m ph.d b.sc m.sc min max tel
    ref refs tab resp incl excl viz op cit ibid
    nr bzw ggf evtl inkl exkl zzgl abs bsp vgl str hr fr frl std mio mrd lt sog geb gest kap abb bd z.b d.h u.a i.d.r
    o.ä s.o s.u v.a usw okt dez mme mlle env av núm pág sra""".split()
)
#: The first letter of a German abbreviation of two words: "z. B.", "d. h.", "u. a.".
_HALF: Final = re.compile(r"[^\W\d_]{1,2}\.")
_SECOND_HALF: Final = re.compile(r"(?<!\w)(?:z\.\s?B|d\.\s?h|u\.\s?a|o\.\s?ä|s\.\s?[ou]|v\.\s?a|i\.\s?[dR])\.$")
#: An ordinal number inside a German sentence: "am 5. März", "der 2. Stock".
_ORDINAL: Final = re.compile(
    r"\b(?:am|der|die|das|dem|den|des|zum|zur|vom|beim|im|ab|bis|jede[nmrs]?|seit|und|de[nr])\s+\d{1,2}\.$",
    re.IGNORECASE,
)
#: No ordinal or abbreviation of two words is longer (characters).
_LONGEST_ORDINAL: Final = 24
_NEXT_WORD: Final = re.compile(r"[^\W\d_]+")
_END: Final = re.compile(r"[.!?]+[\"'”’»)\]⁰¹²³⁴-⁹]*(?=\s|$)|[。！？]+[」』”’）]*|\n+")
_LAST_WORD: Final = re.compile(r"(\S+?)[.!?]+[\"'”’»)\]⁰¹²³⁴-⁹]*$")

#: A number and a unit of one capital letter before the stop.
_MEASURED: Final = re.compile(r"\d\s?[^\W\d_]\.$")
#: All there is before the stop: "1.", "(iv.".
_ITEM_NUMBER: Final = re.compile(r"\(?[\divx]+\.")


def sentence_spans(text: str) -> tuple[Span, ...]:
    """Return the spans of the sentences of `text`, without blanks at their ends; line feeds end a sentence.

    >>> text = "Dr. Lind paid 3.50 kr. It rained, e.g. on Fig. 3. So?"
    >>> [text[s.start:s.end] for s in sentence_spans(text)]
    ['Dr. Lind paid 3.50 kr.', 'It rained, e.g. on Fig. 3.', 'So?']
    """
    spans: list[Span] = []
    start = 0
    for match in _END.finditer(text):
        if not _ends_here(text, start, match):
            continue
        _append(spans, text, start, match.end())
        start = match.end()
    _append(spans, text, start, len(text))
    return tuple(spans)


def _append(spans: list[Span], text: str, start: int, end: int) -> None:
    body = text[start:end]
    stripped = body.strip()
    if stripped:
        begin = start + len(body) - len(body.lstrip())
        spans.append(Span(start=begin, end=begin + len(stripped)))


def _ends_here(text: str, start: int, match: re.Match[str]) -> bool:
    mark = match.group()
    if mark[0] in "\n。！？!?" or mark.startswith(".") is False:
        return True
    after = text[match.end() :].lstrip()
    if not after:
        return True
    if after[0].islower():
        return False
    before = text[start : match.end()]
    word = _LAST_WORD.search(before.rsplit(maxsplit=1)[-1])
    bare = word.group(1).lstrip("([\"'“‘").lower() if word else ""
    if _goes_on(before[-_LONGEST_ORDINAL:], bare, after):
        return False
    if bare in _ABBREVIATIONS:
        # "… at 5 p.m. The gate" ends; "Fig. 3" and "Dr. Lind" do not.
        return (
            bare in {"a.m", "p.m", "etc", "usw", "u.s", "u.k", "inc", "ltd", "co", "corp", "al"} and after[0].isupper()
        )
    if re.fullmatch(r"[^\W\d_]", bare) and word is not None and word.group(1)[-1].isupper():
        # An initial, as in "J. Smith"; behind a number it is a unit: "is 12 V. The coil".
        return _MEASURED.search(before) is not None
    return not (re.fullmatch(r"\d{1,3}|[ivx]+", bare) and _is_item_number(text, start, match))


def _goes_on(before: str, bare: str, after: str) -> bool:
    """Say whether a full stop belongs to a date, an ordinal number or an abbreviation of two words."""
    following = _NEXT_WORD.match(after)
    if re.fullmatch(r"\d{1,2}", bare):
        month = following is not None and following.group().lower() in MONTHS
        return month or _ORDINAL.search(before) is not None
    if len(bare) == 1 and bare.isalpha() and _HALF.match(after):
        return True
    return _SECOND_HALF.search(before) is not None


def _is_item_number(text: str, start: int, match: re.Match[str]) -> bool:
    """Say whether the number before the stop is all there is so far: "1. Stop the pump"."""
    return bool(_ITEM_NUMBER.fullmatch(text[start : match.end()].strip()))
