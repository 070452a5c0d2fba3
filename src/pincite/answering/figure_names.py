"""Names that statements give to one and the same figure: "net sales" for revenue, "cost of sales" for COGS."""

from functools import cache
from typing import Final, Literal

from pincite.answering.tables import name_terms

Statement = Literal["balance", "income", "cash"]
#: Each row is one figure of a company's statements under the names that companies print it with.
_NAMES: Final = (
    "revenue|revenues|total revenue|total revenues|net revenue|net revenues|total net revenue|total net revenues"
    "|net sales|total net sales|sales|net operating revenues|operating revenues",
    "COGS|cost of goods sold|cost of sales|cost of revenue|cost of revenues|cost of products sold|costs of goods sold"
    "|total cost of sales|total cost of revenue",
    "net income|net earnings|consolidated net income|net profit",
    "net income attributable to shareholders|net income attributable|net earnings attributable"
    "|net earnings attributable to shareholders"
    "|net income attributable to common shareholders",
    "operating income|operating profit|income from operations|operating earnings|unadjusted operating income",
    "PP&E|PPE|PPNE|fixed assets|property, plant and equipment|property, plant and equipment, net"
    "|property and equipment, net|net property, plant and equipment",
    "capex|capital expenditure|capital expenditures|capital spending|purchases of property, plant and equipment"
    "|purchases of property and equipment|payments for property and equipment"
    "|purchases of land, buildings, and equipment"
    "|capital expenditures, net of construction payable|additions to property, plant and equipment",
    "cash from operations|cash flow from operations|operating cash flow|cash flow from operating activities"
    "|net cash provided by operating activities|net cash flows provided by operating activities"
    "|cash from operating activities"
    "|net cash from operating activities|net cash provided by operations",
    "accounts receivable|receivables|trade receivables|receivables, net|accounts receivable, net"
    "|trade receivables, net",
    "inventory|inventories|inventories, net|merchandise inventories",
    "accounts payable|trade payables|trade accounts payable",
    "dividends|cash dividends|dividends paid|cash dividends paid|total cash dividends paid|payments of dividends",
    "depreciation and amortization|depreciation & amortization|D&A|depreciation, amortization and accretion",
    "interest expense|interest expense, net",
    "shareholders' equity|stockholders' equity|total equity|total shareholders' equity|total stockholders' equity",
)


def other_names(terms: frozenset[str], beside: frozenset[str]) -> list[frozenset[str]]:
    """Return the index terms of a figure under each of its other names; none where words are left over.

    Words `beside` (whose figure it is, of what year) may be left over, and stay with each: "deferred revenue" is not
    revenue.
    """
    best: tuple[int, tuple[frozenset[str], ...], frozenset[str]] | None = None
    for names in _terms():
        for name in names:
            if name and name <= terms and (best is None or len(name) > best[0]):
                best = (len(name), names, name)
    if best is None or terms - best[2] - beside:
        return []
    _, names, held = best
    return [(terms - held) | name for name in names if name != held]


#: Which statement states a figure, in the order of `_NAMES`; so do totals of assets and liabilities.
_KINDS: Final[tuple[Statement | None, ...]] = (
    "income", "income", "income", "income", "income", "balance", "cash", "cash", "balance", "balance", "balance",
    "cash", "cash", "income", "balance",
)  # fmt: skip
_OF_BALANCE: Final = "total assets|total liabilities|current assets|current liabilities|total current assets"
_NO_NAME: Final = frozenset({"total", "net"})


def statement_of(terms: frozenset[str], beside: frozenset[str]) -> Statement | None:
    """Return which statement states a figure, as far as its name tells: changes in inventories are none of cash."""
    own = terms - beside
    for kind, names in zip(_KINDS, _terms(), strict=True):
        if any(own - _NO_NAME == name - _NO_NAME for name in names):
            return kind
    return "balance" if any(own == name_terms(name) for name in _OF_BALANCE.split("|")) else None


def short_names() -> frozenset[str]:
    """Return the names of one word ("capex", "COGS"): a word like that is nobody's name, though in capitals."""
    return frozenset(term for names in _terms() for name in names if len(name) == 1 for term in name)


@cache
def _terms() -> tuple[tuple[frozenset[str], ...], ...]:
    return tuple(tuple(dict.fromkeys(map(name_terms, row.split("|")))) for row in _NAMES)
