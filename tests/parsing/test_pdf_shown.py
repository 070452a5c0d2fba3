"""Pages that hold what nobody sees: layers that are off, text taken for other text."""

import io
from collections.abc import Callable
from typing import Any

import pikepdf
import pytest

from pincite.parsing.pdf import PdfiumParser
from pincite.parsing.pdf_shown import ShownPages
from pincite.types.document import ParsedDocument

_VISIBLE = "BT /F 11 Tf 60 700 Td (The offer stands at 340 crowns.) Tj ET"


def _parsed(content: bytes, change: Callable[[pikepdf.Pdf], Any]) -> ParsedDocument:
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(content)) as pdf:
        change(pdf)
        pdf.save(out)
    return PdfiumParser().parse(out.getvalue(), name="a.pdf", uri="a.pdf")


def _with_layer(pdf: pikepdf.Pdf, kind: str) -> None:
    """Add a layer that is off, and use it in one of the ways a file may."""
    group = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.OCG, Name="Draft"))
    config = pikepdf.Dictionary(OFF=[group]) if kind != "base" else pikepdf.Dictionary(BaseState=pikepdf.Name.OFF)
    pdf.Root.OCProperties = pikepdf.Dictionary(OCGs=[group], D=config)
    resources = pdf.pages[0].obj.Resources
    said = b"BT /F 11 Tf 60 %d Td (The offer is void.) Tj ET"
    if kind == "form":
        form = pdf.make_stream(said % 600)
        form.update({"/Type": pikepdf.Name.XObject, "/Subtype": pikepdf.Name.Form, "/BBox": [0, 0, 612, 792]})
        form.update({"/OC": group, "/Resources": pikepdf.Dictionary(Font=resources.Font)})
        resources.XObject = pikepdf.Dictionary(X=form)
        pdf.pages[0].contents_add(b"/X Do")
        return
    members = pikepdf.Dictionary(Type=pikepdf.Name.OCMD, OCGs=[group], P=pikepdf.Name.AllOn)
    resources.Properties = pikepdf.Dictionary(L=members if kind == "members" else group)
    if kind == "borrowed":
        form = pdf.make_stream(b"/OC /L BDC " + said % 600 + b" EMC")
        form.update({"/Type": pikepdf.Name.XObject, "/Subtype": pikepdf.Name.Form, "/BBox": [0, 0, 612, 792]})
        resources.XObject = pikepdf.Dictionary(X=form)
        pdf.pages[0].contents_add(b"/X Do")
        return
    pdf.pages[0].contents_add(b"/OC /L BDC " + said % (700 if kind == "over" else 600) + b" EMC")


@pytest.mark.parametrize("kind", ["group", "base", "members", "form", "borrowed", "over"])
def test_a_layer_that_is_off_is_hidden(kind: str, drawn: Callable[..., bytes]) -> None:
    """Text of a layer that is switched off is never quoted, even where visible text stands at its place."""
    document = _parsed(drawn(_VISIBLE), lambda pdf: _with_layer(pdf, kind))

    assert [(line.text, line.layer) for line in document.lines] == [
        ("The offer stands at 340 crowns.", "text"),
        ("The offer is void.", "hidden"),
    ]
    assert [hidden.reason for hidden in document.parsing_summary.hidden_text] == ["in a layer that is switched off"]


def test_layers_that_a_page_only_names_change_nothing(drawn: Callable[..., bytes]) -> None:
    """Pages that name the layers of the file and use none of them, as some programs write them, are read once."""
    with pikepdf.open(io.BytesIO(drawn(_VISIBLE))) as pdf:
        group = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.OCG, Name="print"))
        pdf.Root.OCProperties = pikepdf.Dictionary(OCGs=[group], D=pikepdf.Dictionary(OFF=[group]))
        pdf.pages[0].obj.Resources.Properties = pikepdf.Dictionary(L=group)

        assert not ShownPages(b"/OCProperties", lambda: pdf).hides_layers(1)
        pdf.pages[0].contents_add(b"/OC /L BDC BT /F 11 Tf 60 600 Td (The offer is void.) Tj ET EMC")
        assert ShownPages(b"/OCProperties", lambda: pdf).hides_layers(1)


def test_a_layer_that_is_on_is_read(drawn: Callable[..., bytes]) -> None:
    """A layer that is shown is text like any other."""

    def change(pdf: pikepdf.Pdf) -> None:
        _with_layer(pdf, "group")
        pdf.Root.OCProperties.D = pikepdf.Dictionary(ON=pdf.Root.OCProperties.OCGs)

    assert [line.layer for line in _parsed(drawn(_VISIBLE), change).lines] == ["text", "text"]


def test_what_is_drawn_is_quoted_not_what_it_is_to_be_taken_for(drawn: Callable[..., bytes]) -> None:
    """A number with another one as its replacement text is the number that a person sees."""
    document = _parsed(
        drawn(
            "BT /F 11 Tf 60 700 Td (The offer stands at ) Tj /Span <</ActualText (990)>> BDC (340) Tj EMC"
            " ( crowns.) Tj ET"
        ),
        lambda _pdf: None,
    )

    assert [(line.text, line.layer) for line in document.lines] == [
        ("The offer stands at 340 crowns.", "text"),
        ("990", "hidden"),
    ]


def test_replacement_text_that_says_what_is_drawn_hides_nothing(drawn: Callable[..., bytes]) -> None:
    """Files that spell out a word they draw are as readable as others."""
    document = _parsed(
        drawn("BT /F 11 Tf 60 700 Td /Span <</ActualText (The offer)>> BDC (The offer) Tj EMC ( stands.) Tj ET"),
        lambda _pdf: None,
    )

    assert [(line.text, line.layer) for line in document.lines] == [("The offer stands.", "text")]
