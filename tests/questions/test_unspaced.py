"""Questions in scripts without spaces are searched by what they are about."""

import pytest

from pincite.questions.unspaced import without_asking


@pytest.mark.parametrize(
    ("token", "kept"),
    [
        ("图书馆有多少名员工？", ["图书馆", "员工"]),
        ("运费由谁承担？", ["运费", "承担"]),
        ("游泳池票價是多少", ["游泳池票價"]),
        ("利用料金はいくらですか。", ["利用料金"]),
        ("얼마입니까", []),
        ("HX-40", ["HX-40"]),
        ("équipage", ["équipage"]),
    ],
)
def test_words_that_ask_are_not_searched(token: str, kept: list[str]) -> None:
    """Words like "how much" and "by whom" stand in no answer: they neither find a text nor speak against one."""
    assert without_asking(token) == kept
