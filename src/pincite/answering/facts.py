"""The amount or date that a unit holds, as a short text and a typed value."""

import itertools
import re
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from pincite.answering.asked import Asked
from pincite.answering.clauses import Places
from pincite.answering.measures import measure, measure_of
from pincite.answering.units import BULLET, Unit
from pincite.text.amounts import QuantityAt, find_quantities
from pincite.text.dates import find_dates, find_times
from pincite.text.tokens import stem, token_terms
from pincite.text.units import unit_name
from pincite.types.answer import Value
from pincite.types.question import GenerationBrief


@dataclass(frozen=True, slots=True)
class Fact:
    """A short answer with its typed value; `is_sure` says that no other value of the unit could be meant."""

    text: str
    value: Value | None
    is_sure: bool = True


#: What is written with digits and no amount: notes, places, clause numbers ("2.1 The Borrower"), addresses, times.
REFERENCE: Final = re.compile(
    r"\[\d[\d,;\s–-]*\]"  # [12], [3, 4]
    r"|\b(?:table|figure|fig\.|section|sec\.|chapter|page|p\.|equation|eq\.|step|note|item|appendix|annex|article|part)\s*\d[\d.]*"
    r"|(?<!\w)§+\s*\d[\d.]*|\b(?:https?://|www\.)\S+"
    r"|^\W*\d+(?:\.\d+)+\.?(?=\s+(?-i:[A-Z])(?!illi|rozent|iter|eter|uro|rad|tund|ilo|onnen|ahr|onat|ol)[a-z]*\s+[a-z])"
    r"|\b\d{1,2}(?:[:.]\d\d)?\s*[ap](?:\.\s?m\.|m\b)",  # "11 a.m."
    re.IGNORECASE,
)
#: By how much the best number has to fit better than the next for the short answer to be given alone.
_SURE_MARGIN: Final = 0.15
_YEAR: Final = re.compile(r"(?:1[6-9]|20|21)\d\d")
_LENGTH_OF_TIME: Final = re.compile(r"\bhow long\b", re.IGNORECASE)


def amount_in(unit: Unit, brief: GenerationBrief, asked: Asked) -> Fact | None:
    """Return the amount in a unit that answers the question, or `None` when it holds none.

    Numbers that the question itself names, years, references ("[9]", "Table 2") and parts of codes are no answer.
    """
    bullet = BULLET.match(unit.text) if unit.kind == "item" else None
    first = bullet.end() if bullet is not None else 0  # the number of an item counts nothing
    found = [q for q in find_quantities(unit.text) if q.span.start >= first and _may_answer(q, unit.text, brief)]
    if not found:
        return _until(unit, brief)
    subject = {t for w in re.findall(r"[\w-]+", brief.unit or "") for t in token_terms(w)}
    if brief.counts:
        said = {t for w in re.findall(r"[\w-]+", brief.question) for t in token_terms(w)}
        # "How many vacation days" names its unit, whatever is counted.
        found = [q for q in found if not (subject and _measures_another(q, subject | said))]
        found = _counting(found, unit.text, subject)
    wanted = {m for k in brief.keywords for t in token_terms(k.text) if (m := measure_of(t)) is not None}
    found = [q for q in found if measure(q) in wanted] or [q for q in found if not _is_other_kind(q, wanted, brief)]
    if not found:
        return None
    places = Places.of(unit.text, asked, [q.span.start for q in found])
    fits = {q: _fit(q, unit.text, subject, brief, asked, places) for q in found}
    ranked = sorted(found, key=lambda q: (-fits[q], q.span.start))
    best = ranked[0]
    is_sure = len(ranked) == 1 or fits[best] > fits[ranked[1]] + _SURE_MARGIN
    if len(ranked) > 1 and _numbers_of(brief.question) - {q.value.number for q in find_quantities(unit.text)}:
        # "a 9 metre boat" against "under eight metres 14, longer ones 22": which holds is for the reader to see.
        return Fact(text=unit.text, value=None)
    counted = [w for w in _words_after(best, unit.text) if subject & set(token_terms(w))] if brief.counts else []
    value = replace(best.value, unit=counted[-1]) if counted else best.value
    return Fact(text=_shown(best, unit.text, subject), value=value, is_sure=is_sure)


