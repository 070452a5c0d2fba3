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
from typing import Final, Literal

import msgspec

from pincite.errors import SettingsError
from pincite.interfaces.http.access.caller import SCOPES, Caller, Scope, with_lesser
from pincite.interfaces.http.access.token_terms import checked_collection, checked_name
from pincite.interfaces.http.state.opening import has_state, open_state
from pincite.storage.ledger import Row
from pincite.types.record import Record

#: The beginning of every token, so that scanners of leaked secrets can find them.
PREFIX: Final = "pct_"
#: How long the cookie of the web page lasts, in seconds: a working day.
SESSION_S: Final = 12 * 3600
#: Bytes of randomness in a token and in a session: 256 bits.
_SECRET_BYTES: Final = 32
_TOKEN: Final = re.compile(r"pct_([0-9a-f]{12})_([A-Za-z0-9_-]{43})")
_SESSION: Final = re.compile(r"[A-Za-z0-9_-]{43}")
#: Compared with in place of a token that is not there, so that its absence takes no less time.
_NO_HASH: Final = "0" * 64


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


class _Token(Record, frozen=True, kw_only=True):
    """What is kept of a token, under its id. Times are seconds since 1970."""

    secret_hash: str
    name: str
    scope: Scope
    collection: str
    created_at: float
    expires_at: float | None
    revoked_at: float | None = None

    def state(self, now: float) -> Literal["live", "revoked", "expired"]:
        if self.revoked_at is not None:
            return "revoked"
        return "live" if self.expires_at is None or self.expires_at > now else "expired"


class _Session(Record, frozen=True, kw_only=True):
    """What is kept of a session, under the hash of its secret."""

    token_id: str
    expires_at: float


class Tokens:
    """The tokens of one library. A token that is revoked elsewhere stops at once, on object storage within a second."""

    def __init__(self, library: str | Path, *, now: Callable[[], float] = time.time) -> None:
        """Open the server's state of the library, or make it.

        Raises:
            StoreError: it cannot be used.

        """
        self._state = open_state(library)
        self._tokens = self._state.ledger("tokens")
        self._sessions = self._state.ledger("sessions")
        self._now = now

    @property
    def is_slow(self) -> bool:
        """Whether a look-up may wait for a network, and is no work for an event loop."""
        return self._tokens.is_slow

    def close(self) -> None:
        """Let go of the state."""
        self._state.close()

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
        secret = _random()
        now = self._now()
        made = _Token(
            secret_hash=_hashed(secret),
            name=f"token {token_id}" if name is None else checked_name(name),
            scope=max(given, key=SCOPES.index),
            collection=checked_collection(collection),
            created_at=now,
            expires_at=None if lasts_s is None else now + lasts_s,
        )
        self._tokens.add(_row(token_id, made))
        return MadeToken(token=f"{PREFIX}{token_id}_{secret}", record=_record(token_id, made, now))

    def all(self) -> tuple[TokenRecord, ...]:
        """Return every token that was made, the newest first, revoked and expired ones too."""
        return tuple(_record(row.key, _token(row), self._now()) for row in self._tokens.rows())

    def revoke(self, token_id: str) -> TokenRecord:
        """Make a token and its sessions worthless from now on; return what it was.

        Raises:
            SettingsError: there is none of that id.

        """
        while True:
            row = self._tokens.get(token_id, newest=True) if token_id.isascii() else None
            if row is None:
                raise SettingsError(f"there is no token {token_id!r}; `pincite token ls` lists them")
            found = _token(row)
            if found.revoked_at is None:
                found = msgspec.structs.replace(found, revoked_at=self._now())
                if not self._tokens.change(_row(token_id, found, row.revision)):
                    continue
            self._sessions.delete(one.key for one in self._sessions.rows(collection=token_id))
            return _record(token_id, found, self._now())

    def caller_of(self, token: str) -> Caller | None:
        """Return whose token it is; `None` when it is not one, was revoked, or has expired."""
        match = _TOKEN.fullmatch(token)
        if match is None:
            return None
        token_id, secret = match.groups()
        found = self._live(token_id)
        if not hmac.compare_digest(_hashed(secret), _NO_HASH if found is None else found.secret_hash) or found is None:
            return None
        return _caller(token_id, found)

    def open_session(self, token: str) -> str | None:
        """Return a new session secret for the cookie of the web page; `None` when the token opens nothing."""
        caller = self.caller_of(token)
        if caller is None:
            return None
        now = self._now()
        over = [row.key for row in self._sessions.rows(oldest_first=True) if _session(row).expires_at <= now]
        if over:
            self._sessions.delete(over)
        secret = _random()
        made = _Session(token_id=caller.token_id, expires_at=now + SESSION_S)
        at = _iso(made.expires_at) or ""
        row = Row(key=_hashed(secret), collection=caller.token_id, at=at, data=msgspec.json.encode(made))
        self._sessions.add(row)
        return secret

    def caller_of_session(self, session: str) -> Caller | None:
        """Return whose session it is; `None` when it ended, or its token opens nothing any more."""
        if not _SESSION.fullmatch(session):
            return None
        # Found by its hash: how long the look-up takes says nothing about a secret that hashes elsewhere.
        row = self._sessions.get(_hashed(session))
        found = None if row is None else _session(row)
        if found is None or found.expires_at <= self._now():
            return None
        token = self._live(found.token_id)
        return None if token is None else _caller(found.token_id, token)

    def close_session(self, session: str) -> None:
        """End a session; one that is not there is ended already."""
        self._sessions.delete([_hashed(session)])

    def _live(self, token_id: str) -> _Token | None:
        row = self._tokens.get(token_id)
        found = None if row is None else _token(row)
        return found if found is not None and found.state(self._now()) == "live" else None


def listed(library: str | Path) -> tuple[TokenRecord, ...]:
    """Return every token of a library, the newest first; nothing is made where there is none.

    Raises:
        StoreError: the server's state cannot be used.

    """
    if not has_state(library):
        return ()
    tokens = Tokens(library)
    try:
        return tokens.all()
    finally:
        tokens.close()


def _random() -> str:
    return base64.urlsafe_b64encode(secrets.token_bytes(_SECRET_BYTES)).rstrip(b"=").decode()


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _row(token_id: str, token: _Token, revision: int = 0) -> Row:
    at = datetime.fromtimestamp(token.created_at, UTC).isoformat(timespec="microseconds")
    return Row(key=token_id, at=at, data=msgspec.json.encode(token), revision=revision)


def _token(row: Row) -> _Token:
    return msgspec.json.decode(row.data, type=_Token)


def _session(row: Row) -> _Session:
    return msgspec.json.decode(row.data, type=_Session)


def _caller(token_id: str, token: _Token) -> Caller:
    return Caller(name=token.name, scopes=with_lesser([token.scope]), collection=token.collection, token_id=token_id)


def _record(token_id: str, token: _Token, now: float) -> TokenRecord:
    return TokenRecord(
        token_id=token_id,
        name=token.name,
        scopes=tuple(scope for scope in SCOPES if scope in with_lesser([token.scope])),
        collection=token.collection,
        created_at=_iso(token.created_at) or "",
        expires_at=_iso(token.expires_at),
        state=token.state(now),
    )


def _iso(moment: float | None) -> str | None:
    return None if moment is None else datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")
