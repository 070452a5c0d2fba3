"""`/v1/health` and `/v1/ready`: for whoever watches over the server."""

from importlib.metadata import version

from fastapi import APIRouter, Request
from starlette.responses import Response

from pincite.errors import PinciteError
from pincite.interfaces.http.openapi import shows
from pincite.interfaces.http.replies import reply
from pincite.interfaces.http.served import DEFAULT, Served
from pincite.interfaces.http.shapes import Health

router = APIRouter(tags=["health"])


@router.get("/v1/health", **shows(Health))
async def health() -> Response:
    """Say that the server runs."""
    return reply(Health(status="ok", version=version("pincite")))


@router.get("/v1/ready", **shows(Health))
def ready(request: Request) -> Response:
    """Say whether questions can be answered: the library opens and the model is loaded; 503 where not."""
    served: Served = request.app.state.served
    status = "ok"
    try:
        served.library(DEFAULT).store.sequence  # noqa: B018 - to read is what is tried
    except PinciteError as error:
        status = f"the library cannot be read ({error.code})"
    if status == "ok" and not served.is_warm:
        status = "the model is being loaded"
    return reply(Health(status=status, version=version("pincite")), status=200 if status == "ok" else 503)
