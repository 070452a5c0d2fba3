"""Questions that a document asks itself, headings in the words of the question, and labels whose meaning is asked."""

import pytest
from tests.making import brief_of, parsed, read

from pincite.answering.extractive import ExtractiveAnswerer
from pincite.types.answer import Draft, Quantity, Truth

_FAQ = """# Frequently asked questions

**How do I reset my password?**

Open the sign-in page and choose "Forgot password". The link is valid for two hours.

**Can I share my account?**

No. Each account is for one person.

**Which payment methods do you accept?**

We accept Visa, Mastercard and bank transfer.

**How long do I have access to a course?**

Access lasts for eighteen months.

**Are certificates free?**

A certificate costs 19 euros.

## What is not leave

- Medical appointments
- Jury service

## How do I set up the pump?

1. Fill the pump.
2. Open the valve.

## Errors

- `401`: the token is missing.
- `429`: too many calls.
- **Berth** – a place for one boat.
"""


def _draft(question: str) -> Draft:
    document = parsed(_FAQ)
    return ExtractiveAnswerer().answer(brief_of(question, document, None), read(document))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "How do I reset my password?",
            ['Open the sign-in page and choose "Forgot password". The link is valid for two hours.'],
        ),
        ("How do I reset the password", ["Open the sign-in page and choose"]),
        ("Can I share my account?", ["No. Each account is for one person."]),
        ("Which payment methods are accepted?", ["We accept Visa, Mastercard and bank transfer."]),
        ("Is a certificate free?", ["A certificate costs 19 euros."]),
        ("What is not leave?", ["Medical appointments", "Jury service"]),
        ("How do I set up the pump?", ["Fill the pump.", "Open the valve."]),
        ("What does status 429 mean?", ["429: too many calls."]),
        ("What is a berth?", ["Berth – a place for one boat."]),
    ],
)
def test_what_stands_below_answers(question: str, said: list[str]) -> None:
    """The question itself is no answer: what stands below it is, whole."""
    items = _draft(question).items
    assert len(items) == len(said)
    assert all(item.text.startswith(text) for item, text in zip(items, said, strict=True))


_RECIPE = """Rye bread

Ingredients

rye flour .......... 800 g
salt ............... 18 g

Method

1. Mix flour and water.
2. Bake for 40 minutes.

The bread keeps for a week. Can it be frozen? No, it falls apart.
"""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What are the steps of the method?", ["Mix flour and water.", "Bake for 40 minutes."]),
        ("What are the ingredients?", ["rye flour: 800 g", "salt: 18 g"]),
        ("How long does the bread keep?", ["The bread keeps for a week."]),
        ("Can it be frozen?", ["No, it falls apart."]),
    ],
)
def test_plain_text_has_titles_and_questions_too(question: str, said: list[str]) -> None:
    """A word on a line of its own titles the list below it; a question within a paragraph has its answer there."""
    document = parsed(_RECIPE, "bread.txt")
    draft = ExtractiveAnswerer().answer(brief_of(question, document, None), read(document))
    assert [item.text for item in draft.items] == said


def test_yes_no_and_amounts_are_typed() -> None:
    """A leading no is a no, and an amount in the answer is one."""
    (shared,) = _draft("Can I share my account?").items
    assert shared.value == Truth(value=False)
    (access,) = _draft("How long do I have access to a course?").items
    assert isinstance(access.value, Quantity)
    assert (access.value.number, access.value.unit) == ("18", "months")


@pytest.mark.parametrize("question", ["How do I change my username?", "When do I reset my password?"])
def test_another_question_is_not_the_same(question: str) -> None:
    """A question that shares words with one of the document is not given that one's answer for certain."""
    draft = _draft(question)
    assert not draft.items or draft.confidence < 0.9
