"""A repository, asked through the real HTTP client from a server on this machine that speaks GitHub's API."""

import time
from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest
from tests.sources.github_server import Fault, GitHub, serving

from pincite.errors import (
    PassedOverError,
    SettingsError,
    SourceDeniedError,
    SourceError,
    SourceLimitError,
    SourceNotFoundError,
    SourceRateLimitError,
    SourceUnreachableError,
)
from pincite.sources.github import GitHubSource
from pincite.sources.github_address import GitHubAccess, GitHubAddress
from pincite.sources.github_api import GitHubApi
from pincite.types.source import KnownFile, KnownSource, Listing, SyncOptions

TOKEN = "not-secret"  # noqa: S105 - of a server on this machine
FILES: dict[str, bytes | str] = {
    "README.md": "# Mill\n",
    "docs/a.md": "# A\n\nOne.\n",
    "docs/b c#1.md": "# B\n\nTwo.\n",
    "img/x.bin": b"\0\1",
}


@pytest.fixture
def github() -> Iterator[GitHub]:
    """Return a repository with four files, being served."""
    made = GitHub()
    made.commit(FILES)
    with serving(made):
        yield made


class Opened:
    """A source with a client whose sleep is a list."""

    def __init__(self, github: GitHub, spec: str = "github:o/r", *, token: str | None = None, **options: Any) -> None:
        self.slept: list[float] = []
        self.said: list[str] = []
        address = GitHubAddress.parse(spec)
        api = GitHubApi(
            GitHubAccess(api=github.base, token=token),
            f"{address.owner}/{address.repo}",
            sleep=self.slept.append,
            on_pause=self.said.append,
        )
        github.clients.append(api)
        self.source = GitHubSource(
            address,
            api,
            web="https://web.example",
            options=SyncOptions(**options),
            max_bytes=4_000_000,
        )

    def listing(self, known: KnownSource | None = None) -> Listing:
        """Return what is listed after a sync that knew `known`."""
        return self.source.listing(known or KnownSource(), folder=Path())

    def names(self) -> list[str]:
        """Return the names of all files."""
        return [file.name for file in self.listing().files]

    def fetch(self, name: str, folder: Path) -> bytes:
        """Return the bytes of a file."""
        file = next(file for file in self.listing().files if file.name == name)
        return self.source.fetch(file, folder=folder).read_bytes()


def known_of(listing: Listing) -> KnownSource:
    """Return what a library knows after a sync of a listing to its end."""
    files = tuple(KnownFile(uri=f.uri, name=f.name, version=f.version, origin=f.origin) for f in listing.files)
    return KnownSource(files=files, state=listing.state, is_clean=True)


def limited(headers: dict[str, str], *, status: int = 403, message: str = "API rate limit exceeded") -> Fault:
    return Fault(status=status, headers=headers, body={"message": message})


def once(*faults: Fault, at: str = "/git/") -> object:
    """Return a function that gives the faults one after the other to the requests with `at` in their path."""
    rest = list(faults)
    return lambda path: rest.pop(0) if at in path and rest else None


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("github:o/r", ("o", "r", "", None)),
        ("github:o/r/docs/guide@v1", ("o", "r", "docs/guide", "v1")),
        ("github:o/r@feature/x", ("o", "r", "", "feature/x")),
        ("github:o/r.git/", ("o", "r", "", None)),
        ("github:o/r/a%40b", ("o", "r", "a@b", None)),
    ],
)
def test_an_address_names_repository_path_and_ref(spec: str, parts: tuple[str, str, str, str | None]) -> None:
    """What is typed is what is read, and its canonical form leads to the same place."""
    address = GitHubAddress.parse(spec)
    assert (address.owner, address.repo, address.path, address.ref) == parts
    assert GitHubAddress.parse(address.spec) == address


@pytest.mark.parametrize(
    "spec", ["github:o", "github:", "github:o/..", "github:o/r/../x", "github:o/r@", "github:o x/r"]
)
def test_what_is_no_address_is_refused(spec: str) -> None:
    """A wrong address says how a right one looks."""
    with pytest.raises(SettingsError, match="github:owner/repo"):
        GitHubAddress.parse(spec)


