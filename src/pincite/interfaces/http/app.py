"""The application: its parts made, every route in one list, the web page at the root."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from pincite.interfaces.http import feedback, openapi, problems
from pincite.interfaces.http.access import metrics, session
from pincite.interfaces.http.drawing import Drawers
from pincite.interfaces.http.jobs import JobRunner
from pincite.interfaces.http.options import ServeOptions
from pincite.interfaces.http.pictures import PictureCache
from pincite.interfaces.http.routes import (
    answers,
    asking,
    collections,
    conversing,
    documents,
    evals,
    health,
    jobs,
    lines,
    pictures,
    searching,
    uploading,
)
from pincite.interfaces.http.served import Served
from pincite.interfaces.http.state.conversations import ConversationTable
from pincite.interfaces.http.working import Workers

_DESCRIPTION = (
    "Answers from documents with pin cites that hold: every item is quoted, located and checked by code. "
    "Errors are problem documents (RFC 9457). A question without an answer is no error but a refusal."
)
_SUBJECTS = (
    health,
    collections,
    documents,
    uploading,
    lines,
    pictures,
    jobs,
    searching,
    asking,
    conversing,
    answers,
    evals,
    feedback,
    session,
    metrics,
)


class _Page(StaticFiles):
    """The files of the web page; what no route of the API takes is not looked for among them."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file; raise `HTTPException` 404 for what is not there, and for every address of the API."""
        if scope["path"].startswith("/v1/") and scope["method"] in ("GET", "HEAD"):
            raise HTTPException(404)
        return await super().get_response(path, scope)


def create_app(served: Served, options: ServeOptions | None = None) -> FastAPI:
    """Return the application over the collections of `served`, which it closes when it ends."""
    chosen = options or ServeOptions()
    app = FastAPI(
        title="pincite",
        version=version("pincite"),
        description=_DESCRIPTION,
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
    )
    app.state.served = served
    app.state.options = chosen
    app.state.asking = Workers(chosen.asking, "pincite-asking")
    app.state.drawing = Workers(chosen.drawing, "pincite-drawing")
    app.state.drawers = Drawers(memory_mb=served.settings.parse_memory_mb)
    app.state.pictures = PictureCache(chosen.picture_cache_mb * 2**20)
    app.state.jobs = JobRunner(served, chosen)
    app.state.conversations = ConversationTable(served.state)
    problems.install(app)
    for subject in _SUBJECTS:
        app.include_router(subject.router)
    openapi.describe(app)
    page = Path(str(files("pincite"))) / "web"
    if (page / "index.html").is_file():
        app.mount("/", _Page(directory=page, html=True), name="web")
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    served: Served = app.state.served
    runner: JobRunner = app.state.jobs
    served.warm()
    runner.start()
    try:
        yield
    finally:
        runner.stop()
        app.state.drawers.close()
        served.close()
