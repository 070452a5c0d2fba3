"""Text layers that are not what is printed are told from text in any language."""

import pytest

from pincite.parsing.quality import flags, latin_likeness

_READABLE = {
    "english": "The board approved the purchase of two cranes on 4 March 2027. The yard delivers them in spring.",
    "german": "Der Vorstand genehmigte den Kauf von zwei Kränen am 4. März 2027. Die Werft liefert im Frühjahr.",
    "finnish": "Hallitus hyväksyi kahden nosturin hankinnan 4. maaliskuuta 2027. Telakka toimittaa ne keväällä.",
    "polish": "Zarząd zatwierdził zakup dwóch dźwigów 4 marca 2027 roku. Stocznia dostarczy je wiosną do portu.",
    "vietnamese": "Hội đồng quản trị đã phê duyệt việc mua hai cần cẩu vào ngày 4 tháng 3 năm 2027 tại nhà máy.",
    "russian": "Совет директоров утвердил покупку двух кранов 4 марта 2027 года. Краны поставит верфь весной.",
    "greek": "Το διοικητικό συμβούλιο ενέκρινε την αγορά δύο γερανών στις 4 Μαρτίου 2027 για το λιμάνι.",
    "arabic": "وافق مجلس الإدارة على شراء رافعتين في 4 مارس 2027. ستسلم الرافعات من قبل حوض بناء السفن",
    "chinese": "董事会于2027年3月4日批准购买两台起重机。起重机将由船厂在春季交付并在港口验收。",
    "code": "def parse(self, content: bytes) -> Document:\n    for index in range(n_pages):\n        yield read(index)",
    "formula": "x_i = y_j + z_k (i = 1, ..., n), f(x) = sum a_n x^n, E = mc^2, Q K V softmax(QK^T) sin cos log",
    "table": "HX-20 18 400 A2 HX-40 650 B1 HX-60 55 B1 HX-80 72 900 XK-11 QZ-44 RTX-900 KBZ PQR WXYZ 881 22",
    "gene": "ATGGCCATTGTAATGGGCCGCTGAAAGGGTGCCCGATAG" * 3,
}


@pytest.mark.parametrize("name", _READABLE)
def test_good_text_is_left_alone(name: str) -> None:
    """No language, script, table, formula or program is called unreadable."""
    assert flags(_READABLE[name], n_damaged=0, unmapped=0.0) == []


@pytest.mark.parametrize("shift", [1, 3, 5, 7, 14, 17, 20, 25])
def test_shifted_letters_are_unreadable(shift: int) -> None:
    """A font map that is off by some letters gives letters, but not what is printed."""
    shifted = "".join(
        chr((ord(char) - 97 + shift) % 26 + 97) if char.islower() else char for char in _READABLE["english"].lower()
    )

    assert flags(shifted, n_damaged=0, unmapped=0.0) == ["unreadable_text_layer"]


@pytest.mark.parametrize("shift", [29, 28, 31])
def test_glyph_numbers_taken_for_characters_are_unreadable(shift: int) -> None:
    """Without a Unicode map, glyph numbers arrive as printable characters some places away."""
    shifted = "".join(chr(max(33, ord(char) - shift)) for char in _READABLE["english"])

    assert flags(shifted, n_damaged=0, unmapped=1.0) == ["unreadable_text_layer"]


def test_right_text_from_a_font_without_a_map_is_kept() -> None:
    """Where the guess is plainly right, the page stays readable."""
    assert flags(_READABLE["english"], n_damaged=0, unmapped=1.0) == []


def test_some_lost_characters_are_damage_and_many_are_unreadable() -> None:
    """A hole in a word is flagged; a page of holes is not text."""
    assert flags("Heavy tra\ufffdc is diverted to the berth.", n_damaged=1, unmapped=0.0) == ["damaged_text_layer"]
    assert flags("\ufffd\ufffd\ufffd a \ufffd\ufffd", n_damaged=5, unmapped=0.0) == ["unreadable_text_layer"]


def test_likeness_needs_no_spaces() -> None:
    """Lines that lost their spaces are judged by their letters all the same."""
    assert latin_likeness("theboardapprovedthepurchaseoftwocranes")[0] > 0.8


@pytest.mark.parametrize("offset", [0x3A0, 0x390, 0x4EE0, 0xAC00])
def test_letters_moved_to_another_script_are_unreadable(offset: int) -> None:
    """A font map that leads to Cyrillic, Greek, Chinese or Korean codes gives letters that no language puts so."""
    text = f"{_READABLE['english']} {_READABLE['english']}"
    moved = "".join(chr(ord(char) + offset) if char.isalpha() else char for char in text)

    assert flags(moved, n_damaged=0, unmapped=0.0) == ["unreadable_text_layer"]


def test_one_character_for_all_is_unreadable() -> None:
    """Words of every length made of dots are text that was lost; leaders of a form are what is printed."""
    dots = "".join("." if char.isalnum() else char for char in _READABLE["english"])
    leaders = "\n".join(["." * 80] * 14)

    assert flags(dots, n_damaged=0, unmapped=0.0) == ["unreadable_text_layer"]
    assert flags(leaders, n_damaged=0, unmapped=0.0) == []


def test_a_private_character_inside_a_word_is_damage() -> None:
    """A ligature that leads to the private use area leaves a hole in the word; a private bullet does not."""
    assert flags("Berth \ue001fth is closed at e\ue002cient tide", n_damaged=0, unmapped=0.0) == ["damaged_text_layer"]
    assert flags("\ue001 Berth five is closed at tide", n_damaged=0, unmapped=0.0) == []


def test_a_letter_of_a_strange_script_inside_words_is_damage() -> None:
    """A ligature without a meaning may come out as a Cherokee letter; words of two scripts by rule are left alone."""
    lost = "The of\u13b2cer \u13c2les the report in the of\u13b2ce at nine."
    assert flags(lost, n_damaged=0, unmapped=0.0) == ["damaged_text_layer"]
    for text in ("A dose of 5 μmol daily.", "The iPhone手机 costs more.", "Москва and the Lada-седан are old."):
        assert flags(text, n_damaged=0, unmapped=0.0) == []


def test_greek_letters_of_formulas_are_left_alone() -> None:
    """Mathematics uses Greek letters one by one, and those it likes best are not those of Greek words."""
    formulas = " ".join(f"{a}({b}) = {c}{d}" for a in "φψθλ" for b in "ξζγδ" for c in "ωχβ" for d in "ΔΩΦ")

    assert flags(formulas, n_damaged=0, unmapped=0.0) == []


def test_a_letter_that_stands_for_all_is_no_text() -> None:
    """A font map that leads every glyph to one letter, blanks too, leaves nothing to read."""
    assert flags("A" * 47 + "\n" + "A" * 42, n_damaged=0, unmapped=0.0) == ["unreadable_text_layer"]
