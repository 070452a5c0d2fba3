"""What can be named is found where it stands, and told from where it is mentioned."""

import pytest
from msgspec.structs import replace
from tests.making import parsed

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
        ("Appendix B  Forms", "Appendix B"),
        ("Tabelle 4 – Lasten", "Table 4"),
        ("Chart 7: Returns", "Chart 7"),
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


def test_a_mention_in_other_words_leads_to_the_same_place() -> None:
    """What a heading calls Appendix B, text may call Annex B; a paragraph leads to its section, a part to its note."""
    toc = parsed("# Rules\n\n## 7.3 Loads\n\nText.\n\n## Appendix B Forms\n\nText.\n\n## Note 2. Debt\n\nText.\n").toc
    lines = [_line(1, "See clause 7.3(a)(ii), Annex B and Note 2C.")]

    assert [(one.label, one.target) for one in references(lines, named_objects(lines, toc))] == [
        ("Clause 7.3(a)(ii)", "Section 7.3"),
        ("Annex B", "Appendix B"),
        ("Note 2C", "Note 2"),
    ]


def test_a_roman_number_is_not_its_neighbour() -> None:
    """Title III is neither Title II nor Title I, and "part I" in a sentence is no place."""
    toc = parsed("# Title I Names\n\nText.\n\n# Title II Loads\n\nText.\n").toc
    lines = [_line(1, "Title III and Title II apply to the part I described.")]

    assert [(one.label, one.target) for one in references(lines, named_objects(lines, toc))] == [
        ("Title III", None),
        ("Title II", "Title II"),
    ]


def test_a_section_of_another_law_is_not_this_one() -> None:
    """`Section 2 of the Harbour Act` does not lead to section 2 of this document."""
    toc = parsed("# 2 Loads\n\nText.\n").toc
    lines = [_line(1, "Section 2 of the Harbour Act applies, and section 2 of these rules.")]

    assert [one.target for one in references(lines, named_objects(lines, toc))] == [None, "Section 2"]


def test_losses_in_parentheses_are_no_equations() -> None:
    """The numbers of formulas go up; "(179)" at the end of a row of figures is a loss."""
    lines = [_line(1, "E = m c    (1)"), _line(2, "Net change = 12    (179)"), _line(3, "Other  8  (2)"),
             _line(4, "F = m a    (2)")]  # fmt: skip

    assert [one.label for one in named_objects(lines, ())] == ["Equation 1", "Equation 2"]


def test_clauses_are_lines_whose_numbers_follow_one_another() -> None:
    """Clauses without headings can be named, and amounts at the start of a line are none."""
    texts = [
        "1.1 The master shall report.",
        "3.5 Million were spent.",
        "1.2 The office shall answer.",
        "1.2.1 In writing.",
    ]
    lines = [_line(at, text) for at, text in enumerate(texts, start=1)]

    assert [(one.label, one.line_num) for one in named_objects(lines, ())] == [
        ("Clause 1.1", 1), ("Clause 1.2", 3), ("Clause 1.2.1", 4),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("“Business Day” means a day on which banks are open.", ["Business Day"]),
        ('"Base Rate" shall mean the higher of two rates.', ["Base Rate"]),
        ("The term “Vessel” (or “Ship”) refers to any craft.", ["Vessel"]),
        ("Availability is defined as the share of time in service.", ["Availability"]),
        ("“Berth” has the meaning given in Section 2.", ["Berth"]),
        ("This means that the fee is due.", []),
        ("He said “go on” and left.", []),
    ],
)
def test_a_term_is_found_where_it_is_defined(text: str, terms: list[str]) -> None:
    """`“X” means …` names X; a sentence that only means something defines nothing."""
    found = named_objects([_line(1, text)], ())

    assert [one.label for one in found if one.kind == "definition"] == terms


def test_a_glossary_lists_its_terms() -> None:
    """Each entry of a section called Glossary is a term, where it stands."""
    document = parsed(
        "# Glossary\n\n- **Fender**: a cushion.\n- **Spring line**: a rope.\n\n# Rules\n\n- Fee: 3 crowns.\n"
    )

    assert [(one.label, one.line_num) for one in document.objects if one.kind == "definition"] == [
        ("Fender", 3), ("Spring line", 4),
    ]  # fmt: skip


def test_a_list_of_figures_does_not_name_them() -> None:
    """A label leads to the figure, not to the contents page that lists it, with dots or without."""
    lines = [
        _line(1, "Fig. 1. Core structure ........................................ 3"),
        _line(2, "Table 1 Loads by pier 5", "caption"),
        _line(3, "Table 2 Loads by berth 6", "caption"),
        _line(4, "Table 3 Loads by crane 7", "caption"),
        _line(5, "Harbour rules"),
        _line(6, "Fig. 1. Core structure", "caption"),
        _line(7, "Table 2 Loads by berth", "caption"),
    ]
    objects = {one.label: one.line_num for one in named_objects(lines, ())}

    assert (objects["Figure 1"], objects["Table 2"], objects["Table 1"]) == (6, 7, 2)


def test_a_glossary_may_name_its_terms_as_sentences() -> None:
    """What stands before the first stop of an entry is a term; a sentence that wraps begins none."""
    toc = parsed("# Glossary\n\nx\n").toc
    lines = [
        _line(1, "Glossary", "heading"),
        _line(2, "Fee base. The boats that pay in full, after"),
        _line(3, "Harbour dues. They are counted by"),
        _line(4, "the master."),
        _line(5, "Constant rate. A fee at the rate of last year."),
    ]
    lines = [replace(line, section_id=toc[0].section_id) for line in lines]

    assert [one.label for one in named_objects(lines, toc) if one.kind == "definition"] == ["Fee base", "Constant rate"]
