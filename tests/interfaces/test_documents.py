"""`pincite add`, `ls`, `rm`, `show`, `toc`, `tables`, `search`, `embed`, `doctor`."""

import os
from pathlib import Path

import pytest
from tests.interfaces.conftest import Run


def test_adds_and_lists(run: Run, docs: Path) -> None:
    """Files are named as they are added, and listed with their extent afterwards."""
    added = run("add", docs)

    assert added.out.splitlines() == [
        "added     handbook.md  (1 page, 22 lines)",
        "added     policy.md  (1 page, 3 lines)",
        "2 added",
    ]
    assert [line.split() for line in run("ls").out.splitlines()[1:]] == [
        ["1", "22", run("ls", "--json").json["documents"][0]["added_at"][:10], "handbook.md"],
        ["1", "3", run("ls", "--json").json["documents"][1]["added_at"][:10], "policy.md"],
    ]


def test_adding_again_changes_nothing(filled: Run, docs: Path) -> None:
    """Unchanged files are counted, not read again."""
    assert filled("add", docs).out == "0 added, 2 unchanged\n"


def test_a_library_is_no_document(run: Run, docs: Path, tmp_path: Path) -> None:
    """A folder with the library inside it can be added again and again: the library's own files are none of it."""
    inside = docs / "kept"
    first = run("add", docs, "--library", inside, "--json").json
    again = run("add", docs, "--library", inside, "--json").json

    assert [len(first["added"]), first["skipped"], again["added"], len(again["unchanged"])] == [2, [], [], 2]


def test_one_bad_file_does_not_stop_the_others(run: Run, docs: Path) -> None:
    """What failed is listed with its code, the rest is kept, and the exit code is 1."""
    (docs / "broken.pdf").write_bytes(b"%PDF-1.4\nnonsense")

    ran = run("add", docs)

    assert (ran.code, ran.out.splitlines()[-1]) == (1, "2 added, 1 failed")
    assert any(line.startswith("failed    broken.pdf  (corrupt_pdf): ") for line in ran.out.splitlines())
    assert len(run("ls", "--json").json["documents"]) == 2


def test_add_as_json(run: Run, docs: Path) -> None:
    """The report of adding is one object."""
    report = run("add", docs, "--json").json

    assert (report["result"], [a["name"] for a in report["added"]]) == ("added", ["handbook.md", "policy.md"])


def test_the_library_may_be_named_before_or_after(run: Run, docs: Path, tmp_path: Path) -> None:
    """`--library` works on both sides of the command, and the nearer one wins."""
    run("--library", tmp_path / "one", "add", docs / "policy.md")
    run("--library", tmp_path / "one", "add", docs / "handbook.md", "--library", tmp_path / "two")

    names = [
        [d["name"] for d in run("ls", "--json", "--library", tmp_path / n).json["documents"]] for n in ("one", "two")
    ]
    assert names == [["policy.md"], ["handbook.md"]]


