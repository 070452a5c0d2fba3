"""What sets and their records are called, and where lists begin and end."""

from itertools import chain

import pytest
from msgspec.structs import replace
from tests.making import brief_of, pages, parsed, read

from pincite.answering.extractive import ExtractiveAnswerer
from pincite.answering.units import read_units
from pincite.types.answer import Draft, Quantity
from pincite.types.document import ParsedDocument
from pincite.types.geometry import BBox


def asked(question: str, *documents: ParsedDocument) -> Draft:
    lines = list(chain.from_iterable(read(document) for document in documents))
    return ExtractiveAnswerer().answer(brief_of(question, documents[0]), lines)


def texts(question: str, *documents: ParsedDocument) -> list[str]:
    return [item.text for item in asked(question, *documents).items]


LEVELS = "# Levels\n\n{}\n\nLevel 1: sweep the yard.\n\nLevel 2: oil the gate.\n\nLevel 3: close the harbour.\n"


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("Alarms are Quiet (Level 1), Half Loud (Level 2), and Loud (Level 3).",
         ["Quiet (Level 1)", "Half Loud (Level 2)", "Loud (Level 3)"]),
        ("There are Level 1 (quiet), Level 2 (half loud) and Level 3 (loud).",
         ["Level 1 (quiet)", "Level 2 (half loud)", "Level 3 (loud)"]),
        ("Only Quiet (Level 1) and Loud (Level 3) are in use.", ["Level 1", "Level 2", "Level 3"]),
    ],
)  # fmt: skip
def test_numbered_things_are_given_by_their_names(sentence: str, names: list[str]) -> None:
    """Where one sentence names all of them, the names are the answer; else the numbers are."""
    document = parsed(LEVELS.format(sentence))
    assert texts("What are the levels?", document) == names
    assert texts("What are the three levels?", document) == names


def test_an_acronym_before_the_noun_is_no_noun() -> None:
    """The profiles of the ABC are no lines that begin with ABC."""
    document = parsed("# ABC\n\nABC Tiers rank.\n\nABC Profiles tell.\n\nABC Core holds all.\n\nA profile is a text.\n")
    assert not {"ABC Tiers", "ABC Core"} & set(texts("What are the ABC profiles?", document))


def test_a_count_of_one_whole_is_no_count_of_another_set() -> None:
    """A table of layers does not say how many the encoder has where a sentence does."""
    table = "| Layer | Cost |\n| --- | --- |\n| Self-attention | 1 |\n| Recurrent | 2 |\n| Convolutional | 3 |\n"
    document = parsed(f"# Model\n\nThe encoder is a stack of 6 layers.\n\n{table}")
    (item,) = asked("How many layers does the encoder have?", document).items
    assert isinstance(item.value, Quantity)
    assert item.value.number == "6"


def test_a_list_beside_the_set_lists_none_of_it() -> None:
    """What is named beside the categories is no category."""
    document = parsed("# Core\n\nThe order of Functions, Categories, and Rules is not alphabetical.\n")
    assert "Rules" not in texts("What are the categories?", document)
    tests = parsed("# Lab\n\nThe tests are unit tests, system tests and load tests.\n")
    assert texts("What are the tests?", tests) == ["unit tests", "system tests", "load tests"]


def test_a_list_that_says_what_it_lists_stands_alone() -> None:
    """Other lists under the same title are not joined to the one whose lead-in names the set."""
    document = parsed(
        "# Parts of the mill\n\nThe mill has the following parts:\n\n- a wheel\n- a stone\n- a chute\n\n"
        "Visitors bring:\n\n- a coat\n- a lamp\n- a map\n"
    )
    assert texts("What are the parts of the mill?", document) == ["a wheel", "a stone", "a chute"]


def test_tasks_are_told_apart_by_their_boxes() -> None:
    """A ticked box says done, an empty one open."""
    document = parsed("# House\n\nTasks of this week:\n\n- [ ] Renew lease\n- [x] Paint gate\n- [x] Oil hinge\n")
    assert texts("Which tasks are done?", document) == ["Paint gate", "Oil hinge"]
    assert texts("Which tasks are open?", document) == ["Renew lease"]


def test_i_is_no_name() -> None:
    """Who asks what "I" need asks for the things, not for a line that says I."""
    document = parsed("# Kit\n\nYou need the following tools:\n\n- a saw\n- a square\n\nI keep the oil in the shed.\n")
    assert texts("Which tools do I need?", document) == ["a saw", "a square"]


def test_a_set_of_several_lists_is_listed_whole() -> None:
    """Without a condition the items of all lists are given, not those of one."""
    days = "\n\n".join(f"## Day {day}\n\n- Ticket T-{day}1: open\n- Ticket T-{day}2: closed" for day in range(3))
    assert len(texts("List all tickets.", parsed(f"# Desk\n\n{days}\n"))) == 6


def test_the_end_of_a_document_introduces_nothing_in_the_next() -> None:
    """A last heading is no title of the next document's first line."""
    first, second = parsed("# Log\n\n## Keeper rota\n", "a.md"), parsed("x\n\nThe ferry leaves at ten.\n", "b.txt")
    units = read_units([*read(first), *read(second)])
    assert [unit.lead for unit in units if unit.doc_id == "b.txt"] == ["", ""]


def placed(*lines: tuple[str, float]) -> ParsedDocument:
    """Return a page of lines, each with its left edge."""
    document = pages("\n".join(text for text, _ in lines))
    boxes = [BBox(x0=x, y0=100 + 14 * n, x1=500, y1=112 + 14 * n) for n, (_, x) in enumerate(lines)]
    return replace(document, lines=tuple(replace(o, box=b) for o, b in zip(document.lines, boxes, strict=True)))


def test_an_item_ends_where_the_text_goes_back_to_the_margin() -> None:
    """On a page a paragraph below a list is no part of its last item, and each item is one unit."""
    document = placed(
        ("The mill has the following parts:", 72), ("• a wheel of oak that was", 90), ("made in spring", 104),
        ("• a stone from the old quarry", 90), ("near the lake", 104), ("The mill is open on Sundays.", 72),
    )  # fmt: skip
    items = [unit.text for unit in read_units(read(document)) if unit.kind == "item"]
    assert items == ["• a wheel of oak that was made in spring", "• a stone from the old quarry near the lake"]


def test_a_long_item_of_one_sentence_is_one_unit() -> None:
    """It is not read once more as its only sentence."""
    words = "a wheel of oak " * 8
    units = read_units(read(parsed(f"# Parts\n\nParts:\n\n- {words}\n- {words} too\n")))
    assert sum(unit.kind == "item" for unit in units) == 2


def test_the_title_of_all_does_not_say_it_of_each() -> None:
    """Where some rows are in stock and others sold, a table called "Timber stock" has not all in stock."""
    rows = "\n".join(f"| K-{n} | oak | {'in stock' if n % 3 else 'sold'} |" for n in range(9))
    document = parsed(f"# Timber stock\n\n| Beam | Wood | State |\n| --- | --- | --- |\n{rows}\n", "stock.md")
    (item,) = asked("How many oak beams are in stock?", document).items
    assert isinstance(item.value, Quantity)
    assert item.value.number == "6"


def test_a_step_is_named_by_its_number() -> None:
    """The number of a list item is its name where a title says what the items are."""
    document = parsed("# Pump\n\n## Steps\n\n1. Open the valve.\n2. Start the pump.\n3. Wait two minutes.\n")
    assert texts("What is step 3?", document) == ["Wait two minutes."]
    assert texts("What is rule 3?", document) != ["Wait two minutes."]
