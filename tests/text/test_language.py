"""The language of a text, guessed."""

import pytest

from pincite.text.language import guess_language


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The gate of the harbour is closed at dusk.", "en"),
        ("Der Hafen ist für Öl und Gas nicht geöffnet.", "de"),
        ("Le port est fermé pour les navires qui sont en retard.", "fr"),
        ("El puerto no está abierto para los barcos que llegan tarde.", "es"),
        ("港の鍵は赤い箱にあります。", "ja"),
        ("合同自双方签字之日起生效。", "zh"),
        ("항구의 열쇠는 상자에 있습니다.", "ko"),
        ("Ключ от гавани лежит в ящике.", "ru"),
        ("مفتاح الميناء في الصندوق", "ar"),
        ("The word for key is 鍵 in this list of the port.", "en"),
        ("1 2 3", "und"),
        ("", "und"),
    ],
)
def test_guesses_by_script_and_small_words(text: str, expected: str) -> None:
    """A sentence is enough to tell the language; numbers tell none."""
    assert guess_language(text) == expected
