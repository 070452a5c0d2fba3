"""Words that are the same in another form, and words that only look alike."""

from tests.making import brief_of, parsed, read

from pincite.answering.extractive import ExtractiveAnswerer


def _said(question: str, text: str) -> list[str]:
    document = parsed(text)
    draft = ExtractiveAnswerer().answer(brief_of(question, document, None), read(document))
    return [item.text for item in draft.items] if draft.confidence >= 0.5 else []


def test_an_irregular_verb_is_the_same_verb_in_all_its_forms() -> None:
    """Who wrote it is said by "written by"."""
    text = "# Clock\n\nThe clock was written by Noor Aldana. The case was painted by Ada Lind.\n"
    assert _said("Who wrote the clock?", text) == ["The clock was written by Noor Aldana."]


def test_a_sum_of_money_is_no_rent() -> None:
    """What a thing is worth does not say what its rent is."""
    text = "# Ovens\n\n| Oven | Value |\n| --- | --- |\n| D4 | £18,000 |\n| D6 | £24,500 |\n"
    assert _said("How much is the rent of the oven D4?", text) == []


def test_column_names_are_no_answer() -> None:
    """The names of columns say nothing of what stands below them."""
    rows = "| Nitrate | 18.4 | 50 |\n| Iron | 0.3 | 0.2 |\n"
    text = f"# Results\n\n| Parameter | Result | Limit |\n| --- | --- | --- |\n{rows}"
    assert "Parameter | Result | Limit" not in _said("Which parameter is above its limit?", text)
