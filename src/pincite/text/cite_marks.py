"""Citation marks in free text: every form that models write, read and checked."""

import re
from collections.abc import Iterator
from typing import Final

from pincite.text.units import UNIT_WORDS, unit_name
from pincite.types.citation import Span
from pincite.types.record import Record

#: `[…]`, `[[…]]`, `【…】`, `［…］`, `〔…〕`, with an address behind it or not.
_MARK: Final = re.compile(
    r"(?:\[\[(?P<double>[^\[\]\n]{1,80})\]\]|\[(?P<single>[^\[\]\n]{1,80})\]|[【［〔](?P<cjk>[^【】［］〔〕\n]{1,80})[】］〕])"
)
_ADDRESS: Final = re.compile(r"\([^()\s]*\)")
_CODE: Final = re.compile(r"(?P<fence>```|~~~).*?(?:(?P=fence)|\Z)|`[^`\n]+`", re.DOTALL)
_DEFINITION: Final = re.compile(r"^ {0,3}\[[^\]\n]+\]:\s*\S+.*$", re.MULTILINE)
_PREFIX: Final = re.compile(
    r"^(?:\^|#|(?:ID|D|S|L|sources?|lines?|documents?|docs?|references?|refs?|passages?|chunks?|cit(?:ation|e)s?|quellen?"
    r"|fuentes?|dokumente?)\s*[.:#]?\s*(?=[-−]?\d))",
    re.IGNORECASE,
)
_SUFFIX: Final = re.compile(r"(?::\d+)?†.*$")
_PART: Final = re.compile(r"(?P<first>[-−]?\d{1,6})(?:\s*[-‐‑–—]\s*(?P<last>\d{1,6}))?")
_BETWEEN: Final = re.compile(r"\s*[,;，、]\s*|\s+(?:and|und|et|y|&)\s+", re.IGNORECASE)
#: One number with marks between its thousands, as `[1,000]`.
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:,(?P<next>\d{3}))+")
#: A year in brackets is no mark where there are not that many sources.
_YEAR: Final = range(1500, 2200)
#: A range of more sources than this cites nothing in particular.
LONGEST_RANGE: Final = 20
#: The problem of a mark that is left in the text, as it may be none.
MAY_BE_INTERVAL: Final = "may be an interval"
#: Before these an "[1, 5]" may be an interval.
_INTERVAL: Final = re.compile(r"\b(?:intervals?|ranges?|between|Intervalle?|Bereich|intervalo)\s*$", re.IGNORECASE)


class Mark(Record, frozen=True, kw_only=True):
    """One mark: where it stands, the sources it names, and what is wrong with it, if anything is."""

    span: Span
    sources: tuple[int, ...]
    problem: str | None = None


class MarkedText(Record, frozen=True, kw_only=True):
    """Text without its marks; `sources` in order, each once; `reported` says which marks name no source."""

    shown: str
    sources: tuple[int, ...]
    reported: tuple[str, ...]
    marks: tuple[Mark, ...]


def read_marks(text: str, n_sources: int) -> MarkedText:
    """Return what the marks of `text` cite, of sources 1 to `n_sources`.

    Code, link definitions, task boxes, years, and brackets glued to a word are no marks and stay. Marks that name a
    source there is not are taken out and reported; so are ranges that are reversed or absurd, and what may be an
    interval. Superscripts and round brackets are no marks: they cannot be told from exponents and asides.

    >>> read_marks("Oak and tar [1, 2]. More [9].", 5).sources
    (1, 2)
    """
    marks = tuple(_marks(text, n_sources))
    sources = dict.fromkeys(source for mark in marks for source in mark.sources)
    reported = tuple(f"{text[m.span.start : m.span.end]}: {m.problem}" for m in marks if m.problem)
    return MarkedText(shown=_without(text, marks), sources=tuple(sources), reported=reported, marks=marks)


def _marks(text: str, n_sources: int) -> Iterator[Mark]:
    closed = [(m.start(), m.end()) for pattern in (_CODE, _DEFINITION) for m in pattern.finditer(text)]
    index_end = -1
    for match in _MARK.finditer(text):
        if any(start <= match.start() < end for start, end in closed):
            continue
        before = text[match.start() - 1 : match.start()]
        address = _ADDRESS.match(text, match.end())
        # An underscore before and behind is emphasis, not the end of a name.
        is_emphasis = before == "_" and text[match.end() : match.end() + 1] == "_"
        glued = before.isascii() and (before.isalnum() or (before in ("_", ")") and not is_emphasis))
        glued = glued and match.group("cjk") is None
        if glued or match.start() == index_end or (before == "!" and address is not None):
            index_end = match.end()  # `a[1][2]` is code, `![1](x.png)` a picture
            continue
        body = next(group for group in match.groups() if group is not None)
        found = _read_body(body.strip(), n_sources)
        if found is None:
            continue
        sources, problem = found
        span = Span(start=match.start(), end=address.end() if address else match.end())
        if problem is None and "," in body and _may_be_interval(text, match):
            sources, problem = (), MAY_BE_INTERVAL
        yield Mark(span=span, sources=sources, problem=problem)


def _read_body(body: str, n_sources: int) -> tuple[tuple[int, ...], str | None] | None:
    """Return the sources of what stands in brackets and what is wrong; `None` when it is no mark at all."""
    inner = _SUFFIX.sub("", _PREFIX.sub("", body)).strip()
    sources: list[int] = []
    problems: list[str] = []
    thousands = _THOUSANDS.fullmatch(inner)
    if thousands is not None and not 1 <= int(thousands.group("next")) <= n_sources:
        return None
    for part in _BETWEEN.split(inner):
        match = _PART.fullmatch(_PREFIX.sub("", part).strip())
        if match is None:
            return None
        first = int(match.group("first").replace("−", "-"))
        last = int(match.group("last") or first)
        if first == last and first in _YEAR and first > n_sources:
            return None
        wrong = _problem(first, last, n_sources)
        if wrong:
            problems.append(wrong)
        else:
            sources.extend(range(first, last + 1))
    return tuple(dict.fromkeys(sources)), "; ".join(problems) or None


def _problem(first: int, last: int, n_sources: int) -> str | None:
    if first > last:
        return f"the range {first}–{last} is reversed"
    if last - first >= LONGEST_RANGE:
        return f"the range {first}–{last} names too many sources"
    if first < 1 or last > n_sources:
        return f"there is no source {first if first < 1 or first == last else last}"
    return None


def _may_be_interval(text: str, match: re.Match[str]) -> bool:
    if _INTERVAL.search(text[: match.start()]):
        return True
    after = re.match(r"\s*([^\W\d_]+|[%°])", text[match.end() :])
    # "in" is far more often the word than the inch.
    return (
        after is not None
        and after.group(1) != "in"
        and (unit_name(after.group(1)) is not None or after.group(1).lower() in UNIT_WORDS)
    )


def _without(text: str, marks: tuple[Mark, ...]) -> str:
    """Return the text without its marks; what may be an interval stays."""
    shown: list[str] = []
    at = 0
    for mark in marks:
        if mark.problem == MAY_BE_INTERVAL:
            continue
        shown.append(text[at : mark.span.start].rstrip(" "))
        at = mark.span.end
    rest = "".join([*shown, text[at:]])
    return re.sub(r"[ \t]{2,}", " ", rest).strip()
