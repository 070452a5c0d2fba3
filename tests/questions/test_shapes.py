"""Which shape of answer a question asks for."""

import pytest

from pincite.questions.shapes import asked_shape


@pytest.mark.parametrize(
    ("question", "shape"),
    [
        ("What is the colour of the lamp?", "text"),
        ("Who operates the crane?", "text"),
        ("Where is the rope store?", "text"),
        ("Why was it closed?", "text"),
        ("How often must the seal be replaced?", "text"),
        ("What is it called?", "text"),
        ("Which port of call?", "text"),
        ("What is the news of the gas?", "text"),
        ("What is the policy number?", "text"),
        ("Which invoice number was paid?", "text"),
        ("What is a Base Rate Advance?", "text"),
        ("What is a cost centre in the accounts?", "text"),
        ("What is a fair price for a mooring?", "amount"),
        ("What is the fee?", "amount"),
        ("How much do the gates weigh?", "amount"),
        ("How long is the certificate valid?", "amount"),
        ("How high is mean high water?", "amount"),
        ("How many berths are free?", "amount"),
        ("What does the winch cost?", "amount"),
        ("What is the sill depth of lock 4?", "amount"),
        ("What percentage of pumps failed?", "amount"),
        ("When was pier A rebuilt?", "date"),
        ("Until when is the crane certified?", "date"),
        ("What date does it start?", "date"),
        ("In which year was it built?", "date"),
        ("Is there dangerous cargo?", "boolean"),
        ("May boats anchor at night?", "boolean"),
        ("Doesn't it open?", "boolean"),
        ("Is X north or south?", "text"),
        ("List all projects that are late.", "list"),
        ("Which models have no measured torque?", "list"),
        ("What are the options for positional encoding?", "list"),
        ("What are the odds?", "list"),
        ("Name the three dinghies", "list"),
        ("What kinds of oil are there?", "list"),
        ("Compare the HX-20 and the HX-40.", "comparison"),
        ("What is the difference between A and B?", "comparison"),
        ("Show the torques as a table", "table"),
    ],
)
def test_the_shape_of_a_question(question: str, shape: str) -> None:
    """The way a question is put says what kind of answer is wanted."""
    assert asked_shape(question).shape == shape


@pytest.mark.parametrize(
    ("question", "counted"),
    [
        ("How many projects are in the register?", "projects"),
        ("The number of berths", "berths"),
        ("how many watch-keepers", "watch-keepers"),
    ],
)
def test_what_is_counted(question: str, counted: str) -> None:
    """A count knows what it counts."""
    asked = asked_shape(question)
    assert asked.counts
    assert (asked.subject or "").startswith(counted.split()[0])


def test_a_list_reads_the_section() -> None:
    """A list, a table or a comparison needs the whole section, a fact a few lines."""
    assert asked_shape("List all fees").granularity == "section"
    assert asked_shape("What is the fee?").granularity == "window"


@pytest.mark.parametrize(
    ("question", "shape"),
    [
        ("Was kostet der Zaun?", "amount"),
        ("Wie hoch ist die Kaution?", "amount"),
        ("Wie viele Geräte gibt es?", "amount"),
        ("Wann ist die Sitzung?", "date"),
        ("Welche Geräte sind defekt?", "list"),
        ("Welche Farbe hat das Tor?", "text"),
        ("Wer leitet das Amt?", "text"),
        ("Was ist Beton?", "text"),
        ("Quand a lieu la réunion ?", "date"),
        ("Combien coûte le bac ?", "amount"),
        ("Quels sont les tarifs ?", "list"),
        ("¿Cuándo es la reunión?", "date"),
        ("Ist die Haftung begrenzt?", "boolean"),
        ("Darf der Mieter untervermieten?", "boolean"),
        ("Haftet der Mieter für Schäden?", "boolean"),
        ("Ist der Zaun grün oder blau?", "text"),
        ("Seit wann gilt der Vertrag?", "date"),
        ("Um wie viel Uhr öffnet der Hof?", "amount"),
        ("Zeigt die Karte, wo der Hof liegt?", "boolean"),
        ("Le musée est-il ouvert ?", "boolean"),
        ("Est-ce que le musée est ouvert ?", "boolean"),
        ("Où le musée est-il situé ?", "text"),
        ("Qu'est-ce que le vestiaire ?", "text"),
        ("¿Está abierta la piscina?", "boolean"),
        ("¿Qué es la piscina?", "text"),
        ("¿Cómo se abre la puerta?", "text"),
        ("Was the gate closed?", "boolean"),
    ],
)
def test_questions_in_other_languages(question: str, shape: str) -> None:
    """German, French and Spanish question words say what is asked; "was" is a verb in English alone."""
    assert asked_shape(question).shape == shape
