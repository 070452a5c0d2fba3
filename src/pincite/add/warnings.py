"""What a reader should know before trusting a document."""

from collections.abc import Sequence

from pincite.types.document import UNREADABLE_FLAGS, ParsedDocument


def document_warnings(document: ParsedDocument, *, has_text: bool = True) -> list[str]:
    """Return what a reader should know before trusting a document, a sentence each."""
    summary = document.parsing_summary
    warnings = list(summary.warnings)
    if not has_text:
        warnings.append("no text: nothing in it can be found")
    unread = [p.page_num for p in document.pages if set(p.flags) & UNREADABLE_FLAGS]
    if unread:
        warnings.append(f"page {_spans(unread)} could not be read (OCR needed)")
    damaged = [p.page_num for p in document.pages if "damaged_text_layer" in p.flags]
    if damaged:
        warnings.append(f"page {_spans(damaged)} has characters without a Unicode value")
    if summary.hidden_text:
        pages = sorted({h.page_num for h in summary.hidden_text})
        warnings.append(f"hidden text on page {_spans(pages)} was left out: {summary.hidden_text[0].reason}")
    warnings.extend(f"attachment {a.name} was not read" for a in summary.attachments)
    return warnings


def _spans(numbers: Sequence[int], limit: int = 8) -> str:
    shown = ", ".join(str(n) for n in numbers[:limit])
    return shown if len(numbers) <= limit else f"{shown} and {len(numbers) - limit} more"