#: Kinds that a question names in words of no other sense: "weigh" asks for no length, while "high" may ask for a fine.
_PLAIN_KINDS: Final = frozenset({"<temperature>", "<mass>", "<length>", "<voltage>", "<resistance>"})
_ANY_KIND: Final = frozenset({None, "<share>"})
#: What has a size or a weight is told by no length of time.
_SIZE: Final = re.compile(r"\bhow (?:big|large|wide|deep|tall|heavy|thick)\b", re.IGNORECASE)


def _is_other_kind(quantity: QuantityAt, wanted: set[str], brief: GenerationBrief) -> bool:
    """Say whether an amount is of another kind than the one that is asked for: a mass for a temperature."""
    if _SIZE.search(brief.question) and measure(quantity) == "<time>":
        return True
    vague = re.search(r"\b(?:high|low|hot|cold|hoch|lang)\b", brief.question, re.IGNORECASE)
    return bool(wanted) and wanted <= _PLAIN_KINDS and not vague and measure(quantity) not in _ANY_KIND


#: How many words may stand between a count and what it counts: "8 NVIDIA P100 GPUs".
_COUNT_REACH: Final = 4


def _counting(found: list[QuantityAt], text: str, subject: set[str]) -> list[QuantityAt]:
    """Return the numbers that count the subject; failing that the only number there is, unless it is a word."""
    found = [
        q for q in found if (q.value.number.isdigit() or _is_measure_of(q, subject)) and not _is_label(q, text, subject)
    ]
    counting = [q for q in found if subject & {t for w in _words_after(q, text) for t in token_terms(w)}]
    told = [q for q in found if _TOLD.search(text[max(0, q.span.start - 60) : q.span.start])]
    if counting or not subject:
        return counting or found
    if len(found) > 1 and all(_counts_another(q, text) for q in found):
        return []  # "12 rooms and 3 floors" say nothing of gardens
    if told:
        return told
    is_count = len(found) == 1 and not found[0].in_words and measure(found[0]) in (None, *map(measure_of, subject))
    return found if is_count else []


def _is_measure_of(quantity: QuantityAt, subject: set[str]) -> bool:
    """Say whether what is counted is the unit of a number, of which there may be halves: "37.5 hours"."""
    return quantity.value.unit is not None and bool(subject & set(token_terms(quantity.value.unit)))


def _measures_another(quantity: QuantityAt, subject: set[str]) -> bool:
    """Say whether a number is a measure of what is counted and no count of it: "a 10 μm mobile robot"."""
    unit = quantity.value.unit or ""
    name, kind = unit_name(unit), measure(quantity)
    if (name is None and kind in _ANY_KIND) or subject & {*token_terms(unit), *token_terms(name or unit)}:
        return False
    return kind is None or kind not in map(measure_of, subject)


def _counts_another(quantity: QuantityAt, text: str) -> bool:
    """Say whether a plural stands right behind a number: it is that which is counted."""
    after = re.match(r"\s+([a-z]{3,}s)\b", text[quantity.span.end :])
    return after is not None and stem(after[1]) != after[1]


def _is_label(quantity: QuantityAt, text: str, subject: set[str]) -> bool:
    """Say whether a number names one of the things that are counted: "Tier 1" is no count of tiers."""
    before = re.search(r"([^\W\d_]+)\s+$", text[max(0, quantity.span.start - 40) : quantity.span.start])
    return before is not None and not quantity.in_words and bool(subject & set(token_terms(before.group(1))))


def _words_after(quantity: QuantityAt, text: str) -> list[str]:
    return re.findall(r"[\w-]+", re.split(r"[.;:,()]\s", text[quantity.span.end :], maxsplit=1)[0])[:_COUNT_REACH]


