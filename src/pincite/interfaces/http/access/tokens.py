"""Tokens, and sessions of the web page: random, kept as hashes, bound to a collection, expiring, revocable at once."""

import base64
import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

from pincite.errors import SettingsError
from pincite.interfaces.http.access.caller import EVERY_COLLECTION, SCOPES, Caller, Scope, with_lesser
from pincite.interfaces.http.state.database import Database
from pincite.storage.own_files import SERVER_STATE_NAME
from pincite.types.record import Record

#: The beginning of every token, so that scanners of leaked secrets can find them.
PREFIX: Final = "pct_"
#: How long the cookie of the web page lasts, in seconds: a working day.
SESSION_S: Final = 12 * 3600
#: Bytes of randomness in a token and in a session: 256 bits.
_SECRET_BYTES: Final = 32
_COLLECTION: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_TOKEN: Final = re.compile(r"pct_([0-9a-f]{12})_([A-Za-z0-9_-]{43})")
_SESSION: Final = re.compile(r"[A-Za-z0-9_-]{43}")
_PERIOD: Final = re.compile(r"(\d{1,6})([mhdw])")
_UNIT_S: Final = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_MAX_NAME_CHARS: Final = 64
#: Hashed in place of a token that is not there, so that its absence takes no less time.
_NO_HASH: Final = bytes(32)

_SCHEMA: Final = (
    """CREATE TABLE IF NOT EXISTS tokens (
        token_id TEXT PRIMARY KEY, secret_hash BLOB NOT NULL, name TEXT NOT NULL, scope TEXT NOT NULL,
        collection TEXT NOT NULL, created_at REAL NOT NULL, expires_at REAL, revoked_at REAL
    ) STRICT""",
    """CREATE TABLE IF NOT EXISTS sessions (
        session_hash BLOB PRIMARY KEY, token_id TEXT NOT NULL REFERENCES tokens, expires_at REAL NOT NULL
    ) STRICT""",
)
_COLUMNS: Final = "token_id, name, scope, collection, created_at, expires_at, revoked_at"
#: A token that still opens something; the parameter is now.
_LIVE: Final = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)"


class TokenRecord(Record, frozen=True, kw_only=True):
    """A token without its secret. Times are ISO 8601 in UTC; `state` says whether it still opens anything."""

    token_id: str
    name: str
    scopes: tuple[Scope, ...]
    collection: str
    created_at: str
    expires_at: str | None
    state: Literal["live", "revoked", "expired"]


class MadeToken(Record, frozen=True, kw_only=True):
    """A new token: `token` is its secret, which is shown this once and kept nowhere."""

    token: str
    record: TokenRecord


