"""The arithmetic of retrieval: fusion, terms, anchors, ranges, versions."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.making import parsed, record_of

from pincite.questions import DocumentCorpus, parse_question, retrieval_query
from pincite.retrieval.context import _held_by, anchor_lines
from pincite.retrieval.search import merge_ranges
from pincite.retrieval.terms import QueryTerms, held_terms, idf, is_code, query_terms
from pincite.retrieval.versions import superseded
from pincite.types.document import DocumentRecord
from pincite.types.passage import LineRange
from pincite.types.question import Scope


def terms_of(question: str, text: str) -> QueryTerms:
    corpus = DocumentCorpus(parsed(text))
    return query_terms(retrieval_query(parse_question(question, corpus), Scope()), corpus.term_counts, 10)


def test_rare_words_say_more() -> None:
    """A word in one of ten passages weighs more than one in nine, and never less than nothing."""
    assert idf(1, 10) > idf(9, 10) > idf(10, 10) > 0


def test_coverage_is_the_share_of_the_question_that_is_held() -> None:
    """All words are 1, none is 0, and what is asked for is reported missing when nothing holds it."""
    terms = terms_of("sill depth zebra", "The sill has a depth.\n\nMore.")
    assert terms.missing == ("zebra",)
    assert terms.coverage(held_terms(["nothing"])) == 0
    assert 0 < terms.coverage(held_terms(["the sill"])) < terms.coverage(held_terms(["the sill depth"])) < 1
    assert terms_of("sill depth", "sill depth").coverage(held_terms(["a depth of the sill"])) == pytest.approx(1)


def test_a_part_of_a_code_counts_less_than_the_code() -> None:
    """The line with the whole code is held better than one with a part of it."""
    terms = terms_of("PGMP-15", "PGMP-15 is here.\n\nPGMP-1 is there.")
    assert terms.coverage(held_terms(["PGMP-15 is"])) > 2 * terms.coverage(held_terms(["PGMP-1 is"]))


def test_the_anchor_is_the_fewest_lines_that_hold_the_most() -> None:
    """One line when it holds all; neighbours when a sentence goes over them; never a running head."""
    document = parsed("Nothing here.\nThe sill of the lock\nhas a depth of 3 m.\nThe sill depth of the lock.", "a.txt")
    terms = terms_of("sill depth lock", "sill depth lock")
    assert [line.line_id for line in anchor_lines(document.lines, terms)] == [4]
    assert [line.line_id for line in anchor_lines(document.lines[:3], terms)] == [2, 3]
    assert [line.line_id for line in anchor_lines(document.lines[:1], terms)] == [1]


ranges = st.builds(
    lambda doc, first, n: LineRange(doc_id=doc, first_line_id=first, last_line_id=first + n),
    st.sampled_from("ab"),
    st.integers(1, 30),
    st.integers(0, 6),
)


BROKEN = "Art. 17 cli- mate plan £5. 日本 語で end— x- -y ’s (12) RFC".split()


@given(st.lists(st.lists(st.sampled_from(BROKEN), min_size=1, max_size=4), min_size=1, max_size=5))
def test_the_terms_of_a_window_are_those_of_its_lines_together(words: list[list[str]]) -> None:
    """Words broken at a line end, in any script, are held by the window as the index holds them."""
    document = parsed("\n".join(" ".join(line) for line in words))
    window = [line for line in document.lines if line.text.strip()]

    held = _held_by(window, [held_terms([line.text]) for line in window])

    assert set(held) == set(held_terms([line.text for line in window]))


@given(st.lists(ranges, max_size=8))
def test_merged_ranges_hold_the_same_lines_once(given_ranges: list[LineRange]) -> None:
    """No line is lost or comes twice."""

    def lines(of: tuple[LineRange, ...] | list[LineRange]) -> list[tuple[str, int]]:
        return [(r.doc_id, i) for r in of for i in range(r.first_line_id, r.last_line_id + 1)]

    merged = lines(merge_ranges(given_ranges))
    assert len(merged) == len(set(merged))
    assert set(merged) == set(lines(given_ranges))


def version(name: str, date: str, **metadata: Any) -> DocumentRecord:
    title = {"title": "Fuel policy"} if "title" not in metadata else {}
    return record_of(parsed("x", name), metadata={**title, "date": date, **metadata})


OLD, NEW = version("policy-2021.md", "2021-03-01"), version("policy-2026.md", "2026-09-15")


def test_the_newest_version_is_in_force() -> None:
    """Documents of one title and different dates are versions; all but the newest are superseded."""
    assert superseded([OLD, NEW]) == {OLD.doc_id: NEW.doc_id}
    assert superseded([NEW, OLD]) == {OLD.doc_id: NEW.doc_id}


def test_at_a_date_the_version_of_then_is_in_force() -> None:
    """A version that came later is not in force yet; before the first one, the first is taken."""
    assert superseded([OLD, NEW], as_of="2022-12-31") == {NEW.doc_id: OLD.doc_id}
    assert superseded([OLD, NEW], as_of="2026-12-31") == {OLD.doc_id: NEW.doc_id}
    assert superseded([OLD, NEW], as_of="2001-01-01") == {NEW.doc_id: OLD.doc_id}


def test_documents_may_name_what_they_replace() -> None:
    """`replaces` joins versions whose titles differ."""
    one = version("a.md", "2021-01-01", title="Old")
    two = version("b.md", "2022-01-01", title="New", replaces="a.md")
    assert superseded([one, two]) == {one.doc_id: two.doc_id}


def test_other_documents_are_no_versions() -> None:
    """Without a date, with the same date, or with another title nothing is superseded."""
    assert superseded([OLD, version("other.md", "2026-01-01", title="Oil policy")]) == {}
    assert superseded([OLD, version("twin.md", "2021-03-01")]) == {}
    assert superseded([OLD, record_of(parsed("x", "undated.md"), metadata={"title": "Fuel policy"})]) == {}


def lines_of(texts: dict[str, str]) -> Any:
    documents = {record_of(parsed(text, name)).doc_id: parsed(text, name) for name, text in texts.items()}
    return lambda doc_id, n: documents[doc_id].lines[:n]


def current(
    texts: dict[str, str], *, as_of: str | None = None, question: str = "", metadata: dict[str, Any] | None = None
) -> dict[str, str]:
    """Return {name of a superseded document: name of the one in its place}."""
    records = [
        record_of(parsed(text, name), metadata=(metadata or {}).get(name.split(".")[0], {}))
        for name, text in texts.items()
    ]
    names = {r.doc_id: r.name for r in records}
    found = superseded(records, as_of=as_of, question=question, lines_of=lines_of(texts))
    return {names[old]: names[new] for old, new in found.items()}


RULES = "Rates {}\n\nThe mooring rate is {} euros per metre and is paid at the harbour office."


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rates-2022.txt", "rates-2024.txt"),
        ("rates (2022).txt", "rates (2024).txt"),
        ("rates_2022-05-01.txt", "rates_2024-05-01.txt"),
        ("rates v1.txt", "rates v2.txt"),
        ("rates_v1.9.txt", "rates_v1.10.txt"),
        ("rates rev. 2.txt", "rates rev. 3.txt"),
        ("rates (old).txt", "rates.txt"),
        ("rates-draft.txt", "rates.txt"),
        ("rates-2019.txt", "rates.txt"),
    ],
)
def test_names_that_differ_in_date_or_version(old: str, new: str) -> None:
    """Files whose names differ in a date, a version number or a word of state are versions of one text."""
    assert current({old: RULES.format("", 4), new: RULES.format("", 6)}) == {old: new}


def test_the_first_lines_date_a_version() -> None:
    """A line at the top such as "Effective: 1 January 2021" dates a version."""
    old = {"a.txt": "Speed rules of the harbour\n\nEffective: 1 January 2021\n\nThe limit is 4 knots."}
    new = {"b.txt": "Speed rules of the harbour\n\nIn force since 1 May 2024\n\nThe limit is 3 knots."}
    assert current({**old, **new}) == {"a.txt": "b.txt"}
    assert current({**new, **old}, as_of="2022-05-05") == {"b.txt": "a.txt"}


def test_texts_that_differ_in_values_alone() -> None:
    """Two dated texts that differ in a measured value are versions; another room is another thing."""
    limits = {"old.txt": "Speed limit is 30 km/h.", "new.txt": "Speed limit is 20 km/h."}
    dated = {"old": {"last_updated": "12 March 2019"}, "new": {"lastmod": "2023-07-01T10:00:00Z"}}
    assert current(limits, metadata=dated) == {"old.txt": "new.txt"}
    rooms = {"a.txt": "Room 4 is 20 m long.", "b.txt": "Room 5 is 22 m long."}
    assert current(rooms, metadata={"a": {"date": "2019-01-01"}, "b": {"date": "2020-01-01"}}) == {}


@pytest.mark.parametrize("name", ["minutes", "invoice", "annual report", "newsletter"])
def test_what_comes_out_again_and_again_is_no_version(name: str) -> None:
    """The minutes of June do not replace those of May."""
    assert current({f"{name} 2024-05.txt": RULES.format("", 4), f"{name} 2024-06.txt": RULES.format("", 4)}) == {}


def test_same_name_and_another_text() -> None:
    """Two papers that share a title and little else are not versions of one another."""
    texts = {
        "plan 2023.txt": "Plan\n\nThe north wall is painted.",
        "plan 2024.txt": "Plan\n\nAll ferries get new engines.",
    }
    assert current(texts) == {}


def test_a_version_that_the_question_names_is_meant() -> None:
    """Who asks for version 1.2 or for the draft gets it; who asks for the change gets both."""
    texts = {"rates v1.2.txt": RULES.format("", 4), "rates v1.10.txt": RULES.format("", 6)}
    assert current(texts, question="What is the rate in version 1.2?") == {"rates v1.10.txt": "rates v1.2.txt"}
    assert current(texts, question="What changed in the rates?") == {}
    texts = {"rates-draft.txt": RULES.format("", 4), "rates.txt": RULES.format("", 6)}
    assert current(texts, question="What is the rate in the draft?") == {"rates.txt": "rates-draft.txt"}


def test_a_draft_is_not_in_force() -> None:
    """The newest text counts only when it is more than a draft."""
    texts = {"rates-2022.txt": RULES.format("", 4), "rates-2024.txt": RULES.format("", 6)}
    texts["rates-2025-draft.txt"] = RULES.format("", 8)
    assert current(texts) == {"rates-2022.txt": "rates-2024.txt", "rates-2025-draft.txt": "rates-2024.txt"}


@pytest.mark.parametrize("period", ["FY2022", "FY22", "Q3", "2021Q1", "Q2'2023", "H1", "1973", "may3"])
def test_a_period_is_no_code(period: str) -> None:
    """A year or quarter is of many passages, and few write it as the question does."""
    assert not is_code(period)


@pytest.mark.parametrize("code", ["HX-40", "12(4)(b)", "C++", "M8", "0800-123"])
def test_a_code_is_found_by_its_characters(code: str) -> None:
    """Letters with digits or signs and dotted numbers are codes."""
    assert is_code(code)


@pytest.mark.parametrize("word", ["Boeing's", "P&L", "N/A", "one-off", "long-term", "resource(s", "U.S", "co-operate"])
def test_a_word_with_a_sign_in_it_is_no_code(word: str) -> None:
    """Possessives, hyphens and slashes are ordinary writing: they do not make the words of a question weigh more."""
    assert not is_code(word)
