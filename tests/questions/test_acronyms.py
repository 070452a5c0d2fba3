"""Acronyms that a document defines."""

import pytest
from tests.making import parsed

from pincite.questions import DocumentCorpus, parse_question
from pincite.questions.acronyms import long_form
from pincite.types.document import ParsedDocument


def understood(question: str, document: ParsedDocument) -> dict[str, float]:
    """Return the keywords of a question with their weights."""
    return {k.text: k.weight for k in parse_question(question, DocumentCorpus(document)).keywords}


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
        ("ECG", "The ECG (electrocardiogram) machine", "electrocardiogram"),
        ("SOP", "Standard Operating Procedures (SOPs) are", "Standard Operating Procedures"),
        ("PPE", "PPE: personal protective equipment. PPE is worn", "personal protective equipment"),
        ("BMI", "BMI means body mass index.", "body mass index"),
        ("BMI", "BMI steht für Body Mass Index.", "Body Mass Index"),
        ("DOW", "DOW: doors open widely on the west side", "doors open widely"),
        ("ABC", "ABC: nothing of the kind", None),
        ("BQM", "The Bureau of Quarry Management (BQM) issues permits.", "Bureau of Quarry Management"),
        ("CAP", "Le Centre d'Accueil Périscolaire (CAP) ferme.", "Centre d'Accueil Périscolaire"),
        ("KZS", "Die Kraftfahrzeug-Zulassungsstelle (KZS) öffnet.", "Kraftfahrzeug-Zulassungsstelle"),
        ("KZX", "Die Kraftfahrzeug-Zulassungsstelle (KZX) öffnet.", None),
        ("BM", "of the Bureau (BM) and", None),
    ],
)
def test_a_definition_spells_its_acronym(short: str, text: str, long: str | None) -> None:
    """Only words whose initials spell the acronym are its long form."""
    assert long_form(short, text) == long


def test_who_spells_an_acronym_out_is_told_what_is_said_of_it() -> None:
    """The short form is what was asked for: a text that has it alone lacks no word."""
    document = parsed(
        "# Lab\n\nPPE: personal protective equipment. PPE is stored in locker 7.\n\nOther equipment is elsewhere.\n"
    )
    keywords = understood("Where is the personal protective equipment stored?", document)
    assert keywords["PPE"] == keywords["stored"]
    assert "equipment" not in keywords
    assert understood("Where is the PPE?", document).keys() >= {"PPE", "personal protective equipment"}
