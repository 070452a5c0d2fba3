"""`pincite ask`: what is printed, where, and with which exit code."""

from pathlib import Path

import pytest
from tests.interfaces.conftest import Run

from pincite.parsing import pool
from pincite.types.answer import Answer, Refusal
from pincite.types.record import from_json

FEE = "What is the annual fee?"
NOTHING = "Who won the chess championship?"


def test_answers_from_the_library(filled: Run) -> None:
    """An answer is printed with its file, line and quote, and nothing else is."""
    ran = filled("ask", FEE)

    assert (ran.code, ran.err) == (0, "")
    assert "handbook.md l.5 ✓ verified" in ran.out
    assert "│ The annual fee is 40 EUR." in ran.out


def test_json_is_one_object_of_the_contract(filled: Run) -> None:
    """With `--json` standard output is one object that reads back as the answer."""
    ran = filled("ask", FEE, "--json")
    answer = from_json(ran.json, Answer)

    assert (ran.json["result"], answer.items[0].citations[0].quote) == ("answer", "The annual fee is 40 EUR.")


def test_a_refusal_is_no_error(filled: Run) -> None:
    """A question without an answer exits with 0, and prints what was searched."""
    ran = filled("ask", NOTHING)

    assert (ran.code, ran.out.splitlines()[2].startswith("No answer: ")) == (0, True)


def test_a_refusal_can_be_asked_to_fail(filled: Run) -> None:
    """`--exit-code` makes a refusal 3 and leaves an answer 0, for scripts."""
    assert [filled("ask", q, "--exit-code", "--json").code for q in (NOTHING, FEE)] == [3, 0]


def test_refusal_as_json(filled: Run) -> None:
    """A refusal in JSON reads back as one."""
    ran = filled("ask", NOTHING, "--json")

    assert from_json(ran.json, Refusal).reason == ran.json["reason"]


def test_named_files_are_asked_alone(filled: Run, docs: Path) -> None:
    """With a PATH the answer comes from that file alone, though the library knows more."""
    here = filled("ask", "Who signs the book at the gate?", docs / "policy.md", "--json")
    elsewhere = filled("ask", FEE, docs / "policy.md", "--json")

    assert (here.json["result"], elsewhere.json["result"]) == ("answer", "refusal")


