"""Where the answer stands, and what counts as finding it."""

import pytest

from pincite.evaluation.places import DocumentText, Place
from pincite.evaluation.samples import Evidence, Sample
from pincite.evaluation.scorers import reading_scores
from pincite.evaluation.truth import Truth, keys_of, truth_of

TEXT = "# Harbour\n\nBoats pay a fee.\n\n## Cranes\n\nThe crane  lifts\n8 t. It is old.\n\n```\n# no heading\n```\n"


def text_of(name: str) -> DocumentText:
    """Return the text of the one document there is."""
    del name
    return DocumentText(TEXT)


def truth(**evidence: object) -> Truth:
    """Return the truth of a question with one piece of evidence."""
    made = Evidence(doc="a.md", **evidence)  # type: ignore[arg-type]
    return truth_of(Sample(id="1", question="?", evidence=(made,)), text_of)


def place(wanted: str) -> Place:
    """Return where a text stands."""
    at = TEXT.index(wanted)
    return Place(doc="a.md", start=at, end=at + len(wanted), text=wanted)


def test_evidence_is_found_however_it_is_written() -> None:
    """Line breaks, case and marks of the suite need not be those of the file."""
    found = truth(text="the crane lifts 8 t").pieces[0]

    assert (found.start, found.end) == (TEXT.index("The crane"), TEXT.index("t. It") + 1)


def test_a_paragraph_is_found_by_a_line_of_it() -> None:
    """The unit of a text is the paragraph: any place in it finds it, one beside it does not."""
    known = truth(text="The crane lifts 8 t.")

    assert known.unit == "paragraph"
    assert set(keys_of([place("It is old.")], known, text_of)) == set(known.gold)
    assert not set(keys_of([place("Boats pay")], known, text_of)) & set(known.gold)


def test_a_section_is_found_by_its_heading() -> None:
    """A heading in code is none; the section ends where the next begins."""
    known = truth(heading="Cranes")

    assert (known.unit, [title for _, title in text_of("").sections]) == ("section", ["Harbour", "Cranes"])
    assert set(keys_of([place("no heading")], known, text_of)) == set(known.gold)
    assert not set(keys_of([place("Boats pay")], known, text_of)) & set(known.gold)


def test_a_long_window_finds_the_paragraph_it_holds() -> None:
    """Pipelines with windows over several paragraphs are not counted down: a right one inside is found."""
    window = Place(doc="a.md", start=0, end=len(TEXT))
    known = truth(text="Boats pay a fee.")

    assert set(keys_of([window], known, text_of)) == set(known.gold)


def test_units_come_once_in_the_order_of_their_first_place() -> None:
    """A second place in a paragraph takes no rank."""
    known = truth(text="Boats pay a fee.")
    places = [place("It is old."), place("8 t."), place("Boats")]

    assert len(keys_of(places, known, text_of)) == 2


def test_pages_are_found_by_their_number() -> None:
    """Of a PDF the page counts, whatever its text."""
    known = truth(page=3, text="x" * 600)

    assert known.gold == {("a.md", 3): 1}
    assert keys_of([Place(doc="a.md", page=2), Place(doc="a.md", page=3)], known, text_of) == (("a.md", 2), ("a.md", 3))


def test_without_evidence_there_is_nothing_to_find() -> None:
    """A question that has to be refused measures no retrieval."""
    assert truth_of(Sample(id="1", question="?", answerable=False), text_of).unit is None


def test_recall_and_precision_of_characters() -> None:
    """What is read is measured by the very characters: half of the evidence, and how much of the reading it is."""
    start = TEXT.index("Boats")
    known = truth(start=start, end=start + 16, text=TEXT[start : start + 16])
    read = [Place(doc="a.md", start=start + 8, end=start + 24), Place(doc="a.md", start=start + 8, end=start + 20)]

    assert reading_scores(read, known) == {"gold_coverage": 0.5, "span_recall": 0.5, "span_precision": 0.5}


def test_of_a_page_the_words_count() -> None:
    """Two of three words of the evidence are read on its page; the third stands on another."""
    known = truth(page=1, text="alpha beta gamma")
    read = [Place(doc="a.md", page=1, text="beta alpha"), Place(doc="a.md", page=2, text="gamma")]

    assert reading_scores(read, known)["gold_coverage"] == pytest.approx(2 / 3)


def test_a_long_text_without_empty_lines_has_a_paragraph_a_line() -> None:
    """A file whose paragraphs are single lines is not one huge paragraph."""
    text = DocumentText("\n".join(["word " * 400] * 5))

    assert len(text.paragraph_starts) == 5
