"""`/v1/collections`: libraries beside each other that share nothing but the server."""

from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.responses import Response

from pincite.interfaces.http.openapi import shows, takes
from pincite.interfaces.http.opened import Reading, Writing
from pincite.interfaces.http.problems import ProblemError
from pincite.interfaces.http.replies import body_of, reply
from pincite.interfaces.http.shapes import CollectionInfo, CollectionList, NewCollection

router = APIRouter(tags=["collections"])


@router.get("/v1/collections", **shows(CollectionList))
def list_collections(opened: Reading) -> Response:
    """Return the collections that the caller may see."""
    served, caller = opened.served, opened.caller
    names = served.collections() if caller.sees_all else (caller.collection,)
    found = []
    for name in names:
        with served.using(name) as library:
            found.append(CollectionInfo(name=name, n_documents=len(library.store.records())))
    return reply(CollectionList(collections=tuple(found)))


@router.post("/v1/collections", openapi_extra=takes(NewCollection), **shows(CollectionInfo, status=201))
def create_collection(opened: Writing, body: Annotated[NewCollection, Depends(body_of(NewCollection))]) -> Response:
    """Make a collection; who is bound to one may not."""
    if not opened.caller.sees_all:
        raise ProblemError(403, "insufficient_scope", "this needs a token for all collections")
    opened.served.create(body.name)
    return reply(CollectionInfo(name=body.name, n_documents=0), status=201)
