"""Values that a question asks to be computed from cells: sums, differences, ratios, averages, changes."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pincite.answering.asked_figures import Asked, phrase, years_of
from pincite.answering.computing import Derived, Operator, computed, worked_out
from pincite.answering.formulas import Formula, formula_of, is_written
from pincite.answering.lookup import FoundCell, find_cell, find_cells
from pincite.answering.tables import TableView, name_terms
from pincite.types.question import GenerationBrief

#: Turns words, and a year where they name none, into what they ask for.
_Asking = Callable[..., Asked]
_I: Final = re.IGNORECASE
#: "… is defined as: A / B", "Define … as A less B".
_DEFINED: Final = re.compile(
    r"\b(?:defined?|calculated|computed)\b.{0,80}?\bas\b\s*:?\s*(?P<formula>[^?]+?)(?:\.\s|[.?]?$)", _I
)
_BINARY: Final[tuple[tuple[Operator, re.Pattern[str]], ...]] = (
    ("ratio", re.compile(r"^(?P<a>[^/]+?)\s*(?:/|÷|\bdivided by\b|\bover\b)\s*(?P<b>[^/]+)$", _I)),
    ("difference", re.compile(r"^(?P<a>.+?)\s*(?:\bless\b|\bminus\b|\s[-–−]\s)\s*(?P<b>.+)$", _I)),
    ("sum", re.compile(r"^(?P<a>.+?)\s*(?:\bplus\b|\s\+\s)\s*(?P<b>.+)$", _I)),
)
_RATIO: Final = re.compile(r"\bratio (?:of|between) (?P<a>.+?) (?:to|and) (?P<b>[^?,.]+)", _I)
_SUM: Final = re.compile(r"\b(?:sum of|combined|together|(?:in )?total of) (?:the )?(?P<rest>.+? and [^?,.]+)", _I)
_BETWEEN: Final = re.compile(r"\bdifferences? (?:in (?P<of>.+?) )?between (?P<a>.+?) and (?P<b>[^?,.]+)", _I)
_GROWTH: Final = re.compile(
    r"\b(?P<share>percent(?:age)?|%|growth rate|rate of growth|relative)?\W*(?:\w+\s+){0,4}?"
    r"\b(?:growth|grow|grew|grown|change[ds]?|increase[ds]?|decrease[ds]?|decline[ds]?|rise|rose|fell|fall)\b",
    _I,
)
_SHARE: Final = re.compile(r"percent|%|\brate\b|\bgrowth\b|\bgrow\b|\bgrew\b", _I)
#: An operand of a formula is a row whose name holds at least this much of what is asked.
_CERTAIN: Final = 0.8
#: What a question asks of a figure that it defines.
_FURTHER: Final = re.compile(r"\b(?:average|mean|margin|growth|change|cagr)\b|%|\bpercent", _I)
_PLUS: Final = re.compile(r"\s\+\s|\bplus\b|\bminus\b|\bless\b|\bdivided by\b", _I)
#: Figures that no row states: a question for one is not answered from a row that shares its words.
_MADE: Final = re.compile(
    r"\b(?:ratio|margin|turnover|return on|cagr|growth rate|days \w+ outstanding|cycle|yield)\b", _I
)
_MEAN: Final = re.compile(r"\b(?:average|mean)\b", _I)
_WORDS: Final = re.compile(
    r"\b(?:percentage|percent|growth|rate|grow|grew|changed?|increased?|decreased?|declined?|rise|rose|fell|fall|average"
    r"|mean|difference|ratio|sum|combined|between|from|over|during|year)\b|%",
    _I,
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be computed of what."""

    operator: Operator
    operands: tuple[Asked, ...]
    formula: Formula | None = None


def derive(brief: GenerationBrief, tables: Sequence[TableView]) -> Derived | None:
    """Return the value that the question asks to be computed, with its operands cited; `None` where it asks for none.

    An operand whose cell is empty is no zero: then nothing is computed, and `reason` says so.
    """
    wanted = wanted_of(brief)
    if wanted is None or not tables:
        return None
    hint = name_terms(brief.question)
    if wanted.formula is not None and wanted.formula.usual and stated(brief, tables) is not None:
        return None
    # Of a formula each operand has to be certain: words of the question that are about others choose none of them.
    cells = find_cells(wanted.operands, tables, hint if wanted.formula is None else frozenset())
    known = [cell for cell in cells if cell is not None and (wanted.formula is None or cell.score >= _CERTAIN)]
    if len(known) < len(wanted.operands):
        return None
    empty = next((cell for cell in known if cell.is_empty), None)
    if empty is not None:
        return Derived(None, f"It cannot be computed: the table states no {empty.name}, the cell is empty.")
    if wanted.formula is not None:
        return worked_out(wanted.formula, known, brief.question)
    return computed(wanted.operator, known, brief.question)


