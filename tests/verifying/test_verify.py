"""Only items whose every citation and value hold leave the verifier."""

from tests.making import cited, pages

from pincite.types.answer import ClaimedQuote, Derivation, Draft, DraftItem, Quantity
from pincite.types.question import Shape
from pincite.verifying import CitedDocument, Verified, verify

FEES = """# Fees

The three fees are:

- Mooring costs 14 crowns.
- Water costs 3 crowns.
- Power costs 5 crowns.

The office is shut. The office is shut.
"""
NOTE = cited(FEES)


def quote(text: str, line: int, doc_id: str = "note.md") -> ClaimedQuote:
    return ClaimedQuote(doc_id=doc_id, first_line_id=line, last_line_id=line, quote=text)


def verified(*items: DraftItem, shape: Shape = "text", summary: str | None = None) -> Verified:
    return verify(Draft(shape=shape, items=items, summary=summary), {"note.md": NOTE})


MOORING = DraftItem(text="Mooring", quotes=(quote("Mooring costs 14 crowns.", 5),))
WATER = DraftItem(text="Water", quotes=(quote("Water costs 3 crowns.", 6),))
POWER = DraftItem(text="Power", quotes=(quote("Power costs 5 crowns.", 7),))


def test_items_that_hold_keep_their_order() -> None:
    """All items that hold are given, complete and in order."""
    found = verified(MOORING, WATER, POWER, shape="list")
    assert [item.text for item in found.items] == ["Mooring", "Water", "Power"]
    assert (found.rejected, found.is_complete, found.completeness, found.is_structured) == ((), True, 1.0, True)


def test_an_item_that_fails_is_dropped_and_said() -> None:
    """A false quote, a changed number, no quote or an unknown document costs the item, with a caveat that says why."""
    bad = (
        DraftItem(text="A", quotes=(quote("Mooring costs 15 crowns.", 5),)),
        DraftItem(text="B", quotes=(quote("Mooring costs 14 crowns.", 5),), value=Quantity(number="15")),
        DraftItem(text="C", quotes=()),
        DraftItem(text="D", quotes=(quote("Mooring costs 14 crowns.", 5, "other.md"),)),
        DraftItem(text="E", quotes=(quote("Mooring costs 14 crowns.", 5), quote("It is free.", 5))),
        DraftItem(text="It costs 15 crowns", quotes=(quote("Mooring costs 14 crowns.", 5),)),
    )
    found = verified(WATER, *bad)
    assert [item.text for item in found.items] == ["Water"]
    assert len(found.rejected) == len(bad)
    assert not found.is_complete
    assert all(f"dropped: {reason}" in found.caveats for reason in found.rejected)
    assert "other.md" in found.rejected[3]


def test_a_repeated_sentence_is_said() -> None:
    """A quote that stands in two places is verified, with a caveat."""
    found = verified(DraftItem(text="shut", quotes=(quote("The office is shut.", 9),)))
    assert any("stands in 2 places" in caveat for caveat in found.caveats)


def test_a_count_keeps_its_derivation() -> None:
    """A computed item carries its operands, and its citations say that the value passed."""
    item = DraftItem(
        text="2",
        value=Quantity(number="2", unit="fees"),
        derivation=Derivation(operator="count", operands=("Mooring", "Water")),
        quotes=(*MOORING.quotes, *WATER.quotes),
    )
    (found,) = verified(item, shape="amount").items
    assert found.derivation == item.derivation
    assert {citation.verdict.value for citation in found.citations} == {"passed"}


def test_a_list_that_goes_on_is_not_complete() -> None:
    """When neighbours of the cited list lines are cited by no item, the answer says where the list goes on."""
    found = verified(MOORING, WATER, shape="list")
    assert not found.is_complete
    assert found.completeness < 1
    assert "the list goes on at p.1 l.7" in found.caveats
    assert "the list goes on at p.1 l.5" in verified(WATER, POWER, shape="list").caveats


def test_a_count_that_the_text_announces_is_checked() -> None:
    """Where the text says "the three fees" and two are given, the answer says what is missing."""
    found = verified(MOORING, WATER, shape="list", summary="What are the fees?")
    assert "the text announces 3, 2 were found" in found.caveats
    whole = verified(MOORING, WATER, POWER, shape="list", summary="What are the fees?")
    assert whole.caveats == ()


def paper(*texts: str, **roles: str) -> dict[str, CitedDocument]:
    document = pages(*texts, roles={int(k[1:]): v for k, v in roles.items()})
    return {"p": CitedDocument(document, doc_id="p", name="paper.pdf")}


def test_a_quote_that_stops_inside_a_sentence_is_not_complete() -> None:
    """When the sentence goes on in the next line, the signal says so."""
    documents = paper("The seal is replaced every\neleven months.")
    item = DraftItem(text="seal", quotes=(quote("The seal is replaced every", 1, "p"),))
    found = verify(Draft(shape="text", items=(item,)), documents)
    assert not found.is_complete
    assert any("goes on past the quote" in caveat for caveat in found.caveats)


def test_no_items_are_never_complete() -> None:
    """An empty draft has completeness 0."""
    found = verified()
    assert (found.items, found.completeness, found.is_complete) == ((), 0.0, False)


def test_pages_in_doubt_are_said() -> None:
    """A quote from a page with a damaged text layer is not called structured."""
    (known,) = paper("Light craft use berth two.").values()
    document = known.document
    page = document.pages[0].__class__(page_num=1, flags=("damaged_text_layer",))
    fields = {f: getattr(document, f) for f in document.__struct_fields__ if f != "pages"}
    damaged = CitedDocument(document.__class__(**fields, pages=(page,)), doc_id="p", name="paper.pdf")
    item = DraftItem(text="two", quotes=(quote("Light craft use berth two.", 1, "p"),))
    found = verify(Draft(shape="text", items=(item,)), {"p": damaged})
    assert not found.is_structured
    assert "page 1 of paper.pdf: damaged_text_layer" in found.caveats


def test_what_covers_only_a_part_is_incomplete() -> None:
    """A caveat that begins with "covers only" says that records are missing, however well the items hold."""
    part = Draft(shape="list", items=(MOORING, WATER, POWER), caveats=("covers only 3 of 9 lines",))
    found = verify(part, {"note.md": NOTE})
    assert not found.is_complete
    assert found.caveats == ("covers only 3 of 9 lines",)


def test_a_selection_leaves_nothing_out() -> None:
    """Of a list that was read whole and chosen from, the items not chosen are not missing."""
    chosen = Draft(shape="list", items=(WATER,), selected_from=3)
    assert verify(chosen, {"note.md": NOTE}).is_complete
    assert not verify(Draft(shape="list", items=(WATER,)), {"note.md": NOTE}).is_complete
