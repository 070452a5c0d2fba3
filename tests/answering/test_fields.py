"""Form fields: the field whose label is asked for answers, whatever the shape of the question."""

import pytest
from msgspec.structs import replace
from tests.making import brief_of, pages, read

from pincite.answering.extractive import ExtractiveAnswerer
from pincite.types.document import ParsedDocument

FIELDS = "Remarks: Needs power until dusk\nSize of the stall: medium\nName of the trader: Petronella Voss\nDays: 3"


def form(text: str = FIELDS) -> ParsedDocument:
    document = pages(f"Application for a stall\n{text}")
    return replace(document, lines=tuple(replace(o, layer="form" if ":" in o.text else "text") for o in document.lines))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What are the remarks?", "Needs power until dusk"),
        ("What is the size of the stall?", "medium"),
        ("What is the name of the trader?", "Petronella Voss"),
    ],
)
def test_the_field_of_that_label_answers(question: str, value: str) -> None:
    """Plural labels, labels that sound like amounts: the value of the field is given."""
    document = form()
    (item,) = ExtractiveAnswerer().answer(brief_of(question, document), read(document)).items
    assert item.text == value
    assert item.quotes[0].quote.endswith(value)


def test_a_field_of_another_label_does_not_answer() -> None:
    """Every word of the question and of the label has to meet, and only one field may."""
    document = form(f"{FIELDS}\nRemarks: none of the office")
    draft = ExtractiveAnswerer().answer(brief_of("What are the remarks?", document), read(document))
    assert [item.text for item in draft.items] != ["Needs power until dusk"]
    other = ExtractiveAnswerer().answer(brief_of("What is the colour of the stall?", document), read(document))
    assert "medium" not in [item.text for item in other.items]