def stated(brief: GenerationBrief, tables: Sequence[TableView]) -> FoundCell | None:
    """Return the cell that states what a question asks for, although it could be computed: a row "Gross margin"."""
    years = years_of(brief.question)
    if len(years) != 1:
        return None
    wanted = replace(phrase(asked_core(brief.question), brief.keywords, year=years[0]), renamed=())
    found = find_cell(wanted, tables)
    return None if found is None or found.is_empty else found


def wanted_of(brief: GenerationBrief) -> Wanted | None:
    """Return what a question asks to be computed, as far as its words say."""
    question, years = brief.question, years_of(brief.question)
    last = years[-1] if years else None

    def asked(text: str, year: str | None = None) -> Asked:
        own = years_of(text)
        return phrase(_WORDS.sub(" ", text), brief.keywords, year=year or (own[0] if len(own) == 1 else last))

    core = asked_core(question)
    defined = _DEFINED.search(question)
    made = formula_of(question, core, asked)
    if made is not None and (made.definitions or made.usual or _is_deep(made)):
        return _simplest(made)
    if defined is not None:
        # "… 3 year average EBITDA margin? Define EBITDA as …" asks for more than what it defines.
        return None if _FURTHER.search(core) else _of_formula(defined["formula"].strip(), asked)
    if len(years) > 1 and is_written(core):
        return None  # a formula that is not understood is not answered by a part of it
    if (match := _RATIO.search(question)) is not None:
        return Wanted("ratio", (asked(match["a"]), asked(match["b"])))
    if (match := _BETWEEN.search(question)) is not None:
        return _difference(match, asked)
    if (match := _SUM.search(question)) is not None:
        return Wanted("sum", tuple(asked(part) for part in _shared(_parts(match["rest"]))))
    if len(years) >= 2 and _MEAN.search(question):
        return Wanted("mean", tuple(asked(core, year) for year in years))
    if len(years) >= 2 and _GROWTH.search(question):
        operator: Operator = "change" if _SHARE.search(question) else "difference"
        pair = (years[0], years[-1]) if operator == "change" else (years[-1], years[0])
        return Wanted(operator, tuple(asked(core, year) for year in pair))
    if len(years) == 1 and _PLUS.search(core):
        return _of_formula(core, asked) or (_simplest(made) if made is not None else None)
    return None


def _simplest(made: Formula) -> Wanted:
    """Return what a formula asks for, by the name of its operation where it is a single one on two figures."""
    operators: dict[str, Operator] = {"[1] ÷ [2]": "ratio", "[1] − [2]": "difference", "[1] + [2]": "sum"}
    operator = None if made.is_percent or made.usual else operators.get(made.text.strip("()"))
    operands = tuple(made.operands)
    return Wanted(operator, operands) if operator is not None else Wanted("formula", operands, made)


def _is_deep(made: Formula) -> bool:
    """Say whether a formula is more than one operation on two figures, or than a mean of one."""
    signs = {sign for sign in "+−×÷^" if sign in made.text}
    return "^" in signs or (len(signs) > 1 and len({one.terms for one in made.operands}) > 1)


def is_made(brief: GenerationBrief) -> bool:
    """Say whether what a question asks for has to be made of several figures."""
    return wanted_of(brief) is not None or bool(_DEFINED.search(brief.question) or _MADE.search(brief.question))


def _of_formula(formula: str, asked: _Asking) -> Wanted | None:
    if "(" in formula or "*" in formula:
        return None
    for operator, pattern in _BINARY:
        match = pattern.match(formula)
        if match is not None:
            return Wanted(operator, (asked(match["a"]), asked(match["b"])))
    return None


def _difference(match: re.Match[str], asked: _Asking) -> Wanted | None:
    """Return the difference of two things, or of one thing at two times."""
    of, a, b = match["of"] or "", match["a"], match["b"]
    sides = [years_of(a), years_of(b)]
    if all(len(side) == 1 for side in sides):
        both = f"{of} {a} {b}"
        first, last = sorted((sides[0][0], sides[1][0]))
        return Wanted("difference", (asked(both, last), asked(both, first)))
    if of:
        return Wanted("difference", (asked(f"{of} {a}"), asked(f"{of} {b}")))
    return Wanted("difference", tuple(asked(part) for part in _shared([a, b])))


def _shared(parts: Sequence[str]) -> list[str]:
    """Return parts with what only the first says of all: "the torque of A", "B"."""
    head = re.match(r"(?:the )?(?P<of>.+?) of .+", parts[0])
    if head is None or any(" of " in part for part in parts[1:]):
        return [*parts]
    return [parts[0], *(f"{head['of']} of {part}" for part in parts[1:])]


def _parts(text: str) -> list[str]:
    return [part for part in re.split(r",\s*(?:and\s+)?|\s+and\s+", text) if part.strip()]


def asked_core(question: str) -> str:
    """Return the sentence that asks, without what stands before its question word."""
    sentences = re.split(r"(?<=[.?!])\s+", question)
    asking = next((s for s in sentences if s.rstrip().endswith("?")), sentences[0])
    match = re.search(r"\b(?:what|how|which|by how)\b(?!.*\b(?:what|how|which)\b)(?P<rest>.+)", asking, _I)
    return match["rest"] if match else asking
