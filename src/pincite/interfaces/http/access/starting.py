"""What has to be so before a server listens: on any address but this machine's own, a token has to be there."""

from pathlib import Path
from typing import Final

from pincite.errors import TokenRequiredError
from pincite.interfaces.http.access.tokens import listed

#: Requests a second that a token may send in the long run, where nothing else is said: who scrolls through pictures of
#: pages stays below it.
DEFAULT_RATE: Final = 20.0


def check_reachable(library: str | Path, host: str, *, is_loopback: bool) -> None:
    """Refuse to serve other machines without a token.

    Raises:
        TokenRequiredError: other machines could reach the server, and the library has no token that opens anything.

    """
    if is_loopback or any(token.state == "live" for token in listed(library)):
        return
    raise TokenRequiredError(
        f"other machines can reach {host}, and the library {str(library)!r} has no token: make one first with "
        f"`pincite token new --scope ask --collection default`"
    )
