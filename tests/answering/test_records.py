"""Sets of like records: sections, table rows, list items, lines and files, counted and listed whole."""

import pytest
from tests.making import brief_of, parsed, read

from pincite.answering.extractive import ExtractiveAnswerer
from pincite.types.answer import Draft, Quantity
from pincite.types.document import ParsedDocument
from pincite.verifying import CitedDocument, verify


def asked(question: str, *documents: ParsedDocument) -> Draft:
    lines = [line for document in documents for line in read(document)]
    return ExtractiveAnswerer().answer(brief_of(question, documents[0]), lines)


def counted(question: str, text: str, name: str = "note.md") -> str:
    (item,) = asked(question, parsed(text, name)).items
    assert isinstance(item.value, Quantity)
    return item.value.number


def listed(question: str, text: str, name: str = "note.md") -> list[str]:
    found = asked(question, parsed(text, name))
    assert found.shape == "list"
    return [item.text for item in found.items]


SHIPS = [
    ("Alma", "Norway", 12, "docked"),
    ("Berta", "Malta", 9, "at sea"),
    ("Cora", "Norway", 15, "at sea"),
    ("Dora", "Panama", 22, "not docked"),
    ("Elsa", "Malta", 7, "scrapped"),
]
FIELDS = [f"Flag: {flag}\nCrew: {crew}\nStatus: {status}" for _, flag, crew, status in SHIPS]
SECTIONS = "# Fleet\n\n" + "\n\n".join(
    f"## Ship {ship[0]}\n\n{fields}" for ship, fields in zip(SHIPS, FIELDS, strict=True)
)
BELOW = "# Harbour\n\n## Ships\n\n" + "\n\n".join(
    f"### {ship[0]}\n\n{fields}" for ship, fields in zip(SHIPS, FIELDS, strict=True)
)
ROWS = "# Fleet\n\n| No. | Ship | Flag | Crew | Status |\n| --- | --- | --- | --- | --- |\n" + "\n".join(
    f"| {n} | {name} | {flag} | {crew} | {status} |" for n, (name, flag, crew, status) in enumerate(SHIPS, start=1)
)
BULLETS = "# Fleet\n\nAll that float are here.\n\n" + "\n".join(
    f"- Ship {name}: flag {flag}, crew {crew}, status {status}" for name, flag, crew, status in SHIPS
)
LED = "# Fleet\n\nThese ships are ours:\n\n" + "\n".join(
    f"{n}. {name}: flag {flag}, crew {crew}, status {status}"
    for n, (name, flag, crew, status) in enumerate(SHIPS, start=1)
)
PARAGRAPHS = "# Fleet\n\n" + "\n\n".join(
    f"Ship {name} sails under the flag of {flag}. Its status is {status}." for name, flag, _, status in SHIPS
)
LINES = "\n".join(f"Ship {name} | flag {flag} | status {status}" for name, flag, _, status in SHIPS)
FORMS = pytest.mark.parametrize(
    ("text", "name"),
    [
        (SECTIONS, "fleet.md"),
        (BELOW, "harbour.md"),
        (ROWS, "fleet.md"),
        (BULLETS, "fleet.md"),
        (LED, "fleet.md"),
        (PARAGRAPHS, "fleet.md"),
        (LINES, "fleet.txt"),
    ],
    ids=["sections", "sections below a title", "rows", "bullets", "a list with a lead-in", "paragraphs", "lines"],
)


@FORMS
def test_a_count_counts_records(text: str, name: str) -> None:
    """However like things are written down, they are counted: all of them, or those that meet a condition."""
    assert counted("How many ships are there?", text, name) == "5"
    assert counted("How many ships are at sea?", text, name) == "2"
    assert counted("How many ships fly the flag of Norway?", text, name) == "2"


@FORMS
def test_a_list_gives_every_record_that_meets_the_condition(text: str, name: str) -> None:
    """The names come in order, none is left out, and none that only looks alike is there."""
    found = listed("Which ships are at sea?", text, name)
    assert [item.removeprefix("Ship ") for item in found] == ["Berta", "Cora"]


