"""The normaliser: what it makes alike, what it never does, and the way back."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.fold import FOLDS, fold

#: Text with many of the characters that are folded.
texts = st.text(
    st.one_of(
        st.sampled_from(" \t\n\u00a0\u2009‘’“”«»‐‑–—−…ﬁﬂﬀ≥≤≠。、「」款合同\u00ad\u200bé\u0301µμΩΩ⁶²½①㎏aB9-+.,'\""),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=40,
)


@given(texts)
def test_offsets_lead_back(text: str) -> None:
    """Every character of the folded text knows where it came from, in order and inside the text."""
    folded = fold(text)
    starts = [folded.start_of(i) for i in range(len(folded.text))]
    ends = [folded.end_of(i) for i in range(len(folded.text))]
    assert starts == sorted(starts)
    assert ends == sorted(ends)
    assert all(0 <= start < end <= len(text) for start, end in zip(starts, ends, strict=True))
    # A part of the source that is cut at its own folds is the same text again.
    for char, start, end in zip(folded.text, starts, ends, strict=True):
        part = text[start:end]  # a lowered digit is folded by what stands beside it
        assert char in fold(part).text or char in fold(f"H{part}").text


@given(texts)
def test_folding_again_changes_nothing(text: str) -> None:
    """Folded text is already folded."""
    once = fold(text).text
    assert fold(once).text == once


@given(st.text(st.characters(exclude_categories=["Cs", "Cn"]), max_size=30))
def test_digits_case_and_letters_stay(text: str) -> None:
    """No digit appears, disappears or changes, and no letter of the alphabet changes its case."""
    folded = fold(text).text
    for kind in ("0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"):
        kept = iter(c for c in folded if c in kind)
        # Full width forms and ligatures may add some; none of the plain ones goes or moves.
        assert all(c in kept for c in text if c in kind)


@pytest.mark.parametrize(
    "different",
    [
        ("10⁶", "106"),
        ("10ⁿ", "10n"),
        ("m²", "m2"),
        ("10₂", "102"),
        ("log₂8", "log28"),
        ("x₂.5", "x2.5"),
        ("x₂,5", "x2,5"),
        ("x₂\u200b5", "x25"),
        ("x₂⁵", "x25"),
        ("1e₅", "1e5"),
        ("3x₁", "3x1"),
        ("x²", "x2"),
        ("5 ₂", "5 2"),
        ("½", "1/2"),
        ("1½", "11/2"),
        ("①", "1"),
        ("+4", "4"),
        ("-4", "4"),
        ("±4", "+4"),
        ("Master", "master"),
        ("équipage", "equipage"),
        ("Malmö", "Malmo"),
        ("0.05", "0.5"),
        ("1,250", "1250"),
        ("a b", "ab"),
        ("≥ 12", "≤ 12"),
        ("not", ""),
        ("kΩ", "k"),
    ],
    ids=" / ".join,
)
def test_what_differs_for_a_reader_stays_different(different: tuple[str, str]) -> None:
    """Superscripts, fractions, signs, case, accents and separators are never folded."""
    assert fold(different[0]).text != fold(different[1]).text


@pytest.mark.parametrize(
    ("written", "plain", "name"),
    [
        ("two  \t words", "two words", "white_space"),
        ("合同 自", "合同自", "white_space"),
        ("‘a’ “b” «c»", '\'a\' "b" "c"', "quote_marks"),
        ("10–15 — −4", "10-15 - -4", "dashes"),
        ("ﬁnal eﬀect oﬃce", "final effect office", "ligatures"),
        ("« mot » (‹ x ›)", "\"mot\" ('x')", "quote_marks"),
        ("5′ 7″ ‚y‘ „z“", "5' 7\" 'y' \"z\"", "quote_marks"),
        ("１２ µm ℃", "12 μm °C", "compatibility"),
        ("Ｆｕｌｌ　ｗｉｄｔｈ １２３", "Full width 123", "compatibility"),
        ("H₂O, C₁₂H₂₂O₁₁ and 2CO₂", "H2O, C12H22O11 and 2CO2", "subscripts"),
        ("e\u0301", "é", "composition"),
        ("co\u00adoperative\u200b", "cooperative", "soft_hyphens"),
        ("vessels…", "vessels...", "ellipses"),
        ("罚款。「甲、乙」", '罚款."甲,乙"', "cjk_punctuation"),
        ("≥ ≤ ≠", ">= <= !=", "comparison_signs"),
    ],
)
def test_every_fold_does_what_it_says(written: str, plain: str, name: str) -> None:
    """Each documented fold makes both forms alike, and nothing else does: without it they differ."""
    assert name in FOLDS
    assert fold(written).text == plain
    assert fold(written, without=name).text != fold(plain, without=name).text


def test_german_quote_marks_keep_their_blanks() -> None:
    """»Wort« points the other way: the blanks outside of it part words."""
    assert fold("sagte »nie« und »nur« er").text == 'sagte "nie" und "nur" er'


@given(st.text(st.sampled_from("0123456789₀₁₂₃⁰²⁵HOxe.,- \u200b１"), max_size=12))
def test_a_lowered_digit_never_makes_another_number(text: str) -> None:
    """The numbers of a text, as runs of digits with their points, are the same before and after."""
    kept = re.findall(r"(?<![^\W_])\d+(?:[.,]\d+)*", fold(text, without="subscripts").text)
    assert re.findall(r"(?<![^\W_])\d+(?:[.,]\d+)*", fold(text).text) == kept


@given(st.text(st.characters(max_codepoint=0x24F), max_size=30))
def test_composed_and_decomposed_letters_meet(text: str) -> None:
    """A text in NFC and the same in NFD fold to the same."""
    assert fold(unicodedata.normalize("NFC", text)).text == fold(unicodedata.normalize("NFD", text)).text
