"""A draft to verdicts and citations: one verifier for every answerer, over the whole document."""

from pincite.verifying.absence import refuse
from pincite.verifying.cited import CitedDocument
from pincite.verifying.quotes import CheckedQuote, check_quote
from pincite.verifying.verify import Verified, verify

__all__ = ["CheckedQuote", "CitedDocument", "Verified", "check_quote", "refuse", "verify"]
