"""`import pincite`: its names, what they cost, and each step on its own."""

import subprocess
import sys
from pathlib import Path

import pytest

import pincite

NOTE = "# Handbook\n\n## Fees\n\nThe annual fee is 40 EUR.\n\n## Notice\n\nThe notice period is three months.\n"


@pytest.fixture
def document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pincite.ParsedDocument:
    """Return a parsed Markdown file; words are searched, not meaning."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINCITE_EMBEDDER", "none")
    (tmp_path / "handbook.md").write_text(NOTE, encoding="utf-8")
    return pincite.parse(tmp_path / "handbook.md")


def test_few_names() -> None:
    """There are at most fifteen public names, and each of them is there."""
    assert len(pincite.__all__) <= 15
    assert [name for name in pincite.__all__ if not hasattr(pincite, name)] == []
    assert dir(pincite) == sorted(pincite.__all__)


def test_other_names_are_errors() -> None:
    """A misspelt name fails as in any module."""
    with pytest.raises(AttributeError, match="has no attribute 'Libary'"):
        _ = pincite.Libary


def test_importing_costs_nothing() -> None:
    """`import pincite` loads nothing but itself: names are loaded when they are used."""
    code = (
        "import sys; import pincite; print([m for m in sys.modules if m.startswith(('pincite.', 'numpy', 'msgspec'))])"
    )

    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == "[]"


def test_every_step_alone(document: pincite.ParsedDocument, tmp_path: Path) -> None:
    """Parse, question, retrieve, read, answer, verify: each takes the value of the one before, without a library."""
    question = pincite.parse_question("What is the annual fee?", document)
    retrieval = pincite.retrieve(question, document, method="keyword")
    lines = pincite.read(retrieval, document)
    draft = pincite.answer(question, lines)
    verified = pincite.verify(draft, document, read=retrieval.filtered_lines)

    assert [str(c) for item in verified.items for c in item.citations] == ["handbook.md l.5"]


def test_a_wrong_quote_is_dropped(document: pincite.ParsedDocument) -> None:
    """Verification alone catches a draft whose quote the document does not have."""
    question = pincite.parse_question("What is the annual fee?", document)
    lines = pincite.read(pincite.retrieve(question, document), document)
    other = pincite.parse(_written("handbook.md", NOTE.replace("40", "41")))

    verified = pincite.verify(pincite.answer(question, lines), other)

    assert (verified.items, len(verified.rejected)) == ((), 1)


def test_steps_work_on_a_library(document: pincite.ParsedDocument, tmp_path: Path) -> None:
    """The same calls take a library in place of a document."""
    with pincite.Library(tmp_path / "library") as library:
        library.add(tmp_path / "handbook.md")
        question = pincite.parse_question("What is the notice period?", library)
        retrieval = pincite.retrieve(question, library, top_k=1)
        draft = pincite.answer(question, pincite.read(retrieval, library))
        verified = pincite.verify(draft, library)

        result = library.ask("What is the notice period?")
        report = pincite.render(result, tmp_path / "report.html", library)

    assert [c.first_line for c in verified.items[0].citations] == [9]
    assert "three months" in report.read_text("utf-8")


def test_steps_are_as_sure_as_a_library(
    document: pincite.ParsedDocument, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer of the steps alone has the confidence that `ask` gives, with the default embedder too."""
    monkeypatch.delenv("PINCITE_EMBEDDER")
    with pincite.Library(tmp_path / "library") as library:
        library.add(tmp_path / "handbook.md")
        for asked in ("What is the notice period?", "How high is the yearly fee?"):
            question = pincite.parse_question(asked, library)
            draft = pincite.answer(question, pincite.read(pincite.retrieve(question, library), library))

            assert draft.confidence == library.ask(asked).signals.confidence


def test_draws_from_the_file_itself(document: pincite.ParsedDocument, tmp_path: Path) -> None:
    """A document without a library is drawn from the file it was parsed from, unless that has changed since."""
    with pincite.Library(tmp_path / "library") as library:
        library.add(tmp_path / "handbook.md")
        result = library.ask("What is the notice period?")

    assert "three months" in pincite.render(result, tmp_path / "report.html", document).read_text("utf-8")
    _written("handbook.md", "something else")
    with pytest.raises(pincite.PinciteError, match="has changed since it was parsed"):
        pincite.render(result, tmp_path / "cited.pdf", document)


def test_documents_as_tables(document: pincite.ParsedDocument) -> None:
    """Each part of a document is a DataFrame on demand: a row for each record, in contract columns."""
    lines = document.line_df

    assert list(lines.text) == [line.text for line in document.lines]
    assert list(lines.columns[:8]) == ["line_id", "page_num", "line_num", "text", "x0", "y0", "x1", "y1"]
    assert list(document.toc_df.title) == ["Handbook", "Fees", "Notice"]
    assert [len(document.page_df), len(document.table_df), len(document.cell_df)] == [1, 0, 0]
    assert "content_hash" in document.image_df.columns
    assert "label" in document.object_df.columns
    assert "target" in document.reference_df.columns


def test_tables_without_pandas(document: pincite.ParsedDocument, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where pandas is missing, the error says what to install."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(pincite.PinciteError, match=r'pip install "pincite\[frames\]"'):
        _ = document.line_df


def _written(name: str, text: str) -> Path:
    path = Path(name)
    path.write_text(text, encoding="utf-8")
    return path
