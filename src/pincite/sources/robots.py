"""What a site lets robots read (RFC 9309): the group of our name, else that of all; the longest rule decides."""

import re
from dataclasses import dataclass
from typing import Final, Self
from urllib.parse import quote, unquote

#: A longer file is read up to here (RFC 9309, 2.5).
MAX_BYTES: Final = 500 * 1024
#: A pause between requests that a site asks for is obeyed up to this, in seconds.
MAX_DELAY_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules for one robot: patterns of paths with whether they are allowed, and the pause in seconds."""

    rules: tuple[tuple[str, bool], ...] = ()
    delay_s: float = 0.0

    @classmethod
    def parse(cls, text: str, *, name: str) -> Self:
        """Return the rules that hold for the robot `name`; lines that make no sense are passed over."""
        named: list[tuple[str, str]] | None = None
        for_all: list[tuple[str, str]] = []
        agents: list[str] = []
        is_open = False
        for line in text.lstrip("\ufeff").splitlines():
            key, _, value = (part.strip() for part in line.partition("#")[0].partition(":"))
            key = key.lower()
            if key == "user-agent":
                agents = [*agents, value.lower()] if is_open else [value.lower()]
                is_open = True
                if value.lower() == name.lower():
                    named = named or []
            elif key in ("allow", "disallow", "crawl-delay"):
                is_open = False
                if name.lower() in agents:
                    named = [*(named or []), (key, value)]
                if "*" in agents:
                    for_all.append((key, value))
        return cls._of(for_all if named is None else named)

    @classmethod
    def _of(cls, lines: list[tuple[str, str]]) -> Self:
        rules = tuple((value, key == "allow") for key, value in lines if key != "crawl-delay" and value)
        delays = [value for key, value in lines if key == "crawl-delay" and re.fullmatch(r"\d+(\.\d+)?", value)]
        return cls(rules, min(float(delays[0]), MAX_DELAY_S) if delays else 0.0)

    def allows(self, path: str) -> bool:
        """Say whether a path with its query may be read; of rules of one length an allowing one wins."""
        subject = _normal(path or "/")
        best = (-1, True)
        for pattern, is_allowed in self.rules:
            if _matches(_normal(pattern), subject):
                best = max(best, (len(pattern), is_allowed))
        return best[1]


#: A site that could not be asked may not be read (RFC 9309, 2.3.1.4).
NOTHING_ALLOWED: Final = Robots((("/", False),))


def _normal(path: str) -> str:
    return quote(unquote(path, errors="surrogateescape"), safe="/*$?&=;:@,+!'()~-._%", errors="surrogateescape")


def _matches(pattern: str, path: str) -> bool:
    is_whole = pattern.endswith("$")
    pieces = (pattern[:-1] if is_whole else pattern).split("*")
    # Piece by piece, so a pattern of many stars takes no time.
    if not path.startswith(pieces[0]):
        return False
    at = len(pieces[0])
    for number, piece in enumerate(pieces[1:], start=1):
        if is_whole and number == len(pieces) - 1:
            return len(path) - len(piece) >= at and path.endswith(piece)
        found = path.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return not is_whole or at == len(path)
