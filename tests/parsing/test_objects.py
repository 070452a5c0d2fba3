"""What can be named is found where it stands, and told from where it is mentioned."""

import pytest

from pincite.parsing.objects import caption, named_objects, references
from pincite.types.document import Line


def _line(line_id: int, text: str, role: str = "body") -> Line:
    return Line(line_id=line_id, page_num=1, line_num=line_id, text=text, role=role)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Figure 3: The mooring plan", "Figure 3"),
        ("Table 2. Loads by pier", "Table 2"),
        ("Fig. 8. Example of a system", "Figure 8"),
        ("TABLE 4-1", "Table 4-1"),
        ("Appendix B  Forms", "Annex B"),
    ],
)
def test_a_caption_names_its_object(text: str, label: str) -> None:
    """The label is the same however it is written."""
    found = caption(text)

    assert found is not None
    assert found[1] == label


@pytest.mark.parametrize("text", ["Table 2 shows the loads.", "Figure it out", "As Figure 3 shows", "Tables of loads"])
def test_a_sentence_is_no_caption(text: str) -> None:
    """A mention at the start of a sentence does not name an object."""
    assert caption(text) is None


def test_mentions_lead_to_their_object() -> None:
    """`see Table 2` resolves to the caption, and a mention of what is not there resolves to nothing."""
    lines = [_line(1, "Table 2. Loads by pier", "caption"), _line(2, "As Table 2 and Figure 9 show, loads rose.")]
    objects = named_objects(lines, ())

    assert [(one.label, one.target) for one in references(lines, objects)] == [
        ("Table 2", "Table 2"),
        ("Figure 9", None),
    ]
