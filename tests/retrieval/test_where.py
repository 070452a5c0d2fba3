"""Conditions on metadata: the grammar, and which documents they mean."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.making import parsed

from pincite.errors import FilterError
from pincite.retrieval.metadata import FIELDS, matching, values_of
from pincite.retrieval.where import parse_where
from pincite.types.document import DocumentRecord, ParsingSummary
from pincite.types.where import AllOf, AnyOf, Comparison, Not


def record(name: str, metadata: dict[str, Any] | None = None, **origin: str) -> DocumentRecord:
    document = parsed("x")
    return DocumentRecord(
        doc_id=name,
        name=name,
        uri=f"file:///srv/docs/{name}",
        media_type="text/markdown",
        content_hash=document.content_hash,
        n_bytes=1,
        parser="p",
        n_pages=3,
        n_lines=1,
        added_at="2026-11-30T08:00:00+00:00",
        status="ready",
        metadata=metadata or {},
        parsing_summary=ParsingSummary(language="en", format="markdown"),
        origin=origin,
    )


RECORDS = (
    record("policies/travel-2022.md", {"date": "2022-03-01", "tags": ["policy", "Travel"], "status": "old"}),
    record("policies/travel-2023.md", {"date": "2023-03-15", "tags": ["policy"], "Review": {"by": "Ann Li"}}),
    record(
        "policies/leave.md", {"Keywords": "policy; leave", "author": ["Ann Li", "Bo"], "version": 10, "final": True}
    ),
    record("minutes/2023-05-02.md", {"title": "Minutes of “May”"}),
    record("handbook/a.md", {"version": "9"}, source="github:o/r", ref="main"),
)


def names(where: str) -> list[str]:
    return [found.name.rpartition("/")[2].removesuffix(".md") for found in matching(RECORDS, parse_where(where))]


def test_and_binds_tighter_than_or_and_not_tightest() -> None:
    """`a=1 or b=2 and not c=3` is `a=1 or (b=2 and (not c=3))`."""
    a, b, c = (Comparison(field=f, operator="=", values=(v,)) for f, v in (("a", "1"), ("b", "2"), ("c", "3")))
    assert parse_where("a=1 or b=2 and not c=3") == AnyOf(parts=(a, AllOf(parts=(b, Not(inner=c)))))
    assert parse_where("(a=1 OR b=2) AND NOT c=3") == AllOf(parts=(AnyOf(parts=(a, b)), Not(inner=c)))


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("year=2023 and tag=policy", ["travel-2023"]),
        ("year=2023", ["travel-2023", "2023-05-02"]),
        ("year>=2022 and year<2023", ["travel-2022"]),
        ("date<=2023-03", ["travel-2022", "travel-2023"]),
        ("date=2023-03", ["travel-2023"]),
        ("date > 2023-03-15", ["2023-05-02"]),
        ("tag=TRAVEL", ["travel-2022"]),
        ("tag in (leave, travel)", ["travel-2022", "leave"]),
        ("tag exists and not status=old", ["travel-2023", "leave"]),
        ("status!=old", ["travel-2023", "leave", "2023-05-02", "a"]),
        ('author="ann li"', ["leave"]),
        ("review.by='Ann Li'", ["travel-2023"]),
        ("version>9", ["leave"]),
        ("version=9.0", ["a"]),
        ("final=true", ["leave"]),
        ("path~*/policies/*2023*", ["travel-2023"]),
        ("name~policies/*2023*", ["travel-2023"]),
        ("path~policies/", ["travel-2022", "travel-2023", "leave"]),
        ("title~“may”", ["2023-05-02"]),
        ("source=github:o/r and ref=main", ["a"]),
        (
            "type=md and pages=3 and added=2026-11",
            ["travel-2022", "travel-2023", "leave", "2023-05-02", "a"],
        ),
        ("type=pdf", []),
        ('tag="and"', []),
    ],
)
def test_a_condition_means_these_documents(where: str, expected: list[str]) -> None:
    """Case folds, numbers are numbers, a year or month stands for its days, a list holds any of its values."""
    assert names(where) == expected


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("", "the name of a field is missing"),
        ("year", "an operator"),
        ("year=", "a value is missing"),
        ("year=2023 tag=policy", "join them with 'and'"),
        ("(year=2023", r"closing '\)'"),
        ("tag in policy", "in parentheses"),
        ("tag in (a, )", "a value is missing"),
        ('tag="open', "not closed"),
        ("year=2023 and", "the name of a field is missing"),
        ("!", "odd"),
        ("not " * 60 + "a=1", "nested too deep"),
        ("(" * 60 + "a=1" + ")" * 60, "nested too deep"),
        ("a" * 5000, "characters"),
        ("year=2023; drop table documents", "join them"),
    ],
)
def test_what_cannot_be_read_is_said(where: str, words: str) -> None:
    """A wrong condition is an error that shows where, never a guess and never all documents."""
    with pytest.raises(FilterError, match=words):
        parse_where(where)


def test_an_unknown_field_is_an_error_that_lists_the_known_ones() -> None:
    """A typing error in a field is not an empty result."""
    with pytest.raises(FilterError, match=r"'yaer'.*review.*year"):
        names("yaer=2023")


@given(value=st.text(min_size=1, max_size=30))
def test_any_text_can_be_a_value(value: str) -> None:
    """Whatever a value holds, quotes and words of the grammar too, it is that value and nothing else."""
    quoted = '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    assert parse_where(f"tag={quoted}") == Comparison(field="tag", operator="=", values=(value,))


@given(where=st.text(alphabet="ab=<>~!()\"',\\ andornt*1", max_size=40))
def test_any_text_is_read_or_refused(where: str) -> None:
    """No condition makes anything but a tree or a typed error."""
    try:
        condition = parse_where(where)
        matching(RECORDS, condition)
    except FilterError:
        pass


def test_every_documented_field_has_values() -> None:
    """The fields of the documentation are there."""
    assert [field for field in FIELDS if not any(values_of(one, field) for one in RECORDS)] == []
