import functools
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2 as pdfium
import pytest
from pikepdf import Array, Dictionary, Name
from PIL import Image, ImageChops

from pincite.errors import CorruptFileError, PasswordRequiredError
from pincite.rendering.annotate import annotate_pdf, annotated
from pincite.rendering.citing import NumberedCitation
from pincite.rendering.palette import laid_on_white, tint
from pincite.types.citation import Citation

MakePdf = Callable[..., bytes]
MakeCitation = Callable[..., Citation]
Number = Callable[..., tuple[NumberedCitation, ...]]


def picture(content: bytes, page_num: int = 1, password: str | None = None) -> Image.Image:
    """Return the page as pdfium shows it, one pixel a point."""
    document = pdfium.PdfDocument(content, password=password)
    image: Image.Image = document[page_num - 1].render(scale=1).to_pil().convert("RGB").copy()
    document.close()
    return image


def text_of(content: bytes) -> str:
    document = pdfium.PdfDocument(content)
    text = "".join(page.get_textpage().get_text_bounded() for page in document)
    document.close()
    return text


def tinted(image: Image.Image, item_num: int = 1) -> tuple[int, int, int, int] | None:
    """Return the bounds of the pixels that have the tint of an item."""
    off = ImageChops.difference(image, Image.new("RGB", image.size, laid_on_white(tint(item_num).fill)))
    worst = functools.reduce(ImageChops.lighter, off.split())
    return worst.point([255 if distance <= 2 else 0 for distance in range(256)]).getbbox()


def pixels(image: Image.Image) -> Sequence[tuple[int, int, int]]:
    raw = image.tobytes()
    return [(raw[i], raw[i + 1], raw[i + 2]) for i in range(0, len(raw), 3)]


@pytest.mark.parametrize("rotate", [None, 90, 180, 270, -90, 450])
@pytest.mark.parametrize("crop", [None, (30, 40, 280, 360)])
@pytest.mark.parametrize("on_parent", [False, True])
def test_the_tint_lies_where_the_box_is_displayed(
    rotate: int | None,
    crop: tuple[float, ...] | None,
    on_parent: bool,
    make_pdf: MakePdf,
    make_citation: MakeCitation,
    number: Number,
) -> None:
    """On rotated and cropped pages too, pdfium shows the highlight exactly on the box, and nowhere else."""
    original = make_pdf(crop=crop, rotate=rotate, on_parent=on_parent)
    blank = picture(original)
    citation = make_citation((1, blank.width, blank.height, (40, 60, 140, 80)))

    shown = picture(annotated(original, number(citation)))

    assert tinted(shown) == (40, 60, 140, 80)
    shown.paste("white", (40, 60, 140, 80))
    assert shown.tobytes() == blank.tobytes()


@pytest.mark.parametrize("degrees", ["90", "180", "270"])
def test_the_printed_sentence_is_covered_on_rotated_pages(
    degrees: str, cases: Path, make_citation: MakeCitation, number: Number
) -> None:
    """The quadrilateral covers the sentence in user space, where the text is."""
    folder = cases / "PDF09-rotate-flag"
    expected = json.loads((folder / "case.json").read_text(encoding="utf-8"))["expected"]
    width, height = (612, 792) if degrees == "180" else (792, 612)
    x0, y0, x1, y1 = expected["displayed_box_fraction_topleft"][degrees]
    citation = make_citation((1, width, height, (x0 * width, y0 * height, x1 * width, y1 * height)))

    marked = annotated((folder / f"plan-rot{degrees}.pdf").read_bytes(), number(citation))

    with pikepdf.open(io.BytesIO(marked)) as pdf:
        rect = [float(part) for part in pdf.pages[0].Annots[0].Rect]
    assert rect == pytest.approx(expected["pdf_user_space_box"], abs=0.1)


