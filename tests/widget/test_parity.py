"""Python and JavaScript agree on whatever is typed, Unicode included."""

import math
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.widget.cases import as_json, index, passage
from tests.widget.engine import ELEMENT, Engine

from pincite.types.record import to_json
from pincite.widget.records import Index, Scoring
from pincite.widget.scoring import Searcher, idf
from pincite.widget.words import CASED, MARKS, UNSEEN, stop_words, terms, words

STOP = stop_words("en")
#: Words that meet one another in whole, in part, and by their case; and anything at all between them.
SOME_WORDS = st.sampled_from(
    "page pages pag paging Page PAGES pagé pagé cite cites cited citation 3.5 3,500 35 λόγος ΛΟΓΟΣ straße "
    "STRASSE the not İzmir ızmir naïve naive zero\u200bwidth 引用は 😀 don't".split()
)
TEXT = st.lists(st.one_of(SOME_WORDS, st.text(max_size=6)), max_size=8).map(" ".join)
SCORING = st.builds(
    Scoring,
    term_weight=st.sampled_from([2.0, 1.7, 0.1]),
    prefix_share=st.sampled_from([0.5, 0.3, 0.0, 1.0]),
    prefix_min=st.integers(1, 6),
    shown=st.integers(1, 5),
    threshold=st.sampled_from([0.0, 1.0, 3.5]),
    keep_share=st.sampled_from([0.0, 0.55, 1.0]),
)


@st.composite
def indexes(draw: st.DrawFn) -> Index:
    """Draw an index of a few passages."""
    drawn = draw(st.lists(st.tuples(TEXT, TEXT, st.lists(TEXT, max_size=2)), min_size=1, max_size=8))
    passages = [passage(f"p{n}", text, title, tuple(tags)) for n, (text, title, tags) in enumerate(drawn)]
    return index(*passages, scoring=draw(SCORING))


@settings(max_examples=300)
@given(text=st.text(max_size=40))
def test_the_same_words_of_any_text(javascript: Engine, text: str) -> None:
    """A question means the same to the evals and to the browser, whatever its letters."""
    found = [[_utf16(text, w.start), _utf16(text, w.end), w.term] for w in words(text)]

    assert javascript("words", text=text) == found
    assert javascript("terms", text=text, stop=STOP) == list(terms(text, frozenset(STOP)))


@settings(max_examples=200)
@given(asked=indexes(), questions=st.lists(TEXT, min_size=1, max_size=4))
def test_the_same_outcome_of_any_question(javascript: Engine, asked: Index, questions: list[str]) -> None:
    """Scores, order, matched terms and refusals are equal to the last bit."""
    searcher = Searcher(asked)

    assert javascript("ask", index=to_json(asked), questions=questions) == [as_json(searcher.ask(q)) for q in questions]


@settings(max_examples=200)
@given(asked=indexes(), question=TEXT)
def test_the_outcome_is_that_of_the_rule(asked: Index, question: str) -> None:
    """The quick look-up gives what the rule gives when it is applied to every passage, word by word."""
    stop, rule = frozenset(asked.stop_words), asked.scoring
    passages = [terms(" ".join((p.title, p.text, *p.tags)), stop) for p in asked.passages]
    scores = [0.0] * len(passages)
    for term in terms(question, stop):
        holding = [n for n, own in enumerate(passages) if any(meets(term, o, rule.prefix_min) for o in own)]
        for n in holding:
            whole = rule.term_weight * idf(len(passages), len(holding))
            scores[n] += whole if term in passages[n] else whole * rule.prefix_share
    outcome = Searcher(asked).ask(question)
    best = max(scores)
    order = sorted(range(len(scores)), key=lambda n: (-scores[n], n))[: rule.shown]

    assert {s.id: s.score for s in outcome.ranked if s.score} == {f"p{n}": s for n, s in enumerate(scores) if s}
    if best > 0:
        kept = [
            f"p{n}" for n in order if best >= rule.threshold and scores[n] >= best * rule.keep_share and scores[n] > 0
        ]
        assert [s.id for s in outcome.shown if s.score] == kept


def meets(term: str, other: str, least: int) -> bool:
    """Say whether two terms are the same, or one begins with the other and both are long enough."""
    is_beginning = term.startswith(other) or other.startswith(term)
    return term == other or (is_beginning and min(len(term), len(other)) >= least)


def _utf16(text: str, at: int) -> int:
    return at + sum(char > "\uffff" for char in text[:at])


@pytest.mark.slow
def test_every_code_point_counts_the_same(javascript: Engine) -> None:
    """Versions of Unicode differ; what is a mark and what has a lower case does not."""
    for first in range(0, 0x110000, 0x8000):
        chars = [chr(code) for code in range(first, first + 0x8000) if not 0xD800 <= code < 0xE000]
        text = "\n".join(f"{char}{char}" for char in chars)

        assert javascript("terms", text=text, stop=[]) == list(terms(text))


def test_half_a_character_parts_words_in_both(javascript: Engine) -> None:
    """What a broken paste leaves behind is a mark, not a fault."""
    text = "ab\ud83dcd \udc00ef"

    assert (list(terms(text)), javascript("terms", text=text, stop=[])) == (["ab", "cd", "ef"],) * 2


def test_the_ranges_are_the_same_words() -> None:
    """A range that is changed in one file is changed in the other."""

    def of_javascript(name: str) -> str:
        found = re.search(rf"const {name} =\s+(.*?);\n", ELEMENT, re.DOTALL)
        assert found is not None
        return "".join(re.findall(r'"(.*?)"', found.group(1))).replace("\\\\", "\\")

    def braced(ranges: str) -> str:
        return re.sub(r"\\U000([0-9A-F]{5})", r"\\u{\1}", ranges)

    expected = {"MARKS": braced(MARKS), "UNSEEN": braced(UNSEEN), "CASED": braced(CASED)}
    assert {name: of_javascript(name) for name in expected} == expected


def test_no_logarithm_is_near_a_step() -> None:
    """The idf is rounded to thousandths: no pair of counts comes so near to a step that two machines could differ."""
    nearest = min(
        abs(1000 * math.log(1 + n / k) % 1 - 0.5) for n in range(1, 2_001) for k in range(1, n + 1, 1 + n // 200)
    )

    assert nearest > 1e-9


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("holds 12.5 m³", True),
        ("The tank\nholds 12.5", True),
        ("holds 2.5 m³", False),
        ("holds 12", False),
        ("tank hold", False),
        ("holds 12.5 m³ and is inspected", False),
        ("", False),
        ("inspected in winter.", True),
        ("not\ninspected", True),
    ],
)
def test_a_quote_is_looked_up_in_its_lines(javascript: Engine, quote: str, *, expected: bool) -> None:
    """The browser accepts no quote that is not in the lines it was given, and none that cuts a word or number."""
    lines = [{"text": "The tank holds 12.5 m³"}, {"text": "and is not inspected in winter."}]

    assert javascript("holds", quote=quote, lines=lines) is expected


def outcome(javascript: Engine, question: str) -> Any:
    """Return what JavaScript makes of a question to one passage."""
    asked = index(passage("a", "Widgets are cited."), scoring=Scoring(threshold=0))
    return javascript("ask", index=to_json(asked), questions=[question])[0]


def test_a_beginning_scores_half(javascript: Engine) -> None:
    """A shared beginning of four characters counts, either way, and half as much."""
    scores = [outcome(javascript, q)["ranked"] for q in ("widgets", "widget", "widgetsmith", "widg", "wid")]

    assert [found[0]["score"] if found else None for found in scores] == [1.386, 0.693, 0.693, 0.693, None]
