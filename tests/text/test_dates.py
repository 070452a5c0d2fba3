"""Dates and times as they are written and as ISO 8601."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.dates import dates_are_day_first, find_dates, find_times


def isos(text: str, *, day_first: bool = True) -> list[str]:
    return [d.value.iso for d in find_dates(text, day_first=day_first)]


@given(
    st.dates(dt.date(1900, 1, 1), dt.date(2099, 12, 31)),
    st.sampled_from(["%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%d %b %Y", "%d of %B %Y", "%Y年%m月%d日"]),
)
def test_every_way_to_write_a_date_means_the_same(day: dt.date, form: str) -> None:
    """A date is read in full from each common form, and what was written is kept."""
    written = day.strftime(form)
    (found,) = find_dates(f"It was signed on {written} by all.")
    assert (found.value.iso, found.value.original) == (day.isoformat(), written)


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("in March 2026", ["2026-03"]),
        ("on 12 May", ["--05-12"]),
        ("April 3rd", ["--04-03"]),
        ("until 2033", ["2033"]),
        ("the 1st of June 2027", ["2027-06-01"]),
        ("from 2 Jan 2027 to 5 Feb 2027", ["2027-01-02", "2027-02-05"]),
        ("31/12/99", ["1999-12-31"]),
        ("CVE-2031-0042", []),
        ("mid-2027", ["2027"]),
        ("2027-2030", ["2027", "2030"]),
        ("about 2500 boats", []),
        ("the 45 May", []),
        ("10.0.0.17", []),
        ("am 5. März 2031", ["2031-03-05"]),
        ("le 1er mars 2026", ["2026-03-01"]),
        ("5 de marzo de 2031", ["2031-03-05"]),
        ("il 5 maggio 2021", ["2021-05-05"]),
        ("2027/05/06", ["2027-05-06"]),
        ("2023-07-01T10:00:00Z", ["2023-07-01"]),
        ("12-05-2027", ["2027-05-12"]),
        ("30 February 2027", ["2027-02"]),
        ("29 February 2028", ["2028-02-29"]),
        ("on 12 march", ["--03-12"]),
        ("contract 16 may be ended", []),
        ("soldiers march 12 miles", []),
        ("an august 5 member body", []),
        ("the Mars 2020 rover", ["2020"]),
        ("version 1.2.10", []),
    ],
)
def test_dates_as_far_as_they_are_known(text: str, dates: list[str]) -> None:
    """A month, a day without its year and a year are what they are; codes and counts are no dates."""
    assert isos(text) == dates


def test_day_and_month_are_told_apart() -> None:
    """5/4/26 is 5 April or May 4, by the order that holds; a number above 12 can only be a day."""
    assert isos("5/4/26") == ["2026-04-05"]
    assert isos("5/4/26", day_first=False) == ["2026-05-04"]
    assert isos("25/4/26", day_first=False) == ["2026-04-25"]
    assert isos("4/25/26", day_first=True) == ["2026-04-25"]


@pytest.mark.parametrize(
    ("text", "proof"),
    [
        ("13/2/2026", True),
        ("2/13/2026", False),
        ("Minutes, 03/04/2026. The council met on April 3rd.", True),
        ("Minutes, 03/04/2026. The council met on March 4th.", False),
        ("03/04/2026", None),
        ("no date", None),
        ("All dates are month/day/year. It was on 04/05/2026.", False),
        ("Dates are given as DD/MM/YYYY. It was on 04/05/2026.", True),
    ],
)
def test_a_document_proves_its_own_order(text: str, proof: bool | None) -> None:
    """A number above 12 or the same day written out decides; else nothing is assumed."""
    assert dates_are_day_first(text) is proof


def test_times_of_day() -> None:
    """Clock times are found in both notations; ratios and versions are none."""
    text = "Open 06:00 to 10 pm, or 7.30 a.m.; not 4:3."
    assert [text[s.start : s.end] for s in find_times(text)] == ["06:00", "10 pm", "7.30 a.m."]


def test_a_year_of_two_digits_behind_an_apostrophe_belongs_to_its_month() -> None:
    """In "8 Sept '31" the day has a year."""
    assert [d.value.iso for d in find_dates("from May '29 to 8 Sept ’31")] == ["2029-05", "2031-09-08"]
