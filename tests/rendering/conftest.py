"""Small PDFs and citations made on the spot."""

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from pincite.rendering.citing import NumberedCitation
from pincite.types.answer import Answer, Item, ReadExtent, Refusal, Searched, SearchedTerm, Signals
from pincite.types.citation import Citation, HighlightBox, Verdict
from pincite.types.document import Line
from pincite.types.geometry import BBox

CASES = Path(__file__).parent.parent / "cases"


@pytest.fixture(scope="session")
def cases() -> Path:
    return CASES


@pytest.fixture
def make_pdf() -> Callable[..., bytes]:
    """Return a maker of one-page PDFs; `text` maps user-space points to strings in 12 pt Helvetica."""

    def make(
        text: dict[tuple[float, float], str] | None = None,
        *,
        media: Sequence[float] = (0, 0, 300, 400),
        crop: Sequence[float] | None = None,
        rotate: int | None = None,
        on_parent: bool = False,
        n_pages: int = 1,
    ) -> bytes:
        pdf = pikepdf.new()
        font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
        drawn = "".join(f"BT /F 12 Tf {x} {y} Td ({shown}) Tj ET\n" for (x, y), shown in (text or {}).items())
        for _ in range(n_pages):
            page = pdf.add_blank_page(page_size=(10, 10))
            page.Resources = Dictionary(Font=Dictionary(F=font))
            page.Contents = pdf.make_stream(drawn.encode())
            holder = pdf.Root.Pages if on_parent else page.obj
            if on_parent:
                del page.obj.MediaBox
            holder.MediaBox = Array(list(media))
            if crop is not None:
                holder.CropBox = Array(list(crop))
            if rotate is not None:
                holder.Rotate = rotate
        out = io.BytesIO()
        pdf.save(out)
        return out.getvalue()

    return make


@pytest.fixture
def make_citation() -> Callable[..., Citation]:
    """Return a maker of citations; `boxes` are `(page, width, height, box)`."""

    def make(*boxes: tuple[int, float, float, tuple[float, float, float, float]], **changes: Any) -> Citation:
        fields: dict[str, Any] = {
            "doc_id": "d",
            "doc_name": "paper.pdf",
            "content_hash": "0" * 64,
            "page": boxes[0][0] if boxes else None,
            "page_label": None,
            "last_page": boxes[-1][0] if boxes else None,
            "first_line": 1,
            "last_line": 1,
            "line_ids": (1,),
            "section": (),
            "quote": "The fender gap is 40 mm.",
            "claimed_quote": "The fender gap is 40 mm.",
            "boxes": tuple(HighlightBox(page=p, width_pt=w, height_pt=h, box=box) for p, w, h, box in boxes),
            "verdict": Verdict(status="verified", match="exact"),
        }
        return Citation(**{**fields, **changes})

    return make


@pytest.fixture
def number() -> Callable[..., tuple[NumberedCitation, ...]]:
    """Return a maker of numbered citations, an item each."""

    def make(*citations: Citation) -> tuple[NumberedCitation, ...]:
        return tuple(
            NumberedCitation(number=n, citation=citation, item_nums=(n,))
            for n, citation in enumerate(citations, start=1)
        )

    return make


@pytest.fixture
def make_line() -> Callable[..., Line]:
    def make(line_id: int, text: str, box: tuple[float, float, float, float] | None = None, **changes: Any) -> Line:
        shape = None if box is None else BBox(x0=box[0], y0=box[1], x1=box[2], y1=box[3])
        return Line(**{"line_id": line_id, "page_num": 1, "line_num": line_id, "text": text, "box": shape, **changes})

    return make


SIGNALS = Signals(
    answer_found=True,
    complete_answer_found=True,
    context_completeness=0.9,
    context_structured=True,
    confidence=0.8,
)


@pytest.fixture
def make_answer() -> Callable[..., Answer]:
    def make(*items: Item, **changes: Any) -> Answer:
        fields = {
            "question": "How wide is the gap?",
            "shape": "text",
            "items": items,
            "signals": SIGNALS,
            "trace_id": "t1",
        }
        return Answer(**{**fields, **changes})

    return make


@pytest.fixture
def make_refusal() -> Callable[..., Refusal]:
    def make(**changes: Any) -> Refusal:
        fields = {
            "question": "When was the pier built?",
            "reason": "not_found",
            "message": "The lines that were read do not say it.",
            "searched": Searched(documents=2, pages=30, sections=4, terms=(SearchedTerm(term="pier", hits=3),)),
            "read": ReadExtent(lines=41, pages=1),
            "signals": SIGNALS,
            "trace_id": "t2",
        }
        return Refusal(**{**fields, **changes})

    return make
