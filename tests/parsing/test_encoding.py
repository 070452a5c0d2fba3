"""Bytes to text without losing a letter."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import NotTextError
from pincite.parsing.encoding import decode

CASE = Path(__file__).parents[1] / "cases" / "CHK07-encodings"

RUSSIAN = "Ключ от гавани лежит в красном ящике. Маяк включают в три часа."
JAPANESE = "港の鍵は赤い箱にあります。灯台は三時に点灯します。"
CHINESE = "合同自双方签字之日起生效，有效期为三年。泵的检查每周一进行。"
TRADITIONAL = "合約自雙方簽字之日起生效，有效期為三年。"
KOREAN = "항구의 열쇠는 빨간 상자에 있습니다. 등대는 세 시에 켜집니다."
GERMAN = "Der Hafenmeister prüft täglich die Schlösser und meldet Schäden dem Büro für Öl."
FRENCH = "Le règlement prévoit que l’équipage doit être à bord dès l’arrivée."
SPANISH = "El capitán informará a la compañía según el artículo; ¿cuándo? mañana."
UKRAINIAN = "Він має ключ. Маяк зачинено взимку, і його ключ лежить у ящику."
GREEK = "Το κλειδί είναι στο κόκκινο κουτί. Ο φάρος ανάβει στις τρεις."
POLISH = "Klucz do portu leży w czerwonej skrzynce. Latarnię włącza się o trzeciej."


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (RUSSIAN, "cp1251"), (RUSSIAN, "koi8_r"), (JAPANESE, "shift_jis"), (JAPANESE, "euc_jp"),
        (CHINESE, "gb18030"), (CHINESE, "gbk"), (TRADITIONAL, "big5"), (KOREAN, "euc_kr"), (GERMAN, "latin-1"),
        (FRENCH, "cp1252"), (SPANISH, "cp1252"), (POLISH, "cp1250"), (GERMAN, "cp850"), (RUSSIAN, "utf-16"),
        (JAPANESE + "\n", "utf-16-le"), (JAPANESE + "\n", "utf-16-be"), ("The tower has 88 steps.", "utf-16-le"),
        (RUSSIAN, "utf-16-be"), (CHINESE, "utf-32"), (GERMAN, "utf-8-sig"), (KOREAN, "utf-8"),
        ("5 € – “Björn’s pot”", "cp1252"), ("Größe: 3 m²", "latin-1"), ("20 °C ± 2", "cp1252"),
        ("§ 4 Abs. 2", "cp1252"), ("naïve", "latin-1"), (JAPANESE, "iso2022_jp"), (KOREAN, "iso2022_kr"),
        ("Le cœur coûte 9 €.", "iso8859_15"), ("Add 1½ cups of flour and ¼ cup of oil.", "cp1252"),
        ("La nave è partita perché il mare è più calmo.", "cp1252"), (POLISH, "iso8859_2"),
        (UKRAINIAN, "koi8_u"), (UKRAINIAN, "cp1251"), (GREEK, "cp1253"), (GREEK, "iso8859_7"),
    ],
)  # fmt: skip
def test_reads_what_was_written(text: str, encoding: str) -> None:
    """Text in the usual encodings of the world is read as it was written, without being told the encoding."""
    assert decode(text.encode(encoding), "a.txt").text == text


@pytest.mark.parametrize(
    "name", ["cp1252.txt", "latin1.txt", "utf16le-bom.txt", "utf8-bom.txt", "sjis.txt", "mixed.txt", "nul.txt"]
)
def test_old_files_keep_every_letter(name: str) -> None:
    """Old text files are decoded right, or with a warning; no letter is dropped, no NUL and no mark is kept."""
    expected = json.loads((CASE / "case.json").read_text("utf-8"))["expected"]["files"][name]

    decoded = decode((CASE / name).read_bytes(), name)

    assert [part for part in expected.get("text_contains", []) if part not in decoded.text] == []
    assert [char for char in expected.get("must_not_silently_drop", []) if char not in decoded.text] == []
    assert decoded.text.startswith(expected.get("text_starts_with", ""))
    assert "\0" not in decoded.text
    assert bool(decoded.warnings) == (name in {"mixed.txt", "nul.txt"})
    assert decoded.encoding == expected.get("encoding", decoded.encoding)


def test_lines_of_two_encodings_are_both_read() -> None:
    """Where lines of UTF-8 and Windows-1252 are mixed, each is read as what it is, and the warning names the line."""
    content = "naïve ferry\n".encode() + "9 € for naïve raft\n".encode("cp1252") + b"dry\n"

    decoded = decode(content, "mixed.txt")

    assert decoded.text == "naïve ferry\n9 € for naïve raft\ndry\n"
    assert "line 2" in decoded.warnings[0]


def test_two_encodings_in_one_line_are_both_read() -> None:
    """A line with UTF-8 letters and a stray Windows-1252 byte keeps both."""
    decoded = decode("naïve crew, café – ".encode() + b"5 \x80 each", "mixed.txt")

    assert decoded.text == "naïve crew, café – 5 € each"
    assert decoded.warnings


@pytest.mark.parametrize(
    "content",
    [(CASE / "binary.txt").read_bytes(), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"\0" * 100, bytes(range(1, 32)) * 4],
    ids=["all-bytes", "png", "nuls", "controls"],
)
def test_refuses_bytes_that_are_no_text(content: bytes) -> None:
    """Binary bytes under a text name are refused by name instead of being indexed."""
    with pytest.raises(NotTextError, match=r"data\.txt"):
        decode(content, "data.txt")


@pytest.mark.parametrize(
    ("content", "text", "place"),
    [
        ("The café is open. ".encode() + b"\xff shut", "The café is open. ÿ shut", "1 byte in line 1 is"),
        ("Le café – ".encode() + b"\xc3 shut", "Le café – Ã shut", "1 byte in line 1 is"),
        (b"\xc3\xa9 or \xe9, \x81", "é or é, \ufffd", "2 bytes in line 1 are"),
        ("Маяк".encode() + b"\xff" + " закрыт.\nДа.\n".encode(), "Маяк\ufffd закрыт.\nДа.\n", "1 byte in line 1 is"),
        ("Маяк закрыт.\nДа.\n".encode() + "Маяк стоит.".encode("cp1251"), "Маяк закрыт.\nДа.\nМаяк стоит.", "line 3"),
        ("港の鍵\n".encode() + b"\xe6\xb8 \xe7\x81\xaf\xe5\x8f\xb0", "港の鍵\n\ufffd 灯台", "2 bytes in line 2 are"),
    ],
    ids=["stray", "as-many-as-letters", "undefined", "cyrillic", "line-of-cp1251", "cut-character"],
)  # fmt: skip
def test_a_broken_byte_costs_no_other_letter(content: bytes, text: str, place: str) -> None:
    """UTF-8 with broken bytes stays UTF-8: only they are read otherwise, and the warning counts them."""
    decoded = decode(content, "a.txt")

    assert (decoded.text, decoded.encoding) == (text, "utf-8")
    assert place in decoded.warnings[0]


def test_surrogates_written_as_utf8_are_characters() -> None:
    """Emoji in CESU-8, as some databases write them, are read as emoji; half of one is shown as broken."""
    assert decode("Der Maät 😀".encode()[:-4] + b"\xed\xa0\xbd\xed\xb8\x80", "a.txt").text == "Der Maät 😀"
    assert decode("ä ö ü é ".encode() + b"\xed\xa0\xbd", "a.txt").warnings


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"Prix : 9 \xa4", {"iso8859_15", "'€' or"}),
        ("The ship to Gdańsk leaves.".encode("cp1250"), {"cp1250", "cp1252"}),
        ("Яблоко упало.".encode("mac_cyrillic"), {"cp1251", "mac_cyrillic"}),
        ("The harbour café is closed at nine.".encode("cp037"), set()),
    ],
    ids=["currency", "one-letter", "one-word", "ebcdic"],
)
def test_two_readings_that_fit_are_both_named(content: bytes, named: set[str]) -> None:
    """Where bytes mean one thing in one plausible encoding and another in the next, a warning says so."""
    (warning,) = decode(content, "a.txt").warnings

    assert warning.startswith("the encoding is uncertain: read as ")
    assert all(name in warning for name in named)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [(GERMAN, "cp1252"), (FRENCH, "cp1252"), (SPANISH, "cp1252"), (RUSSIAN, "cp1251"), (POLISH, "cp1250")],
)
def test_sentences_in_a_common_encoding_are_not_doubted(text: str, encoding: str) -> None:
    """No warning where the letters leave one encoding."""
    assert decode(text.encode(encoding), "a.txt").warnings == ()


def test_a_czech_line_is_not_read_as_a_mix_of_western_letters() -> None:
    """No language has the letters of all: "øìèù" in one sentence are not Western, however common each of them is."""
    text = "Řeka Vltava měří 430 kilometrů. Žádné lodě v zimě nejezdí. Příští plavba začíná v květnu."
    assert decode(text.encode("cp1250"), "a.txt").text == text
    assert decode(text.encode("iso8859-2"), "a.txt").text == text


def test_says_when_it_guesses() -> None:
    """A byte that no encoding explains is shown as U+FFFD, and a warning says so."""
    decoded = decode("the café, Größe, crème and mañana ".encode("cp1252") + b"\x81", "a.txt")

    assert decoded.text == "the café, Größe, crème and mañana \ufffd"
    assert any("\ufffd" in warning for warning in decoded.warnings)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=200))
def test_utf8_is_never_taken_for_something_else(text: str) -> None:
    """Whatever text is written in UTF-8 comes back unchanged, but for a mark at its start."""
    assert decode(text.encode("utf-8"), "a.txt").text == text.removeprefix("\ufeff")
