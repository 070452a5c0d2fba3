"""Text recognition: scans, mixed pages, pages that lie on their side, engines that fail."""

import io
import shutil
from collections.abc import Sequence
from pathlib import Path

import pikepdf
import pytest
from PIL import Image, ImageDraw
from tests.parsing.made_files import png_bytes

from pincite.library import Library
from pincite.parsing import ocr_engines
from pincite.parsing.ocr import OcrOptions, back, recognise, turned
from pincite.parsing.ocr_engine import Engine, OcrError
from pincite.parsing.ocr_engines import engine_for
from pincite.parsing.ocr_layout import Found, Piece, rows_in_order, straightened
from pincite.parsing.ocr_rapidocr import RapidOcr
from pincite.parsing.ocr_tesseract import Tesseract
from pincite.parsing.pdf import PdfiumParser
from pincite.parsing.picture import PictureParser
from pincite.parsing.pool import ParsePool, ParseRequest
from pincite.settings import Settings
from pincite.types.answer import Answer, Refusal
from pincite.types.document import ParsedDocument

CASES = Path(__file__).parents[1] / "cases"
SCAN = (CASES / "PDF21-mixed-scan-no-ocr" / "report.pdf").read_bytes()
LIES = (CASES / "PDF07-no-tounicode" / "minutes.pdf").read_bytes()
ENGINES = [
    pytest.param("rapidocr", id="rapidocr"),
    pytest.param(
        "tesseract", id="tesseract", marks=pytest.mark.skipif(shutil.which("tesseract") is None, reason="no Tesseract")
    ),
]


class FakeEngine:
    """Reads what it is told to."""

    name, dpi = "fake 1", 100

    def __init__(self, *replies: Sequence[Piece] | OcrError) -> None:
        self.replies = list(replies)
        self.sizes: list[tuple[int, int]] = []

    def read(self, image: Image.Image) -> list[Piece]:
        """Return the next reply."""
        self.sizes.append(image.size)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, OcrError):
            raise reply
        return list(reply)


def parse(content: bytes, **options: str) -> ParsedDocument:
    made = OcrOptions(**options)  # type: ignore[arg-type]
    return PdfiumParser(ocr=made).parse(content, name="a.pdf", uri="file:///a.pdf")


def scan_of(image: Image.Image) -> bytes:
    """Return a PDF of one page that is a picture."""
    out = io.BytesIO()
    image.convert("L").save(out, format="PDF", resolution=150)
    return out.getvalue()


@pytest.mark.parametrize("engine", ENGINES)
def test_a_scan_between_digital_pages_is_read(engine: str) -> None:
    """Case PDF21: the scanned annex has lines of the layer `ocr` with boxes and confidence; its header is read once."""
    document = parse(SCAN, engine=engine)
    page = document.pages[1]

    assert (page.kind, page.flags) == ("mixed", ("read_by_ocr",))
    lines = {line.text: line for line in document.page_lines(2)}
    assert [line.layer for line in lines.values()] == ["text", *["ocr"] * (len(lines) - 2), "text"]
    assert sum("Annual report 2026" in text for text in lines) == 1
    annex = next(line for text, line in lines.items() if "8 barges" in text)
    assert annex.confidence is not None
    assert annex.confidence > 0.8
    assert annex.box is not None
    assert 0 < annex.box.x0 < annex.box.x1 < page.width_pt
    assert {line.confidence for line in document.lines if line.layer != "ocr"} == {None}
    assert document.parsing_summary.ocr_engine is not None
    assert document.parsing_summary.unreadable_pages == ()


@pytest.mark.parametrize("engine", ENGINES)
def test_a_text_layer_that_cannot_be_trusted_is_replaced(engine: str) -> None:
    """Case PDF07: where the font lies, the picture of the page is read instead of its text."""
    document = parse(LIES, engine=engine)

    assert "purchase of two cranes on 4 March 2027" in document.page_text(1)
    assert {line.layer for line in document.lines if line.layer != "hidden"} == {"ocr"}
    assert document.pages[0].flags == ("read_by_ocr",)


