"""Say a verdict in words: what was checked and how the quote was found."""

from pincite.types.citation import Verdict


def verdict_mark(verdict: Verdict) -> str:
    """Return `✓ verified`, `✓ repaired` or `✗ rejected`."""
    return ("✗ " if verdict.status == "rejected" else "✓ ") + verdict.status


def receipt(verdict: Verdict) -> str:
    """Return how the quote was found: word for word, or after which folds."""
    if verdict.match == "exact":
        return "found character for character"
    if verdict.match == "folded":
        folds = ", ".join(fold.replace("_", " ") for fold in verdict.folds)
        return f"found after folding {folds}" if folds else "found after folding"
    return "not found"


def value_text(verdict: Verdict) -> str | None:
    """Return whether the value was parsed again from the quote; `None` where there is no value to parse."""
    if verdict.value == "passed":
        return "value read again from the quote"
    if verdict.value == "failed":
        return "value is not in the quote"
    return None


def layer_text(layer: str) -> str | None:
    """Return how text came into the document where nobody set it on the page, `None` for ordinary text."""
    return {"ocr": "read by OCR", "form": "form field", "annotation": "annotation"}.get(layer)


def verdict_text(verdict: Verdict) -> str:
    """Return mark, receipt, value check and reason as one line."""
    parts = [verdict_mark(verdict), receipt(verdict), value_text(verdict), verdict.reason]
    return " · ".join(part for part in parts if part)
