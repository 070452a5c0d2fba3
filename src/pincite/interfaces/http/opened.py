"""Which collection a request is about, and whether its caller may do that: one dependency for every route."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Query, Request

from pincite.interfaces.http.access.caller import EVERYONE, Caller, Scope
from pincite.interfaces.http.problems import ProblemError
from pincite.interfaces.http.served import DEFAULT, Served, unknown_collection
from pincite.library import Library


@dataclass(frozen=True, slots=True)
class Opened:
    """The collection of a request: its library, its name, who asks, and the server's collections."""

    library: Library
    collection: str
    caller: Caller
    served: Served


class _Opening:
    """Gives the collection of a request to a route that needs `scope`."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def __call__(
        self,
        request: Request,
        collection: Annotated[str | None, Query(description="The collection; by default the caller's own.")] = None,
    ) -> Iterator[Opened]:
        """Yield the collection, open for as long as the request lasts.

        Raises:
            ProblemError: there is no such collection, or the caller may not see it (404); it may not do this (403).

        """
        caller = caller_of(request)
        name = collection_of(caller, collection)
        served: Served = request.app.state.served
        with served.using(name) as library:
            check_scope(caller, self.scope)
            yield Opened(library=library, collection=name, caller=caller, served=served)


def opened(scope: Scope) -> _Opening:
    """Return the dependency of a route that needs `scope`."""
    return _Opening(scope)


def caller_of(request: Request) -> Caller:
    """Return who asks; without access control everybody may do everything."""
    caller: Caller = getattr(request.state, "caller", None) or EVERYONE
    return caller


def collection_of(caller: Caller, asked: str | None) -> str:
    """Return the collection that a request is about; one that the caller may not see is not there."""
    if caller.sees_all:
        return asked or DEFAULT
    if asked is not None and asked != caller.collection:
        raise unknown_collection(asked)
    return caller.collection


def check_scope(caller: Caller, scope: Scope) -> None:
    """Raise a `ProblemError` (403) where the caller may not do this."""
    if not caller.may(scope):
        raise ProblemError(403, "insufficient_scope", f"this needs a token of scope {scope!r}")


Reading = Annotated[Opened, Depends(opened("read"))]
Asking = Annotated[Opened, Depends(opened("ask"))]
Writing = Annotated[Opened, Depends(opened("write"))]
