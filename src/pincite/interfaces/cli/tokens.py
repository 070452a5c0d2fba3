"""`pincite token`: make, list and revoke what opens the library over HTTP."""

from typing import TYPE_CHECKING, Annotated

import typer

from pincite.interfaces.cli import options
from pincite.interfaces.cli.groups import command_group
from pincite.interfaces.cli.opening import served_place
from pincite.interfaces.cli.output import print_columns, print_json, print_line, print_remark, result_console

if TYPE_CHECKING:
    from pincite.interfaces.http.access.tokens import TokenRecord

token = command_group("Say who may do what with the library over HTTP.")


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(
        token,
        name="token",
        epilog="""\b
Examples:
  pincite token new --scope ask --collection default --expires 90d
  pincite token ls
  pincite token revoke 5f2c81d09ab3

Prints the help of the group; `pincite token COMMAND --help` that of one.""",
    )


@token.command(
    epilog="""\b
Examples:
  pincite token new --scope ask --collection default
  pincite token new --scope write --collection "*" --expires 90d

Prints the token, this once: the library keeps a hash of it. A token may do
what its scope says, and sees one collection, or all with "*"."""
)
def new(
    context: typer.Context,
    scope: Annotated[
        list[str],
        typer.Option(
            "--scope",
            metavar="read|ask|write",
            help="What it may do: write includes ask, ask includes read.",
            show_default=False,
        ),
    ],
    collection: Annotated[
        str,
        typer.Option("--collection", metavar="NAME", help="The one collection it sees; * for all.", show_default=False),
    ],
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="TEXT", help="Its name in logs, for example who holds it.", show_default=False),
    ] = None,
    expires: Annotated[
        str | None,
        typer.Option(
            "--expires",
            metavar="PERIOD",
            help="End it after 12h, 90d or 8w (default: it does not end).",
            show_default=False,
        ),
    ] = None,
    library: options.Library = None,
    as_json: options.AsJson = False,
) -> None:
    """Make a token and show it once."""
    from pincite.interfaces.http.access.token_terms import checked_scopes, seconds_of
    from pincite.interfaces.http.access.tokens import Tokens

    scopes = checked_scopes(scope)
    lasts_s = None if expires is None else seconds_of(expires)
    tokens = Tokens(served_place(options.library_of(context, library)))
    try:
        made = tokens.new(scopes=scopes, collection=collection, name=name, lasts_s=lasts_s)
    finally:
        tokens.close()
    if as_json:
        print_json("token", made)
        return
    print_line(result_console(), made.token)
    record = made.record
    until = "until it is revoked" if record.expires_at is None else f"until {record.expires_at}"
    print_remark(f"{record.name}: {_scopes(record)} in {_collection(record)}, {until}; it is not shown again")


@token.command(
    "ls",
    epilog="""\b
Example:
  pincite token ls

Prints a row for each token, the newest first, and never a secret.""",
)
def list_tokens(context: typer.Context, library: options.Library = None, as_json: options.AsJson = False) -> None:
    """List the tokens, revoked and expired ones too."""
    from pincite.interfaces.http.access.tokens import listed

    found = listed(served_place(options.library_of(context, library)))
    if as_json:
        print_json("tokens", {"tokens": found})
        return
    if not found:
        print_remark("there is no token; `pincite token new` makes one")
        return
    rows = [
        (t.token_id, t.state, _scopes(t), _collection(t), t.created_at[:10], (t.expires_at or "never")[:10], t.name)
        for t in found
    ]
    print_columns(result_console(), ("ID", "STATE", "SCOPE", "COLLECTION", "MADE", "EXPIRES", "NAME"), rows)


@token.command(
    epilog="""\b
Example:
  pincite token revoke 5f2c81d09ab3

Prints what was revoked. A server that is running stops taking it at once."""
)
def revoke(
    context: typer.Context,
    token_id: Annotated[str, typer.Argument(metavar="ID", help="The id `pincite token ls` shows.", show_default=False)],
    library: options.Library = None,
    as_json: options.AsJson = False,
) -> None:
    """Make a token worthless, and the sessions that were opened with it."""
    from pincite.interfaces.http.access.tokens import Tokens

    tokens = Tokens(served_place(options.library_of(context, library)))
    try:
        record = tokens.revoke(token_id)
    finally:
        tokens.close()
    if as_json:
        print_json("revoked", record)
    else:
        print_line(result_console(), f"{record.token_id}  {record.name}: revoked")


def _scopes(record: "TokenRecord") -> str:
    return record.scopes[-1]


def _collection(record: "TokenRecord") -> str:
    return "all collections" if record.collection == "*" else record.collection
