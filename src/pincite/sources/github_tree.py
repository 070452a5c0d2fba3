"""All entries of a repository at one commit, also where GitHub cuts the list short."""

import logging
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from pincite.errors import SourceError, SourceRateLimitError
from pincite.sources.github_api import GitHubApi
from pincite.types.record import Record

logger = logging.getLogger(__name__)

SUBMODULE: Final = "160000"
LINK: Final = "120000"
_TREE: Final = "tree"


class TreeEntry(Record, frozen=True, kw_only=True):
    """A file, link or submodule: its path, git mode, SHA, and size in bytes where GitHub says it."""

    path: str
    mode: str
    sha: str
    n_bytes: int | None


class Tree(Record, frozen=True, kw_only=True):
    """The entries, by path; with `is_complete` off some may be missing."""

    entries: tuple[TreeEntry, ...]
    is_complete: bool


def read_tree(api: GitHubApi, ref: str, *, below: str = "") -> Tree:
    """Return the entries of a commit, branch or tree; `below` keeps what is in one folder, or one file.

    A list that is cut short is read folder by folder instead; what cannot be read then makes the tree incomplete.

    Raises:
        SourceError: the tree itself cannot be read.

    """
    walk = _Walk(api, below)
    answer = walk.get(ref, recursive=True)
    if answer.get("truncated"):
        walk.folder(str(answer.get("sha") or ref), "", before=answer)
    else:
        walk.take(answer, "")
    entries = sorted(walk.entries.values(), key=lambda entry: entry.path)
    return Tree(entries=tuple(entries), is_complete=walk.is_complete)


class _Walk:
    def __init__(self, api: GitHubApi, below: str) -> None:
        self._api = api
        self._below = below
        self.entries: dict[str, TreeEntry] = {}
        self.is_complete = True

    def get(self, sha: str, *, recursive: bool) -> Mapping[str, Any]:
        value = self._api.get(f"/git/trees/{quote(sha, safe='')}" + ("?recursive=1" if recursive else "")).value
        if not isinstance(value, dict) or not isinstance(value.get("tree"), list):
            raise SourceError(f"GitHub sent no tree for {sha!r}")
        return value

    def take(self, answer: Mapping[str, Any], prefix: str) -> list[tuple[str, str]]:
        """Keep the files of an answer; return the path and SHA of its folders."""
        folders = []
        for entry in answer["tree"]:
            if not isinstance(entry, dict) or not isinstance(entry.get("path"), str):
                continue
            path, size = prefix + entry["path"], entry.get("size")
            if entry.get("type") == _TREE:
                folders.append((path, str(entry.get("sha"))))
            elif path == self._below or _is_inside(path, self._below):
                self.entries[path] = TreeEntry(
                    path=path,
                    mode=str(entry.get("mode")),
                    sha=str(entry.get("sha")),
                    n_bytes=size if isinstance(size, int) else None,
                )
        return folders

    def folder(self, sha: str, prefix: str, *, before: Mapping[str, Any]) -> None:
        """Read a folder whose whole list was cut short (`before`) by itself, then each folder in it with all below."""
        self.take(before, prefix)
        try:
            answer = self.get(sha, recursive=False)
        except SourceRateLimitError:
            raise
        except SourceError as error:
            self._miss(prefix, error)
            return
        if answer.get("truncated"):
            self._miss(prefix, "truncated")
        for path, folder_sha in self.take(answer, prefix):
            if not (_is_inside(path, self._below) or path == self._below or _is_inside(self._below, path)):
                continue
            try:
                whole = self.get(folder_sha, recursive=True)
            except SourceRateLimitError:
                raise
            except SourceError as error:
                self._miss(path, error)
                continue
            if whole.get("truncated"):
                self.folder(folder_sha, path + "/", before=whole)
            else:
                self.take(whole, path + "/")

    def _miss(self, path: str, why: object) -> None:
        logger.info("the tree of %s is incomplete: %s", path or "the repository", why)
        self.is_complete = False


def _is_inside(path: str, folder: str) -> bool:
    return not folder or path.startswith(folder + "/")