def test_the_token_comes_from_the_environment_and_so_does_the_host() -> None:
    """Enterprise hosts have their own address and token; a wrong address is refused."""
    assert GitHubAccess.from_environment({}) == GitHubAccess(api="https://api.github.com", token=None)
    assert GitHubAccess.from_environment({"GH_TOKEN": "t", "GH_ENTERPRISE_TOKEN": "e"}).token == "t"  # noqa: S105 - of nobody
    there = GitHubAccess.from_environment(
        {"PINCITE_GITHUB_API": "https://git.example/api/v3/", "GH_TOKEN": "t", "GH_ENTERPRISE_TOKEN": "e"}
    )
    assert (there.api, there.token, there.web) == ("https://git.example/api/v3", "e", "https://git.example")
    assert GitHubAccess().web == "https://github.com"
    with pytest.raises(SettingsError, match="PINCITE_GITHUB_API"):
        GitHubAccess.from_environment({"PINCITE_GITHUB_API": "git.example"})


def test_files_have_links_that_stay_and_versions_that_are_their_bytes(github: GitHub, tmp_path: Path) -> None:
    """Every file is listed with the SHA of its bytes and a link to the commit; odd names are quoted in it."""
    opened = Opened(github)
    listing = opened.listing()
    assert [file.name for file in listing.files] == ["README.md", "docs/a.md", "docs/b c#1.md", "img/x.bin"]
    odd = listing.files[2]
    assert odd.uri == "https://github.example/o/r/blob/main/docs/b%20c%231.md"
    assert odd.origin["permalink"] == f"https://github.example/o/r/blob/{github.commit_sha}/docs/b%20c%231.md"
    assert opened.fetch("docs/b c#1.md", tmp_path) == b"# B\n\nTwo.\n"


def test_a_folder_a_file_a_tag_and_patterns_narrow_it(github: GitHub) -> None:
    """Only what was asked for is listed; a folder whose name begins alike is another."""
    github.commit({**FILES, "docs-old/z.md": "Z", ".github/x.md": "hidden"})
    assert Opened(github, "github:o/r/docs@v1").names() == ["docs/a.md", "docs/b c#1.md"]
    assert Opened(github, "github:o/r/docs/a.md").names() == ["docs/a.md"]
    assert Opened(github, include=("*.md",), exclude=("docs/**",)).names() == ["README.md", "docs-old/z.md"]
    assert ".github/x.md" in Opened(github, hidden=True).names()


def test_an_unchanged_commit_costs_two_conditional_calls(github: GitHub) -> None:
    """Nothing changed: GitHub is asked whether, and says no; no tree, no file."""
    first = Opened(github).listing()
    github.requests.clear()
    again = Opened(github).listing(known_of(first))
    assert [file.uri for file in again.files] == [file.uri for file in first.files]
    assert [path for path, _ in github.requests] == ["/repos/o/r", "/repos/o/r/commits/main"]
    assert all("if-none-match" in headers for _, headers in github.requests)


def test_a_sync_that_was_not_finished_is_not_taken_for_done(github: GitHub) -> None:
    """After a failure, or when a document was taken out by hand, the same commit is listed again."""
    known = known_of(Opened(github).listing())
    for incomplete in (
        KnownSource(files=known.files, state=known.state, is_clean=False),
        KnownSource(files=known.files[1:], state=known.state, is_clean=True),
    ):
        assert len(Opened(github).listing(incomplete).files) == 4


def test_links_submodules_and_empty_files_are_said(github: GitHub) -> None:
    """What is no file is passed over with its reason, and said again when nothing changed."""
    github.commit(
        {"a.md": "A", "link.md": "a.md", "lib": "x", "empty.md": ""}, **{"link.md": "120000", "lib": "160000"}
    )
    listing = Opened(github).listing()
    reasons = [("empty.md", "empty"), ("lib", "submodule not followed"), ("link.md", "link")]
    assert [(one.name, one.reason) for one in listing.passed_over] == reasons
    assert [(one.name, one.reason) for one in Opened(github).listing(known_of(listing)).passed_over] == reasons


