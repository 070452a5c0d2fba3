"""File-name patterns: `*`, `?`, `[…]`, `**`, and the rules of `.gitignore` (gitignore(5))."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Self

from pincite.errors import SettingsError


def matches(name: str, pattern: str) -> bool:
    """Say whether a name relative to the folder matches; a pattern without `/` is tried on the last part alone.

    >>> matches("docs/a/b.md", "*.md"), matches("docs/a/b.md", "docs/*.md"), matches("docs/a/b.md", "docs/**")
    (True, False, True)
    """
    subject = name if "/" in pattern else name.rpartition("/")[2]
    return compiled(pattern.removeprefix("/")).fullmatch(subject) is not None


def check(pattern: str) -> None:
    """Refuse a pattern that cannot be read.

    Raises:
        SettingsError: the message names the pattern.

    """
    try:
        compiled(pattern)
    except re.error as error:
        raise SettingsError(f"{pattern!r} is not a file-name pattern: {error}") from error


@lru_cache(maxsize=500)
def compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern as a regular expression over a whole name."""
    return re.compile("".join(_pieces(pattern)), re.DOTALL)


def _pieces(pattern: str) -> list[str]:
    pieces: list[str] = []
    at = 0
    while at < len(pattern):
        if pattern.startswith("**/", at):
            pieces.append("(?:[^/]+/)*")
            at += 3
        elif pattern.startswith("**", at):
            pieces.append(".*")
            at += 2
        elif pattern[at] in "*?":
            pieces.append("[^/]*" if pattern[at] == "*" else "[^/]")
            at += 1
        elif pattern[at] == "[" and (end := pattern.find("]", at + 2)) > 0:
            inside = pattern[at + 1 : end].replace("\\", "\\\\").replace("[", "\\[").replace("&&", "&\\&")
            negated = inside[0] in "!^"
            pieces.append(f"[^/{inside[1:]}]" if negated else f"[{inside}]")
            at = end + 1
        else:
            if pattern[at] == "\\" and at + 1 < len(pattern):
                at += 1
            pieces.append(re.escape(pattern[at]))
            at += 1
    return pieces


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: re.Pattern[str]
    is_whole_name: bool
    is_for_folders: bool
    is_ignored: bool


@dataclass(frozen=True, slots=True)
class GitIgnore:
    """The rules of one `.gitignore` file; `prefix` is its folder, relative to the source, with `/` at the end."""

    prefix: str
    rules: tuple[_Rule, ...]

    @classmethod
    def read(cls, path: Path, prefix: str) -> Self:
        """Return the rules of a file, none where there is no such file."""
        try:
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return cls(prefix, ())
        return cls(prefix, tuple(rule for line in lines if (rule := _rule(line)) is not None))

    def verdict(self, name: str, *, is_folder: bool) -> bool | None:
        """Return whether a name is ignored; `None` where no rule speaks of it. The last rule that matches wins."""
        relative = name.removeprefix(self.prefix)
        base = relative.rpartition("/")[2]
        for rule in reversed(self.rules):
            if rule.is_for_folders and not is_folder:
                continue
            if rule.pattern.fullmatch(relative if rule.is_whole_name else base):
                return rule.is_ignored
        return None


def _rule(line: str) -> _Rule | None:
    text = line.rstrip() if not line.endswith("\\ ") else line
    if not text or text.startswith("#"):
        return None
    is_ignored = not text.startswith("!")
    body = text if is_ignored else text[1:]
    is_for_folders = body.endswith("/")
    body = body.rstrip("/")
    if not body:
        return None
    try:
        pattern = compiled(body.removeprefix("/"))
    except re.error:
        return None
    return _Rule(pattern, "/" in body, is_for_folders, is_ignored)
