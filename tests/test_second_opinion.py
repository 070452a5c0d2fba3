"""A second opinion: the picture of the cited place is read, and compared with the text layer."""

import io
from pathlib import Path

import pikepdf
import pytest
from tests.interfaces.conftest import Run, run  # noqa: F401 - a fixture

from pincite.library import Library
from pincite.library.second_opinion import SecondOpinion, second_opinions
from pincite.parsing.ocr import OcrOptions
from pincite.settings import Settings
from pincite.types.answer import Answer
from pincite.types.trace import Bundle


def lying(shown: str, said: str) -> bytes:
    """Return a PDF whose digits are others in the text layer than on the page, by the font's own map of characters."""
    codes = sorted(set(shown))
    to = dict(zip(shown, said, strict=True))
    rows = "\n".join(f"<{ord(code):02X}> <{ord(to[code]):04X}>" for code in codes)
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /L def /CMapType 2 def\n"
        f"1 begincodespacerange <00> <FF> endcodespacerange\n{len(codes)} beginbfchar\n{rows}\nendbfchar\n"
        "endcmap end end"
    )
    with pikepdf.new() as pdf:
        font = pikepdf.Dictionary(
            Type=pikepdf.Name.Font,
            Subtype=pikepdf.Name.Type1,
            BaseFont=pikepdf.Name.Helvetica,
            ToUnicode=pdf.make_stream(cmap.encode()),
        )
        page = pdf.add_blank_page(page_size=(595, 842))
        page.Contents = pdf.make_stream(f"BT /F 14 Tf 60 700 Td ({shown}) Tj ET".encode())
        page.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F=font))
        out = io.BytesIO()
        pdf.save(out)
    return out.getvalue()


def bundled(tmp_path: Path, content: bytes, question: str) -> tuple[Library, Bundle]:
    (tmp_path / "a.pdf").write_bytes(content)
    library = Library(tmp_path / "l", settings=Settings(jobs=1, embedder="none", ocr="never"))
    library.add(tmp_path / "a.pdf")
    answer = library.ask(question)
    assert isinstance(answer, Answer)
    return library, library.bundle(answer.trace_id)


def opinions(tmp_path: Path, content: bytes, question: str) -> tuple[SecondOpinion, ...]:
    library, bundle = bundled(tmp_path, content, question)
    with library:
        return second_opinions(bundle, library.store.original_of, OcrOptions(engine="rapidocr"))


def test_a_page_that_shows_what_it_says_agrees(tmp_path: Path) -> None:
    """An ordinary page is read the same by both."""
    text = "The mooring fee is 240 crowns a month."
    (one,) = opinions(tmp_path, lying(text, text), "How high is the mooring fee?")

    assert (one.verdict, one.differing, one.reason) == ("agrees", (), None)
    assert "240 crowns" in (one.read or "")
    assert one.engine is not None


def test_a_font_that_lies_is_caught(tmp_path: Path) -> None:
    """A page that shows 240 and whose text layer says 910 passes every check of text, and not this one."""
    shown, said = "The mooring fee is 240 crowns a month.", "The mooring fee is 910 crowns a month."
    (one,) = opinions(tmp_path, lying(shown, said), "How high is the mooring fee?")

    assert (one.verdict, one.differing) == ("differs", ("910",))
    assert "240" in (one.read or "")


def test_what_cannot_be_drawn_or_read_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No original, no place on a page, no engine: each is a reason, never an agreement."""
    text = "The mooring fee is 240 crowns a month."
    library, bundle = bundled(tmp_path, lying(text, text), "How high is the mooring fee?")
    with library:
        (gone,) = second_opinions(bundle, lambda _: None, OcrOptions())
        monkeypatch.setattr("pincite.library.second_opinion.engine_for", lambda _: None)
        (missing,) = second_opinions(bundle, library.store.original_of, OcrOptions())
    assert (gone.verdict, "no library" in (gone.reason or "")) == ("not_possible", True)
    assert (missing.verdict, "pincite[ocr]" in (missing.reason or "")) == ("not_possible", True)


@pytest.mark.slow
def test_on_the_command_line(run: Run, tmp_path: Path) -> None:  # noqa: F811
    """Off by default; asked for, its verdicts are in the JSON, and a picture that says something else exits with 1."""
    (tmp_path / "a.pdf").write_bytes(
        lying("The mooring fee is 240 crowns a month.", "The mooring fee is 910 crowns a month.")
    )
    bundle = str(tmp_path / "b.json")
    assert run("ask", "How high is the mooring fee?", str(tmp_path / "a.pdf"), "--bundle", bundle).code == 0
    plain = run("verify", bundle, "--json")
    assert (plain.code, "second_opinions" in plain.json) == (0, False)
    second = run("verify", bundle, "--second-opinion", "--json")
    assert (second.code, second.json["holds"]) == (1, False)
    assert [(one["verdict"], one["differing"]) for one in second.json["second_opinions"]] == [("differs", ["910"])]
    assert second.json["citations"][0]["holds"] is True
    assert "something else" in run("verify", bundle, "--second-opinion").out
