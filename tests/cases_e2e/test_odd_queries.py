"""Codes, query operators and strings that are no question, end to end."""

import json

import pytest
from tests.cases_e2e.conftest import LibraryOf
from tests.cases_e2e.expectations import CASES, broken_promises, case_file, said

from pincite.errors import QuestionError
from pincite.types.answer import Answer

CODES = case_file("RET01-identifiers")["expected"]["queries"]
MUST_HIT = case_file("RET02-fts-syntax")["expected"]["must_hit"]
SYNTAX = json.loads((CASES / "RET02-fts-syntax" / "queries.json").read_text(encoding="utf-8"))
ODD = json.loads((CASES / "QST10-empty-and-stopword-queries" / "queries.json").read_text(encoding="utf-8"))


def parameters(queries: list[str]) -> list[object]:
    return [pytest.param(q, id=ascii(q)[:40]) for q in queries]


@pytest.mark.parametrize("query", parameters([row["q"] for row in CODES]))
def test_the_line_with_the_code_comes_first(query: str, library_of: LibraryOf) -> None:
    """A code, whole or in part, finds its own line first, never that of a neighbour."""
    row = next(row for row in CODES if row["q"] == query)
    library = library_of("RET01-identifiers")
    anchor = library.search(query).candidates[0].anchor
    assert anchor.first_line_id <= row["expect_line"] <= anchor.last_line_id
    found = library.document("codes.md").lines_between(anchor.first_line_id, anchor.last_line_id)
    assert row["expect_contains"] in " ".join(line.text for line in found)


@pytest.mark.parametrize("query", parameters(list(MUST_HIT)))
def test_operators_are_words(query: str, library_of: LibraryOf) -> None:
    """What is syntax in a full-text engine is searched as it was typed, and found."""
    anchor = library_of("RET02-fts-syntax").search(query).candidates[0].anchor
    assert anchor.first_line_id <= MUST_HIT[query] <= anchor.last_line_id


@pytest.mark.parametrize("query", parameters(SYNTAX))
def test_no_query_is_a_syntax_error(query: str, library_of: LibraryOf) -> None:
    """Whatever is typed gets a result, in search and as a question."""
    library = library_of("RET02-fts-syntax")
    assert library.search(query).confidence <= 1
    assert broken_promises(library, library.ask(query)) == []


@pytest.mark.parametrize("query", parameters([q for q in ODD if 0 < len(q.strip("\x00\u200b ")) <= 4000]))
def test_a_string_without_a_question_is_not_answered(query: str, library_of: LibraryOf) -> None:
    """Stop words, signs and broken characters are refused or answered like any question; they never fail."""
    library = library_of("QST10-empty-and-stopword-queries")
    result = library.ask(query)
    assert broken_promises(library, result) == []
    if "colour" not in query:
        assert not isinstance(result, Answer), said(result)


@pytest.mark.parametrize("query", ["", "   ", "\x00", "\u200b", "x" * 20_000], ids=lambda q: ascii(q)[:12])
def test_nothing_and_too_much_are_named_errors(query: str, library_of: LibraryOf) -> None:
    """An empty and an endless question raise an error with a code that programs can tell."""
    with pytest.raises(QuestionError) as raised:
        library_of("QST10-empty-and-stopword-queries").ask(query)
    assert raised.value.code == case_file("QST10-empty-and-stopword-queries")["expected"]["empty_query_error"]
