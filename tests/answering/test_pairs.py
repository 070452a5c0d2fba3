"""Values beside their names in tables without column names, in every form that such tables come in."""

from pathlib import Path

import pytest

from pincite.library import Library
from pincite.settings import Settings
from pincite.types.answer import Answer, Item, Refusal

_TEXT = """Melting points

iron      1538
copper    1085
tin       232

Boiling points

iron      2862
copper    2562
"""
_DOTTED = "Bar\n\nCoffee ........ 3.50 EUR\nTea ........... 2.80 EUR\n"
_EMPTY_HEAD = """# Elements

Melting points in °C:

|  |  |
| --- | --- |
| Iron | 1538 |
| Tin | 232 |

# Contacts

|  |  |
| --- | --- |
| Harbour master | Ada Lind |
| Pilot | Bo Ek |
"""
_FIRST_ROW = "# Melting points\n\n| Iron | 1538 |\n| --- | --- |\n| Copper | 1085 |\n| Tin | 232 |\n"
_CSV = "iron,1538\ncopper,1085\ntin,232\n"
_HTML = (
    "<html><body><h1>Melting points</h1><table><tr><td>Iron</td><td>1538 °C</td></tr><tr><td>Copper</td>"
    "<td>1085 °C</td></tr></table></body></html>"
)


def _asked(folder: Path, name: str, text: str, question: str) -> Item | None:
    """Return the one item of the answer; `None` for a refusal."""
    (folder / name).write_text(text, encoding="utf-8")
    with Library(folder / "library", settings=Settings(jobs=1, embedder="none")) as library:
        library.add(folder / name)
        result = library.ask(question)
    if isinstance(result, Refusal):
        return None
    assert isinstance(result, Answer)
    (item,) = result.items
    return item


@pytest.mark.parametrize(
    ("name", "text", "question", "said"),
    [
        ("points.txt", _TEXT, "What is the melting point of iron?", "1538"),
        ("points.txt", _TEXT, "What is the boiling point of copper?", "2562"),
        ("bar.txt", _DOTTED, "How much is a coffee?", "3.50 EUR"),
        ("elements.md", _EMPTY_HEAD, "What is the melting point of tin?", "232"),
        ("elements.md", _EMPTY_HEAD, "Who is the pilot?", "Bo Ek"),
        ("elements.md", _FIRST_ROW, "What is the melting point of iron?", "1538"),
        ("elements.md", _FIRST_ROW, "What is the melting point of copper?", "1085"),
        ("melting-points.csv", _CSV, "What is the melting point of iron?", "1538"),
        ("melting-points.csv", _CSV, "What is the melting point of tin?", "232"),
        ("points.html", _HTML, "What is the melting point of copper?", "1085 °C"),
    ],
)
def test_a_value_is_found_by_the_name_beside_it(tmp_path: Path, name: str, text: str, question: str, said: str) -> None:
    """The name is in the row, what the values are stands above: together they answer, and the row is cited."""
    item = _asked(tmp_path, name, text, question)
    assert item is not None
    assert said.startswith(item.text) or item.text == said
    assert said.split()[0] in item.citations[0].quote
    assert item.citations[0].verdict.status == "verified"


@pytest.mark.parametrize(
    ("name", "text", "question"),
    [
        ("points.txt", _TEXT, "What is the melting point of gold?"),
        ("points.txt", _TEXT, "What is the boiling point of tin?"),
        ("elements.md", _EMPTY_HEAD, "What is the melting point of gold?"),
        ("melting-points.csv", _CSV, "What is the boiling point of iron?"),
    ],
)
def test_a_name_that_is_not_there_has_no_value(tmp_path: Path, name: str, text: str, question: str) -> None:
    """Neither a neighbour, nor the same name under another title, nor the title itself answers."""
    assert _asked(tmp_path, name, text, question) is None
