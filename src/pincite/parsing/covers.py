"""Covers of filings: what stands on them says whose they are and what is registered, and heads nothing."""

import re
from collections.abc import Sequence
from typing import Final

from pincite.types.document import Line

#: A cover is among so many first pages.
_PAGES: Final = 3
_COMMISSION: Final = re.compile(r"securities and exchange commission", re.IGNORECASE)
_FORM: Final = re.compile(r"\bform\s+(?:\d{1,2}-[A-Z]{1,3}|\d{1,2}[A-Z]|S-\d)\b", re.IGNORECASE)
#: An address ends in a postal code, or names its town between commas.
_ADDRESS: Final = re.compile(r"\b\d{5}(?:-\d{4})?$|,\s*[A-Z][a-z]+\s*,")


def cover_pages(lines: Sequence[Line]) -> frozenset[int]:
    """Return the pages that are covers: they name the commission that a filing is for, and the form."""
    first = min((line.page_num for line in lines), default=1)
    pages: dict[int, list[str]] = {}
    for line in lines:
        if line.page_num < first + _PAGES:
            pages.setdefault(line.page_num, []).append(line.text)
    joined = {page_num: " ".join(texts) for page_num, texts in pages.items()}
    return frozenset(n for n, text in joined.items() if _COMMISSION.search(text) and _FORM.search(text))


def is_form(text: str) -> bool:
    """Return whether a line begins with the name of a form: "FORM 8-K"."""
    return _FORM.match(text) is not None


def is_address(text: str) -> bool:
    """Return whether a line looks like an address."""
    return _ADDRESS.search(text) is not None