def test_a_pointer_to_large_file_storage_is_no_document(github: GitHub, tmp_path: Path) -> None:
    """A pointer is noticed by its bytes and left out."""
    github.commit({"manual.pdf": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"})
    with pytest.raises(PassedOverError, match="Git LFS pointer"):
        Opened(github).fetch("manual.pdf", tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("speaks_raw", [True, False])
def test_a_file_over_a_megabyte_is_fetched_whole(github: GitHub, tmp_path: Path, *, speaks_raw: bool) -> None:
    """Large files come by the blob API, as they are or in base64."""
    github.speaks_raw = speaks_raw
    big = b"The gauge shows 4242 mm.\n" * 60_000
    github.commit({"big.md": big, "data.json": b'{"content": "x", "n": 1}'})
    assert Opened(github).fetch("big.md", tmp_path) == big
    assert Opened(github).fetch("data.json", tmp_path) == b'{"content": "x", "n": 1}'


def test_a_file_over_the_limit_is_not_fetched(github: GitHub, tmp_path: Path) -> None:
    """Too large by the list, or too large while it comes: an error, and nothing is left."""
    github.commit({"big.md": b"x" * 4_000_001})
    assert [failed.code for failed in Opened(github).listing().failed] == ["source_limit"]
    github.entries[0]["size"] = 10
    with pytest.raises(SourceLimitError, match="larger than 4 MB"):
        Opened(github).fetch("big.md", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_blob_that_is_not_found_is_asked_for_by_its_path(github: GitHub, tmp_path: Path) -> None:
    """Hosts without the blob API still give the contents."""
    github.fault = once(Fault(status=404, body={"message": "Not Found"}), at="/git/blobs")  # type: ignore[assignment]
    assert Opened(github).fetch("docs/a.md", tmp_path) == b"# A\n\nOne.\n"
    assert github.count("/contents/docs/a.md") == 1


def test_a_list_that_is_cut_short_is_read_folder_by_folder(github: GitHub) -> None:
    """Where GitHub truncates the tree, the folders are asked one by one, and nothing is missing."""
    github.commit({f"part{i}/sub/n{j}.md": f"{i}{j}" for i in range(3) for j in range(3)} | {"top.md": "T"})
    github.is_truncated = True
    listing = Opened(github).listing()
    assert (len(listing.files), listing.is_complete, listing.notes) == (10, True, ())


def test_a_list_that_stays_cut_short_is_incomplete(github: GitHub) -> None:
    """When a folder cannot be read either, what is known is listed and the list is called incomplete."""
    github.commit({"a.md": "A", "docs/b.md": "B", "docs/c.md": "C"})
    github.is_truncated = True
    github.fault = lambda path: Fault(status=404, body={}) if "/trees/folder" in path else None
    listing = Opened(github).listing()
    assert not listing.is_complete
    assert "truncated" in listing.notes[0]
    assert [file.name for file in listing.files] == ["a.md"]


def test_a_short_rate_limit_is_waited_for_and_said(github: GitHub, tmp_path: Path) -> None:
    """Used-up limits and secondary ones are waited for as long as GitHub asks, by GitHub's own clock."""
    now = time.time() + 7200
    github.fault = once(  # type: ignore[assignment]
        limited({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(now) + 2), "Date": formatdate(now)}),
        limited({"Retry-After": "1"}, message="You have exceeded a secondary rate limit"),
        limited({"Retry-After": "7"}, status=429),
        limited({}, message="You have exceeded a secondary rate limit"),
        at="/git/blobs",
    )
    opened = Opened(github)
    assert opened.fetch("docs/a.md", tmp_path) == b"# A\n\nOne.\n"
    assert [round(s) for s in opened.slept] == [3, 1, 7, 60]
    assert len(opened.said) == 4
    assert "waiting until" in opened.said[0]


def test_a_long_rate_limit_stops_with_the_time_to_come_again(github: GitHub, tmp_path: Path) -> None:
    """Beyond two minutes one is told when; GitHub is not asked again meanwhile."""
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(time.time()) + 2400)}
    github.fault = lambda path: limited(headers) if "/blobs/" in path else None
    opened = Opened(github)
    file = opened.listing().files[0]
    for _ in range(2):
        with pytest.raises(SourceRateLimitError, match=r"until .* UTC \(40 minutes\).*GITHUB_TOKEN"):
            opened.source.fetch(file, folder=tmp_path)
    assert (github.count("/blobs/"), opened.slept) == (1, [])


@pytest.mark.parametrize("fault", [Fault(status=502, body=b"<html>"), Fault(body=b"x" * 5000, cut=True)])
def test_a_fault_of_the_server_is_tried_again(github: GitHub, tmp_path: Path, fault: Fault) -> None:
    """A 5xx and a connection cut in the middle are tried again, a few times."""
    github.fault = once(fault, fault, at="/blobs/")  # type: ignore[assignment]
    opened = Opened(github)
    assert opened.fetch("docs/a.md", tmp_path) == b"# A\n\nOne.\n"
    assert opened.slept == [0.5, 1.0]
    github.fault = lambda path: fault if "/blobs/" in path else None
    with pytest.raises(SourceUnreachableError, match="tried 4 times"):
        opened.fetch("docs/a.md", tmp_path)


def test_a_server_that_is_not_there_is_named() -> None:
    """No connection is an error that names the host."""
    github = GitHub()
    github.base = "http://127.0.0.1:9"
    with pytest.raises(SourceUnreachableError, match=r"127\.0\.0\.1"):
        Opened(github).listing()


@pytest.mark.parametrize(
    ("fault", "error", "words"),
    [
        (Fault(status=401, body={"message": "Bad credentials"}), SourceDeniedError, "GITHUB_TOKEN is not valid"),
        (Fault(status=403, body={"message": "Resource not accessible"}), SourceDeniedError, "not accessible"),
        (Fault(status=404, body={"message": "Not Found"}), SourceNotFoundError, "private: set GITHUB_TOKEN"),
        (Fault(status=418, body=b"tea"), SourceError, "status 418"),
        (Fault(body=b"<html>no api</html>"), SourceUnreachableError, "is it a GitHub API"),
        (Fault(body=[1]), SourceError, "no tree"),
    ],
)
def test_a_refusal_says_what_to_do(github: GitHub, fault: Fault, error: type[Exception], words: str) -> None:
    """Expired tokens, private repositories and what is no GitHub each have their message."""
    github.fault = lambda _path: fault
    with pytest.raises(error, match=words):
        Opened(github).listing()


def test_an_empty_repository_deletes_nothing(github: GitHub) -> None:
    """A repository without commits lists nothing, and says that this is not the whole truth."""
    github.fault = lambda path: (
        Fault(status=409, body={"message": "Git Repository is empty."}) if path != "/repos/o/r" else None
    )
    listing = Opened(github).listing()
    assert (listing.files, listing.is_complete, listing.notes) == ((), False, ("the repository is empty",))


def test_a_private_repository_takes_the_token_and_a_renamed_one_is_followed_without_it(
    github: GitHub, tmp_path: Path
) -> None:
    """The token is sent to the host of the API, and never to another one that it redirects to."""
    github.token = TOKEN
    assert len(Opened(github, token=TOKEN).names()) == 4
    assert github.requests[0][1]["authorization"] == f"Bearer {TOKEN}"
    other = GitHub()
    other.commit(FILES)
    with serving(other):
        github.fault = lambda path: Fault(status=301, headers={"Location": other.base + path})
        assert Opened(github, token=TOKEN).fetch("docs/a.md", tmp_path) == b"# A\n\nOne.\n"
    assert other.requests
    assert not any("authorization" in headers for _, headers in other.requests)


def test_redirects_in_a_circle_end(github: GitHub) -> None:
    """A server that redirects for ever is left."""
    github.fault = lambda path: Fault(status=302, headers={"Location": github.base + path})
    with pytest.raises(SourceLimitError, match="redirects"):
        Opened(github).listing()


def test_what_the_server_says_of_itself_is_not_trusted(github: GitHub) -> None:
    """A page address that a browser would run is not taken, odd trees are read as far as they make sense."""
    tree = [{"path": 7}, "x", {"path": "a/<b>.md", "mode": "100644", "type": "blob", "sha": "../x"}]
    repository = {"default_branch": "main", "html_url": "javascript:alert(1)"}
    github.fault = lambda path: (
        Fault(body={"sha": "t", "tree": tree})
        if "/trees/" in path
        else Fault(body=repository)
        if path == "/repos/o/r"
        else None
    )
    listing = Opened(github).listing()
    assert [file.uri for file in listing.files] == ["https://web.example/o/r/blob/main/a/%3Cb%3E.md"]