def test_a_library_in_the_working_folder_is_found(
    run: Run, docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without `--library` and PINCITE_LIBRARY the folder ./.pincite is the library, if it is there."""
    monkeypatch.delenv("PINCITE_LIBRARY")
    (tmp_path / ".pincite").mkdir()
    run("add", docs / "policy.md")

    assert (tmp_path / ".pincite" / "pincite.sqlite").is_file()


def test_removes(filled: Run, docs: Path) -> None:
    """A removed document is gone from the library; the file stays."""
    ran = filled("rm", "policy.md")

    assert (ran.out, (docs / "policy.md").is_file()) == ("removed  policy.md\n", True)
    assert [d["name"] for d in filled("ls", "--json").json["documents"]] == ["handbook.md"]


def test_removes_all_or_none(filled: Run) -> None:
    """A wrong name among several removes nothing."""
    filled("rm", "policy.md", "nowhere.md")

    assert len(filled("ls", "--json").json["documents"]) == 2


def test_shows_lines_as_cites_name_them(filled: Run) -> None:
    """A line has the number that cites give it."""
    assert filled("show", "handbook.md", "--lines", "5-7").out == "5  The annual fee is 40 EUR.\n6  \n7  ## Notice\n"


def test_shows_what_is_known(filled: Run) -> None:
    """Without a page a document's name, type, extent and hash are shown."""
    shown = dict(line.split(None, 1) for line in filled("show", "policy.md").out.splitlines())

    assert (shown["Name"], shown["Extent"]) == ("policy.md", "1 page, 3 lines, 78 bytes")


@pytest.mark.parametrize("lines", ["x", "5-", "7-5", "-"])
def test_a_range_that_is_none(filled: Run, lines: str) -> None:
    """A range of lines that cannot be read is wrong usage."""
    assert filled("show", "policy.md", "--lines", lines).code == 2


def test_contents(filled: Run) -> None:
    """Sections are listed under one another with page and line."""
    assert [line.split(None, 3)[3] for line in filled("toc", "handbook.md").out.splitlines()] == [
        "SECTION",
        "Handbook",
        "Fees",
        "Notice",
        "Colours",
    ]


def test_tables(filled: Run) -> None:
    """A table is shown with its place and every cell."""
    out = filled("tables", "handbook.md").out

    assert [line.split() for line in out.splitlines()[1:]] == [
        ["Size", "Price"],
        ["small", "3", "EUR"],
        ["large", "5", "EUR"],
    ]
    assert filled("tables", "handbook.md", "--json").json["tables"][0]["n_rows"] == 3


def test_search_gives_its_reasons(filled: Run) -> None:
    """Each place is shown with where it is, what found it, and its lines."""
    out = filled("search", "notice period", "--method", "keyword", "--top-k", "1").out.splitlines()

    assert (out[0].startswith("1. handbook.md l."), out[1].strip()) == (True, "Handbook › Notice")
    assert "keyword #1" in out[2]
    assert any(line.strip() == "│ The notice period is three months." for line in out)


def test_search_as_json(filled: Run) -> None:
    """Retrieval in JSON holds candidates with their detectors."""
    found = filled("search", "notice period", "--json").json

    assert (found["result"], found["candidates"][0]["rank"]) == ("search", 1)


def test_nothing_to_show_is_no_output(filled: Run) -> None:
    """What finds nothing prints nothing on standard output, and is no error."""
    assert [filled(*c).out for c in (["tables", "policy.md"], ["search", "qwertz", "--method", "keyword"])] == ["", ""]


def test_names_cannot_forge_lines(run: Run, tmp_path: Path) -> None:
    """File names with line feeds, escapes, undecodable bytes or a leading hyphen stay on their own line."""
    names = [b"-rf.md", b"a\nadded     fake.md", b"esc\x1b[31m.md", b"bad\xff.md"]
    folder = tmp_path / "odd"
    folder.mkdir()
    for name in names:
        (Path(os.fsdecode(os.fsencode(folder) + b"/" + name))).write_text("# Fee\n\nThe fee is 3 EUR.\n", "utf-8")

    added, listed = run("add", folder), run("ls")

    assert (added.code, added.out.count("\n"), listed.out.count("\n")) == (0, 5, 5)
    assert "\x1b" not in added.out + listed.out
    assert run("show", os.fsdecode(b"odd/bad\xff.md")).code == 0


def test_an_empty_library_lists_nothing(run: Run, docs: Path) -> None:
    """An empty library is no error."""
    run("add", docs / "policy.md")
    run("rm", "policy.md")

    assert (run("ls").code, run("ls").out, run("ls", "--json").json["documents"]) == (0, "", [])


def test_the_doctor_finds_nothing(filled: Run) -> None:
    """In good order, the doctor says so, and in JSON lists no problem."""
    assert filled("doctor").out.splitlines()[-1] == "no problem found"
    assert filled("doctor", "--json").json["problems"] == []


def test_the_doctor_names_what_failed(run: Run, docs: Path) -> None:
    """A file that could not be added is a problem, with its name and reason, until it is mended."""
    (docs / "broken.pdf").write_bytes(b"%PDF-1.4\nnonsense")
    run("add", docs)

    ran = run("doctor")

    assert (ran.code, "failed    broken.pdf  (corrupt_pdf): " in ran.out) == (1, True)


def test_only_what_still_fails_is_counted(run: Run, docs: Path) -> None:
    """A file that failed and is gone is no problem any more; those that are left are counted with the day."""
    for name in ("one.pdf", "two.pdf"):
        (docs / name).write_bytes(b"%PDF-1.4\nnonsense")
    run("add", docs)
    (docs / "one.pdf").unlink()

    listed, checked = run("ls"), run("doctor", "--json").json

    assert "warning: 1 file could not be added (tried on 20" in listed.err
    assert [failure["name"] for failure in checked["failures"]] == ["two.pdf"]
    assert "1 file could not be added (tried on 20" in checked["problems"][0]


def test_hidden_files_are_not_passed_over_in_silence(run: Run, docs: Path) -> None:
    """`add` says how many files only their dot kept out, and how to take them; named, they are taken."""
    (docs / ".draft.md").write_text("The mast is 31 m high.\n", encoding="utf-8")

    ran = run("add", docs)

    assert ran.err == "note: 1 hidden file was passed over: .draft.md; to add it, name it\n"
    assert run("add", docs, "--json").json["notes"] == ["1 hidden file was passed over: .draft.md; to add it, name it"]
    assert run("add", docs / ".draft.md").out.splitlines()[-1] == "1 added"


def test_the_doctor_needs_no_library(run: Run) -> None:
    """Before the first `add` the doctor still says where the library will be."""
    ran = run("doctor", "--json")

    assert (ran.code, ran.json["library"], ran.json["folders"][0]["exists"]) == (0, None, False)


def test_embedding_needs_an_embedder(filled: Run) -> None:
    """With the embedder turned off, `embed` says so."""
    assert filled("embed", "--json").json["code"] == "invalid_settings"
