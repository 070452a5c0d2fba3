"""An answer as a file: report, Markdown, CSV, highlighted PDF, JSON."""

import os
from pathlib import Path
from typing import Final, Literal

from pincite.interfaces.http.downloads import disposition
from pincite.interfaces.http.drawing import Drawers, Report
from pincite.interfaces.http.problems import ProblemError
from pincite.types.answer import Answer, Result
from pincite.types.record import Record, dump_json

Form = Literal["html", "md", "csv", "pdf", "json"]
_MEDIA_TYPES: Final[dict[Form, str]] = {
    "html": "text/html; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "pdf": "application/pdf",
    "json": "application/json",
}


class Exported(Record, frozen=True, kw_only=True):
    """A file to be downloaded."""

    content: bytes
    media_type: str
    disposition: str


def export(place: str | Path, result: Result, form: Form, doc_id: str | None, drawers: Drawers) -> Exported:
    """Return a result of the library at a place as a file; `doc_id` chooses the cited PDF, by default the first one.

    Raises:
        ProblemError: a refusal has no such form (409), or no PDF is cited (404).
        CorruptFileError, PasswordRequiredError: the original cannot be drawn on.

    """
    name = f"answer-{result.trace_id}.{form}"
    content: bytes | None
    if form == "json":
        content = dump_json(result)
    elif form == "md":
        from pincite.rendering.report_text import report_markdown

        content = report_markdown(result).encode()
    elif form != "html" and not isinstance(result, Answer):
        raise ProblemError(409, "no_answer", f"there is no answer to be written as {form}; take html, md or json")
    elif form == "csv" and isinstance(result, Answer):
        from pincite.rendering.report_text import report_csv

        content = report_csv(result).encode("utf-8-sig")  # the mark tells spreadsheets that it is UTF-8
    else:
        where = os.fsencode(place if isinstance(place, str) else place.absolute())
        drawn = drawers.draw(
            Report(library=where, trace_id=result.trace_id, form="html" if form == "html" else "pdf", doc_id=doc_id)
        )
        content = drawn.content
        if form == "pdf":
            name = f"{drawn.name.removesuffix('.pdf')}-cited.pdf"
    if content is None:
        raise ProblemError(404, "no_pdf_cited", "no PDF or picture is cited here whose original is kept; take html")
    return Exported(content=content, media_type=_MEDIA_TYPES[form], disposition=disposition(name))
