"""Yes and no as a sentence says them, in English, German, French and Spanish."""

import pytest
from tests.making import brief_of, parsed, read

from pincite.answering.extractive import ExtractiveAnswerer
from pincite.types.answer import Truth


def _truth(question: str, sentence: str) -> bool:
    document = parsed(f"# Note\n\n{sentence}\n\nThe tide table hangs in the office.\n")
    draft = ExtractiveAnswerer().answer(brief_of(question, document, None), read(document))
    assert draft.shape == "boolean"
    (item,) = draft.items
    assert item.text == sentence
    assert isinstance(item.value, Truth)
    return item.value.value


@pytest.mark.parametrize(
    ("question", "sentence", "truth"),
    [
        ("Ist die Haftung begrenzt?", "Die Haftung ist auf grobe Fahrlässigkeit beschränkt.", True),
        ("Ist die Haftung begrenzt?", "Die Haftung ist unbegrenzt.", False),
        ("Darf der Mieter untervermieten?", "Der Mieter darf nicht ohne Zustimmung untervermieten.", False),
        ("Darf der Mieter grillen?", "Der Mieter darf im Hof grillen.", True),
        ("Sind Haustiere erlaubt?", "Haustiere sind nach Absprache gestattet.", True),
        ("Ist Rauchen gestattet?", "Rauchen ist im Haus verboten.", False),
        ("Ist Rauchen verboten?", "Rauchen ist im Haus verboten.", True),
        ("Haftet der Mieter unbegrenzt?", "Der Mieter haftet unbegrenzt.", True),
        ("Gibt es einen Aufzug?", "Es gibt keinen Aufzug.", False),
        ("Ist der Hof geöffnet?", "Der Hof ist im Winter geschlossen.", False),
        ("Les animaux sont-ils autorisés ?", "Les animaux sont interdits dans la salle.", False),
        ("Est-ce que le vestiaire est gratuit ?", "Le vestiaire est gratuit.", True),
        ("Peut-on prendre des photos ?", "Les visiteurs peuvent prendre des photos sans flash.", True),
        ("Le musée est-il ouvert le lundi ?", "Le musée n'est pas ouvert le lundi.", False),
        ("Le musée est-il ouvert le dimanche ?", "Le musée est fermé le dimanche.", False),
        ("¿Están permitidos los perros?", "Los perros no están permitidos en la piscina.", False),
        ("¿Está abierta la piscina?", "La piscina está cerrada en invierno.", False),
        ("¿Es gratuito el aparcamiento?", "El aparcamiento es gratuito.", True),
        ("¿Pueden los socios invitar a un amigo?", "Los socios pueden invitar a un amigo.", True),
    ],
)  # fmt: skip
def test_yes_and_no_in_other_languages(question: str, sentence: str, truth: bool) -> None:
    """A question for yes or no gets one in German, French and Spanish too, denials and opposites heard."""
    assert _truth(question, sentence) is truth


@pytest.mark.parametrize(
    ("question", "sentence", "truth"),
    [
        ("May visitors take photos?", "Visitors may take photos without flash.", True),
        ("Is smoking allowed without a permit?", "Smoking is not allowed without a permit.", False),
        ("Does the dinghy have a keel?", "The dinghy is built without a keel.", False),
        ("Is diving allowed without a buoy?", "Diving is allowed without a buoy.", True),
    ],
)
def test_what_is_left_out_denies_only_what_was_asked_about(question: str, sentence: str, truth: bool) -> None:
    """Photos without flash are photos; a boat that is built without a keel has none."""
    assert _truth(question, sentence) is truth


@pytest.mark.parametrize(
    ("question", "sentence", "truth"),
    [
        ("Are dogs permitted?", "Dogs are allowed on the quay.", True),
        ("Are dogs permitted?", "Dogs are banned from the quay.", False),
        ("Is liability limited?", "Liability is capped at 5,000 crowns.", True),
        ("Is liability limited?", "Liability is unlimited.", False),
        ("Are life jackets mandatory?", "Life jackets are compulsory for children.", True),
    ],
)
def test_another_word_for_a_rule_is_the_same_rule(question: str, sentence: str, truth: bool) -> None:
    """Permitted is allowed and banned is not, whichever word the question has."""
    assert _truth(question, sentence) is truth


@pytest.mark.parametrize("question", ["Darf der Mieter grillen?", "Gibt es einen Aufzug?", "Est-il permis de fumer ?"])
def test_yes_or_no_to_what_nothing_speaks_of_is_refused(question: str) -> None:
    """A sentence about something else says neither yes nor no with confidence."""
    document = parsed("# Haus\n\nDer Mieter darf die Wohnung nicht untervermieten.\n\nLes animaux sont interdits.\n")
    draft = ExtractiveAnswerer().answer(brief_of(question, document, None), read(document))
    assert not draft.items or draft.confidence < 0.5


def test_may_at_the_start_asks_for_leave_and_names_no_month() -> None:
    """A question that begins with "May" is not about May."""
    assert (
        _truth("May the lessee move the oven?", "The lessee shall not move the oven without written consent.") is False
    )
