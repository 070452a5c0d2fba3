"""The description of the API: OpenAPI 3.1 whose shapes are those of pincite's own records."""

import re
from typing import Any, Final

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from pincite.interfaces.http.problems import MEDIA_TYPE, Problem

_REF: Final = "#/components/schemas/{name}"
#: The records that routes name; each route adds its own.
_SHAPES: Final[dict[str, Any]] = {"Problem": Problem}
_PROBLEM: Final = {
    "description": "What went wrong (RFC 9457).",
    "content": {MEDIA_TYPE: {"schema": {"$ref": _REF.format(name="Problem")}}},
}


def shows(*kinds: Any, status: int = 200, description: str = "Done.", events: bool = False) -> dict[str, Any]:
    """Return what a route tells FastAPI of its reply: one of `kinds` as JSON, or as `events`; or a problem."""
    schemas = [_named(kind) for kind in kinds]
    content: dict[str, Any] = {"application/json": {"schema": schemas[0] if len(schemas) == 1 else {"oneOf": schemas}}}
    if events:
        content["text/event-stream"] = {"schema": {"type": "string"}}
    answers: dict[int | str, Any] = {status: {"description": description, "content": content}, "default": _PROBLEM}
    return {"responses": answers, "status_code": status, "response_model": None}


def sends(media_type: str, *, description: str = "The file.") -> dict[str, Any]:
    """Return what a route tells FastAPI of its reply: bytes of a type, or a problem."""
    answers: dict[int | str, Any] = {
        200: {"description": description, "content": {media_type: {"schema": {"type": "string", "format": "binary"}}}},
        "default": _PROBLEM,
    }
    return {"responses": answers, "response_model": None}


def takes(kind: Any) -> dict[str, Any]:
    """Return what a route tells OpenAPI of its body."""
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": _named(kind)}}}}


def _named(kind: Any) -> dict[str, str]:
    _SHAPES[kind.__name__] = kind
    return {"$ref": _REF.format(name=kind.__name__)}


def describe(app: FastAPI) -> None:
    """Make `/v1/openapi.json` name the real shapes."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _whole(app)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]  # how FastAPI wants it done


def _whole(app: FastAPI) -> dict[str, Any]:
    made = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    for path in made["paths"].values():
        for operation in path.values():
            operation.get("responses", {}).pop("422", None)  # FastAPI's own form of errors, which is never sent
    _, components = msgspec.json.schema_components(list(_SHAPES.values()), ref_template=_REF)
    made.setdefault("components", {})["schemas"] = {re.sub(r"\W", "_", n): c for n, c in components.items()}
    return made
