"""`github:owner/repo[/path][@ref]`, and where and as whom GitHub is asked."""

import os
import re
from collections.abc import Mapping
from typing import Final, Self
from urllib.parse import quote, unquote, urlsplit

from pincite.errors import SettingsError
from pincite.types.record import Record

#: Of the public GitHub; other hosts are named in PINCITE_GITHUB_API (https://docs.github.com/en/rest).
PUBLIC_API: Final = "https://api.github.com"
_NAME: Final = re.compile(r"(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}")


class GitHubAddress(Record, frozen=True, kw_only=True):
    """A repository, a folder or file in it (`path` is empty for all of it), at a branch, tag or commit."""

    owner: str
    repo: str
    path: str = ""
    ref: str | None = None

    @classmethod
    def parse(cls, spec: str) -> Self:
        """Return the address that a person typed; `%40` stands for an `@` in a path.

        Raises:
            SettingsError: it has another form; the message shows the right one.

        """
        rest, at, ref = spec.partition(":")[2].strip("/").partition("@")
        owner, _, rest = rest.partition("/")
        repo, _, path = rest.partition("/")
        repo = repo.removesuffix(".git")
        if not (_NAME.fullmatch(owner) and _NAME.fullmatch(repo)) or (at and not ref) or ".." in path.split("/"):
            raise SettingsError(f"{spec!r} names no repository; write github:owner/repo[/path][@ref]")
        return cls(owner=owner, repo=repo, path=unquote(path).strip("/"), ref=ref or None)

    @property
    def spec(self) -> str:
        """The address as one writes it."""
        path = "/" + quote(self.path, safe="/ ") if self.path else ""
        return f"github:{self.owner}/{self.repo}{path}" + (f"@{self.ref}" if self.ref else "")


class GitHubAccess(Record, frozen=True, kw_only=True):
    """The address of the API, without `/` at its end, and the token, if there is one."""

    api: str = PUBLIC_API
    token: str | None = None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Return what PINCITE_GITHUB_API, GITHUB_TOKEN and GH_TOKEN say; for another host GH_ENTERPRISE_TOKEN is first.

        Both come from the environment alone: a settings file in a folder could send the token elsewhere.

        Raises:
            SettingsError: the address is no http address.

        """
        api = environment.get("PINCITE_GITHUB_API", "").strip().rstrip("/") or PUBLIC_API
        parts = urlsplit(api)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise SettingsError(
                f"PINCITE_GITHUB_API is {api!r}; write an address like https://github.example.org/api/v3"
            )
        enterprise = () if api == PUBLIC_API else ("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN")
        names = (*enterprise, "GITHUB_TOKEN", "GH_TOKEN")
        token = next((environment[name].strip() for name in names if environment.get(name, "").strip()), None)
        return cls(api=api, token=token)

    @property
    def web(self) -> str:
        """Where people look at repositories: the host of the API, without `api.` and `/api/v3`."""
        parts = urlsplit(self.api)
        host = parts.netloc.rpartition("@")[2].removeprefix("api.")
        return f"{parts.scheme}://{host}{parts.path.removesuffix('/api/v3')}"
