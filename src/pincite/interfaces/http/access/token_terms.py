"""What a token is given: its scopes, collection, name and period, read as a person writes them."""

import re
from collections.abc import Iterable
from typing import Final

from pincite.errors import SettingsError
from pincite.interfaces.http.access.caller import EVERY_COLLECTION, SCOPES, Scope

_COLLECTION: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_PERIOD: Final = re.compile(r"(\d{1,6})([mhdw])")
_UNIT_S: Final = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_MAX_NAME_CHARS: Final = 64


def checked_scopes(names: Iterable[str]) -> tuple[Scope, ...]:
    """Return the scopes of those names.

    Raises:
        SettingsError: a name is that of none.

    """
    given = tuple(names)
    for name in given:
        if name not in SCOPES:
            raise SettingsError(f"there is no scope {name!r}; choose of: {', '.join(SCOPES)}")
    return tuple(scope for scope in SCOPES if scope in given)


def checked_collection(name: str) -> str:
    """Return the name of a collection, or `*` for all.

    Raises:
        SettingsError: no collection can have that name.

    """
    if name != EVERY_COLLECTION and not _COLLECTION.fullmatch(name):
        raise SettingsError(
            f"{name!r} cannot be a collection: use small letters, digits and hyphens (at most 63), or * for all"
        )
    return name


def checked_name(name: str) -> str:
    """Return the name of a token, which stands in logs: one line of letters that can be seen.

    Raises:
        SettingsError: it is empty, too long, or has characters that cannot be seen.

    """
    if not name.strip() or len(name) > _MAX_NAME_CHARS or not name.isprintable():
        raise SettingsError(f"the name {name!r} cannot be used: give 1 to {_MAX_NAME_CHARS} visible characters")
    return name.strip()


def seconds_of(period: str) -> float:
    """Return the seconds of a period: 30m, 12h, 90d, 8w.

    Raises:
        SettingsError: it is none.

    """
    match = _PERIOD.fullmatch(period.strip())
    if match is None or int(match[1]) == 0:
        raise SettingsError(f"{period!r} is no period; write 30m, 12h, 90d or 8w")
    return float(int(match[1]) * _UNIT_S[match[2]])
