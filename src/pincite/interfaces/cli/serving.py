"""`pincite serve`: the HTTP API and the web page."""

import socket
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.errors import SettingsError
from pincite.interfaces.cli import options
from pincite.interfaces.cli.opening import library_folder
from pincite.interfaces.cli.output import print_line, print_remark, result_console

if TYPE_CHECKING:
    from pincite.interfaces.http.options import ServeOptions

#: How long requests that are being answered may take when the server ends.
_PATIENCE_S = 5


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        epilog="""\b
Examples:
  pincite serve
  pincite serve --library ~/reports --port 9000

Prints the address, and serves until Ctrl-C. docs/http.md describes the API."""
    )(serve)


def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Listen on this address.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65_535, help="Listen on this port; 0: a free one.")
    ] = 8787,
    max_upload_mb: Annotated[
        int, typer.Option("--max-upload-mb", min=1, metavar="N", help="Take files of at most N MB.")
    ] = 200,
    max_pages: Annotated[
        int, typer.Option("--max-pages", min=1, metavar="N", help="Take documents of at most N pages.")
    ] = 5000,
    model: options.Model = None,
    library: options.Library = None,
) -> None:
    """Serve the library over HTTP, with a web page to ask it.

    The API is at /v1 and described at /v1/openapi.json, the page at /. Models are loaded once; nothing is fetched from
    anywhere.
    """
    from pincite.interfaces.http.options import ServeOptions

    chosen = ServeOptions(host=host, port=port, max_upload_mb=max_upload_mb, max_pages=max_pages)
    _run(library_folder(options.library_of(context, library)), chosen, model)


def _run(folder: Path, chosen: "ServeOptions", model: str | None) -> None:
    import uvicorn

    from pincite.interfaces.http.app import create_app
    from pincite.interfaces.http.served import Served
    from pincite.settings import Settings

    with Served(folder, settings=Settings.load(model=model), most_open=chosen.open_collections) as served:
        app = create_app(served, chosen)
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=_PATIENCE_S,
        )
        with _listening(chosen) as listening:
            port = listening.getsockname()[1]
            shown = f"[{chosen.host}]" if ":" in chosen.host else chosen.host
            print_line(result_console(), f"http://{shown}:{port}/")
            print_remark(f"serving {folder}; Ctrl-C ends it")
            uvicorn.Server(config).run(sockets=[listening])


def _listening(chosen: "ServeOptions") -> socket.socket:
    """Return the socket that the server listens on.

    Raises:
        SettingsError: the address is not of this machine, or the port is taken.

    """
    try:
        return socket.create_server(
            (chosen.host, chosen.port), family=socket.AF_INET6 if ":" in chosen.host else socket.AF_INET, backlog=512
        )
    except OSError as error:
        where = f"{chosen.host}:{chosen.port}"
        raise SettingsError(
            f"cannot listen on {where}: {error.strerror or error}; --port 0 takes a free port"
        ) from error
