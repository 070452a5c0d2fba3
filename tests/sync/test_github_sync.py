"""A library in step with a repository (case OPS08): commits come and go on a server on this machine."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.sources.github_server import Fault, GitHub, serving

from pincite.library import Library
from pincite.sync import SyncReport
from pincite.types.answer import Answer, Refusal

FIXTURES = Path(__file__).parents[1] / "cases" / "OPS08-github-api-fixtures" / "fixtures.json"
BIG = "\n\n".join(
    "The big file says 4242." if n == 9_999 else f"Filler number {n}, nothing else." for n in range(20_000)
)


@pytest.fixture
def fixtures() -> Any:
    """Return the trees and blobs of the case."""
    return json.loads(FIXTURES.read_text("utf-8"))


@pytest.fixture
def github(fixtures: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[GitHub]:
    """Return the repository of the case at its first tree, being served where the environment says."""
    made = GitHub()
    made.entries = fixtures["tree1"]["tree"]
    made.blobs = {sha: text.encode() for sha, text in fixtures["blobs"].items()}
    made.blobs["b" * 40] = BIG.encode()
    with serving(made) as address:
        monkeypatch.setenv("PINCITE_GITHUB_API", address)
        for name in ("GITHUB_TOKEN", "GH_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"):
            monkeypatch.delenv(name, raising=False)
        yield made


def synced(library: Library) -> SyncReport:
    (report,) = library.sync("github:o/r")
    return report


def test_files_are_indexed_once_and_commits_are_followed(library: Library, github: GitHub, fixtures: Any) -> None:
    """Case OPS08: new files once, a rename without a fetch, a deletion at once, and none by a list that was cut."""
    first = synced(library)
    assert first.added == ("docs/a.md", "docs/big.md", "docs/gone.md", "docs/old-name.md")
    reasons = {one.name: one.reason for one in first.passed_over}
    assert reasons.keys() == {"vendor/lib", "docs/link.md", "media/manual.pdf", "docs/empty.md"}
    assert (reasons["vendor/lib"], reasons["docs/link.md"]) == ("submodule not followed", "link")
    assert reasons["media/manual.pdf"].startswith("Git LFS pointer")
    result = library.ask("What does the big file say?")
    assert isinstance(result, Answer)
    citation = result.items[0].citations[0]
    assert "4242" in citation.quote
    assert citation.link == f"https://github.example/o/r/blob/{github.commit_sha}/docs/big.md#L{citation.first_line}"

    github.entries = fixtures["tree2"]["tree"]
    github.requests.clear()
    second = synced(library)
    assert github.count("/blobs/") == github.count("/contents/") == 0
    assert [(move.old, move.new) for move in second.moved] == [("docs/old-name.md", "docs/new-name.md")]
    assert (second.deleted, second.n_fetched, second.n_embedded) == (("docs/gone.md",), 0, 0)
    assert isinstance(library.ask("What does gone say?"), Refusal)

    github.entries = fixtures["tree3"]["tree"]
    github.is_truncated = True
    github.fault = lambda path: Fault(status=404, body={}) if "/trees/" in path and "recursive" not in path else None
    third = synced(library)
    assert third.deleted == ()
    assert "tree truncated" in third.notes[0]


def test_an_unchanged_repository_fetches_nothing_and_says_the_same(library: Library, github: GitHub) -> None:
    """The second sync of the same commit asks two questions, and reports every file again."""
    first = synced(library)
    github.requests.clear()
    second = synced(library)
    assert (second.unchanged, second.passed_over) == (first.added, first.passed_over)
    assert len(github.requests) == 2


def test_a_failed_download_keeps_the_version_there_is_and_is_tried_again(library: Library, github: GitHub) -> None:
    """What cannot be fetched is reported, stays as it was, and comes with the next sync, alone."""
    github.commit({"a.md": "# A\n\nThe mill has 3 wheels.\n", "b.md": "# B\n\nThe barn is red.\n"})
    synced(library)
    github.commit({"a.md": "# A\n\nThe mill has 4 wheels.\n", "b.md": "# B\n\nThe barn is blue.\n"})
    broken = github.entries[0]["sha"]
    github.fault = lambda path: Fault(status=403, body={"message": "no"}) if broken in path else None
    report = synced(library)
    assert (report.changed, [f.code for f in report.failed]) == (("b.md",), ["source_denied"])
    assert library.document("a.md").lines[2].text == "The mill has 3 wheels."

    github.fault = lambda _path: None
    github.requests.clear()
    assert synced(library).changed == ("a.md",)
    assert github.count("/blobs/") == 1
    assert library.document("a.md").lines[2].text == "The mill has 4 wheels."


def test_a_rate_limit_in_the_middle_leaves_what_was_fetched(library: Library, github: GitHub) -> None:
    """Files that were fetched before the limit are there; the next sync fetches the others alone."""
    github.commit({f"n{i}.md": f"# N{i}\n\nNumber {i}.\n" for i in range(6)})
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "99999999999"}
    github.fault = lambda path: (
        Fault(status=403, headers=headers, body={"message": "API rate limit exceeded"})
        if "/blobs/" in path and github.count("/blobs/") > 4
        else None
    )
    report = synced(library)
    assert (len(report.added), {f.code for f in report.failed}, len(report.failed)) == (4, {"source_rate_limited"}, 2)
    assert github.count("/blobs/") == 5
    github.fault = lambda _path: None
    github.requests.clear()
    assert len(synced(library).added) == github.count("/blobs/") == 2


def test_front_matter_is_metadata_and_cannot_say_where_a_file_is_from(library: Library, github: GitHub) -> None:
    """The front matter of a file in a repository is its metadata; the link of a citation is the source's word alone."""
    github.commit({"p.md": "---\ntags: [policy]\npermalink: javascript:alert(1)\n---\n# P\n\nThe fee is 7 crowns.\n"})
    synced(library)
    (record,) = library.documents()
    assert record.metadata["tags"] == ["policy"]
    result = library.ask("What is the fee?")
    assert isinstance(result, Answer)
    assert result.items[0].citations[0].link == f"https://github.example/o/r/blob/{github.commit_sha}/p.md#L7"
