"""Whether the cited text stands in the document as quoted: in order, without a hole, on readable pages."""

from collections.abc import Sequence

from pincite.types.answer import Item
from pincite.types.document import FURNITURE, Line
from pincite.verifying.cited import CitedDocument

#: Page flags that put the reading order or the characters in doubt.
_DOUBTFUL = frozenset({"damaged_text_layer", "unreadable_text_layer", "page_failed"})


def structure_problems(items: Sequence[Item], documents: dict[str, CitedDocument]) -> tuple[str, ...]:
    """Return what puts the structure of the cited lines in doubt; empty means that it is sound."""
    problems: list[str] = []
    for item in items:
        for citation in item.citations:
            document = documents[citation.doc_id].document
            ids = citation.line_ids
            between = set(range(ids[0], ids[-1] + 1)) - set(ids)
            holes = [i for i in between if not _may_be_skipped(document.lines[i - 1])]
            if holes:
                problems.append(f"the quote at {citation.place} leaves out lines in between")
            flags = {f for p in document.pages if p.page_num == citation.page for f in p.flags} & _DOUBTFUL
            problems.extend(f"page {citation.page} of {citation.doc_name}: {flag}" for flag in sorted(flags))
    return tuple(dict.fromkeys(problems))


def _may_be_skipped(line: Line) -> bool:
    return line.role in FURNITURE or line.role == "footnote" or line.layer == "hidden" or not line.text.strip()