def test_unchanged_files_are_parsed_once(run: Run, docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking the same files again parses none of them, and a changed file is parsed again."""
    first = run("ask", FEE, docs, "--json")
    monkeypatch.setattr(pool.ParsePool, "parse_many", lambda *_args, **_kwargs: pytest.fail("parsed again"))

    again = run("ask", FEE, docs, "--json")

    assert first.json["items"] == again.json["items"]
    monkeypatch.undo()


def test_a_changed_file_is_read_as_it_is_now(run: Run, docs: Path) -> None:
    """The cache never answers from what a file said before."""
    before = run("ask", FEE, docs, "--json").json["items"][0]["citations"][0]["quote"]
    (docs / "handbook.md").write_text("# Fees\n\nThe annual fee is 55 EUR.\n", encoding="utf-8")
    after = run("ask", FEE, docs, "--json").json["items"][0]["citations"][0]["quote"]

    assert (before, after) == ("The annual fee is 40 EUR.", "The annual fee is 55 EUR.")


def test_a_deleted_file_is_forgotten(run: Run, docs: Path) -> None:
    """A file that is gone from the folder is gone from the answers."""
    before = run("ask", FEE, docs, "--json").json["result"]
    (docs / "handbook.md").unlink()

    assert (before, run("ask", FEE, docs, "--json").json["result"]) == ("answer", "refusal")


def test_an_unreadable_file_is_said_and_the_rest_answers(run: Run, docs: Path) -> None:
    """One broken file is warned of and stands in the caveats; the answer from the others comes."""
    (docs / "broken.pdf").write_bytes(b"%PDF-1.4\nnonsense")

    ran = run("ask", FEE, docs, "--json")

    assert (ran.code, ran.json["result"]) == (0, "answer")
    assert "warning: corrupt_pdf: broken.pdf" in ran.err
    assert "broken.pdf could not be read; it may say more" in ran.json["signals"]["caveats"]


def test_the_only_file_is_unreadable(run: Run, docs: Path) -> None:
    """When nothing could be read, the reason is the error, in JSON too."""
    broken = docs / "broken.pdf"
    broken.write_bytes(b"%PDF-1.4\nnonsense")

    ran = run("ask", FEE, broken, "--json")

    assert (ran.code, ran.json["result"], ran.json["code"]) == (1, "error", "corrupt_pdf")
    assert ran.err.startswith("error: broken.pdf: ")


def test_one_document_only(filled: Run) -> None:
    """`--doc` keeps other documents out of the answer."""
    assert filled("ask", FEE, "--doc", "policy.md", "--json").json["result"] == "refusal"


def test_the_shape_can_be_chosen(filled: Run) -> None:
    """`--shape` decides the form of the answer."""
    ran = filled("ask", "Which colours has the flag?", "--shape", "list", "--json")

    assert (ran.json["shape"], [i["text"] for i in ran.json["items"]]) == ("list", ["red", "green", "blue"])


def test_explains_itself(filled: Run) -> None:
    """`--explain` says what was understood, where it was looked for, and how long it took."""
    out = filled("ask", FEE, "--explain").out

    assert [word in out for word in ("Understood  ", "Looked at   ", "keyword #1", "Draft  ", "Trace  ")] == [True] * 5


def test_explaining_leaves_json_alone(filled: Run) -> None:
    """With `--json` the explanation goes to standard error."""
    ran = filled("ask", FEE, "--explain", "--json")

    assert (ran.json["result"], "Understood" in ran.err) == ("answer", True)


def test_draws_a_report(filled: Run, tmp_path: Path) -> None:
    """`--highlight` writes the report and leaves standard output as it was."""
    target = tmp_path / "cited.html"
    ran = filled("ask", FEE, "--highlight", target)

    assert (ran.code, ran.err, "The annual fee is" in target.read_text("utf-8")) == (0, "", True)


def test_what_cannot_be_drawn_is_an_error_after_the_answer(filled: Run, tmp_path: Path) -> None:
    """A Markdown file has no pages to draw on: the answer is printed all the same, and the exit code is 1."""
    ran = filled("ask", FEE, "--highlight", tmp_path / "cited.pdf", "--json")

    assert (ran.code, ran.json["result"], "use a report (.html)" in ran.err) == (1, "answer", True)


def test_a_bundle_is_checked_offline(filled: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What `--bundle` saves, `verify` checks without the library; a changed quote does not hold."""
    bundle = tmp_path / "answer.json"
    filled("ask", FEE, "--bundle", bundle)
    monkeypatch.setenv("PINCITE_LIBRARY", str(tmp_path / "nowhere"))
    good = filled("verify", bundle)
    bundle.write_text(bundle.read_text("utf-8").replace("40 EUR", "41 EUR", 1), encoding="utf-8")
    bad = filled("verify", bundle, "--json")

    assert (good.code, good.out) == (0, "✓ handbook.md l.5\n1 of 1 cite holds\n")
    assert (bad.code, bad.json["holds"]) == (1, False)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ask"], "missing argument 'QUESTION'"),
        (["ask", "x", "--shape", "poem"], "'poem' is not one of"),
        (["ask", "x", "--highlight", "cited.doc"], "'cited.doc' has to end in .pdf, .png or .html"),
        (["ask", "docs/policy.md", "What?"], "the question comes before the paths"),
        (["ask", "x", "docs", "--library", "."], "leave out --library or the PATH"),
        (["frobnicate"], "no such command 'frobnicate'"),
        (["ls", "--frobnicate"], "no such option"),
    ],
)
def test_wrong_usage(filled: Run, docs: Path, arguments: list[str], said: str) -> None:
    """Wrong usage exits with 2, says what is wrong in a line, and where help is; with `--json` as an object."""
    ran, as_json = filled(*arguments), filled(*arguments, "--json")

    assert (ran.code, ran.out, said in ran.err.lower() or said in ran.err, "--help" in ran.err) == (2, "", True, True)
    assert (as_json.code, as_json.json["result"], as_json.json["code"]) == (2, "error", "wrong_usage")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["ask", "x", "nowhere.pdf"], "source_failed"),
        (["ask", "What", "is", "this?"], "source_failed"),
        (["ask", ""], "invalid_question"),
        (["ask", "x", "--doc", "nowhere.pdf"], "unknown_document"),
        (["show", "nowhere.pdf"], "unknown_document"),
        (["show", "policy.md", "--page", "9"], "invalid_settings"),
        (["rm", "policy.md", "nowhere.pdf"], "unknown_document"),
        (["trace", "0"], "invalid_settings"),
        (["verify", "nowhere.json"], "invalid_quote"),
        (["ls", "--library", "nowhere"], "store_failed"),
        (["add", "https://example.org/a.pdf"], "invalid_settings"),
    ],
)
def test_errors_have_a_code_and_a_line(filled: Run, arguments: list[str], code: str) -> None:
    """An error exits with 1 and is one line on standard error; `--json` gives its stable code."""
    ran, as_json = filled(*arguments), filled(*arguments, "--json")

    assert (ran.code, ran.out, ran.err.startswith("error: "), ran.err.count("\n")) == (1, "", True, 1)
    assert (as_json.code, as_json.json["result"], as_json.json["code"]) == (1, "error", code)
    assert f"error: {as_json.json['message']}\n" == ran.err


def test_an_unquoted_question_is_recognised(run: Run) -> None:
    """Words that are no files were meant as the question: the error says to quote it."""
    assert "put the question in quotes" in run("ask", "What", "is", "this?").err


def test_a_question_that_is_no_text(filled: Run) -> None:
    """Bytes that are no UTF-8 in a question are shown as U+FFFD, and crash nothing."""
    assert filled("ask", "What is the annual fee\udcff?", "--json").json["question"] == "What is the annual fee\ufffd?"
