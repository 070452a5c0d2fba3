"""Candidates as a YAML file that a person reads through and fills in."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Final

from pincite.widget.records import Draft

_HEAD: Final = """\
# Passages for review. Only those with reviewed-by and reviewed-on are built: read each one against its cite, put it in
# words that stand alone, name the page where it can be read, and sign it. Delete what nobody asks.
title: ""
refusal: That is not among the reviewed passages of this site.
suggestions: []

passages:
"""
#: Text that can stand in a block as it is: no blanks at its ends, nothing that YAML would read in another way.
_BLOCK: Final = re.compile(r"(?! )[^\x00-\x09\x0b-\x1f\x7f-\xa0\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]+(?<!\s)")


def written(drafts: Sequence[Draft]) -> str:
    """Return the text of a source file; `read_source` makes the same passages of it."""
    return _HEAD + "\n".join("".join(_lines(draft)) for draft in drafts)


def _lines(draft: Draft) -> Iterator[str]:
    yield f"  - id: {_quoted(draft.id)}\n"
    yield f"    title: {_quoted(draft.title)}\n"
    yield f"    text: {_text(draft.text)}\n"
    yield f"    url: {_quoted(draft.url)}\n"
    yield f"    tags: [{', '.join(map(_quoted, draft.tags))}]\n"
    yield f"    cite: {_quoted(draft.cite)}\n"
    yield f"    reviewed-by: {_quoted(draft.reviewed_by)}\n"
    yield f"    reviewed-on: {_quoted(draft.reviewed_on)}\n"


def _text(text: str) -> str:
    if not _BLOCK.fullmatch(text):
        return _quoted(text)
    return "|-" + "".join(f"\n      {line}" if line else "\n" for line in text.split("\n"))


def _quoted(text: str) -> str:
    """Return a string that YAML and JSON read alike."""
    quoted = json.dumps(text, ensure_ascii=False)
    # What YAML does not print is escaped; JSON leaves it as it is.
    return re.sub("[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]", lambda match: f"\\u{ord(match.group()):04x}", quoted)
