"""What the parser makes of every small case; `PINCITE_REWRITE_GOLDEN=1 pytest` writes the golden files anew."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.types.document import ParsedDocument

_GOLDEN = Path(__file__).parent / "golden"
_FILES = [
    "PDF01/pump-note.pdf",
    "PDF01/pump-note-rowwise.pdf",
    "PDF03/lab.pdf",
    "PDF04/traffic.pdf",
    "PDF05/climate.pdf",
    "PDF07/minutes.pdf",
    "PDF09/plan-rot90.pdf",
    "PDF10/tariff.pdf",
    "PDF12/rules.pdf",
    "PDF13/torque.pdf",
    "PDF16/sensor.pdf",
    "PDF17/notice-zh.pdf",
    "PDF20/offer.pdf",
    "PDF21/report.pdf",
    "PDF22/draft.pdf",
    "PDF27/handbook.pdf",
    "PDF29/permit.pdf",
    "PDF31/portfolio.pdf",
    "PDF32/bold.pdf",
    "PDF33/blank.pdf",
]


def _summary(document: ParsedDocument) -> dict[str, Any]:
    return {
        "pages": [[page.label, page.kind, list(page.flags)] for page in document.pages],
        "lines": [
            [line.page_num, line.line_num, line.role, line.layer, line.text, line.box.as_list() if line.box else None]
            for line in document.lines
        ],
        "toc": [
            [section.level, section.title, section.start_page, section.start_line, section.origin, section.confidence]
            for section in document.toc
        ],
        "objects": [[named.kind, named.label, named.page_num, named.line_num] for named in document.objects],
        "references": [[one.label, one.page_num, one.line_num, one.target] for one in document.references],
        "profile": [document.parsing_summary.doc_type, list(document.parsing_summary.summary_line_ids)],
        "tables": [
            [t.caption, t.unit, t.scale, t.n_rows, t.n_cols, t.header_rows, t.first_line_id, t.last_line_id]
            for t in document.tables
        ],
        "cells": [
            [cell.row, cell.col, cell.text, cell.box.as_list() if cell.box else None]
            for table in document.tables
            for cell in table.cells
        ],
        "hidden": [hidden.reason for hidden in document.parsing_summary.hidden_text],
        "warnings": list(document.parsing_summary.warnings),
    }


@pytest.mark.parametrize("name", _FILES)
def test_a_small_file_is_read_as_before(name: str, parse_case: Callable[[str], ParsedDocument]) -> None:
    """A change of the parser that moves a line, a box, a role or a flag is seen."""
    path = _GOLDEN / (name.replace("/", "-") + ".json")
    seen = _summary(parse_case(name))
    if os.environ.get("PINCITE_REWRITE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(seen, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

    assert json.loads(path.read_text(encoding="utf-8")) == seen
