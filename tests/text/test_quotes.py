"""Quotes are found exactly or after documented folds, and never when a word or number differs."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pincite.text.fold import FOLDS, fold
from pincite.text.quotes import QuoteFinder, QuoteMatch, quote_problem, receipt

CASE = Path(__file__).parent.parent / "cases" / "CIT01-quote-normalisation"
NOTICE = (CASE / "notice.md").read_text(encoding="utf-8").split("\n")
CITATIONS = json.loads((CASE / "citations.json").read_text(encoding="utf-8"))

WORDS = (
    "the master’s lock pays 14 crowns – not −4 mm at 10⁶ Hz ≥ 12 kN “north‑west” pier HX-40 ﬁnal (see) 3.2 m é".split()
)
#: Lines of a document: words that hold everything that is folded, and everything that must not be.
documents = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join), min_size=1, max_size=6)


def first(lines: list[str], quote: str, *, markdown: bool = False) -> QuoteMatch | None:
    return next(QuoteFinder(lines, markdown=markdown).find(quote), None)


@given(documents, st.data())
def test_whatever_was_copied_is_found(lines: list[str], data: st.DataObject) -> None:
    """A run of words copied out of lines is found, and the spans are exactly what was copied."""
    words = [(i, m) for i, line in enumerate(lines) for m in re.finditer(r"\S+", line)]
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start, min(start + 12, len(words) - 1)))
    (first_line, head), (last_line, tail) = words[start], words[end]
    parts = list(lines[first_line : last_line + 1])
    parts[-1] = parts[-1][: tail.end()]
    parts[0] = parts[0][head.start() :]
    copied = "\n".join(parts)
    assume(quote_problem(copied) is None)

    matches = list(QuoteFinder(lines).find(copied))

    places = [tuple((s.index, s.start, s.end) for s in m.spans) for m in matches]
    wanted = tuple(
        (i, head.start() if i == first_line else 0, tail.end() if i == last_line else len(lines[i]))
        for i in range(first_line, last_line + 1)
    )
    assert wanted in places
    match = matches[places.index(wanted)]
    assert (match.quote, match.folds) == (copied, ())


@given(documents, st.data())
def test_whatever_is_found_is_the_same_text(lines: list[str], data: st.DataObject) -> None:
    """Words that stand nowhere in this order are not found; what is found folds to what was claimed."""
    claimed = " ".join(data.draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4)))
    plain = fold(" ".join(lines)).text.replace("- ", "-")
    for match in QuoteFinder(lines).find(claimed):
        shown = fold(match.quote.replace("\n", " ")).text
        assert shown.replace("- ", "-") == fold(claimed).text.replace("- ", "-")
        assert fold(claimed).text.replace("- ", "-") in plain


SENTENCE = ["Lock 4 has a sill depth of 3.2 m, not 4.1 m, and the", "gap is −4 mm at 10⁶ cycles or 1,250 hours."]


@pytest.mark.parametrize(
    "changed",
    [
        "Lock 5 has a sill depth of 3.2 m",
        "Lock 4 has a sill depth of 3.1 m",
        "Lock 4 has a sill depth of 32 m",
        "sill depth of 3.2 m, 4.1 m",
        "has a depth sill of 3.2 m",
        "the gap is 4 mm",
        "gap is 4 mm",
        "4 mm at 10⁶ cycles",
        "gap is +4 mm",
        "at 106 cycles",
        "at 10 cycles",
        "−4 mm at 10",
        "10⁵ cycles",
        "or 250 hours",
        "250 hours",
        "1,25",
        "of 3",
        "2 m, not",
        "ock 4 has",
        "a sill dept",
        "LOCK 4 HAS A SILL DEPTH",
        "a sill depth … 4.1 m",
        "sill depth of 4.1 m",
    ],
)
def test_a_changed_quote_is_never_found(changed: str) -> None:
    """A digit, sign, exponent, 'not', order, case or half a word or number that differs is another text."""
    assert first(SENTENCE, changed) is None


@given(st.data())
def test_one_other_digit_is_another_quote(data: st.DataObject) -> None:
    """Whichever digit of a sentence is changed, the sentence is not found any more."""
    whole = " ".join(SENTENCE)
    at = data.draw(st.sampled_from([m.start() for m in re.finditer(r"[0-9]", whole)]))
    other = data.draw(st.sampled_from([d for d in "0123456789" if d != whole[at]]))
    assert first(SENTENCE, whole) is not None
    assert first(SENTENCE, whole[:at] + other + whole[at + 1 :]) is None


@given(st.data())
def test_two_words_swapped_are_another_quote(data: st.DataObject) -> None:
    """Word order counts."""
    words = " ".join(SENTENCE).split()
    at = data.draw(st.integers(0, len(words) - 2))
    assume(words[at] != words[at + 1])
    words[at], words[at + 1] = words[at + 1], words[at]
    assert first(SENTENCE, " ".join(words)) is None


HYPHENS = ["a cli-", "mate plan that is well-", "known; spare part HX-", "40 is kept", "re\u2010", "entered"]


@pytest.mark.parametrize(
    ("quote", "is_found"),
    [
        ("a climate plan", True),
        ("a cli-mate plan", True),
        ("a cli-\nmate plan", True),
        ("a cli- mate plan", True),
        ("plan that is well-known", True),
        ("plan that is wellknown", True),
        ("spare part HX-40 is kept", True),
        ("spare part HX40 is kept", False),
        ("spare part HX 40 is kept", False),
        ("spare part HX-400 is kept", False),
        ("kept re-entered", True),
        ("kept reentered", True),
        ("mate plan", False),
        ("a cli", False),
    ],
)
def test_both_readings_of_a_line_end_hyphen(quote: str, is_found: bool) -> None:
    """The hyphen of a broken word may stay or go; that of a code stays; half a broken word is no word."""
    assert (first(HYPHENS, quote) is not None) is is_found


def test_the_receipt_names_the_line_end_hyphen() -> None:
    """When a break was closed for the quote, the verdict says so, and the source keeps its hyphen."""
    match = first(HYPHENS, "a climate plan")
    assert match is not None
    assert (match.quote, "line_end_hyphens" in match.folds) == ("a cli-\nmate plan", True)


@pytest.mark.parametrize("row", CITATIONS, ids=lambda row: row["why"])
def test_the_table_of_the_case(row: dict[str, str]) -> None:
    """What people copy honestly is accepted, every changed figure is rejected, and the policy is the documented one."""
    policy = {
        "≥ vs >= : may fold, must be stated": True,
        "accent dropped: may be found by search, but not shown as verbatim": False,
        "cut inside a word: extend to word boundary or reject": False,
    }
    accepted = row["expected"].startswith("verbatim") or policy.get(row["why"], False)
    match = first(NOTICE, row["quote"], markdown=True)
    assert (match is not None) is accepted
    if match is not None:
        assert all(part in line for part, line in _by_line(match))
        assert match.quote == row["quote"] or match.folds


def _by_line(match: QuoteMatch) -> list[tuple[str, str]]:
    return [(part, NOTICE[span.index]) for part, span in zip(match.quote.split("\n"), match.spans, strict=True)]


@pytest.mark.parametrize(
    ("quote", "folds"),
    [
        ("hold for loads >= 12 kN", ("comparison_signs",)),
        ("hold for loads ≥ 12 kN", ()),
        ("10-15 vessels", ("dashes",)),
        ("vessels...", ("ellipses",)),
        ("The master's orders", ("quote_marks",)),
        ("Bold words and code_name and a link text stay.", ("markdown",)),
        ("Running text with uneven blanks and a break.", ("white_space",)),
        ("the cooperative and the non breaking blank", ("white_space", "soft_hyphens")),
    ],
)
def test_the_receipt_lists_what_was_needed(quote: str, folds: tuple[str, ...]) -> None:
    """A verdict names every fold without which the quote would not match, and no other."""
    match = first(NOTICE, quote, markdown=True)
    assert match is not None
    assert set(folds) <= set(FOLDS)
    assert match.folds == folds


def test_accents_may_be_composed_either_way() -> None:
    """A quote typed with composed letters meets a source with combining marks; the receipt says so."""
    assert receipt("équipage", "e\u0301quipage") == ("composition",)


@pytest.mark.parametrize(
    ("quote", "problem"),
    [
        ("", "the quote is empty"),
        (" \n", "the quote is empty"),
        ("…", "the quote holds no word"),
        ("—", "the quote holds no word"),
        ("the", "the quote holds no word of content"),
        ("of the and", "the quote holds no word of content"),
        ("not found", None),
        ("7", None),
        ("AND", None),
        ("款", None),
    ],
)
def test_some_quotes_are_no_evidence(quote: str, problem: str | None) -> None:
    """An empty quote, bare signs and stop words bear nothing out, wherever they stand."""
    assert quote_problem(quote) == problem
    if problem is not None:
        assert first([quote, f"so {quote} it is"], quote) is None


@pytest.mark.parametrize(
    ("quote", "folds"),
    [
        ('L\'équipe dit : "restez ici" - pour 30 kg', ("quote_marks", "dashes")),
        ("Full width 123", ("compatibility",)),
        ("water is H2O", ("subscripts",)),
        ("water is H₂O", ()),
    ],
)
def test_typed_forms_meet_typeset_ones(quote: str, folds: tuple[str, ...]) -> None:
    """French quote marks, full-width letters and chemical formulas are found as people type them."""
    lines = ["L’équipe dit : « restez ici » — pour 30 kg", "Ｆｕｌｌ　ｗｉｄｔｈ １２３。", "water is H₂O, 10₂ is two"]
    match = first(lines, quote)
    assert match is not None
    assert set(folds) <= set(match.folds)
    assert ("subscripts" in match.folds) == ("subscripts" in folds)


@pytest.mark.parametrize("quote", ["water is H20", "102 is two", "water is HO", "H3O", "Full width 12", "30 kg² is"])
def test_no_typed_form_is_another_value(quote: str) -> None:
    """A digit more, less or other is never made alike by the fold of lowered digits."""
    assert first(["Ｆｕｌｌ　ｗｉｄｔｈ １２３。", "water is H₂O, 10₂ is two, H₃₀O", "30 kg₂ is"], quote) is None


def test_running_heads_do_not_cut_a_sentence() -> None:
    """A sentence over a page break is found without the lines between, and a head itself is found too."""
    lines = ["whenever the wind exceeds", "Rules - Page 1 of 4", "force seven, once every hour."]
    finder = QuoteFinder(lines, skipped=frozenset({1}))
    match = next(finder.find("the wind exceeds force seven"))
    assert ([s.index for s in match.spans], match.quote) == ([0, 2], "the wind exceeds\nforce seven")
    assert next(finder.find("Rules - Page 1 of 4")).quote == "Rules - Page 1 of 4"
    assert next(finder.find("exceeds Rules"), None) is None


def test_every_place_is_found_in_reading_order() -> None:
    """A sentence that stands in three places is found three times."""
    lines = ["The bell rings.", "x", "The bell rings. The bell", "rings. y"]
    assert [m.spans[0].index for m in QuoteFinder(lines).find("The bell rings.")] == [0, 2, 2]


def test_reference_marks_may_be_left_out() -> None:
    """[12] and raised note numbers may go from a quote, never an exponent or a number of the text."""
    lines = ["Costs fell [3, 4] by 5 m² after", "the storm¹² had passed."]
    match = first(lines, "Costs fell by 5 m² after the storm had passed.")
    assert match is not None
    assert "reference_marks" in match.folds
    assert first(lines, "Costs fell by 5 m after") is None
    assert first(lines, "Costs fell [3, 4] by 5 m² after") is not None


def test_chinese_text_goes_over_line_ends_without_a_blank() -> None:
    """A line end between Chinese characters counts for nothing; parts of a sentence are quotes."""
    lines = ["所有渔船必须在午夜前返回，否则罚", "款三百元。"]
    match = first(lines, "否则罚款三百元")
    assert match is not None
    assert match.quote == "否则罚\n款三百元"
    assert first(lines, "否则罚款四百元") is None
