"""`pincite serve`: the HTTP API and the web page."""

import socket
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pincite.errors import SettingsError
from pincite.interfaces.cli import options
from pincite.interfaces.cli.opening import served_place
from pincite.interfaces.cli.output import print_line, print_remark, result_console

if TYPE_CHECKING:
    from pincite.interfaces.http.access.options import AccessOptions
    from pincite.interfaces.http.options import ServeOptions


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
    require_token: Annotated[
        bool, typer.Option("--require-token", help="Ask for a token on this machine too; behind a proxy, say.")
    ] = False,
    cors: Annotated[
        list[str] | None,
        typer.Option("--cors", metavar="ORIGIN", help="Let pages of this origin call the API; may be given again."),
    ] = None,
    proxy: Annotated[
        str | None,
        typer.Option("--proxy", metavar="ADDRESS", help="Believe X-Forwarded-For of the proxy at this address."),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(
            "--rate",
            min=0,
            metavar="N",
            help="Requests a second for each token; 0: no limit (default: 20 where there are tokens).",
        ),
    ] = None,
    max_questions: Annotated[
        int, typer.Option("--max-questions", min=1, metavar="N", help="Work on N questions at a time.")
    ] = 8,
    max_waiting: Annotated[
        int, typer.Option("--max-waiting", min=0, metavar="N", help="Let N requests wait; answer 503 to those beyond.")
    ] = 64,
    log_format: Annotated[
        Literal["text", "json"], typer.Option("--log-format", help="How the log on standard error is written.")
    ] = "text",
    spans_to: Annotated[
        str | None,
        typer.Option(
            "--spans", metavar="URL", help="Send spans to this collector (OTLP over HTTP); needs pincite[otel]."
        ),
    ] = None,
    model: options.Model = None,
    library: options.Library = None,
) -> None:
    """Serve the library over HTTP, with a web page to ask it.

    The API is at /v1 and described at /v1/openapi.json, the page at /. Models are loaded once; nothing is fetched from
    anywhere. Only this machine is served, unless the library has a token and --host says otherwise.
    """
    from pincite.interfaces.http.access.options import AccessOptions
    from pincite.interfaces.http.access.starting import DEFAULT_RATE, check_reachable
    from pincite.interfaces.http.options import ServeOptions

    chosen = ServeOptions(host=host, port=port, max_upload_mb=max_upload_mb, max_pages=max_pages, asking=max_questions)
    needs_token = require_token or not chosen.is_loopback
    access = AccessOptions(
        require_token=needs_token,
        cors=tuple(cors or ()),
        proxy=proxy,
        log_format=log_format,
        spans_to=spans_to,
        # A file of just that size has to pass in a form, which has some lines around it.
        max_upload_bytes=(max_upload_mb + 1) * 2**20,
        max_questions=max_questions,
        max_waiting=max_waiting,
        rate_per_s=(DEFAULT_RATE if needs_token else None) if rate is None else rate or None,
    )
    place = served_place(options.library_of(context, library))
    check_reachable(place, host, is_loopback=chosen.is_loopback)
    _run(place, chosen, access, model)


def _run(place: str | Path, chosen: "ServeOptions", access: "AccessOptions", model: str | None) -> None:
    from pincite.interfaces.http.access.running import run
    from pincite.interfaces.http.app import create_app
    from pincite.interfaces.http.served import Served
    from pincite.settings import Settings

    with Served(place, settings=Settings.load(model=model), most_open=chosen.open_collections) as served:
        served.claim()
        app = create_app(served, chosen)
        with _listening(chosen) as listening:
            port = listening.getsockname()[1]
            shown = f"[{chosen.host}]" if ":" in chosen.host else chosen.host
            print_line(result_console(), f"http://{shown}:{port}/")
            print_remark(f"serving {served.place}; Ctrl-C ends it")
            run(app, access, listening)


def _listening(chosen: "ServeOptions") -> socket.socket:
    """Return the socket that the server listens on.

    Raises:
        SettingsError: the address is not of this machine, or the port is taken.

    """
    from pincite.interfaces.http.access.running import undelayed

    try:
        made = socket.create_server(
            (chosen.host, chosen.port), family=socket.AF_INET6 if ":" in chosen.host else socket.AF_INET, backlog=512
        )
    except OSError as error:
        where = f"{chosen.host}:{chosen.port}"
        raise SettingsError(
            f"cannot listen on {where}: {error.strerror or error}; --port 0 takes a free port"
        ) from error
    return undelayed(made)
