"""Codes and numbered names, found however they are written and told from their neighbours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.codes import code_pattern, number_pattern


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("RFC9110", "RFC 9110"),
        ("UN1203", "UN 1203"),
        ("SHA256", "SHA-256"),
        ("sha2", "SHA-2"),
        ("CO2", "CO₂"),
        ("I2C", "I²C"),
        ("alpha-7", "α-7"),
        ("β-7", "beta-7"),
        ("1.2.3", "v1.2.3"),
        ("3,5", "3.5 mm"),
        ("3.5", "3,5 mm"),
        ("9783161484100", "978-3-16-148410-0"),
        ("978-3-16-148410-0", "9783161484100"),
        ("f16c", "F-16C"),
        ("DE89370400440532013000", "DE89 3704 0044 0532 0130 00"),
        ("aao-12", "ÅÄÖ-12"),
        ("M8x1.25", "M8×1.25"),
        ("C#", "C# driver"),
        ("1000,50", "1.000,50 €"),
        ("10,000", "10 000 crowns"),
        ("12(4)(b)", "12(4)(b)"),
        ("HX 40", "hx‑40"),
        ("30%", "30 %"),
        ("192.168.0.1", "192.168.0.1/24"),
    ],
)
def test_a_code_is_found_however_it_is_written(name: str, written: str) -> None:
    """Blanks, hyphens, accents, raised digits and Greek letters make no other code."""
    assert code_pattern(name).search(f"The {written} is here.")


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("HX-40", "HX-400"),
        ("HX-40", "HX-4"),
        ("HX-40", "HX-40B"),
        ("HX-4", "HX-40"),
        ("7.3.2", "7.32"),
        ("73", "7.3"),
        ("4-2", "42"),
        ("1000,50", "1000,5"),
        ("10,000", "100,000"),
        ("SHA-2", "SHA-256"),
        ("1.2.3", "11.2.3"),
        ("1.2.3", "1.2.3.4"),
        ("F16", "F-16C"),
        ("C#", "C driver"),
        ("C++", "C# driver"),
        ("12(4)(b)", "12(4)(c)"),
        ("α-7", "β-7"),
        ("3,5", "35 mm"),
        ("0x1F", "0x1F0"),
    ],
)
def test_a_code_is_not_its_neighbour(name: str, other: str) -> None:
    """A digit, letter or point more or less makes another code."""
    assert code_pattern(name).search(f"The {other} is here.") is None


@given(st.from_regex(r"[A-Z]{2,4}-[0-9]{2,4}", fullmatch=True), st.sampled_from("0123456789B"))
def test_no_code_matches_a_longer_one(name: str, more: str) -> None:
    """A code with one more character is another code."""
    assert code_pattern(name).search(name)
    assert code_pattern(name).search(name + more) is None


@pytest.mark.parametrize(
    ("question", "number", "text", "is_same"),
    [
        ("What does article 17 say?", "17", "Art. 17 GDPR", True),
        ("What does article 17 say?", "17", "Entry 17: Art. 7 GDPR", False),
        ("What does § 4 say?", "4", "Section 4 applies.", True),
        ("Where is ISO 27001?", "27001", "ISO/IEC 27001:2022", True),
        ("What does version 3.1 do?", "3.1", "v3.1 is out", True),
        ("What does version 3.1 do?", "3.1", "Version 3.10 is out", False),
        ("How deep is lock 5?", "5", "Locks 4, 5 and 6 are deep.", True),
        ("How deep is lock 5?", "5", "Lock 4 is 5 m deep.", False),
    ],
)
def test_a_bare_number_belongs_to_the_word_before_it(question: str, number: str, text: str, is_same: bool) -> None:
    """Lock 5 is no 5 m lock; Art. 17 is article 17."""
    assert bool(number_pattern(number, question).search(text)) is is_same
