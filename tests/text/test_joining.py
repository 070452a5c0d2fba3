"""Lines become running text, and every character knows the line it came from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.joining import join_lines

lines_of_text = st.lists(st.text(st.sampled_from("ab Zé款。 -‐–‑\u00ad.40\t"), max_size=10), max_size=8)


@given(lines_of_text)
def test_every_character_leads_back_to_its_line(lines: list[str]) -> None:
    """A character of the text is the very character of the line, or the blank between two lines."""
    joined = join_lines(lines)
    for at, char in enumerate(joined.text):
        line, offset = lines[joined.line_index_at(at)], joined.line_offset_at(at)
        assert line[offset : offset + 1] == char or (char == " " and offset >= len(line.rstrip()))


@given(lines_of_text)
def test_nothing_but_hyphens_at_line_ends_is_lost(lines: list[str]) -> None:
    """All letters, digits and stops of the lines are in the text, in order."""
    kept = [c for c in "".join(lines) if not c.isspace() and c not in "-‐\u00ad"]
    assert [c for c in join_lines(lines).text if not c.isspace() and c not in "-‐\u00ad"] == kept


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["a cli-", "mate plan"], "a climate plan"),
        (["part HX-", "40"], "part HX-40"),
        (["the Anglo-", "American"], "the Anglo-American"),
        (["a pause -", "then more"], "a pause - then more"),
        (["co\u00ad", "operative"], "cooperative"),
        (["罚", "款三百元"], "罚款三百元"),
        (["by e‐", "mail, an (x-", "ray of a multi-e-", "mail"], "by e‐mail, an (x-ray of a multi-e-mail"),
        (["re-", "entry at 10–", "15 or 9‒", "11 h"], "reentry at 10–15 or 9‒11 h"),
        (
            ["Berlin–", "Paris and –", "a pause – 5–", "and more—", "or less"],
            "Berlin–Paris and – a pause – 5– and more—or less",
        ),
        (["well‑", "known"], "well‑known"),
        (["  indented  ", "", "  text  "], "indented text"),
        ([], ""),
    ],
)
def test_how_lines_meet(lines: list[str], text: str) -> None:
    """A blank between lines, none in Chinese, broken words whole, codes with their hyphen."""
    assert join_lines(lines).text == text


def test_the_vocabulary_decides_about_a_hyphen() -> None:
    """A word that the documents write with a hyphen keeps it at a line end."""
    known = {"well-known"}
    assert join_lines(["a well-", "known cli-", "mate"], is_word=known.__contains__).text == "a well-known climate"