def test_never_leaves_pages_unread_and_always_reads_every_page() -> None:
    """What is wanted is done: nothing is read by text recognition, or everything is."""
    never, always = parse(SCAN, mode="never"), parse(SCAN, mode="always")

    assert never == PdfiumParser().parse(SCAN, name="a.pdf", uri="file:///a.pdf")
    assert never.parsing_summary.unreadable_pages == (2,)
    assert {line.layer for line in always.lines} == {"ocr"}
    assert "The fleet has 14 tugs" in always.page_text(1)


def test_without_an_engine_the_page_is_unread_and_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scanned page is never silently empty."""
    monkeypatch.setattr("pincite.parsing.pdf_ocr.engine_for", lambda _: None)
    document = parse(SCAN)

    assert document.pages[1].flags == ("image_without_text",)
    assert any("page 2" in said and "pincite[ocr]" in said for said in document.parsing_summary.warnings)


def test_a_page_that_fails_is_unread_and_the_others_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that takes too long costs its page alone, and the document says so."""
    slow = FakeEngine(OcrError("not read within 1 s (ocr_timeout_s)"))
    monkeypatch.setattr("pincite.parsing.pdf_ocr.engine_for", lambda _: slow)
    document = parse(SCAN)

    assert document.parsing_summary.unreadable_pages == (2,)
    assert any("page 2 was not read" in said for said in document.parsing_summary.warnings)
    assert "93" in document.page_text(3)


@pytest.mark.parametrize("turn", [90, 180, 270])
@pytest.mark.parametrize("engine", ENGINES)
def test_a_picture_that_lies_on_its_side_or_head_is_read(engine: str, turn: int) -> None:
    """The lines come out in order, and their boxes are where they stand in the picture as it is."""
    texts = ("Harbour notice", "The north lock is shut on 12 May.", "Boats wait at the outer pier.")
    upright = Image.open(io.BytesIO(png_bytes(*texts))).convert("L")
    lying = turned(upright, turn)
    made = engine_for(OcrOptions(engine=engine))  # type: ignore[arg-type]
    assert made is not None
    found = recognise(lying, made)

    assert found.turn == (360 - turn) % 360
    assert [" ".join(piece.text for piece in row) for row in found.rows] == list(texts)
    for row in found.rows:
        x0, y0, x1, y1 = row[0].seen
        inked = lying.crop((int(x0), int(y0), int(x1), int(y1))).point(lambda value: 255 if value < 128 else 0)
        assert inked.getbbox() is not None
        assert (x1 - x0 > y1 - y0) == (turn == 180)


def test_a_box_of_a_turned_picture_goes_back_to_its_place() -> None:
    """Turning a picture and its box there and back is no change."""
    image = Image.new("L", (300, 200), 255)
    ImageDraw.Draw(image).rectangle((20, 30, 119, 49), fill=0)
    for turn in (90, 180, 270):
        box = turned(image, turn).point(lambda value: 255 - value).getbbox()
        assert box is not None
        x0, y0, x1, y1 = map(float, box)
        piece = Piece("x", x0, y0, x1, y1, 1.0)
        assert back(piece, turn, image.size).seen == (20, 30, 120, 50)


def test_rows_of_a_slanting_page_stay_rows() -> None:
    """A page that lies a little askew is put straight before its pieces are ordered; boxes stay where they are."""
    slope = 0.03
    found = [
        Found(
            f"{name}{row}",
            tuple((px, py + slope * px) for px, py in ((x, y), (x + 200, y), (x + 200, y + 12), (x, y + 12))),
            0.9,
        )
        for row in range(6)
        for name, x in (("right", 700.0), ("left", 0.0))
        for y in (20.0 * row,)
    ]
    rows = rows_in_order(straightened(found), 3000.0)

    assert [[piece.text for piece in row] for row in rows] == [[f"left{n}", f"right{n}"] for n in range(6)]
    assert rows[0][1].seen[1] == pytest.approx(slope * 700, abs=0.1)


def test_noise_is_not_turned() -> None:
    """A picture whose few marks read no better turned stays as it is, and is tried at half its size."""
    engine = FakeEngine([Piece("x1", 0, 0, 5, 5, 0.4)])
    found = recognise(Image.new("L", (2000, 1000), 255), engine)

    assert found.turn == 0
    assert engine.sizes[0] == (2000, 1000)
    assert set(engine.sizes[1:]) == {(500, 1000), (1000, 500)}


