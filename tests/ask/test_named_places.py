"""Questions that name a place are answered from there, and what points elsewhere is followed."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.making import pages, parsed

from pincite.ask.extents import extent
from pincite.ask.named_places import at_named_places
from pincite.ask.references import defined_terms, pointers
from pincite.library import Library
from pincite.parsing.objects import named_objects, references
from pincite.settings import Settings
from pincite.types.answer import Answer, Refusal
from pincite.types.document import Image
from pincite.types.geometry import BBox
from pincite.types.passage import LineRange

_BASINS = "\n\n".join(f"Basin {n} was built in {1900 + n} and holds {n + 20} boats in summer." for n in range(30))
_RULES = f"""# Rules of the harbour

## 1 Scope

“Visiting Boat” means a boat that stays for less than thirty days.

## 2 Care

Ropes shall be looked after as described in section 4.

{_BASINS}

## 3 Fines

Table 1: Fines

| offence | fine |
| --- | --- |
| speeding | 300 crowns |
| oil spill | 9000 crowns |

Table 2: Limits

| place | limit |
| --- | --- |
| basin | 4 knots |
| channel | 8 knots |

## 4 Ropes

The master looks after each rope by hand and keeps a record.
"""
_ACT = """# Act on ports

## Title I General

The minister may set fees of 10 crowns.

## Title II Liability

The owner is liable for damage up to 2000 crowns.

## Title III Repair

