"""`AccessOptions`: who is let in, and how much of everything, checked when made."""

import re
from typing import Final, Literal

from pincite.errors import SettingsError
from pincite.types.record import Record

_ORIGIN: Final = re.compile(r"https?://(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?")
_ABOVE_ZERO: Final = (
    "max_upload_bytes",
    "max_body_bytes",
    "max_questions",
    "max_uploads",
    "max_streams",
    "max_others",
    "body_timeout_s",
    "upload_idle_s",
    "upload_bytes_per_s",
    "send_timeout_s",
)


class AccessOptions(Record, frozen=True, kw_only=True):
    """How the server treats who comes.

    With `require_token` every request to the API needs a token; else only this machine is served, and pages of other
    sites are not. `cors` are the origins whose pages may call the API, with a token where one is needed. `proxy` is the
    address of a proxy that is believed who it speaks for; `spans_to` that of a collector of OpenTelemetry (OTLP, HTTP).

    An upload may have `max_upload_bytes`, any other body `max_body_bytes`. At a time the server works on
    `max_questions`, takes in `max_uploads`, holds `max_streams` of progress open, and serves `max_others`; in each of
    these lanes `max_waiting` requests wait, `max_wait_s` at most, and who comes beyond is told to come back.

    `rate_per_s` is how many requests one token (without one: one address) may send in the long run, after `burst` at
    once; `None` is no limit. The body of a question has to be there within `body_timeout_s`; an upload may pause for
    `upload_idle_s` and has to come at `upload_bytes_per_s` on the whole. A client has to take a part of a response
    within `send_timeout_s`.
    """

    require_token: bool = False
    cors: tuple[str, ...] = ()
    proxy: str | None = None
    log_format: Literal["text", "json"] = "text"
    spans_to: str | None = None
    max_upload_bytes: int = 200 * 2**20
    max_body_bytes: int = 2**20
    max_questions: int = 8
    max_uploads: int = 4
    max_streams: int = 64
    max_others: int = 32
    max_waiting: int = 64
    max_wait_s: float = 60.0
    rate_per_s: float | None = None
    burst: int = 200
    body_timeout_s: float = 20.0
    upload_idle_s: float = 20.0
    upload_bytes_per_s: float = 8 * 2**10
    send_timeout_s: float = 60.0

    def __post_init__(self) -> None:
        """Refuse values that mean nothing, and origins that would let everybody in."""
        for name in _ABOVE_ZERO:
            if getattr(self, name) <= 0:
                raise SettingsError(f"{name} is {getattr(self, name)}; use a number above 0")
        if self.max_waiting < 0 or self.max_wait_s < 0:
            raise SettingsError("max_waiting and max_wait_s are 0 or more")
        if self.rate_per_s is not None and (self.rate_per_s <= 0 or self.burst < 1):
            raise SettingsError(f"the rate is {self.rate_per_s} a second after {self.burst}; use numbers above 0")
        for origin in self.cors:
            if not _ORIGIN.fullmatch(origin):
                raise SettingsError(f"{origin!r} is no origin; write https://www.example.org, without a path and *")
