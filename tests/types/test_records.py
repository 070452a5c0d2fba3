"""The nouns: frozen, compared by content, one JSON form."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.making import parsed, record_of

from pincite.errors import PinciteError, SettingsError
from pincite.types.answer import Answer, DateValue, DraftItem, Quantity, Refusal, Signals, Truth
from pincite.types.citation import Citation, HighlightBox, Verdict
from pincite.types.geometry import BBox, PageSize
from pincite.types.record import dump_json, from_json, load_json, to_json

BOX = HighlightBox(page=6, width_pt=612, height_pt=792, box=(1, 2, 3, 4))


def citation(**changed: Any) -> Citation:
    fields: dict[str, Any] = {
        "doc_id": "d", "doc_name": "paper.pdf", "content_hash": "h", "page": 6, "page_label": None, "last_page": 6,
        "first_line": 33, "last_line": 37, "line_ids": (1,), "section": (), "quote": "q", "claimed_quote": "q",
        "boxes": (BOX,), "verdict": Verdict(status="verified"),
    }  # fmt: skip
    return Citation(**{**fields, **changed})


@pytest.mark.parametrize(
    ("changed", "shown"),
    [
        ({}, "paper.pdf p.6 l.33–37"),
        ({"last_line": 33}, "paper.pdf p.6 l.33"),
        ({"page_label": "6"}, "paper.pdf p.6 l.33–37"),
        ({"page_label": "3"}, "paper.pdf p.3 [sheet 6] l.33–37"),
        ({"last_page": 7, "last_line": 2}, "paper.pdf p.6 l.33 – p.7 l.2"),
        ({"page": 1, "last_page": 1, "boxes": ()}, "paper.pdf l.33–37"),
        ({"page": None, "last_page": None, "boxes": ()}, "paper.pdf l.33–37"),
    ],
)
def test_a_pin_cite_is_short_and_exact(changed: dict[str, Any], shown: str) -> None:
    """A citation shows document, printed page (with the sheet where they differ) and lines."""
    assert str(citation(**changed)) == shown


SIGNALS = Signals(
    answer_found=True, complete_answer_found=True, context_completeness=1, context_structured=True, confidence=1
)


def test_values_come_back_from_json_as_they_were(tmp_path: Path) -> None:
    """Each kind of value keeps its kind; results are told apart by `result`."""
    values = (Quantity(number="3.20", unit="m"), DateValue(iso="2027-03", original="March 2027"), Truth(value=False))
    for value in values:
        item = DraftItem(text="x", quotes=(), value=value)
        assert from_json(to_json(item), DraftItem) == item
    answer = Answer(question="q", shape="text", items=(), signals=SIGNALS, trace_id="t")
    assert to_json(answer)["result"] == "answer"
    path = tmp_path / "a.json"
    path.write_bytes(dump_json(answer))
    assert load_json(path, Answer) == answer
    with pytest.raises(msgspec.ValidationError):
        from_json(to_json(answer), Refusal)


def test_records_cannot_be_changed() -> None:
    """A noun that was handed on stays what it was."""
    with pytest.raises(AttributeError):
        BOX.page = 7  # type: ignore[misc]


def test_an_answer_without_a_library_says_how_to_draw_it(tmp_path: Path) -> None:
    """`highlight` works on answers of a library; the drawer is no part of the value."""
    answer = Answer(question="q", shape="text", items=(), signals=SIGNALS, trace_id="t")
    with pytest.raises(SettingsError, match="no library"):
        answer.highlight(tmp_path / "a.pdf")
    drawn = answer.highlighted_by(lambda _, path: path)
    assert drawn.highlight(tmp_path / "a.pdf") == tmp_path / "a.pdf"
    assert "_highlighter" not in to_json(drawn)


sides = st.floats(0, 1000, allow_nan=False)


@given(st.lists(sides, min_size=8, max_size=8))
def test_a_union_covers_both_boxes(n: list[float]) -> None:
    """The smallest box around two holds both, in whichever order; a box turned inside out cannot be made."""
    one = BBox(x0=min(n[0:2]), x1=max(n[0:2]), y0=min(n[2:4]), y1=max(n[2:4]))
    other = BBox(x0=min(n[4:6]), x1=max(n[4:6]), y0=min(n[6:8]), y1=max(n[6:8]))
    both = one.union(other)
    assert both == other.union(one)
    for box in (one, other):
        assert both.x0 <= box.x0 <= box.x1 <= both.x1
        assert both.y0 <= box.y0 <= box.y1 <= both.y1
    with pytest.raises(ValueError, match="inside out"):
        BBox(x0=1, y0=0, x1=0, y1=0)


def test_fractions_of_a_page() -> None:
    """A box is given as parts of the page, top left first."""
    assert BBox(x0=0, y0=99, x1=306, y1=198).as_fractions(PageSize(width_pt=612, height_pt=792)) == (
        0,
        0.125,
        0.5,
        0.25,
    )


@pytest.mark.parametrize(
    ("metadata", "date"),
    [
        ({"date": "2026-09-15"}, "2026-09-15"),
        ({"date": "2026-09-15T10:00:00"}, "2026-09-15"),
        ({"updated": "2026-01-02", "effective_date": "2026-05-05"}, "2026-05-05"),
        ({"date": "spring"}, None),
        ({}, None),
    ],
)
def test_the_date_a_document_gives_itself(metadata: dict[str, Any], date: str | None) -> None:
    """The first ISO date among the keys that name one."""
    assert record_of(parsed("x"), metadata=metadata).date == date


def test_lines_of_a_document() -> None:
    """Lines are found by id and by page."""
    document = parsed("a\nb\nc\n", "a.txt")
    assert [line.text for line in document.lines_between(2, 3)] == ["b", "c"]
    assert document.page_text(1).split("\n")[:3] == ["a", "b", "c"]
    assert document.page_lines(2) == ()


def errors(of: type[PinciteError] = PinciteError) -> list[type[PinciteError]]:
    return [of, *(e for child in of.__subclasses__() for e in errors(child))]


def test_every_error_has_a_code_of_its_own() -> None:
    """Programs tell errors apart by a stable code; only a kind and its first sort may share one."""
    codes = [error.code for error in errors()]
    shared = {code for code in codes if codes.count(code) > 1}
    assert shared <= {"corrupt_file", "corrupt_pdf"}
    assert all(code == code.lower() and " " not in code for code in codes)