@FORMS
def test_a_denial_is_met_by_what_is_not_so(text: str, name: str) -> None:
    """What states another status is "not docked", and what says so; "docked" does not find "not docked"."""
    assert [i.removeprefix("Ship ") for i in listed("Which ships are docked?", text, name)] == ["Alma"]
    denied = [i.removeprefix("Ship ") for i in listed("Which ships are not docked?", text, name)]
    assert denied == ["Berta", "Cora", "Dora", "Elsa"]


@FORMS
def test_what_no_record_says_is_refused(text: str, name: str) -> None:
    """A word that stands in no record is met by none: no number is given, nor all records for its denial."""
    for question in ("How many ships are haunted?", "How many ships are not haunted?"):
        found = asked(question, parsed(text, name))
        assert found.items == ()
        assert found.reason


def test_every_quote_of_a_count_holds() -> None:
    """A count names and quotes each record that it counts, and says how many were read."""
    document = parsed(ROWS)
    found = asked("How many ships are at sea?", document)
    (item,) = found.items
    assert item.derivation is not None
    assert item.derivation.operands == ("Berta", "Cora")
    assert len(item.quotes) == 2
    assert found.selected_from == 5
    assert any("all 5" in caveat for caveat in found.caveats)
    checked = verify(found, {"note.md": CitedDocument(document, doc_id="note.md", name="note.md")})
    assert (checked.rejected, checked.is_complete) == ((), True)


def test_a_selection_from_a_list_is_complete() -> None:
    """The items that were read and did not meet the condition are not missing."""
    document = parsed(BULLETS)
    found = asked("Which ships are at sea?", document)
    checked = verify(found, {"note.md": CitedDocument(document, doc_id="note.md", name="note.md")})
    assert checked.is_complete


def test_a_file_each_is_a_set() -> None:
    """Files whose titles begin alike are records; other files are none."""
    files = [
        parsed(f"# Vessel V-{n:02}\n\nThe vessel is {'sunk' if n in (2, 4) else 'afloat'}.\n", f"ship-{n}.md")
        for n in range(1, 6)
    ]
    other = parsed("# Read me\n\nVessels are described here, a file each.\n", "readme.md")
    found = asked("Which vessels are sunk?", *files, other)
    assert [item.text for item in found.items] == ["Vessel V-02", "Vessel V-04"]
    assert {quote.doc_id for item in found.items for quote in item.quotes} == {"ship-2.md", "ship-4.md"}
    (item,) = asked("How many vessels are there?", *files, other).items
    assert item.text == "5"


def test_files_are_known_by_their_names() -> None:
    """Text files without a title are records when the files are called after the noun."""
    files = [parsed(f"Party: {'Kern' if n < 3 else 'Lund'}\nPaid: no\n", f"contract-{n:02}.txt") for n in range(1, 5)]
    (item,) = asked("How many contracts are with Lund?", *files).items
    assert item.text == "2"


def test_a_stated_count_that_agrees_is_quoted() -> None:
    """Where the text says how many there are and the records bear it out, the text is quoted."""
    (item,) = asked("How many ships are in the fleet?", parsed("There are 5 ships here.\n\n" + SECTIONS)).items
    assert (item.value, item.derivation) == (Quantity(number="5", unit="ships"), None)
    assert [quote.quote for quote in item.quotes] == ["There are 5 ships here."]


def test_a_stated_count_that_disagrees_is_named() -> None:
    """Where the records are more or fewer than the text says, they are counted and the text's number is a caveat."""
    found = asked("How many ships are in the fleet?", parsed("There are 7 ships here.\n\n" + SECTIONS))
    assert found.items[0].text == "5"
    assert any("states 7 ships" in caveat for caveat in found.caveats)
    some = asked("How many ships are in the fleet?", parsed("Two ships are late.\n\n" + SECTIONS))
    assert not any("states" in caveat for caveat in some.caveats)