class Tokens:
    """The tokens of one library. Every look-up reads the file, so a token that is revoked elsewhere stops at once."""

    def __init__(self, library: Path, *, now: Callable[[], float] = time.time) -> None:
        """Open the server's state in the folder of the library, or make it.

        Raises:
            StoreError: it cannot be used.

        """
        library.mkdir(parents=True, exist_ok=True)
        # A look-up happens for every request, on the event loop: it never waits for a write of this process.
        self._looking = Database(library / SERVER_STATE_NAME)
        self._changing = Database(library / SERVER_STATE_NAME)
        self._now = now
        for statement in _SCHEMA:
            self._change(statement)

    def close(self) -> None:
        """Let go of the file."""
        self._looking.close()
        self._changing.close()

    def new(
        self, *, scopes: Iterable[Scope], collection: str, name: str | None = None, lasts_s: float | None = None
    ) -> MadeToken:
        """Make a token and return it with its secret; `lasts_s` `None` means until it is revoked.

        Raises:
            SettingsError: the name of the collection cannot be one, there is no scope, or the name is too long.

        """
        given = with_lesser(scopes)
        if not given:
            raise SettingsError(f"a token needs a scope: {', '.join(SCOPES)}")
        token_id = secrets.token_hex(6)
        shown = f"token {token_id}" if name is None else checked_name(name)
        secret = _random()
        now = self._now()
        self._change(
            "INSERT INTO tokens (token_id, secret_hash, name, scope, collection, created_at, expires_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                token_id,
                _hashed(secret),
                shown,
                max(given, key=SCOPES.index),
                checked_collection(collection),
                now,
                None if lasts_s is None else now + lasts_s,
            ),
        )
        return MadeToken(token=f"{PREFIX}{token_id}_{secret}", record=self._one(token_id))

    def all(self) -> tuple[TokenRecord, ...]:
        """Return every token that was made, the newest first, revoked and expired ones too."""
        rows = self._rows(f"SELECT {_COLUMNS} FROM tokens ORDER BY created_at DESC, token_id")  # noqa: S608
        return tuple(_record(row, self._now()) for row in rows)

    def revoke(self, token_id: str) -> TokenRecord:
        """Make a token and its sessions worthless from now on; return what it was.

        Raises:
            SettingsError: there is none of that id.

        """
        found = self._one(token_id)
        self._change(
            "UPDATE tokens SET revoked_at = ? WHERE token_id = ? AND revoked_at IS NULL", (self._now(), token_id)
        )
        self._change("DELETE FROM sessions WHERE token_id = ?", (token_id,))
        return self._one(found.token_id)

    def caller_of(self, token: str) -> Caller | None:
        """Return whose token it is; `None` when it is not one, was revoked, or has expired."""
        match = _TOKEN.fullmatch(token)
        token_id, secret = match.groups() if match else ("", "")
        rows = self._rows(
            f"SELECT secret_hash, name, scope, collection FROM tokens WHERE token_id = ? AND {_LIVE}",  # noqa: S608
            (token_id, self._now()),
        )
        kept, *rest = rows[0] if rows else (_NO_HASH,)
        if not hmac.compare_digest(_hashed(secret), kept):
            return None
        return _caller(token_id, *rest)

    def open_session(self, token: str) -> str | None:
        """Return a new session secret for the cookie of the web page; `None` when the token opens nothing."""
        caller = self.caller_of(token)
        if caller is None:
            return None
        now = self._now()
        session = _random()
        self._change("DELETE FROM sessions WHERE expires_at <= ?", (now,))
        self._change(
            "INSERT INTO sessions (session_hash, token_id, expires_at) VALUES (?, ?, ?)",
            (_hashed(session), caller.token_id, now + SESSION_S),
        )
        return session

    def caller_of_session(self, session: str) -> Caller | None:
        """Return whose session it is; `None` when it ended, or its token opens nothing any more."""
        if not _SESSION.fullmatch(session):
            return None
        # Found by its hash: how long the look-up takes says nothing about a secret that hashes elsewhere.
        rows = self._rows(
            "SELECT token_id, name, scope, collection FROM sessions JOIN tokens USING (token_id)"  # noqa: S608
            f" WHERE session_hash = ? AND sessions.expires_at > ? AND {_LIVE.replace('expires', 'tokens.expires')}",
            (_hashed(session), self._now(), self._now()),
        )
        return _caller(*rows[0]) if rows else None

    def close_session(self, session: str) -> None:
        """End a session; one that is not there is ended already."""
        self._change("DELETE FROM sessions WHERE session_hash = ?", (_hashed(session),))

    def _one(self, token_id: str) -> TokenRecord:
        rows = self._rows(f"SELECT {_COLUMNS} FROM tokens WHERE token_id = ?", (token_id,))  # noqa: S608
        if not rows:
            raise SettingsError(f"there is no token {token_id!r}; `pincite token ls` lists them")
        return _record(rows[0], self._now())

    def _rows(self, statement: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        with self._looking.reading() as connection:
            return connection.execute(statement, values).fetchall()

    def _change(self, statement: str, values: tuple[object, ...] = ()) -> None:
        with self._changing.writing() as connection:
            connection.execute(statement, values)


def listed(library: Path) -> tuple[TokenRecord, ...]:
    """Return every token of a library, the newest first; nothing is made where there is none.

    Raises:
        StoreError: the server's state cannot be used.

    """
    if not (library / SERVER_STATE_NAME).is_file():
        return ()
    tokens = Tokens(library)
    try:
        return tokens.all()
    finally:
        tokens.close()


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


def _random() -> str:
    return base64.urlsafe_b64encode(secrets.token_bytes(_SECRET_BYTES)).rstrip(b"=").decode()


def _hashed(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def _caller(token_id: str, name: str, scope: Scope, collection: str) -> Caller:
    return Caller(name=name, scopes=with_lesser([scope]), collection=collection, token_id=token_id)


def _record(row: tuple[Any, ...], now: float) -> TokenRecord:
    token_id, name, scope, collection, created_at, expires_at, revoked_at = row
    state: Literal["live", "revoked", "expired"] = "live"
    if revoked_at is not None:
        state = "revoked"
    elif expires_at is not None and expires_at <= now:
        state = "expired"
    return TokenRecord(
        token_id=token_id,
        name=name,
        scopes=tuple(s for s in SCOPES if s in with_lesser([scope])),
        collection=collection,
        created_at=_iso(created_at) or "",
        expires_at=_iso(expires_at),
        state=state,
    )


def _iso(moment: float | None) -> str | None:
    return None if moment is None else datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")
