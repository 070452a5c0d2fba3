"""PDFs drawn for one test each, and the cases."""

import io
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest

from pincite.parsing.pdf import PdfiumParser
from pincite.types.document import ParsedDocument

CASES = Path(__file__).parents[1] / "cases"


def drawn_pdf(
    *contents: str,
    media: tuple[float, ...] = (0, 0, 612, 792),
    crop: tuple[float, ...] | None = None,
    rotate: int = 0,
) -> bytes:
    """Return a PDF with a page for each content stream; fonts are /F (Helvetica) and /B (bold)."""
    pdf = pikepdf.new()
    fonts = {
        f"/{key}": pdf.make_indirect(
            pikepdf.Dictionary(
                Type=pikepdf.Name.Font,
                Subtype=pikepdf.Name.Type1,
                BaseFont=pikepdf.Name(f"/{name}"),
                Encoding=pikepdf.Name.WinAnsiEncoding,
            )
        )
        for key, name in (("F", "Helvetica"), ("B", "Helvetica-Bold"), ("C", "Courier"))
    }
    for content in contents:
        page = pikepdf.Dictionary(
            Type=pikepdf.Name.Page,
            MediaBox=list(media),
            Rotate=rotate,
            Resources=pikepdf.Dictionary(Font=pikepdf.Dictionary(fonts)),
            Contents=pdf.make_stream(content.encode("cp1252")),
        )
        if crop is not None:
            page.CropBox = list(crop)
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    out = io.BytesIO()
    pdf.save(out, static_id=True)
    return out.getvalue()


@pytest.fixture
def drawn() -> Callable[..., bytes]:
    """Return `drawn_pdf`."""
    return drawn_pdf


@pytest.fixture
def parse_drawn() -> Callable[..., ParsedDocument]:
    """Return a function that draws pages (see `drawn_pdf`) and parses them."""

    def parse(*contents: str, **how: object) -> ParsedDocument:
        return PdfiumParser().parse(drawn_pdf(*contents, **how), name="drawn.pdf", uri="drawn.pdf")  # type: ignore[arg-type]

    return parse


@pytest.fixture
def parse_case() -> Callable[[str], ParsedDocument]:
    """Return a function that parses a PDF of a case, named `CASE/file.pdf`."""

    def parse(name: str) -> ParsedDocument:
        case, _, file = name.partition("/")
        folder = next(CASES.glob(f"{case}-*"))
        return PdfiumParser().parse((folder / file).read_bytes(), name=file, uri=name)

    return parse