def test_totals_and_running_numbers_are_no_records() -> None:
    """A row of totals is not counted, and rows are named by the first column that is no running number."""
    text = ROWS + "\n| | Total | | 65 | |\n"
    assert counted("How many ships are there?", text) == "5"
    assert listed("Which ships are at sea?", text) == ["Berta", "Cora"]


def test_another_column_names_a_set_of_its_own() -> None:
    """What a column other than the first holds is counted once for each value."""
    assert counted("How many flags are there?", ROWS) == "3"


def test_the_table_of_that_name_is_meant() -> None:
    """Of two tables the one is read whose rows the noun names, whatever columns the other has."""
    owners = "\n\n## Owners\n\n| Owner | Ship |\n| --- | --- |\n| Kern | Alma |\n| Lund | Cora |\n"
    assert counted("How many owners are there?", ROWS + owners) == "2"
    assert counted("How many ships are there?", ROWS + owners) == "5"


def test_nested_items_belong_to_their_item() -> None:
    """What is indented below an item is what is said of it, and no item of the set."""
    text = "# Team\n\nThe members are:\n\n- Anna\n  - role: cook\n- Bo\n  - role: pilot\n- Cleo\n  - role: pilot\n"
    assert counted("How many members are there?", text) == "3"
    assert listed("Which members are pilots?", text) == ["Bo", "Cleo"]


def test_lines_that_go_beyond_a_table_are_counted_too() -> None:
    """Where a table was read in part and further lines name more records, all of them are counted."""
    table = "| Tier | What |\n| --- | --- |\n| Tier 1 | partial |\n| Tier 2 | informed |\n"
    text = f"# Tiers\n\n{table}\n\nTier 3: repeatable.\n\nTier 4: adaptive.\n"
    assert counted("How many tiers are there?", text) == "4"


@pytest.mark.parametrize(
    "text",
    [
        "# Project plan\n\nThe aim.\n\n# Staff\n\n## Project goals\n\nx\n\n## Project risks\n\ny\n\n## Budget\n\nz\n",
        "# Boats\n\nThe crew must bring to the boats:\n\n- a rope\n- a lamp\n- an anchor\n",
        "# Ferry\n\nBoat 1 is red. It is old.\n\nWe like boats.\n",
    ],
)
def test_what_only_shares_a_word_is_no_set(text: str) -> None:
    """Sections about a project, things for a boat and a single line are not counted as projects or boats."""
    for question in ("How many projects are there?", "How many boats are there?"):
        found = asked(question, parsed(text))
        assert [item for item in found.items if item.derivation is not None] == []


@pytest.mark.parametrize("question", ["Wie viele Geräte gibt es?", "Wie viele Geräte sind in der Liste?"])
def test_sets_are_counted_in_german(question: str) -> None:
    """Nouns and values are met in the forms of German and its umlauts."""
    text = "# Werkstatt\n\n" + "\n".join(f"- Gerät G-{n:02}: {'defekt' if n in (3, 5) else 'gut'}" for n in range(1, 8))
    assert counted(question, text) == "7"
    assert listed("Welche Geräte sind defekt?", text) == ["Gerät G-03", "Gerät G-05"]
    assert listed("Zeige alle defekten Geräte.", text) == ["Gerät G-03", "Gerät G-05"]
    assert counted("Wie viele Geräte sind nicht defekt?", text) == "5"


def test_sections_about_a_word_are_not_what_stands_behind_it() -> None:
    """Attention heads are not counted by the sections on attention, however many there are."""
    text = "".join(f"## {kind} Attention\n\nThe base model uses it.\n\n" for kind in ("Scaled", "Joint", "Cross"))
    found = asked("How many attention heads does the base model use?", parsed(f"# Model\n\n{text}"))
    assert [item for item in found.items if item.derivation is not None] == []
