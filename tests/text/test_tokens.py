"""What is written alike meets at search: words, codes, scripts, spellings."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.tokens import MAX_TOKEN_CHARS, index_terms, line_terms, stem, token_terms, words

CASE = json.loads(
    (Path(__file__).parent.parent / "cases" / "RET01-identifiers" / "case.json").read_text(encoding="utf-8")
)
CODES = (
    (Path(__file__).parent.parent / "cases" / "RET01-identifiers" / "codes.md").read_text(encoding="utf-8").split("\n")
)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_terms_hold_no_blank_and_are_the_same_every_time(text: str) -> None:
    """Any text has terms without white space; asking again gives the same."""
    terms = index_terms(text)
    assert all(term and not any(c.isspace() for c in term) for term in terms)
    assert index_terms(text) == terms


@pytest.mark.parametrize("row", CASE["expected"]["queries"], ids=lambda row: row["q"])
def test_a_code_meets_its_line(row: dict[str, object]) -> None:
    """The most specific term of a code, whole or in part, is a term of the line that holds it."""
    line = set(index_terms(CODES[int(str(row["expect_line"])) - 1]))
    for typed in str(row["q"]).split():
        if typed != "section":
            assert token_terms(typed)[0] in line


@pytest.mark.parametrize(
    ("one", "other"), [("7.3.2", "7.32"), ("7.3.12", "7.3.2"), ("PGMP-1", "PGMP-15"), ("C++", "C-8"), ("A001", "A002")]
)
def test_neighbour_codes_are_told_apart(one: str, other: str) -> None:
    """The most specific term of a code is not that of its neighbour."""
    assert token_terms(one)[0] not in token_terms(other)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("verification", "veriﬁcations"),
        ("colour", "colors"),
        ("organise", "organized"),
        ("metres", "meter"),
        ("center", "centre"),
        ("wellknown", "well-known"),
        ("well-known", "well‑known"),
        ("watchkeepers", "watch-keepers"),
        ("HX40", "HX-40"),
        ("hx-40", "HX–40"),
        ("epsilon", "ε"),
        ("theta", "θ"),
        ("micrometer", "µm"),
        ("kiloohm", "kΩ"),
        ("μm", "µm"),
        ("cafe", "café"),
        ("Malmo", "Malmö"),
        ("office", "oﬃce"),
        ("storm", "storm¹²"),
        ("user", "getUserById"),
        ("section", "§"),
        ("１２", "12"),
        ("1250", "1,250"),
        ("respond", "response"),
    ],
)
def test_other_ways_to_write_a_word_meet(typed: str, written: str) -> None:
    """Spellings, plurals, ligatures, accents, hyphens, Greek letters and units of either form share a term."""
    assert set(index_terms(typed)) & set(index_terms(written))


def test_chinese_is_searched_by_pairs() -> None:
    """A word inside a run of Chinese is found by its pairs, over a line end as well."""
    assert {"罚款", "三百"} <= set(index_terms("否则罚款三百元。"))
    assert "罚款" in line_terms(["否则罚", "款三百元"])


def test_a_word_that_a_line_cuts_is_found_in_both_readings() -> None:
    """The joined and the hyphenated word are terms; so is a code over a line end."""
    assert {stem("climate"), "cli-mate"} <= set(line_terms(["a cli-", "mate plan"]))
    assert "hx-40" in line_terms(["part HX-", "40 is kept"])


def test_endless_tokens_are_cut() -> None:
    """A run of base64 makes few terms, so a certificate cannot fill the index."""
    assert len(token_terms("aB3+" * 5000)) <= MAX_TOKEN_CHARS


def test_words_for_the_vocabulary() -> None:
    """Words come in lower case without accents; numbers are none."""
    assert words("Café No. 7: well-known") == ["cafe", "no", "well-known", "well", "known"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("RFC 9110", "RFC9110"),
        ("Art. 17", "article 17"),
        ("§ 42", "section 42"),
        ("№ 77", "No. 77"),
        ("No. 4711", "#4711"),
        ("F-16C", "f16c"),
        ("SHA-2", "sha2"),
        ("M8×1.25", "m8x1.25"),
        ("1.000,50", "1000,50"),
        ("3,5", "3.5"),
        ("192.168.0.1/24", "192.168.0.1"),
        ("CO₂", "CO2"),
        ("Straße", "Strasse"),
        ("Jürgen", "Juergen"),
        ("10,000", "10000"),
    ],
)
def test_ways_to_write_a_code_or_word_meet(one: str, other: str) -> None:
    """What is written in another way is found by its own term, not by a part of it."""
    parts = {
        "rfc",
        "article",
        "art",
        "section",
        "no",
        "42",
        "17",
        "77",
        "9110",
        "c",
        "f",
        "sha",
        "m",
        "1",
        "25",
        "192",
        "168",
        "0",
    }
    assert (set(index_terms(one)) & set(index_terms(other))) - parts


def test_letters_with_signs_are_names_of_their_own() -> None:
    """C# is not C, and 3,5 is not 35."""
    assert "c" not in index_terms("C#")
    assert "35" not in index_terms("3,5")


ENDINGS = "ions ational fulness ousness ements ingly ability edly ization ivities iveness".split()


def test_threads_do_not_mix_their_words() -> None:
    """Words that many threads stem at a time have the stems they have alone: a server answers many at once."""
    roots = "harbour govern reason operat nation relat creat measur connect industri profit compan".split()
    made = [f"{start}{root}{end}" for start in ("", "inter", "re") for root in roots for end in ENDINGS]
    stem.cache_clear()
    alone = [stem(word) for word in made]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        stem.cache_clear()
        with ThreadPoolExecutor(8) as threads:
            together = list(threads.map(stem, made))
    finally:
        sys.setswitchinterval(before)
        stem.cache_clear()

    assert together == alone
