"""Forms: what is printed beside a field is its label, wherever it stands."""

import io
from collections.abc import Callable
from typing import Any

import pikepdf

from pincite.parsing.pdf import PdfiumParser

_RADIO = 1 << 15


def _widget(box: list[int], **values: Any) -> pikepdf.Dictionary:
    return pikepdf.Dictionary(Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Widget, Rect=box, **values)


def _buttons(pdf: pikepdf.Pdf, name: str, y: int, states: list[str], chosen: str) -> list[Any]:
    """Return a group of buttons at the x of 200, 300, …; states are their names when on."""
    group = pdf.make_indirect(pikepdf.Dictionary(FT=pikepdf.Name.Btn, Ff=_RADIO, T=name))
    look = pdf.make_stream(b"")
    out = []
    for at, state in enumerate(states):
        shown = pikepdf.Dictionary({f"/{state}": look, "/Off": look})
        on = pikepdf.Name(f"/{state if state == chosen else 'Off'}")
        box = [200 + 100 * at, y, 212 + 100 * at, y + 12]
        out.append(_widget(box, Parent=group, AS=on, AP=pikepdf.Dictionary(N=shown)))
    return out


def _form_lines(content: bytes, make: Callable[[pikepdf.Pdf], list[Any]]) -> list[str]:
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(content)) as pdf:
        widgets = [pdf.make_indirect(one) for one in make(pdf)]
        pdf.pages[0].obj.Annots = pikepdf.Array(widgets)
        pdf.Root.AcroForm = pikepdf.Dictionary(Fields=pikepdf.Array(widgets))
        pdf.save(out)
    document = PdfiumParser().parse(out.getvalue(), name="a.pdf", uri="a.pdf")
    return [line.text for line in document.lines if line.layer == "form"]


def _text(*places: tuple[int, int, str]) -> str:
    return " ".join(f"BT /F 11 Tf {x} {y} Td ({text}) Tj ET" for x, y, text in places)


def test_a_group_of_buttons_says_its_label_and_choice(drawn: Callable[..., bytes]) -> None:
    """`Size of the stall: medium` is found as printed, though the file calls both by codes."""
    printed = [(60, 600, "Size of the stall:"), (215, 600, "small"), (315, 600, "medium"), (415, 600, "large")]

    assert _form_lines(
        drawn(_text(*printed)), lambda pdf: _buttons(pdf, "f7", 598, ["Choice1", "Choice2", "Choice3"], "Choice2")
    ) == ["Size of the stall: medium"]


def test_a_group_without_a_choice_says_so(drawn: Callable[..., bytes]) -> None:
    """Nobody chose: that is said once, not guessed."""
    printed = [(200, 620, "Engine"), (215, 600, "diesel"), (315, 600, "petrol")]

    assert _form_lines(drawn(_text(*printed)), lambda pdf: _buttons(pdf, "f8", 598, ["a", "b"], "")) == [
        "Engine: none selected"
    ]


def test_the_first_line_beside_a_tall_box_is_its_label(drawn: Callable[..., bytes]) -> None:
    """A box of many lines is called by the line beside its top, not by the code of the field."""
    printed = [(60, 640, "Remarks"), (60, 610, "Use block letters."), (60, 560, "Colour")]
    fields = [
        _widget([200, 580, 400, 652], FT=pikepdf.Name.Tx, T="rem", V="Needs power until dusk"),
        _widget([200, 556, 400, 572], FT=pikepdf.Name.Tx, T="col", V="green"),
    ]

    assert _form_lines(drawn(_text(*printed)), lambda _pdf: fields) == [
        "Remarks: Needs power until dusk",
        "Colour: green",
    ]


def test_every_option_that_is_selected_is_shown(drawn: Callable[..., bytes]) -> None:
    """A list with several selections shows their printed names, also where only their places are kept."""
    options = pikepdf.Array(
        [pikepdf.Array(["h", "Honey"]), pikepdf.Array(["c", "Cheese"]), pikepdf.Array(["w", "Wool"])]
    )
    fields = [
        _widget([200, 600, 400, 640], FT=pikepdf.Name.Ch, T="a", Opt=options, V=pikepdf.Array(["h", "w"])),
        _widget([200, 500, 400, 540], FT=pikepdf.Name.Ch, T="b", Opt=options, I=pikepdf.Array([1])),
    ]

    assert _form_lines(drawn(_text((60, 625, "Goods"), (60, 525, "Spare"))), lambda _pdf: fields) == [
        "Goods: Honey, Wool",
        "Spare: Cheese",
    ]


def test_lines_of_a_text_field_are_parted(drawn: Callable[..., bytes]) -> None:
    """Lines of a typed text are parted by carriage returns: their words do not grow together."""
    field = _widget(
        [200, 600, 400, 640], FT=pikepdf.Name.Tx, T="a", V="Roof leaks above\rthe stair.\r\nBucket in place."
    )

    lines = _form_lines(drawn(_text((60, 625, "Defect"))), lambda _pdf: [field])
    assert lines == ["Defect: Roof leaks above the stair. Bucket in place."]