def test_text_stays_black_and_as_it_was(make_pdf: MakePdf, make_citation: MakeCitation, number: Number) -> None:
    """The tint lies under the letters, and page content and text are untouched."""
    original = make_pdf({(40, 325): "IIIIIIII"})
    citation = make_citation((1, 300, 400, (35, 60, 140, 80)))

    marked = annotated(original, number(citation))

    assert text_of(marked) == text_of(original)
    with pikepdf.open(io.BytesIO(original)) as before, pikepdf.open(io.BytesIO(marked)) as after:
        assert after.pages[0].Contents.read_bytes() == before.pages[0].Contents.read_bytes()
    dark = [pixel for pixel in pixels(picture(marked).crop((36, 61, 139, 79))) if max(pixel) < 90]
    dark_before = [pixel for pixel in pixels(picture(original).crop((36, 61, 139, 79))) if max(pixel) < 90]
    assert len(dark) >= len(dark_before) > 0


def test_the_highlight_shows_on_dark_paper(make_citation: MakeCitation, number: Number) -> None:
    """Ink on black stays black, so the edge of the box is drawn over what is under it."""
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(300, 400))
    page.Contents = pdf.make_stream(b"0 g 0 0 300 400 re f")
    out = io.BytesIO()
    pdf.save(out)
    citation = make_citation((1, 300, 400, (40, 60, 140, 80)))

    shown = picture(annotated(out.getvalue(), number(citation))).convert("L")

    assert shown.point([0] * 60 + [255] * 196).getbbox() == (40, 60, 140, 80)
    assert shown.getpixel((90, 70)) == 0


def test_the_comment_says_number_quote_and_verdict(
    make_pdf: MakePdf, make_citation: MakeCitation, number: Number
) -> None:
    """A reader's comment pane shows which item the highlight belongs to and how it was checked."""
    citation = make_citation(
        (1, 300, 400, (40, 60, 140, 72)), (1, 300, 400, (40, 72, 90, 84)), quote="The gap\nis 40 mm."
    )

    with pikepdf.open(io.BytesIO(annotated(make_pdf(), number(citation)))) as pdf:
        (annotation,) = pdf.pages[0].Annots

        assert annotation.Subtype == Name.Highlight
        assert str(annotation.T) == "pincite"
        assert str(annotation.Contents).split("\r") == [
            "[1] item 1 · p.1 l.1",
            "“The gap is 40 mm.”",
            "✓ verified · found character for character",
        ]
        assert [float(part) for part in annotation.QuadPoints] == [
            *(40, 340, 140, 340, 40, 328, 140, 328),
            *(40, 328, 90, 328, 40, 316, 90, 316),
        ]
        assert str(annotation.AP.N.Resources.ExtGState.marker.BM) == "/Multiply"


def test_items_have_their_own_colours(make_pdf: MakePdf, make_citation: MakeCitation, number: Number) -> None:
    """The second item is highlighted in the second tint."""
    first = make_citation((1, 300, 400, (40, 60, 140, 80)))
    second = make_citation((1, 300, 400, (40, 160, 140, 180)))

    shown = picture(annotated(make_pdf(), number(first, second)))

    assert (tinted(shown, 1), tinted(shown, 2)) == ((40, 60, 140, 80), (40, 160, 140, 180))


def test_other_annotations_stay(make_pdf: MakePdf, make_citation: MakeCitation, number: Number) -> None:
    """Links and notes of the original are kept, also where two pages share one list of them."""
    pdf = pikepdf.open(io.BytesIO(make_pdf(n_pages=2)))
    note = Dictionary(Type=Name.Annot, Subtype=Name.Text, Rect=Array([0, 0, 9, 9]))
    shared = pdf.make_indirect(Array([pdf.make_indirect(note)]))
    for page in pdf.pages:
        page.obj.Annots = shared
    out = io.BytesIO()
    pdf.save(out)
    citation = make_citation((2, 300, 400, (40, 60, 140, 80)))

    with pikepdf.open(io.BytesIO(annotated(out.getvalue(), number(citation)))) as marked:
        kinds = [[str(annotation.Subtype) for annotation in page.Annots] for page in marked.pages]

    assert kinds == [["/Text"], ["/Text", "/Highlight"]]


def test_boxes_off_the_page_are_not_drawn(make_pdf: MakePdf, make_citation: MakeCitation, number: Number) -> None:
    """A page that is not there or a box outside the visible page adds nothing and breaks nothing."""
    citation = make_citation((1, 300, 400, (310, 60, 400, 80)), (7, 300, 400, (10, 10, 20, 20)))

    with pikepdf.open(io.BytesIO(annotated(make_pdf(), number(citation)))) as pdf:
        assert Name.Annots not in pdf.pages[0].obj


