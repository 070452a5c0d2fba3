"""`/v1/documents`: what is in a collection; a document is named by its id alone."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from pincite.interfaces.http.openapi import shows
from pincite.interfaces.http.opened import Opened, Reading, Writing
from pincite.interfaces.http.problems import ProblemError
from pincite.interfaces.http.replies import reply
from pincite.interfaces.http.shapes import DocumentList, PageList, SectionList, TableList
from pincite.types.document import DocumentRecord

router = APIRouter(tags=["documents"])


@router.get("/v1/documents", **shows(DocumentList))
def list_documents(
    opened: Reading,
    where: Annotated[str | None, Query(description='A condition on metadata: "year=2023 and tag=policy".')] = None,
    q: Annotated[str | None, Query(description="A part of the name or title.")] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    after: Annotated[str | None, Query(description="The `next` of the reply before.")] = None,
) -> Response:
    """Return the documents, by name."""
    found = list(opened.library.documents(where=where))
    if q:
        found = [record for record in found if q.casefold() in _words_of(record)]
    total = len(found)
    if after is not None:
        found = found[next((i + 1 for i, record in enumerate(found) if record.doc_id == after), total) :]
    shown = tuple(found[:limit])
    more = shown[-1].doc_id if len(found) > limit else None
    return reply(DocumentList(documents=shown, next=more, total=total))


def _words_of(record: DocumentRecord) -> str:
    return f"{record.name}\n{record.parsing_summary.title or ''}".casefold()


@router.get("/v1/documents/{doc_id}", **shows(DocumentRecord))
def get_document(opened: Reading, doc_id: str) -> Response:
    """Return what is known of a document."""
    return reply(record_of(opened, doc_id))


@router.delete("/v1/documents/{doc_id}", status_code=204, response_model=None)
def delete_document(opened: Writing, doc_id: str) -> Response:
    """Take a document out of the collection."""
    opened.library.remove(record_of(opened, doc_id).doc_id)
    return Response(status_code=204)


@router.get("/v1/documents/{doc_id}/pages", **shows(PageList))
def list_pages(opened: Reading, doc_id: str) -> Response:
    """Return the pages of a document, without their text."""
    record = record_of(opened, doc_id)
    return reply(PageList(doc_id=doc_id, doc_name=record.name, pages=opened.library.store.pages(doc_id)))


@router.get("/v1/documents/{doc_id}/toc", **shows(SectionList))
def get_contents(opened: Reading, doc_id: str) -> Response:
    """Return the table of contents of a document."""
    record = record_of(opened, doc_id)
    return reply(SectionList(doc_id=doc_id, doc_name=record.name, sections=opened.library.store.toc(doc_id)))


@router.get("/v1/documents/{doc_id}/tables", **shows(TableList))
def list_tables(opened: Reading, doc_id: str, page: Annotated[int | None, Query(ge=1)] = None) -> Response:
    """Return the tables of a document, or of one page."""
    record = record_of(opened, doc_id)
    tables = opened.library.document(doc_id).tables
    shown = tuple(table for table in tables if page is None or table.page_num == page)
    return reply(TableList(doc_id=doc_id, doc_name=record.name, tables=shown))


def record_of(opened: Opened, doc_id: str) -> DocumentRecord:
    """Return the document of an id; names do not count here.

    Raises:
        ProblemError: there is none in this collection (404).

    """
    record = opened.library.store.find_by_id(doc_id)
    if record is None:
        raise ProblemError(404, "unknown_document", f"there is no document of the id {doc_id[:80]!r}")
    return record
