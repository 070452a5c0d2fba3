"""A repository on GitHub that a library is kept in step with: only new and changed files are fetched."""

import contextlib
import hashlib
import json
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlsplit

from pincite.errors import EmptyRepositoryError, PassedOverError, SourceError, SourceLimitError, SourceNotFoundError
from pincite.sources.github_address import GitHubAddress
from pincite.sources.github_api import GitHubApi
from pincite.sources.github_tree import LINK, SUBMODULE, Tree, TreeEntry, read_tree
from pincite.sources.patterns import check, matches
from pincite.types.document import ParsedDocument
from pincite.types.source import FileTrouble, KnownSource, Listing, OfferedFile, PassedOver, SyncOptions

#: How a Git LFS pointer begins, and how long it is at most (git-lfs, docs/spec.md).
_LFS: Final = b"version https://git-lfs.github.com/spec/v"
_LFS_BYTES: Final = 1024


class GitHubSource:
    """The files of a repository, or of a folder in it, at a branch, tag or commit; links in citations name the commit.

    `web` is where people look at repositories; the API may name another place.
    """

    def __init__(
        self, address: GitHubAddress, api: GitHubApi, *, web: str, options: SyncOptions, max_bytes: int
    ) -> None:
        """Read the repository at `address` through `api`; files over `max_bytes` are not fetched.

        Raises:
            SettingsError: a pattern cannot be read.

        """
        for pattern in (*options.include, *options.exclude):
            check(pattern)
        self._address = address
        self._api = api
        self._options = options
        self._max_bytes = max_bytes
        self._page = f"{web}/{address.owner}/{address.repo}"
        self._ref = address.ref or "HEAD"

    @property
    def spec(self) -> str:
        """The address of the repository."""
        return self._address.spec

    @property
    def root(self) -> str:
        """What the page of every file begins with."""
        path = "/" + quote(self._address.path) if self._address.path else ""
        return f"{self._page}/blob/{quote(self._ref)}{path}"

    def listing(self, known: KnownSource, *, folder: Path) -> Listing:
        """Return the files of the newest commit; where it is the one of the last sync, nothing more is asked.

        Raises:
            SourceError: the repository cannot be read; the message says what to do.

        """
        del folder
        state = self._learn(known.state)
        try:
            state |= self._commit(known)
        except EmptyRepositoryError:
            return Listing(files=(), is_complete=False, notes=("the repository is empty",), state=state)
        asked = json.dumps([self._options.include, self._options.exclude, self._options.hidden])
        if known.is_clean and self._is_same(known, state["commit"], asked):
            return self._as_known(known)
        tree = self._tree(state)
        return self._listing(tree.entries, state | {"asked": asked}, is_complete=tree.is_complete)

    def refine(self, document: ParsedDocument, path: Path) -> ParsedDocument:
        """Return the document as it is."""
        del path
        return document

    def close(self) -> None:
        """Let go of the connections."""
        self._api.close()

    def fetch(self, file: OfferedFile, *, folder: Path) -> Path:
        """Download a file by its SHA.

        Raises:
            PassedOverError: it is a pointer to bytes that are kept elsewhere.
            SourceError: it cannot be fetched; what the library has of it stays.

        """
        sha, path = file.version.removeprefix("git:"), file.origin["path"]
        # Two files of the same bytes may be on their way at once; a SHA is a server's word, and no file name.
        target = folder / hashlib.sha256(f"{sha} {path}".encode("utf-8", "surrogatepass")).hexdigest()
        try:
            self._api.download(f"/git/blobs/{quote(sha, safe='')}", target, max_bytes=self._max_bytes)
        except SourceNotFoundError:
            ref = file.origin.get("commit") or self._ref
            address = f"/contents/{quote(path)}?ref={quote(ref, safe='')}"
            self._api.download(address, target, max_bytes=self._max_bytes)
        n_bytes = target.stat().st_size
        if n_bytes == 0 and file.n_bytes:
            target.unlink()
            raise SourceError(f"{file.name}: GitHub sent nothing of {file.n_bytes:,} bytes; sync again later")
        if n_bytes <= _LFS_BYTES and target.read_bytes().startswith(_LFS):
            target.unlink()
            raise PassedOverError("Git LFS pointer: the file itself is not in the repository")
        return target

    def _is_same(self, known: KnownSource, commit: str, asked: str) -> bool:
        before = known.state
        is_same = (before.get("commit"), before.get("asked")) == (commit, asked)
        # A document that was taken out by hand comes back, as it does from a folder.
        return bool(commit) and is_same and before.get("n_files") == str(len(known.files))

    def _tree(self, state: dict[str, str]) -> Tree:
        """Return the entries of the commit; hosts that know no tree by its own SHA may know it by another name."""
        names = [name for name in dict.fromkeys((state.get("tree", ""), state["commit"], self._ref)) if name]
        for name in names[:-1]:
            with contextlib.suppress(SourceNotFoundError):
                return read_tree(self._api, name, below=self._address.path)
        return read_tree(self._api, names[-1], below=self._address.path)

    def _learn(self, before: dict[str, str]) -> dict[str, str]:
        """Return the state with the page of the repository and its default branch, asked for where they are needed."""
        if self._address.ref:
            return {"etag": ""}
        try:
            reply = self._api.get("", etag=before.get("repo_etag", "") if before.get("branch") else "")
        except SourceNotFoundError:
            # A token may be allowed to read the contents and nothing else; the tree says whether there is one.
            return {"etag": ""}
        if reply.is_same:
            branch, page = before["branch"], before["page"]
        else:
            value = reply.value if isinstance(reply.value, dict) else {}
            branch, page = str(value.get("default_branch") or "HEAD"), _web_page(value.get("html_url")) or self._page
        self._ref, self._page = branch, page
        return {"branch": branch, "page": page, "repo_etag": reply.etag, "etag": ""}

    def _commit(self, known: KnownSource) -> dict[str, str]:
        """Return the SHA of the newest commit, with the tag that asks for it anew."""
        before = known.state
        etag = before.get("etag", "") if before.get("ref") == self._ref and before.get("commit") else ""
        try:
            reply = self._api.get(f"/commits/{quote(self._ref, safe='')}", etag=etag)
        except EmptyRepositoryError:
            raise
        except SourceNotFoundError:
            return {"commit": "", "ref": self._ref}
        if reply.is_same:
            return {"commit": before["commit"], "tree": before.get("tree", ""), "etag": etag, "ref": self._ref}
        return {
            "commit": _text(reply.value, "sha"),
            "tree": _text(reply.value, "commit", "tree", "sha"),
            "etag": reply.etag,
            "ref": self._ref,
        }

    def _as_known(self, known: KnownSource) -> Listing:
        """Return what was listed last time: the commit is the same."""
        files = [
            OfferedFile(uri=file.uri, name=file.name, version=file.version, origin=file.origin) for file in known.files
        ]
        over = [PassedOver(name=name, reason=reason) for name, reason in json.loads(known.state.get("over", "[]"))]
        return Listing(files=tuple(files), passed_over=tuple(over), state=known.state)

    def _listing(self, entries: tuple[TreeEntry, ...], state: dict[str, str], *, is_complete: bool) -> Listing:
        files, over, failed = [], [], []
        for entry in entries:
            if not self._takes(entry.path):
                continue
            uri = f"{self._page}/blob/{quote(self._ref)}/{quote(entry.path)}"
            reason = _not_a_file(entry)
            if reason is not None:
                over.append(PassedOver(name=entry.path, reason=reason))
            elif entry.n_bytes is not None and entry.n_bytes > self._max_bytes:
                message = f"{entry.path}: {entry.n_bytes:,} bytes, more than max_file_mb allows"
                failed.append(FileTrouble(uri=uri, name=entry.path, code=SourceLimitError.code, message=message))
            else:
                files.append(self._offered(entry, uri, state))
        notes = () if is_complete else ("tree truncated: GitHub did not list every file, so nothing was deleted",)
        state = state | {"over": json.dumps([[one.name, one.reason] for one in over]), "n_files": str(len(files))}
        return Listing(
            files=tuple(files),
            passed_over=tuple(over),
            failed=tuple(failed),
            is_complete=is_complete,
            notes=notes,
            state=state,
        )

    def _offered(self, entry: TreeEntry, uri: str, state: dict[str, str]) -> OfferedFile:
        commit = state.get("commit", "")
        origin = {
            "path": entry.path,
            "repository": f"{self._address.owner}/{self._address.repo}",
            "ref": self._ref,
            "commit": commit,
            "permalink": f"{self._page}/blob/{quote(commit or self._ref)}/{quote(entry.path)}",
        }
        return OfferedFile(uri=uri, name=entry.path, version=f"git:{entry.sha}", n_bytes=entry.n_bytes, origin=origin)

    def _takes(self, path: str) -> bool:
        options = self._options
        if not options.hidden and any(part.startswith(".") for part in path.split("/")):
            return False
        is_included = not options.include or any(matches(path, pattern) for pattern in options.include)
        return is_included and not any(matches(path, pattern) for pattern in options.exclude)


def _not_a_file(entry: TreeEntry) -> str | None:
    if entry.mode == SUBMODULE:
        return "submodule not followed"
    if entry.mode == LINK:
        return "link"
    return "empty" if entry.n_bytes == 0 else None


def _text(value: Any, *keys: str) -> str:
    """Return the text at a path of keys, "" where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


def _web_page(address: Any) -> str | None:
    """Return an address that a browser may open, `None` for anything else that a server may say."""
    if not isinstance(address, str):
        return None
    parts = urlsplit(address)
    return address.rstrip("/") if parts.scheme in ("http", "https") and parts.hostname else None
