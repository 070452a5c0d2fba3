"""Values under labels, in lines and in tables, asked for by the label's word or by the verb it comes from."""

import pytest
from tests.making import brief_of, parsed, read

from pincite.answering.extractive import ExtractiveAnswerer
from pincite.types.answer import Draft, Truth

SITES = parsed(
    "# Sites\n\n## Alma\n\nOwner: Ruth Vane\nOperator: Nord AG\nSupplier: Kess\nFounded: 1950\n\n"
    "## Bura\n\nOwner: Max Pike\nOperator: Sud AG\nSupplier: Ondo\nFounded: 1961\n"
)
TABLE = parsed(
    "| Site | Owner | Operator | Supplier | Founded |\n|---|---|---|---|---|\n"
    "| Alma | Ruth Vane | Nord AG | Kess | 1950 |\n| Bura | Max Pike | Sud AG | Ondo | 1961 |\n"
)
ORTE = parsed(
    "| Ort | Betreiber | Eigentümer | Gründung |\n|---|---|---|---|\n"
    "| Aal | Nord AG | R. Vane | 1320 |\n| Bilm | Süd AG | M. Pike | 1480 |\n"
)
LOG = parsed(
    "# Meeting\n\nPresent:\n\n- Ida Brun\n- Karl Voss\n\nDecisions:\n\n1. The roof is mended.\n2. The fee is 12.\n"
)


def asked(question: str, document: object) -> Draft:
    return ExtractiveAnswerer().answer(brief_of(question, document), read(document))  # type: ignore[arg-type]


@pytest.mark.parametrize("document", [SITES, TABLE], ids=["lines", "table"])
@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who owns Bura?", "Max Pike"),
        ("Who operates Alma?", "Nord AG"),
        ("By whom is Bura operated?", "Sud AG"),
        ("Who supplies Alma?", "Kess"),
        ("Who is the operator of Bura?", "Sud AG"),
        ("When was Bura founded?", "1961"),
    ],
)
def test_who_does_something_is_found_under_its_label(question: str, value: str, document: object) -> None:
    """A question by the verb is answered from the label or the column of the noun, for the thing that is named."""
    assert [item.text for item in asked(question, document).items] == [value]


@pytest.mark.parametrize(
    ("question", "value"),
    [("Wer betreibt Bilm?", "Süd AG"), ("Wem gehört Aal?", "R. Vane"), ("Wann wurde Bilm gegründet?", "1480")],
)
def test_german_verbs_lead_to_their_nouns(question: str, value: str) -> None:
    """The column "Betreiber" answers "wer betreibt", the column "Gründung" answers "wann gegründet"."""
    assert [item.text for item in asked(question, ORTE).items] == [value]


@pytest.mark.parametrize("question", ["Who owns Cora?", "Who inspects Alma?"])
def test_what_no_label_says_is_not_taken_from_a_neighbour(question: str) -> None:
    """Another thing's owner, or another role of the same thing, is no answer under a label."""
    assert asked(question, SITES).confidence < 0.5


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Who was present?", ["Ida Brun", "Karl Voss"]),
        ("List the decisions.", ["The roof is mended.", "The fee is 12."]),
        ("What is the second decision?", ["The fee is 12."]),
        ("How many decisions were taken?", ["2"]),
    ],
)
def test_a_list_under_a_label_answers_for_the_label(question: str, values: list[str]) -> None:
    """The label "Present:" above a list says what the list is: it is given whole and surely."""
    draft = asked(question, LOG)
    assert [item.text for item in draft.items] == values
    assert draft.confidence > 0.5


ANIMALS = parsed(
    "# Animals\n\n"
    + "\n\n".join(
        f"Name: {name}  \nSpecies: {species}  \nAge: {age} years  \nVaccinated: {vaccinated}"
        for name, species, age, vaccinated in (
            ("Rufus", "dog", 4, "yes"),
            ("Mitzi", "cat", 9, "no"),
            ("Otto", "dog", 2, "no"),
            ("Kiki", "parrot", 30, "yes"),
            ("Lola", "dog", 7, "yes"),
        )
    )
    + "\n"
)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("How many dogs are there?", ["3"]),
        ("How many parrots are there?", ["1"]),
        ("How many animals are there?", ["5"]),
        ("How many animals are vaccinated?", ["3"]),
        ("How many dogs are vaccinated?", ["2"]),
        ("Which animals are not vaccinated?", ["Mitzi", "Otto"]),
    ],
)
def test_paragraphs_of_labelled_lines_are_records(question: str, values: list[str]) -> None:
    """They are counted and listed by their title and by what their lines say, each read."""
    draft = asked(question, ANIMALS)
    assert [item.text for item in draft.items] == values