def _may_answer(quantity: QuantityAt, text: str, brief: GenerationBrief) -> bool:
    start, end = quantity.span.start, quantity.span.end
    if any(m.start() <= start and end <= m.end() for m in REFERENCE.finditer(text)):
        return False
    times = [t for t in find_times(text) if "." not in text[t.start : t.end]]  # "0.31" may be a time, and a number
    if any(t.start <= start and end <= t.end for t in times):
        return False
    token = _token_around(text, start, end)
    if re.search(r"[^\W\d_]", re.sub(r"[.,;:()\"'”“%]", "", token)) and not quantity.in_words and _is_code(token):
        return False
    if not quantity.in_words and _VERSIONED.search(text[max(0, start - 20) : start]) and _is_bare(quantity):
        return False
    if quantity.value.number in _numbers_of(brief.question) and not quantity.in_words:
        return False
    if quantity.in_words and quantity.value.number == "1" and text[end : end + 1] in ("-", "‐", "‑"):
        return False  # "single-head attention" names a kind and counts nothing
    # "2,113 plates" holds no year, for all its four digits.
    is_year = _YEAR.search(text[start:end]) and _YEAR.fullmatch(quantity.value.number) and not quantity.value.currency
    if is_year and not quantity.in_words and (quantity.value.unit is None or quantity.value.unit == "annual"):
        return bool(re.search(r"\byear\b", brief.question, re.IGNORECASE))
    if quantity.in_words and quantity.value.number in ("0", "1") and not brief.counts:
        return text[start:end].lower() in ("once", "zero")
    return not any(d.span.start <= start and end <= d.span.end and len(d.value.iso) > 4 for d in find_dates(text))


#: An acronym before a bare number makes a name of both: "CSF 2.0", "FIPS 199".
_VERSIONED: Final = re.compile(r"\b[A-Z][A-Z-]+\s$")


def _is_bare(quantity: QuantityAt) -> bool:
    value = quantity.value
    return value.currency is None and value.scale is None and (value.unit is None or unit_name(value.unit) is None)


def _token_around(text: str, start: int, end: int) -> str:
    """Return the run of characters around a number, up to blanks and the marks that part cells: "capacity,640"."""
    while start > 0 and not text[start - 1].isspace() and not _parts_cells(text, start - 1):
        start -= 1
    while end < len(text) and not text[end].isspace() and not _parts_cells(text, end):
        end += 1
    return text[start:end]


def _parts_cells(text: str, at: int) -> bool:
    """Say whether a mark parts two cells: a comma between digits belongs to their number."""
    is_in_number = text[at - 1 : at].isdigit() and text[at + 1 : at + 2].isdigit()
    return text[at] in "|;" or (text[at] == "," and not is_in_number)


def _is_code(token: str) -> bool:
    """Say whether a token is a name rather than a number with its unit: "HX-40", "P100", "3D", not "40mm", "$5m"."""
    bare = token.strip(".,;:()[]\"'”“’")
    return not re.fullmatch(
        r"[-+−±]?(?:US)?[$€£¥₹]?\d[\d.,]*(?:[^\W\d_]{1,4}|%|°[CF]?|[-–][\d.,]+\w*|-?[a-zµμ]+)?/?[^\W\d_]*", bare
    )


def _numbers_of(question: str) -> set[str]:
    return {q.value.number for q in find_quantities(question) if not q.in_words}


