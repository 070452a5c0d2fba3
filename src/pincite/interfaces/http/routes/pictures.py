"""`…/pages/{n}.png` and `…/original`: a document as a person sees it, and its own bytes."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import FileResponse, Response

from pincite.interfaces.http.downloads import disposition
from pincite.interfaces.http.openapi import sends
from pincite.interfaces.http.opened import Reading
from pincite.interfaces.http.pictures import DRAWN, PageView, PictureCache, check_drawable, draw, lines_of
from pincite.interfaces.http.problems import ProblemError
from pincite.interfaces.http.routes.documents import record_of
from pincite.interfaces.http.working import Workers

router = APIRouter(tags=["documents"])


@router.head("/v1/documents/{doc_id}/pages/{page_num:int}.png", include_in_schema=False)
@router.get("/v1/documents/{doc_id}/pages/{page_num:int}.png", **sends("image/png", description="The page."))
async def get_page_picture(
    opened: Reading,
    request: Request,
    doc_id: str,
    page_num: int,
    scale: Annotated[float, Query(ge=0.1, le=4, description="1 is 72 pixels an inch.")] = 2.0,
    lines: Annotated[str | None, Query(description="Lines of this page to mark: `17-19,22`.")] = None,
) -> Response:
    """Return a picture of a page, with lines marked."""
    drawing: Workers = request.app.state.drawing
    cache: PictureCache = request.app.state.pictures
    record = await asyncio.to_thread(record_of, opened, doc_id)
    check_drawable(record, page_num)
    view = PageView(page_num=page_num, scale=round(scale, 2), lines=lines_of(lines))
    tag = view.tag_of(record.content_hash)
    headers = {"ETag": f'"{tag}"', "Cache-Control": "private, max-age=300"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    picture = cache.get(tag)
    if picture is None:
        picture = await drawing.run(lambda: draw(opened.library, record, view, request.app.state.drawers))
        cache.keep(tag, picture)
    return Response(picture, media_type="image/png", headers=headers)


@router.head("/v1/documents/{doc_id}/original", include_in_schema=False)
@router.get("/v1/documents/{doc_id}/original", **sends("application/octet-stream"))
def get_original(
    opened: Reading,
    doc_id: str,
    inline: Annotated[bool, Query(description="Show a PDF or picture in the browser.")] = False,  # noqa: FBT002
) -> Response:
    """Return the document's own bytes, as a download."""
    record = record_of(opened, doc_id)
    path = opened.library.store.original_path(doc_id)
    if path is None:
        raise ProblemError(404, "original_not_kept", f"the original of {record.name!r} is not kept")
    headers = {
        "Content-Disposition": disposition(record.name, inline=inline and record.media_type in DRAWN),
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-cache",
        "ETag": f'"{record.content_hash}"',
    }
    # What a browser could run is never given its own type.
    media_type = record.media_type if record.media_type in DRAWN else "application/octet-stream"
    return FileResponse(path, media_type=media_type, headers=headers)