def test_files_with_editing_restrictions_keep_them(cases: Path, make_citation: MakeCitation, number: Number) -> None:
    """A file that anyone may open is highlighted, and the copy is encrypted as the original was."""
    citation = make_citation((1, 612, 792, (40, 60, 140, 80)))

    marked = annotated((cases / "PDF23-encrypted" / "owner-only.pdf").read_bytes(), number(citation))

    with pikepdf.open(io.BytesIO(marked)) as pdf:
        assert pdf.is_encrypted
        assert not pdf.allow.extract
    assert tinted(picture(marked)) is not None


def test_locked_files_need_their_password(cases: Path, make_citation: MakeCitation, number: Number) -> None:
    """A locked file says so; with its password it is highlighted, and stays locked."""
    original = (cases / "PDF23-encrypted" / "needs-password.pdf").read_bytes()
    password = json.loads((cases / "PDF23-encrypted" / "case.json").read_text(encoding="utf-8"))["expected"]["files"][
        "needs-password.pdf"
    ]["password_for_test"]
    citations = number(make_citation((1, 612, 792, (40, 60, 140, 80))))

    with pytest.raises(PasswordRequiredError, match=r"key\.pdf"):
        annotated(original, citations, name="key.pdf")
    marked = annotated(original, citations, password=password)
    with pytest.raises(pikepdf.PasswordError):
        pikepdf.open(io.BytesIO(marked))
    assert tinted(picture(marked, password=password)) is not None


@pytest.mark.parametrize("name", ["m-bad-xref.pdf", "r-leading-junk.pdf"])
def test_broken_files_that_can_be_read_can_be_highlighted(
    name: str, cases: Path, make_citation: MakeCitation, number: Number
) -> None:
    """A file that was repaired to be read is repaired to be written."""
    original = (cases / "PDF24-corrupt-batch" / name).read_bytes()

    marked = annotated(original, number(make_citation((1, 612, 792, (40, 360, 140, 380)))))

    assert tinted(picture(marked)) == (40, 360, 140, 380)


def test_what_only_pdfium_can_open_is_highlighted(
    make_pdf: MakePdf, make_citation: MakeCitation, number: Number, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where pikepdf gives up on the original, the copy that pdfium repaired is highlighted."""
    original = make_pdf()
    opened = pikepdf.open
    calls: list[int] = []

    def fails_once(*args: Any, **kwargs: Any) -> pikepdf.Pdf:
        calls.append(1)
        if len(calls) == 1:
            raise pikepdf.PdfError("broken")
        return opened(*args, **kwargs)

    monkeypatch.setattr("pikepdf.open", fails_once)

    marked = annotated(original, number(make_citation((1, 300, 400, (40, 60, 140, 80)))))

    assert tinted(picture(marked)) == (40, 60, 140, 80)


def test_noise_is_refused_by_name(cases: Path, tmp_path: Path) -> None:
    """Bytes that are no PDF give an error that names the file, and no file is left behind."""
    original = (cases / "PDF24-corrupt-batch" / "q-noise.pdf").read_bytes()

    with pytest.raises(CorruptFileError, match=r"q-noise\.pdf"):
        annotate_pdf(original, (), tmp_path / "out.pdf", name="q-noise.pdf")
    assert list(tmp_path.iterdir()) == []


def test_writing_twice_gives_the_same_bytes(
    make_pdf: MakePdf, make_citation: MakeCitation, number: Number, tmp_path: Path
) -> None:
    """The same answer gives the same file, so a highlight can be compared or cached."""
    citations = number(make_citation((1, 300, 400, (40, 60, 140, 80))))

    first = annotate_pdf(make_pdf(), citations, tmp_path / "new" / "a.pdf")
    second = annotate_pdf(make_pdf(), citations, tmp_path / "b.pdf")

    assert first.read_bytes() == second.read_bytes()
    assert sorted(path.name for path in tmp_path.rglob("*.pdf")) == ["a.pdf", "b.pdf"]
