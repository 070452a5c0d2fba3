"""An answer as a file: report, Markdown, CSV, highlighted PDF, JSON."""

from typing import Final, Literal

from pincite.interfaces.http.downloads import disposition
from pincite.interfaces.http.problems import ProblemError
from pincite.library import Library
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


def export(library: Library, result: Result, form: Form, doc_id: str | None) -> Exported:
    """Return a result as a file; `doc_id` chooses the cited PDF that is highlighted, the first one by default.

    Raises:
        ProblemError: a refusal has no such form (409), or no PDF is cited (404).
        CorruptFileError, PasswordRequiredError: the original cannot be drawn on.

    """
    name = f"answer-{result.trace_id}.{form}"
    if form == "html":
        content = _report(library, result)
    elif form == "json":
        content = dump_json(result)
    elif form == "md":
        from pincite.rendering.report_text import report_markdown

        content = report_markdown(result).encode()
    elif not isinstance(result, Answer):
        raise ProblemError(409, "no_answer", f"there is no answer to be written as {form}; take html, md or json")
    elif form == "csv":
        from pincite.rendering.report_text import report_csv

        content = report_csv(result).encode("utf-8-sig")  # the mark tells spreadsheets that it is UTF-8
    else:
        cited_name, content = _highlighted(library, result, doc_id)
        name = f"{cited_name.removesuffix('.pdf')}-cited.pdf"
    return Exported(content=content, media_type=_MEDIA_TYPES[form], disposition=disposition(name))


def _report(library: Library, result: Result) -> bytes:
    from pincite.library.cited_originals import access_of
    from pincite.rendering.report import report_html

    return report_html(result, access_of(library.store, result)).encode()


def _highlighted(library: Library, answer: Answer, doc_id: str | None) -> tuple[str, bytes]:
    """Return the name of a cited document, and its PDF with the cites highlighted."""
    from pincite.library.cited_originals import access_of
    from pincite.rendering.annotate import annotated
    from pincite.rendering.citing import number_citations
    from pincite.rendering.originals import as_pdf

    access = access_of(library.store, answer)
    citations = number_citations(answer.items).citations
    cited = dict.fromkeys(numbered.citation.doc_id for numbered in citations)
    for candidate in cited if doc_id is None else [one for one in cited if one == doc_id]:
        original = as_pdf(access.originals(candidate))
        if original is not None:
            mine = [numbered for numbered in citations if numbered.citation.doc_id == candidate]
            name = mine[0].citation.doc_name
            return name, annotated(original, mine, name=name)
    raise ProblemError(404, "no_pdf_cited", "no PDF or picture is cited here whose original is kept; take html")
