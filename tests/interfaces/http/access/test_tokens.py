"""Tokens open what they say, as long as they say, and are nowhere to be read."""

from pathlib import Path

import pytest

from pincite.errors import SettingsError
from pincite.interfaces.http.access.caller import Caller, Scope
from pincite.interfaces.http.access.token_terms import checked_name, seconds_of
from pincite.interfaces.http.access.tokens import SESSION_S, Tokens, listed


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.s = 1_800_000_000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tokens(tmp_path: Path, clock: Clock) -> Tokens:
    return Tokens(tmp_path, now=clock)


@pytest.mark.parametrize(
    ("scope", "held"), [("read", {"read"}), ("ask", {"read", "ask"}), ("write", {"read", "ask", "write"})]
)
def test_a_scope_holds_the_lesser_ones(tokens: Tokens, scope: Scope, held: set[Scope]) -> None:
    """Who may write may ask, and who may ask may read; nobody has more than was given."""
    made = tokens.new(scopes=[scope], collection="papers", name="ana")

    wanted = Caller(name="ana", scopes=frozenset(held), collection="papers", token_id=made.record.token_id)
    assert tokens.caller_of(made.token) == wanted


def test_a_token_is_kept_as_a_hash_alone(tokens: Tokens, tmp_path: Path) -> None:
    """Who reads the files of the library cannot use a token: neither it nor its secret part is there."""
    made = tokens.new(scopes=["read"], collection="*")
    session = tokens.open_session(made.token)
    assert session is not None
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())

    secrets = [made.token, made.token.rpartition("_")[2], made.token[17:], session]
    assert (made.token[:4], [s for s in secrets if s.encode() in stored]) == ("pct_", [])


def test_only_the_owner_reads_the_file(tmp_path: Path) -> None:
    """The file of tokens has mode 0600, also where it was there before with another."""
    Tokens(tmp_path).close()
    file = tmp_path / "server.sqlite"
    file.chmod(0o644)
    opened = Tokens(tmp_path)
    opened.new(scopes=["read"], collection="*")

    names = ("server.sqlite", "server.sqlite-wal", "server.sqlite-shm")
    found = {path.name: oct(path.stat().st_mode & 0o777) for path in tmp_path.iterdir()}
    assert found == dict.fromkeys(names, "0o600")
    opened.close()


def test_nothing_but_the_token_opens(tokens: Tokens) -> None:
    """A token with one character changed, cut, or with another's id opens nothing."""
    one = tokens.new(scopes=["write"], collection="*").token
    other = tokens.new(scopes=["read"], collection="a").token
    last = "B" if one.endswith("A") else "A"
    wrong = [
        "",
        "pct_",
        one[:-1],
        one + "A",
        one[:-1] + last,
        other[:17] + one[17:],
        one.lower(),
        f" {one}",
        one + "\n",
    ]

    assert [tokens.caller_of(token) for token in wrong] == [None] * len(wrong)


def test_revoked_tokens_stop_in_a_running_server(tokens: Tokens, tmp_path: Path) -> None:
    """A token that another process revokes opens nothing from then on, and neither do its sessions."""
    made = tokens.new(scopes=["ask"], collection="*")
    session = tokens.open_session(made.token)
    assert session is not None
    assert tokens.caller_of_session(session) == tokens.caller_of(made.token) is not None
    another = Tokens(tmp_path)

    another.revoke(made.record.token_id)

    assert (tokens.caller_of(made.token), tokens.caller_of_session(session)) == (None, None)
    assert tokens.open_session(made.token) is None
    another.close()


def test_tokens_and_sessions_expire(tokens: Tokens, clock: Clock) -> None:
    """A token ends when it was said to, and a session ends with its token, else after a working day."""
    short = tokens.new(scopes=["read"], collection="*", lasts_s=3600)
    long = tokens.new(scopes=["read"], collection="*")
    sessions = [tokens.open_session(short.token) or "", tokens.open_session(long.token) or ""]
    clock.s += 3600

    assert [tokens.caller_of(t.token) is not None for t in (short, long)] == [False, True]
    assert [tokens.caller_of_session(s) is not None for s in sessions] == [False, True]
    clock.s += SESSION_S
    assert tokens.caller_of_session(sessions[1]) is None
    assert [t.state for t in sorted(tokens.all(), key=lambda t: t.expires_at or "")] == ["live", "expired"]


def test_a_session_ends_when_it_is_closed(tokens: Tokens) -> None:
    """Who signs out is signed out, and what is no session opens nothing."""
    session = tokens.open_session(tokens.new(scopes=["read"], collection="*").token) or ""
    tokens.close_session(session)

    assert [tokens.caller_of_session(s) for s in (session, "", "x" * 43, "\ud800")] == [None] * 4


def test_listing_makes_nothing(tmp_path: Path) -> None:
    """To look at the tokens of a folder without any leaves the folder as it is."""
    assert (listed(tmp_path), list(tmp_path.iterdir())) == ((), [])


@pytest.mark.parametrize(("period", "seconds"), [("30m", 1800), ("12h", 43_200), ("90d", 7_776_000), ("2w", 1_209_600)])
def test_periods(period: str, seconds: float) -> None:
    """Periods are read in minutes, hours, days and weeks."""
    assert seconds_of(period) == seconds


@pytest.mark.parametrize("period", ["", "0d", "90", "d", "-3d", "1y", "1.5h", "9999999d", "٣d x"])
def test_what_is_no_period(period: str) -> None:
    """A period that cannot be read is refused: no token lives longer than was meant."""
    with pytest.raises(SettingsError, match="no period"):
        seconds_of(period)


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "a\x1b[31m", "x" * 65, "\u202eabc"])
def test_names_that_would_spoil_a_log(name: str) -> None:
    """The name of a token stands in logs: line breaks, escapes and invisible characters are refused."""
    with pytest.raises(SettingsError, match="cannot be used"):
        checked_name(name)


@pytest.mark.parametrize("name", ["", "Papers", "../x", "a/b", "-a", "a" * 64, "a b", "**", "ä", "a\n"])
def test_what_cannot_be_a_collection(tokens: Tokens, name: str) -> None:
    """A token is only made for a name that a collection can have."""
    with pytest.raises(SettingsError, match="cannot be a collection"):
        tokens.new(scopes=["read"], collection=name)
