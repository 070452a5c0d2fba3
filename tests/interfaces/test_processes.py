"""The command line as people run it: a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PDF = Path(__file__).parents[2] / "demo" / "NIST.CSWP.29.pdf"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PINCITE_LIBRARY": str(tmp_path / "library"),
        "PINCITE_CACHE": str(tmp_path / "cache"),
        "PINCITE_EMBEDDER": "none",
        "PYTHONWARNINGS": "error",
    }


def pincite(*arguments: str) -> list[str]:
    """Return the command that the installed script runs."""
    return [sys.executable, "-c", "import sys; from pincite.interfaces.cli import main; sys.exit(main())", *arguments]


def test_a_question_to_a_pdf_from_cold(tmp_path: Path, environment: dict[str, str]) -> None:
    """One command from a PDF to a cited answer: one JSON object out, nothing on standard error, a drawn PDF beside."""
    command = pincite("ask", "What is a CSF Community Profile?", str(PDF), "--json", "--highlight", "cited.pdf")

    ran = subprocess.run(command, capture_output=True, env=environment, cwd=tmp_path, check=False)

    answer = json.loads(ran.stdout)
    citation = answer["items"][0]["citations"][0]
    assert (ran.returncode, ran.stderr, citation["page"]) == (0, b"", 11)
    assert (tmp_path / "cited.pdf").read_bytes()[:5] == b"%PDF-"


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_any_console_can_show_it(tmp_path: Path, environment: dict[str, str], encoding: str) -> None:
    """Characters that a console lacks are written out; JSON is the same in every encoding."""
    (tmp_path / "名.md").write_text("# Fee\n\nThe annual fee – “all in”, née toll – is 3 €.\n", encoding="utf-8")
    environment["PYTHONIOENCODING"] = encoding
    question = "What is the annual fee?"
    as_text = subprocess.run(
        pincite("ask", question, "名.md"), capture_output=True, env=environment, cwd=tmp_path, check=True
    )
    as_json = subprocess.run(
        pincite("ask", question, "名.md", "--json"), capture_output=True, env=environment, cwd=tmp_path, check=True
    )

    assert "annual fee" in as_text.stdout.decode(encoding)
    assert json.loads(as_json.stdout.decode(encoding))["items"][0]["citations"][0]["doc_name"] == "名.md"


@pytest.mark.skipif(os.name == "nt", reason="POSIX pipes and signals")
def test_a_closed_pipe_is_quiet(tmp_path: Path, environment: dict[str, str]) -> None:
    """When the reader goes away (`| head`), nothing is complained of."""
    (tmp_path / "note.md").write_text("# Note\n\nOne line.\n", encoding="utf-8")
    subprocess.run(pincite("add", "note.md"), capture_output=True, env=environment, cwd=tmp_path, check=True)
    reader, writer = os.pipe()
    os.close(reader)

    with os.fdopen(writer, "wb") as closed:
        ran = subprocess.run(
            pincite("show", "note.md", "--lines", "1-3"),
            stdout=closed,
            stderr=subprocess.PIPE,
            env=environment,
            cwd=tmp_path,
            check=False,
        )

    assert ran.stderr == b""


@pytest.mark.skipif(os.name == "nt", reason="POSIX pipes and signals")
def test_ctrl_c_keeps_what_was_added(tmp_path: Path, environment: dict[str, str]) -> None:
    """Ctrl-C ends adding with 130 and one line, and what was added is there."""
    for n in range(4):
        (tmp_path / f"note-{n}.md").write_text(f"# Note {n}\n\nOne line.\n", encoding="utf-8")
    # Interrupted for certain after two files: the watcher is told of each.
    code = (
        "import os, signal, sys\n"
        "from pincite.interfaces.cli import main, progress\n"
        "def parsed(self, done, total, name):\n"
        "    if done == 2: os.kill(os.getpid(), signal.SIGINT)\n"
        "progress.Bars.parsed = parsed\n"
        "sys.exit(main(['add', '.']))\n"
    )

    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment, cwd=tmp_path, check=False)
    listed = subprocess.run(pincite("ls", "--json"), capture_output=True, env=environment, cwd=tmp_path, check=True)

    assert (ran.returncode, ran.stderr.startswith(b"error: interrupted: what was added so far is kept")) == (130, True)
    assert len(json.loads(listed.stdout)["documents"]) == 2