def test_the_limit_of_time_ends_an_engine_and_the_next_picture_is_read() -> None:
    """A picture that takes too long is given up and its process ended; the engine is started anew for the next."""
    image = Image.open(io.BytesIO(png_bytes("The gate is red.")))
    engine = RapidOcr(0.05)
    with pytest.raises(OcrError, match="ocr_timeout_s"):
        engine.read(image)
    assert engine._process is None
    engine._timeout_s = 600
    assert "gate" in " ".join(piece.text for piece in engine.read(image))
    engine.close()
    with pytest.raises(OcrError):
        Tesseract(0.001).read(image)


def test_an_existing_layer_of_recognised_text_is_kept() -> None:
    """A scan that was recognised before is not read again: its layer is called what it is."""
    image = Image.open(io.BytesIO(png_bytes("The gate is red.")))
    with pikepdf.open(io.BytesIO(scan_of(image))) as pdf:
        page = pdf.pages[0]
        font = pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
        page.Resources.Font = pikepdf.Dictionary(F=font)
        page.contents_add(b"BT 3 Tr /F 12 Tf 20 20 Td (The gate is red.) Tj ET")
        out = io.BytesIO()
        pdf.save(out)
    document = parse(out.getvalue())

    assert [(line.text, line.layer, line.confidence) for line in document.lines] == [("The gate is red.", "ocr", None)]
    assert document.parsing_summary.ocr_engine is None


def test_in_a_child_process_with_a_limit_of_its_own() -> None:
    """The pool hands the options on, and the time of text recognition is not counted as time of parsing."""
    with ParsePool(jobs=1, timeout_s=60, timeout_per_page_s=0, ocr=OcrOptions(engine="rapidocr")) as pool:
        request = ParseRequest(name="a.pdf", uri="file:///a.pdf", content=SCAN)
        document = next(pool.parse_many([request])).value()
    assert "8 barges" in document.page_text(2)


def test_a_cite_of_recognised_text_says_so_and_what_was_unread_is_read_again(tmp_path: Path) -> None:
    """A page that was unread is read when an engine is wanted later; the cite has the layer `ocr`."""
    (tmp_path / "report.pdf").write_bytes(SCAN)
    question = "How many barges does the annex list?"
    settings = Settings(jobs=1, embedder="none", ocr="never")
    with Library(tmp_path / "l", settings=settings) as library:
        library.add(tmp_path / "report.pdf")
        refused = library.ask(question)
        assert isinstance(refused, Refusal)
        assert refused.reason == "unreadable"
    with Library(tmp_path / "l", settings=Settings(jobs=1, embedder="none")) as library:
        assert len(library.add(tmp_path / "report.pdf").added) == 1
        answer = library.ask(question)
        assert isinstance(answer, Answer)
        assert {c.layer for item in answer.items for c in item.citations} == {"ocr"}
        assert library.document("report.pdf").page_lines(2)[1].confidence is not None
        assert library.add(tmp_path / "report.pdf").unchanged == ("report.pdf",)


def test_a_tiff_of_several_pages_counts_them() -> None:
    """Each frame is a page with its own lines and how sure they are."""
    frames = [Image.open(io.BytesIO(png_bytes(f"The gate number is {n} today."))).convert("L") for n in (7, 9)]
    out = io.BytesIO()
    frames[0].save(out, format="TIFF", save_all=True, append_images=frames[1:])
    document = PictureParser().parse(out.getvalue(), name="a.tiff", uri="file:///a.tiff")

    assert [page.flags for page in document.pages] == [("read_by_ocr",)] * 2
    assert ["7" in document.page_text(1), "9" in document.page_text(2)] == [True, True]
    assert all(line.confidence for line in document.lines)


def test_engines_are_looked_for_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tesseract comes first where it is on the machine; an engine that is asked for by name is no other."""
    monkeypatch.setattr(ocr_engines, "tesseract_path", lambda: "/usr/bin/tesseract")
    chosen: list[Engine | None] = [engine_for(OcrOptions(engine=name)) for name in ("auto", "tesseract", "rapidocr")]
    assert [type(one).__name__ for one in chosen] == ["Tesseract", "Tesseract", "RapidOcr"]
    monkeypatch.setattr(ocr_engines, "tesseract_path", lambda: None)
    assert isinstance(engine_for(OcrOptions()), RapidOcr)
    assert engine_for(OcrOptions(engine="tesseract")) is None
