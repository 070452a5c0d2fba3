"""Acronyms that a document defines."""

import pytest

from pincite.questions.acronyms import long_form


@pytest.mark.parametrize(
    ("short", "text", "long"),
    [
        ("MRSC", "The Maritime Rescue Sub-Centre (MRSC) answers.", "Maritime Rescue Sub-Centre"),
        ("MHWS", "The mean high water spring (“MHWS”) is 2.9 m.", "mean high water spring"),
        ("GPU", "GPU (graphics processing unit) hours", "graphics processing unit"),
        ("GPU", "graphics processing units (GPUs) are", "graphics processing units"),
        ("CSF", "See CSF (Cybersecurity Framework).", None),
        ("ABC", "something else (ABC) here", None),
        ("ABC", "no definition of it", None),
    ],
)
def test_a_definition_spells_its_acronym(short: str, text: str, long: str | None) -> None:
    """Only words whose initials spell the acronym are its long form."""
    assert long_form(short, text) == long