@pytest.mark.parametrize("question", ["How many horses are there?", "How many legs has Rufus?"])
def test_an_age_counts_no_animals(question: str) -> None:
    """A number with a unit of time under another label is no count."""
    assert not [item for item in asked(question, ANIMALS).items if item.value is not None]


TOOLS = parsed(
    "# Tools\n\n| Tool | Length (m) | Depth | Place | Lent |\n|---|---|---|---|---|\n"
    "| Lathe | 2 | 0.5 | Shed 4 | no |\n| Drill |  | 0.3 | Barn | yes |\n\n- [x] Sweep the barn\n- [ ] Oil the lathe\n"
)


@pytest.mark.parametrize(
    ("question", "value"),
    [("Where is the lathe?", "Shed 4"), ("Where is the drill kept?", "Barn"), ("How long is the lathe?", "2")],
)
def test_the_word_that_asks_names_the_column(question: str, value: str) -> None:
    """A question "where" is answered from the one column of places, "how long" from the length."""
    assert [item.text for item in asked(question, TOOLS).items] == [value]


def test_an_empty_length_is_no_depth() -> None:
    """Another measure of the same kind does not stand in for an empty cell."""
    assert asked("How long is the drill?", TOOLS).items == ()


@pytest.mark.parametrize(
    ("question", "is_so"),
    [
        ("Is the lathe lent?", False),
        ("Is the drill lent?", True),
        ("Has the barn been swept?", True),
        ("Has the lathe been oiled?", False),
    ],
)
def test_cells_and_boxes_say_yes_or_no(question: str, is_so: bool) -> None:
    """A cell "no" under what is asked is a no, and so is an empty box before a task."""
    assert [item.value for item in asked(question, TOOLS).items] == [Truth(value=is_so)]


def test_the_number_of_an_item_is_no_amount() -> None:
    """The number "1." before a step is not how long it takes."""
    steps = parsed("# Tank\n\n1. Fill the tank.\n2. Drain the tank for 20 minutes.\n")
    assert "1" not in [item.text for item in asked("How long does it take to fill the tank?", steps).items]


CREW = parsed(
    "# Crew\n\n1. Ida Moor - captain - joined 2019\n2. Per Ahl - deckhand - joined 2031\n"
    "3. Jon Vik - deckhand - joined 2028\n\n## Leave\n\nMarriage: 2 days off.\n\n"
    "The kit holds:\n\n- a flare\n- two ropes\n\n## Starters\n\n- Soup\n- Herring\n\n"
    "## License\n\nMIT, by the harbour board.\n"
)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("How many deckhands are there?", ["2"]),
        ("Who are the deckhands?", ["Per Ahl - deckhand - joined 2031", "Jon Vik - deckhand - joined 2028"]),
        ("List the starters.", ["Soup", "Herring"]),
        ("What does the kit hold?", ["a flare", "two ropes"]),
    ],
)
def test_items_that_are_alike_are_given_together(question: str, values: list[str]) -> None:
    """Items that say what each is are counted, listed whole, and named by their heading."""
    assert [item.text for item in asked(question, CREW).items] == values


def test_what_stands_below_a_heading_answers_and_not_the_heading() -> None:
    """A heading only names what is said below it."""
    assert [item.text for item in asked("Under what license is it?", CREW).items] == ["MIT, by the harbour board."]


def test_a_value_under_another_label_is_no_answer() -> None:
    """Days off for a marriage say nothing of a divorce."""
    assert (
        asked("How many days off for a divorce?", CREW).confidence
        < asked("How many days off for a marriage?", CREW).confidence * 0.8
    )


VALVES = parsed(
    "| Tag | Pattern | Command | State |\n|---|---|---|---|\n"
    "| T-1 | `a\\|b` | `run --y` | **open** |\n| T-2 | c | `run --n` | *shut* |\n"
)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the pattern of T-1?", "a|b"),
        ("What is the command of T-2?", "run --n"),
        ("What is the state of T-1?", "open"),
    ],
)
def test_cells_are_given_without_their_marks(question: str, value: str) -> None:
    """An answer from a cell has no Markdown in it, and a column may be called "State" although that word asks, too."""
    assert [item.text for item in asked(question, VALVES).items] == [value]
