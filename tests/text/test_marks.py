"""Text without marks, and the way back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.marks import without_markdown, without_reference_marks

marked = st.text(st.sampled_from("ab *_`[](x)#->|~!^1:². "), max_size=30)


@given(marked)
def test_what_is_kept_leads_back(text: str) -> None:
    """Characters are only left out, never changed or moved."""
    for strip in (without_markdown, without_reference_marks):
        kept = strip(text)
        assert "".join(text[kept.start_of(i)] for i in range(len(kept.text))) == kept.text
        assert all(kept.start_of(i) < kept.start_of(i + 1) for i in range(len(kept.text) - 1))


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("## 3.2 **Title**", "3.2 Title"),
        ("- [x] done `now`", "done now"),
        ("> quoted *text*", "quoted text"),
        ("see [the page](https://x.org/a_b) and ![x](p.png)", "see the page and x"),
        ("snake_case and 2 * 3 stay", "snake_case and 2 * 3 stay"),
        ("~~gone~~ kept[^1]", "gone kept"),
        ("an array[3] stays", "an array[3] stays"),
        (r"A\_B \* 3 and \# 4", "A_B * 3 and # 4"),
        ("<b>bold</b> &amp; <a href='x'>link</a>", "bold & link"),
        ("10<sup>6</sup> of List<int> if a < b > c", "10<sup>6</sup> of List<int> if a < b > c"),
    ],
)
def test_markdown_as_it_is_rendered(line: str, plain: str) -> None:
    """Marks go, names with underscores and sums stay."""
    assert without_markdown(line).text == plain


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("as shown [3, 4].", "as shown."),
        ("costs fell¹² by 5 m²", "costs fell by 5 m²"),
        ("10⁶ and x² stay", "10⁶ and x² stay"),
        ("the end.⁷ More", "the end. More"),
        ("[note] stays", "[note] stays"),
    ],
)
def test_reference_marks_go_and_exponents_stay(line: str, plain: str) -> None:
    """Bracketed reference numbers and note numbers after words go; powers are numbers."""
    assert without_reference_marks(line).text == plain
