"""What the parsers make of a small file of each format; `PINCITE_REWRITE_GOLDEN=1 pytest` writes the files anew."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.parsing import made_files as made

from pincite.parsing import PARSERS
from pincite.registry import load
from pincite.types.document import ParsedDocument

_GOLDEN = Path(__file__).parent / "golden"
_FILES = {
    "page.html": ("html", made.HTML.encode()),
    "contract.docx": ("docx", made.docx_bytes()),
    "costs.xlsx": ("xlsx", made.xlsx_bytes()),
    "piers.csv": ("csv", made.CSV.encode()),
    "plan.pptx": ("pptx", made.pptx_bytes()),
    "book.epub": ("epub", made.epub_bytes()),
    "message.eml": ("email", made.email_bytes()),
    "guide.rst": ("rst", made.RST.encode()),
    "guide.adoc": ("asciidoc", made.ASCIIDOC.encode()),
    "boats.py": ("code", made.CODE.encode()),
}


def _summary(document: ParsedDocument) -> dict[str, Any]:
    summary = document.parsing_summary
    return {
        "title": summary.title,
        "metadata": {key: value for key, value in document.metadata.items() if key not in {"created", "modified"}},
        "pages": [[page.label, page.kind, list(page.flags)] for page in document.pages],
        "lines": [[line.page_num, line.line_num, line.role, line.layer, line.text] for line in document.lines],
        "toc": [[s.level, s.title, s.start_page, s.start_line, s.end_page, s.end_line] for s in document.toc],
        "tables": [[t.caption, t.header_rows, t.first_line_id, t.last_line_id] for t in document.tables],
        "cells": [[cell.row, cell.col, cell.text] for table in document.tables for cell in table.cells],
        "objects": [[one.kind, one.label, one.title] for one in document.objects],
        "hidden": [[hidden.page_num, hidden.text, hidden.reason] for hidden in summary.hidden_text],
        "attachments": [one.name for one in summary.attachments],
        "warnings": list(summary.warnings),
    }


@pytest.mark.parametrize("name", sorted(_FILES))
def test_a_small_file_is_read_as_before(name: str) -> None:
    """A change of a parser that moves a line, a role, a section, a cell or a warning is seen."""
    parser, content = _FILES[name]
    seen = _summary(load(parser, PARSERS, group="pincite.parsers")().parse(content, name=name, uri=name))
    path = _GOLDEN / f"{name}.json"
    if os.environ.get("PINCITE_REWRITE_GOLDEN"):
        path.write_text(json.dumps(seen, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

    assert json.loads(path.read_text(encoding="utf-8")) == seen