The owner is liable for repair within 30 days.
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Return a library of two sets of rules."""
    folder = tmp_path_factory.mktemp("docs")
    (folder / "rules.md").write_text(_RULES, encoding="utf-8")
    (folder / "act.md").write_text(_ACT, encoding="utf-8")
    with Library(tmp_path_factory.mktemp("library"), settings=Settings(jobs=1)) as made:
        made.add(folder)
        yield made


def _said(library: Library, question: str) -> list[str]:
    result = library.ask(question)
    assert isinstance(result, Answer), result
    return [item.text for item in result.items]


def test_a_table_that_is_named_is_read_out(library: Library) -> None:
    """What a table shows is the table, cell by cell, not the sentences that mention it nor its neighbour."""
    result = library.ask("What does Table 2 show?")
    assert isinstance(result, Answer)
    assert (result.shape, result.columns) == ("table", ("place", "limit"))
    assert [item.text for item in result.items] == ["basin | 4 knots", "channel | 8 knots"]
    cited = [[c.cell.text for c in item.citations if c.cell is not None] for item in result.items]
    assert cited == [["basin", "4 knots"], ["channel", "8 knots"]]
    assert "Table 2: Limits" in " ".join(result.signals.caveats)


def test_a_question_is_answered_from_the_place_it_names(library: Library) -> None:
    """The limit of Table 2 and what Title II says come from there, and the answer tells."""
    assert _said(library, "What is the limit of the channel in table 2?") == ["8 knots"]
    assert _said(library, "What is the owner liable for under Title II?") == [
        "The owner is liable for damage up to 2000 crowns."
    ]
    result = library.ask("What does Title II say about damage?")
    assert isinstance(result, Answer)
    assert "read Title II, which the question names" in result.signals.caveats


@pytest.mark.parametrize("question", ["What fee may the minister set under Title III?", "What does Title IV say?"])
def test_another_title_is_no_answer(library: Library, question: str) -> None:
    """A question on Title III is not answered from Title I, nor one on a title that is not there."""
    assert isinstance(library.ask(question), Refusal)


def test_what_a_sentence_leaves_to_a_section_is_read_there_and_both_are_cited(library: Library) -> None:
    """`As described in section 4` leads to section 4; the answer cites what it says and who sent us there."""
    result = library.ask("How are ropes looked after?")

    assert isinstance(result, Answer)
    assert result.items[0].text == "The master looks after each rope by hand and keeps a record."
    assert [citation.quote for citation in result.items[0].citations] == [
        "The master looks after each rope by hand and keeps a record.",
        "Ropes shall be looked after as described in section 4.",
    ]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who repairs the roof?", "The Landlord repairs the roof as set out in Annex A."),
        ("How does the landlord repair the roof?", "The roof is repaired by the landlord within two weeks."),
    ],
)
def test_a_sentence_that_says_it_itself_is_no_pointer(tmp_path: Path, question: str, said: str) -> None:
    """A sentence with "as set out in Annex A" is followed for how it is done, and answers who does it."""
    text = "# Lease\n\nThe Landlord repairs the roof as set out in Annex A.\n\n## Annex A\n\n"
    (tmp_path / "lease.md").write_text(f"{text}The roof is repaired by the landlord within two weeks.\n", "utf-8")
    with Library(tmp_path / "library") as library:
        library.add(tmp_path / "lease.md")
        result = library.ask(question)

    assert isinstance(result, Answer)
    assert result.items[0].text == said


def test_a_term_is_explained_where_it_is_defined(library: Library) -> None:
    """A question for a meaning goes to the definition, in whatever case and number it is asked."""
    assert _said(library, "What does visiting boats mean?") == [
        "“Visiting Boat” means a boat that stays for less than thirty days."
    ]


def test_sections_of_other_laws_are_not_followed() -> None:
    """A sentence that points at another document leads nowhere."""
    document = parsed("# 1 Dues\n\nPaid as set out in section 2 of the Harbour Act.\n\n# 2 Ropes\n\nText.\n")

    assert list(pointers(document, LineRange(doc_id="d", first_line_id=1, last_line_id=3))) == []


def test_a_figure_is_its_caption_and_what_text_says_of_it() -> None:
    """The lines that mention a figure are read with it."""
    document = pages("Lamps burn oil.\nAs Figure 1 shows, it is tall.\nText.\nText.\nText.\nFigure 1: The house.")
    document = replace(document, lines=(*document.lines[:-1], replace(document.lines[-1], role="caption")))
    objects = named_objects(document.lines, ())
    document = replace(document, objects=objects, references=references(document.lines, objects))

    assert [(one.first_line_id, one.last_line_id) for one in extent(document, objects[0], "d")] == [(6, 6), (1, 3)]


def test_terms_that_lines_use_are_found_as_they_are_written() -> None:
    """A defined term counts where it stands as a word of its own, in singular or plural."""
    document = parsed("# Terms\n\n“Ship” means any craft.\n\n“Dock” means a basin.\n")

    assert [term for term, _ in defined_terms(document, "All Ships pay; Docking is free.", "d")] == ["Ship"]


def test_the_picture_of_a_figure_is_told_with_its_box(tmp_path: Path) -> None:
    """A figure that is a picture can be cited by page and box, and the answer says that it was not read."""
    from pincite.add import put_document
    from pincite.answering.extractive import ExtractiveAnswerer
    from pincite.ask.reading import ReadDocument
    from pincite.ask.tools import Tools
    from pincite.questions import StoreCorpus, parse_question, retrieval_query
    from pincite.retrieval import HybridRetriever
    from pincite.storage.sqlite import SqliteStore
    from pincite.types.question import Scope

    document = pages("Figure 1: The lamp house stands on the mole.\nIt rains.", roles={1: "caption"})
    picture = Image(page_num=1, box=BBox(x0=10, y0=20, x1=200, y1=300), content_hash="0", caption_line_id=1)
    document = replace(document, objects=named_objects(document.lines, ()), images=(picture,))
    with SqliteStore(tmp_path) as store:
        put_document(document, store, Settings(), original=None)
        record = store.records()[0]
        tools = Tools(
            store=store,
            retriever=HybridRetriever(store, None),
            answerer=ExtractiveAnswerer(),
            document_of=lambda _: ReadDocument(record=record, document=store.document(record.doc_id)),
            settings=Settings(),
            versions={},
        )
        question = parse_question("What does Figure 1 show?", StoreCorpus(store, ()))
        found = at_named_places(question, retrieval_query(question, Scope()), [record], tools)

    assert found is not None
    assert (
        "Figure 1 is a picture on p.1, box [10, 20, 200, 300]: only the text about it was read" in found.question.notes
    )


def test_a_term_that_an_answer_uses_is_shown_beside_it(tmp_path: Path) -> None:
    """The definition has its own cite, is no item, and everyday words are no terms."""
    (tmp_path / "dues.md").write_text(
        "# Dues\n\n“Visiting Boat” means a boat that stays for less than thirty days.\n\n“Day” means a day.\n\n"
        "“Harbour Master” means who runs the harbour.\n\n## Fees\n\nA Visiting Boat pays 40 crowns a Day.\n",
        encoding="utf-8",
    )
    with Library(tmp_path / "library", settings=Settings(jobs=1)) as made:
        made.add(tmp_path / "dues.md")
        answer = made.ask("How much does a visiting boat pay?")
        meaning = made.ask("What does “Visiting Boat” mean?")

    assert isinstance(answer, Answer)
    assert [item.text for item in answer.items] == ["40 crowns"]
    assert [(one.label, one.citation.first_line) for one in answer.see_also] == [("Visiting Boat", 3)]
    assert answer.see_also[0].citation.quote.startswith("“Visiting Boat” means")
    assert isinstance(meaning, Answer)
    assert meaning.see_also == ()


def test_what_a_named_place_does_not_say_is_found_elsewhere_and_said_to_be(library: Library) -> None:
    """An answer from another place than the one that the question names tells so."""
    elsewhere = library.ask("What does Table 1 say about the fees that the minister may set?")

    assert isinstance(elsewhere, Answer)
    assert any("Table 1, which the question names, does not say it" in one for one in elsewhere.signals.caveats)
