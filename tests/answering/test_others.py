"""What is said of another thing, another year or another people is no answer about those that are named."""

import pytest
from tests.making import brief_of, parsed, read

from pincite.answering.asked import asked
from pincite.answering.scoring import score_units
from pincite.answering.units import read_units

YARD = parsed(
    "# Mill 2\n\nMill 2 has a wheel of 5 m. Its miller was Jon Aske.\n\n"
    "# Mill 3\n\nMill 3 was mended in 2001. It grinds rye.\n\n"
    "# Ships\n\nCaptain Lund commands the Aurora. The Boreas burns diesel.\n\n"
    "# Games\n\nIn 2019 the Hawks won the cup. In 2020 the Owls won the league. The Owls' coach is Pia Renn.\n"
)


def unmet(question: str, text: str) -> float:
    units = read_units(read(YARD))
    brief = brief_of(question, YARD)
    scored = score_units(brief, asked(brief, units), units, fits=lambda _: True, embedder=None)
    return next((one.unmet for one in scored if one.unit.text == text), 9.0)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What does Mill 2 grind?", "Mill 2 has a wheel of 5 m."),
        ("Who commands the Boreas?", "The Boreas burns diesel."),
        ("Who won the cup in 2020?", "In 2020 the Owls won the league."),
        ("Who won the league in 2019?", "In 2020 the Owls won the league."),
        ("Who coaches the Hawks?", "The Owls' coach is Pia Renn."),
    ],
)
def test_what_is_said_of_others_is_missing_here(question: str, text: str) -> None:
    """A sentence about what is named lacks what only others do; one about others lacks what is named."""
    assert unmet(question, text) >= 1


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What does Mill 3 grind?", "It grinds rye."),
        ("Who commands the Aurora?", "Captain Lund commands the Aurora."),
        ("Who won the cup in 2019?", "In 2019 the Hawks won the cup."),
        ("Who is the coach of the Owls?", "The Owls' coach is Pia Renn."),
    ],
)
def test_what_is_said_of_the_thing_itself_is_met(question: str, text: str) -> None:
    """The sentence that says it of what is named lacks nothing."""
    assert unmet(question, text) == 0


TRAINS = parsed(
    "# Züge\n\nDer Regionalzug nach Lund fährt auf Gleis 4. Der Schnellzug nach Malmö fährt um 8:05 Uhr. "
    "Zugführer des Regionalzugs ist Herr Brand. Die Fußgängerbrücke ist 31 m lang.\n"
)


@pytest.mark.parametrize(
    ("question", "text", "is_met"),
    [
        ("Wer ist Zugführer des Schnellzugs?", "Zugführer des Regionalzugs ist Herr Brand.", False),
        ("Wer ist Zugführer des Regionalzugs?", "Zugführer des Regionalzugs ist Herr Brand.", True),
        ("Auf welchem Gleis fährt der Schnellzug?", "Der Schnellzug nach Malmö fährt um 8:05 Uhr.", False),
        ("Auf welchem Gleis fährt der Zug nach Malmö?", "Der Regionalzug nach Lund fährt auf Gleis 4.", False),
        ("Wie lang ist die Fussgaengerbrücke?", "Die Fußgängerbrücke ist 31 m lang.", True),
    ],
)
def test_german_compounds_are_told_apart(question: str, text: str, *, is_met: bool) -> None:
    """A Regionalzug is no Schnellzug, Lund is not Malmö, and another spelling is the same word."""
    units = read_units(read(TRAINS))
    brief = brief_of(question, TRAINS)
    scored = score_units(brief, asked(brief, units), units, fits=lambda _: True, embedder=None)
    assert (next((one.unmet for one in scored if one.unit.text == text), 9.0) < 1) == is_met