def _fit(
    quantity: QuantityAt, text: str, subject: set[str], brief: GenerationBrief, asked: Asked, places: Places
) -> float:
    """Return how well a number fits: what it counts, what stands near it, and the unit the question names."""
    after = re.findall(r"[\w-]+", text[quantity.span.end : quantity.span.end + 60])[:5]
    score = 0.0
    for distance, word in enumerate(after):
        if subject & set(token_terms(word)):
            score += 1.0 - 0.15 * distance
            break
    total = asked.total or 1.0
    score += min(1.0, 2 * places.nearness(quantity.span.start) / total)
    if quantity.value.unit and stem(quantity.value.unit.lower()) in {
        stem(w.lower()) for w in re.findall(r"\w+", brief.question)
    }:
        score += 0.5
    if _has_money_word(brief.question):
        score += 0.6 if quantity.value.currency else 0.0
    elif not brief.counts and (quantity.value.unit or quantity.value.currency or quantity.value.scale):
        score += 0.1
    if quantity.span.start != places.common and _is_told(quantity, text, asked):
        score += 0.7
    if _LENGTH_OF_TIME.search(brief.question) and _is_extent(quantity.value.unit):
        score += 0.6
    if quantity.in_words:
        score -= 0.05
    return score


_TOLD: Final = re.compile(
    # "up to four hens" tells how many hens, not how many ducks.
    r"\b(?!up\b)([\w-]+)\s*(?:\bof|\bis|\bwas|\bare|\bwere|=|:|≈|\bat|\bto|\bequals|\btotal(?:l?ed)?|\bamounted to"
    r"|\bhas|\bhave|\bhad)\s*(?:about|approximately|only|up to|around|roughly|nearly)?\s*[$€£¥₹(]?$",
    re.IGNORECASE,
)


def _is_told(quantity: QuantityAt, text: str, asked: Asked) -> bool:
    """Say whether a number is what the words before it are said to be: "a BLEU score of 28.4", "ϵ = 0.1"."""
    told = _TOLD.search(text[max(0, quantity.span.start - 60) : quantity.span.start])
    return told is not None and bool(asked.positions(told.group(1)))


def _has_money_word(question: str) -> bool:
    return bool(
        re.search(
            r"\b(price|cost|fee|fine|pay|charge|budget|revenue|salary|profit|income|spend|penalty)\w*",
            question,
            re.IGNORECASE,
        )
    )


_EXTENT: Final = frozenset(
    stem(w)
    for w in "second minute hour day week month year decade meter metre foot feet kilometer mile inch page word".split()
) | {"s", "h", "min", "m", "cm", "mm", "km", "ft"}


def _is_extent(unit: str | None) -> bool:
    return unit is not None and stem(unit.lower()) in _EXTENT


#: The code of a currency before a number: "EUR 5,000".
_CODE_BEFORE: Final = re.compile(r"\b[A-Z]{3}\s?$")


def _shown(quantity: QuantityAt, text: str, subject: set[str]) -> str:
    """Return a number as it stands, with its currency and unit, or up to what it counts."""
    start, end = quantity.span.start, max(quantity.span.end, quantity.end)
    if start and text[start - 1] in "$€£¥₹":
        start -= 1
    elif quantity.value.currency and (code := _CODE_BEFORE.search(text[:start])) is not None:
        start = code.start()
    after = re.split(r"[.;:,()]", text[quantity.span.end :], maxsplit=1)[0]
    for match in itertools.islice(re.finditer(r"[\w-]+", after), _COUNT_REACH):
        if subject & set(token_terms(match.group())):
            end = max(end, quantity.span.end + match.end())
    return text[start:end].strip()


_ONE_TIME: Final = re.compile(
    r"\b(?:for|within|in|after|lasts|takes)\s+(?:about\s+|up to\s+|at least\s+)?(?:an?|half an?)\s+"
    r"(?:second|minute|hour|day|week|fortnight|month|year|decade)\b",
    re.IGNORECASE,
)


def _until(unit: Unit, brief: GenerationBrief) -> Fact | None:
    """Take "valid until 2033" and "for a week" as answers to "how long"."""
    if not _LENGTH_OF_TIME.search(brief.question):
        return None
    if _ONE_TIME.search(unit.text):
        return Fact(text=unit.text, value=None)
    dates = find_dates(unit.text)
    if not dates or not re.search(r"\b(until|till|to|expires?|ends?|through)\b", unit.text, re.IGNORECASE):
        return None
    return Fact(text=unit.text, value=dates[-1].value)
