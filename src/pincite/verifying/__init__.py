"""A draft to verdicts and citations: one verifier for every answerer, over the whole document."""

from pincite.verifying.absence import refuse
from pincite.verifying.bundle import CheckedCitation, bundle_of, check_bundle, result_of
from pincite.verifying.cited import CitedDocument
from pincite.verifying.quotes import CheckedQuote, check_quote
from pincite.verifying.verify import Verified, verify

__all__ = [
    "CheckedCitation",
    "CheckedQuote",
    "CitedDocument",
    "Verified",
    "bundle_of",
    "check_bundle",
    "check_quote",
    "refuse",
    "result_of",
    "verify",
]
