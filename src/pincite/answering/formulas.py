"""What a question asks to be computed in several steps, as a formula over figures that tables state.

"365 * (average accounts payable between 2030 and 2031) / COGS", "the average EBITDA margin of 2029 to 2031. EBITDA is
defined as …". Nothing is computed here: operands are asked for by name and year, and stand in it as [1], [2] ….
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from pincite.answering.asked_figures import Asked, years_of

_I: Final = re.IGNORECASE
#: "X is defined as: F", "Define X as F", "X = F": a name, then its formula up to the end of the sentence.
_DEFINITIONS: Final = (
    re.compile(
        r"(?:^|[.?!:;,]\s+|\()(?P<name>[^.?!:;]{2,80}?)\s+(?:is|are|was)?\s*(?:defined|calculated|computed)\s+as\s*:?\s*"
        r"(?P<formula>[^?]+?)(?=\.\s|\.?$|\?|;)",
        _I,
    ),
    re.compile(r"\bdefin(?:e|ing) (?P<name>[^.?!:;]{2,60}?) as\s*:?\s*(?P<formula>[^?]+?)(?=\.\s|\.?$|\?|;)", _I),
    re.compile(r"(?:^|[.?!:;,]\s+|\()(?P<name>[^.,?!:;=(]{2,60}?)\s*=\s*(?P<formula>[^?=]+?)(?=\.\s|\.?$|\?|;)", _I),
)
#: Figures that a reader of accounts computes in one way: name → formula, and whether it is a percentage.
_USUAL: Final = (
    ("gross (?:profit )?margin", "(revenue - cost of goods sold) / revenue", True),
    ("operating (?:income |profit )?margin", "operating income / revenue", True),
    ("net (?:profit |income )?margin", "net income / revenue", True),
    ("working capital ratio|current ratio", "total current assets / total current liabilities", False),
    ("(?:net )?working capital", "total current assets - total current liabilities", False),
    ("free cash ?flow", "cash from operations - capital expenditures", False),
    ("ebitda", "operating income + depreciation and amortization", False),
    ("retention ratio", "1 - cash dividends paid / net income attributable to shareholders", False),
    ("(?:dividend )?payout ratio", "cash dividends paid / net income attributable to shareholders", False),
)
_MARGIN: Final = re.compile(r"(?P<of>.+?)\s*(?:%\s*|percent(?:age)?\s+)?\bmargin\b", _I)
_AS_SHARE: Final = re.compile(r"(?P<a>.+?)\s+as an? (?:%|percent(?:age)?|share|proportion) of\s+(?P<b>.+)", _I)
_RATIO: Final = re.compile(r"\bratio (?:of|between) (?P<a>.+?) (?:to|and) (?P<b>[^?,.]+)", _I)
_MEAN: Final = re.compile(r"^\W*(?:the )?(?:average|mean)\s+(?:of\s+)?(?P<of>.+)", _I)
_MEANS: Final = re.compile(r"(?:\b(?:\d{1,2}|two|three|four|five)[- ]year\s+)?\b(?:average|mean)\b(?:\s+of\b)?", _I)
_OF_ALL: Final = re.compile(r"\byear\s+(?:average|mean)\b|\b(?:average|mean)\s+of\b", _I)
_CHANGE: Final = re.compile(r"^\W*(?:the )?(?:change|increase|decrease) in\s+(?P<of>.+)", _I)
_GROWTH: Final = re.compile(
    r"\b(?:growth(?: rate)?|grow|grew|chang\w+|increas\w+|decreas\w+|declin\w+|ris\w+|rose|fell)\b", _I
)
_CAGR: Final = re.compile(r"\b(?:CAGR|compound(?:ed)? annual growth rate)\b", _I)
_POINTS: Final = re.compile(r"\bpercentage points?\b", _I)
_PERCENT: Final = re.compile(r"%|\bpercent", _I)
#: Times, with the words before them; and where in the accounts a figure stands: neither is part of its name.
_WHERE: Final = re.compile(
    r"\b(?:from|in|on|of|per|using|shown in) the (?:[\w&-]+ ){0,3}?(?:statements?|sheets?|P&L)(?: of \w+(?: \w+)?)?", _I
)
_TIMES: Final = re.compile(
    r"\b(?:between|over|from|during|in|for|of|at|as of|year[- ]end(?:ed)?|fiscal(?: years?)?)\s+(?:the\s+)?"
    r"(?=(?:FY\s?'?)?(?:19|20)\d\d)"
    r"|(?:\b(?:and|to|through|until)|[-–—])\s*(?=(?:FY\s?'?)?(?:19|20)\d\d)|(?<!\d)(?:FY\s?'?)?(?:19|20)\d\d(?!\d)",
    _I,
)
_RANGE: Final = re.compile(r"((?:FY\s?)?(?:19|20)\d\d)\s*[-–—]\s*((?:FY\s?)?(?:19|20)\d\d)", _I)
#: The signs of a formula; a hyphen is a minus only between blanks, a stroke is a division not inside a word.
_SIGN: Final = re.compile(
    r"(?P<open>\()|(?P<close>\))|(?P<times>\*|×|\btimes\b|\bmultiplied by\b)|(?P<over>÷|/|\bdivided by\b)"
    r"|(?P<plus>(?<=\s)\+(?=\s)|\bplus\b)|(?P<minus>(?<=\s)[-−–](?=\s)|\bless\b|\bminus\b)",
    _I,
)
_SHOWN: Final = {"times": " × ", "over": " ÷ ", "plus": " + ", "minus": " − "}
#: Deeper definitions, and formulas of more operands, are not followed.
_DEEPEST, _MOST_OPERANDS = 4, 24
_Asking = Callable[..., Asked]


@dataclass(slots=True)
class Formula:
    """A formula with the figures it needs; `usual` names what was not defined in the question, with its formula."""

    asking: _Asking
    definitions: dict[str, str]
    operands: list[Asked] = field(default_factory=list)
    usual: list[str] = field(default_factory=list)
    text: str = ""
    is_percent: bool = False


class _NoFormulaError(Exception):
    """The words are no formula that is understood."""


def formula_of(question: str, core: str, asking: _Asking) -> Formula | None:
    """Return the formula of what a question asks for, `None` where it asks for one figure, or in no way known here.

    `core` is the part that asks; `asking` makes an operand of words and a year.
    """
    made = Formula(asking, dict(_definitions(question)))
    core = core.split("=")[0].rpartition(",")[0] or core if "=" in core else core
    years = years_of(core) or years_of(question)
    if not years:
        return None
    asked = _RANGE.sub(r"\1 to \2", _bare(core))
    try:
        made.text = _whole(asked, years, made, question)
    except _NoFormulaError:
        return None
    return made if len(made.operands) > 1 and len(made.operands) <= _MOST_OPERANDS else None


def is_written(text: str) -> bool:
    """Return whether a text writes a formula with signs: "sales / (average assets)"."""
    pieces = _pieces(_RANGE.sub(r"\1 to \2", _bare(text)))
    return any(kind not in ("words", "open", "close") for kind, _ in pieces)


def _definitions(question: str) -> list[tuple[str, str]]:
    """Return the names that a question defines, in small letters, with their formulas."""
    found = []
    for pattern in _DEFINITIONS:
        for match in pattern.finditer(question):
            name = re.sub(
                r"^(?:.*\b(?:define|where|with)\s+)?(?:the |an? )?", "", match["name"].strip(' ("“”'), flags=_I
            )
            formula = _RANGE.sub(
                r"\1 to \2", match["formula"].strip(" )") if "(" not in match["formula"] else match["formula"]
            )
            found.append((name.lower().strip(' "“”'), formula.strip()))
    return found


def _bare(core: str) -> str:
    """Return what is asked for without the company behind it and how to write the answer."""
    return re.sub(r"\(in (?:units of )?[^()]*\)|\bin (?:units of )?(?:percents?|USD \w+)\b", " ", core, flags=_I).strip(
        " ?"
    )


def _whole(asked: str, years: Sequence[str], made: Formula, question: str) -> str:
    """Return the formula of the core of a question: of a mean over years, a change between them, or of one year."""
    if _CAGR.search(asked) and len(years) > 1:
        made.is_percent = True
        rest = _CAGR.sub(" ", re.sub(r"\b\d{1,2}[- ]year\b", " ", asked))
        first, last = (_grouped(_metric(rest, year, made)) for year in (years[0], years[-1]))
        return f"(({last} ÷ {first}) ^ (1 ÷ {int(years[-1]) - int(years[0])}) − 1) × 100"
    if _leads(_MEANS, asked) and len(years) > 1:
        if _SIGN.search(asked) and not _OF_ALL.search(asked):
            raise _NoFormulaError  # "average total assets / revenue": the average of what?
        rest = _MEANS.sub(" ", asked, count=1)
        parts = [_metric(rest, year, made) for year in years]
        return _percent(f"({' + '.join(parts)}) ÷ {len(parts)}", made, asked)
    if _leads(_GROWTH, asked) and len(years) > 1:
        rest = _GROWTH.sub(" ", _POINTS.sub(" ", asked))
        first, last = (_grouped(_metric(rest, year, made)) for year in (years[0], years[-1]))
        if _POINTS.search(question) or not _PERCENT.search(question):
            return _percent(f"{last} − {first}", made, asked)
        made.is_percent = True
        return f"({last} − {first}) ÷ {first} × 100"
    return _percent(_metric(asked, years[-1], made), made, question)


def _leads(pattern: re.Pattern[str], asked: str) -> bool:
    """Say whether a word stands before the first sign of a formula and in no parentheses: it is about all of it."""
    outside = re.sub(r"\([^()]*\)", lambda match: "()".ljust(len(match[0])), asked)
    word, sign = pattern.search(outside), _SIGN.search(outside)
    return word is not None and (sign is None or word.start() < sign.start())


def _percent(formula: str, made: Formula, asked: str) -> str:
    made.is_percent = made.is_percent or bool(_PERCENT.search(asked) and "÷" in formula)
    return f"{_grouped(formula)} × 100" if made.is_percent else formula


def _grouped(formula: str) -> str:
    """Return a formula in parentheses, unless it is one operand, or stands in some already."""
    if re.fullmatch(r"\[\d+\]|\d+(?:\.\d+)?", formula):
        return formula
    level, is_whole = 0, formula.startswith("(")
    for at, sign in enumerate(formula):
        level += {"(": 1, ")": -1}.get(sign, 0)
        is_whole = is_whole and (level > 0 or at == len(formula) - 1)
    return formula if is_whole else f"({formula})"


def _metric(text: str, year: str, made: Formula, depth: int = 0) -> str:
    """Return the formula of one figure of one year: defined in the question, usual, a share, or stated by a table."""
    if depth > _DEEPEST:
        raise _NoFormulaError
    words = " ".join(_TIMES.sub(" ", _WHERE.sub(" ", text)).split())
    defined = _defined(words, made)
    if defined is not None:
        name, formula = defined
        inner = _parsed(formula, year, made, depth + 1)
        is_margin = "margin" not in name and _MARGIN.search(words)
        return f"{_grouped(inner)} ÷ {_metric('revenue', year, made, depth + 1)}" if is_margin else _grouped(inner)
    if depth == 0 and is_written(text):
        return _grouped(_parsed(_WHERE.sub(" ", text), year, made, depth + 1))
    if (share := _AS_SHARE.search(words) or _RATIO.search(words)) is not None:
        a, b = (_grouped(_metric(share[side], year, made, depth + 1)) for side in ("a", "b"))
        made.is_percent = made.is_percent or _AS_SHARE.search(words) is not None
        return f"{a} ÷ {b}"
    for name, formula, is_percent in _USUAL:
        if re.search(rf"\b(?:{name})\b", words, _I):
            made.usual.append(f"{re.search(rf'(?:{name})', words, _I)[0]} = {formula}")  # type: ignore[index]
            made.is_percent = made.is_percent or is_percent
            return _grouped(_parsed(formula, year, made, depth + 1))
    if (margin := _MARGIN.search(words)) is not None:
        made.usual.append(f"{margin['of'].strip()} margin = {margin['of'].strip()} / revenue")
        made.is_percent = True
        of = _grouped(_metric(margin["of"], year, made, depth + 1))
        return f"{of} ÷ {_metric('revenue', year, made, depth + 1)}"
    return _operand(words, year, made)


def _defined(words: str, made: Formula) -> tuple[str, str] | None:
    """Return the definition that words name: by its whole name, or the short form in it."""
    lower = words.lower()
    best: tuple[str, str] | None = None
    for name, formula in made.definitions.items():
        short = re.sub(r"[^a-z&/]", "", name) if " " not in name else name
        if re.search(rf"(?<!\w){re.escape(short)}(?!\w)", lower) and (best is None or len(name) > len(best[0])):
            best = (name, formula)
    return best


def _operand(words: str, year: str, made: Formula) -> str:
    asked = made.asking(words, year)
    if not asked.terms:
        raise _NoFormulaError
    known = [(one.terms, one.year) for one in made.operands]
    if (asked.terms, asked.year) not in known:
        made.operands.append(asked)
        known.append((asked.terms, asked.year))
    return f"[{known.index((asked.terms, asked.year)) + 1}]"


def _parsed(formula: str, year: str, made: Formula, depth: int) -> str:
    """Return a written formula with operands in place of its words."""
    pieces = _pieces(formula)
    out, at = "", 0
    while at < len(pieces):
        kind, text = pieces[at]
        if kind == "words" and at and pieces[at - 1][0] == "close":
            at += 1  # "(…) of the Harbour in 2031" says whose and when, and is no factor
            continue
        if kind == "words":
            out += _factor(text, year, made, depth)
            # What stands in parentheses behind words only explains them: "net income (loss)".
            while at + 1 < len(pieces) and pieces[at + 1][0] == "open":
                at = _closing(pieces, at + 1)
        else:
            out += _SHOWN.get(kind, text)
        at += 1
    return re.sub(r"\((\((?:[^()]|\([^()]*\))*\))\)", r"\1", out)


def _closing(pieces: Sequence[tuple[str, str]], at: int) -> int:
    level = 0
    for position in range(at, len(pieces)):
        level += {"open": 1, "close": -1}.get(pieces[position][0], 0)
        if level == 0:
            return position
    raise _NoFormulaError


def _pieces(formula: str) -> list[tuple[str, str]]:
    """Return the signs of a formula and the words between them."""
    out, last = [], 0
    for match in _SIGN.finditer(formula):
        words = formula[last : match.start()].strip(" ,")
        out += [("words", words)] if words else []
        out.append((str(match.lastgroup), match[0]))
        last = match.end()
    rest = formula[last:].strip(" ,.")
    return [*out, ("words", rest)] if rest else out


def _factor(text: str, year: str, made: Formula, depth: int) -> str:
    """Return one factor: a number, a mean or change between years, a figure of its own year or of that asked for."""
    if re.fullmatch(r"\d+(?:\.\d+)?", text):
        return text
    years = years_of(text)
    if (mean := _MEAN.match(text)) is not None and len(years) > 1:
        parts = [_metric(mean["of"], one, made, depth + 1) for one in years]
        return f"(({' + '.join(parts)}) ÷ {len(parts)})"
    if (change := _CHANGE.match(text)) is not None and len(years) > 1:
        first, last = (_metric(change["of"], one, made, depth + 1) for one in (years[0], years[-1]))
        return f"({last} − {first})"
    return _metric(text, years[-1] if years else year, made, depth + 1)
