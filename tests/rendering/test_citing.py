import json
from collections.abc import Callable
from pathlib import Path

from pincite.rendering.citing import TextSource, number_citations, renumber
from pincite.types.answer import Item
from pincite.types.citation import Citation

SOURCES = [TextSource(n=n, doc="a.pdf", page=n, text=f"fact {n}") for n in range(1, 6)]


def test_displayed_numbers_are_those_a_reader_expects(cases: Path) -> None:
    """Numbers run 1…n in order of first use, the same span has one number, unused sources are not listed."""
    folder = cases / "CIT04-same-doc-two-numbers"
    expected = json.loads((folder / "case.json").read_text(encoding="utf-8"))["expected"]
    sources = [TextSource(**source) for source in json.loads((folder / "sources.json").read_text(encoding="utf-8"))]

    result = renumber((folder / "answer.txt").read_text(encoding="utf-8"), sources)

    shown = [{"show": s.show, "raw": list(s.raw), "doc": s.source.doc, "page": s.source.page} for s in result.sources]
    assert result.text.strip() == expected["rewritten_answer"]
    assert shown == expected["display_order"]


def test_lists_of_numbers_are_rewritten() -> None:
    """`[4, 2]` becomes one marker a source, and a repeated one is shown once."""
    assert renumber("Oak [4, 2]. Tar [2] [4].", SOURCES).text == "Oak [1][2]. Tar [2][1]."


def test_ranges_are_rewritten_and_numbers_without_a_source_go() -> None:
    """`[2-4]` names three sources; a number that names none is not shown, nor the blank before it."""
    assert renumber("Oak [2-4]. Tar [9], rope [1–2].", SOURCES).text == "Oak [1][2][3]. Tar, rope [4][1]."


def test_years_and_code_are_left_alone() -> None:
    """Brackets that name no source, and code, are text."""
    text = "The [2024] budget uses `a[1]` and\n```\nb[2]\n```"

    assert renumber(text, SOURCES).text == text


def test_numbers_without_a_source_leave_the_marker() -> None:
    """A made-up number beside a real one is not shown."""
    assert renumber("Oak [9][3].", SOURCES).text == "Oak [1]."


def test_same_place_has_one_number(make_citation: Callable[..., Citation]) -> None:
    """Two items that quote the same lines share a number; another quote on the same lines has its own."""
    first, other = make_citation(quote="40 mm"), make_citation(quote="gap")
    items = [
        Item(text="a", citations=(other,)),
        Item(text="b", citations=(first, other, first)),
        Item(text="c", citations=(make_citation(quote="40 mm", section=("x",)),)),
    ]

    numbering = number_citations(items)

    assert [(n.number, n.citation.quote, n.item_nums) for n in numbering.citations] == [
        (1, "gap", (1, 2)),
        (2, "40 mm", (2, 3)),
    ]
    assert numbering.by_item == ((1,), (2, 1), (2,))


def test_every_form_of_mark_is_rewritten() -> None:
    """Marks as models write them have the numbers that the list has, addresses behind them go, intervals stay."""
    text = "Oak【4†c】, tar [^2]. Rope [[2]](http://x.example) and pitch [Source 4][1‑2]. The interval [1, 3] mm."

    shown = "Oak[1], tar [2]. Rope [2] and pitch [1][3][2]. The interval [1, 3] mm."
    assert renumber(text, SOURCES).text == shown
