"""Greek letters by name."""

import pytest
from tests.making import parsed

from pincite.questions import DocumentCorpus
from pincite.questions.symbols import with_symbols


@pytest.mark.parametrize(
    ("question", "text", "meant"),
    [
        ("What is delta T?", "The difference ΔT is 12 K.", "What is ΔT?"),
        ("What is beta 2?", "We set β1 = 0.9 and β2 = 0.98.", "What is β2?"),
        ("What is beta_1?", "We set β1 = 0.9 and β2 = 0.98.", "What is β1?"),
        ("What is beta2?", "We set β2 = 0.98.", "What is β2?"),
        ("What is epsilon_ls?", "Smoothing of value ϵ_ls = 0.1.", "What is ε_ls?"),
        ("What is sigma?", "The deviation σ is 4.", "What is sigma?"),
        ("What is beta 2?", "The release beta2 follows; β2 is a factor.", "What is beta 2?"),
        ("What is the alphabet?", "The angle α is 4; αbet is none.", "What is the alphabet?"),
        ("What is the delta of the Rhine?", "The δ of the series.", "What is the delta of the Rhine?"),
    ],
)
def test_a_name_and_what_follows_become_the_symbol_of_the_documents(question: str, text: str, meant: str) -> None:
    """Who types "delta T" means the ΔT of the documents; where they spell the name out, it stays."""
    document = parsed(text)
    assert with_symbols(question, DocumentCorpus(document)) == meant
