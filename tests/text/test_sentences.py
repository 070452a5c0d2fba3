"""Where sentences start and end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.sentences import sentence_spans


@given(st.text(st.sampled_from('aB3 .!?\n。「」)"’⁷款Dr e.g'), max_size=60))
def test_sentences_cover_the_text_once_and_in_order(text: str) -> None:
    """No character that is not blank is lost or stands in two sentences; none begins or ends with a blank."""
    spans = sentence_spans(text)
    covered = [i for span in spans for i in range(span.start, span.end)]
    assert covered == sorted(set(covered))
    assert {i for i, c in enumerate(text) if not c.isspace()} <= set(covered)
    assert all(text[s.start : s.end] == text[s.start : s.end].strip() != "" for s in spans)


@pytest.mark.parametrize(
    "sentences",
    [
        ("The fee is 3.50 kr.", "It rose."),
        ("Dr. Lind paid.", "Mr. Krag did not."),
        ("See Fig. 3 and eq. (4).", "Then stop."),
        ("Use oil, e.g. A2.", "Never B1."),
        ("The gate opens at 5 p.m.", "The bell rings."),
        ("J. Smith wrote it.", "A. B. Lee read it."),
        ("The coil takes 12 V.", "The heater has 47 Ω.", "It glows."),
        ("Is it open?", "Yes!", "It is."),
        ("He said “stop.”", "She did."),
        ("Costs fell.¹²", "They rose again."),
        ("Version 7.3.2 runs on node.js.", "Version 8 does not."),
        ("Deposits go to Acme Inc.", "The rest is kept."),
        ("It costs 12.", "Five remain."),
        ("Die Sitzung ist am 5. März 2031.", "Danach ist frei."),
        ("Boote, z. B. Kähne, d. h. Lastboote, zahlen ca. 5 Euro.", "Andere nicht."),
        ("Siehe Nr. 5 bzw. Art. 3 Abs. 2.", "Der 2. Stock ist zu."),
    ],
)
def test_sentences_end_where_a_reader_ends_them(sentences: tuple[str, ...]) -> None:
    """Abbreviations, initials, numbers and codes do not end a sentence; quotes and note numbers belong to it."""
    text = " ".join(sentences)
    assert tuple(text[s.start : s.end] for s in sentence_spans(text)) == sentences


def test_chinese_stops_need_no_blank() -> None:
    """Each Chinese full stop ends a sentence."""
    text = "船必须返回。否则罚款三百元。「好。」"
    assert [text[s.start : s.end] for s in sentence_spans(text)] == ["船必须返回。", "否则罚款三百元。", "「好。」"]


def test_an_item_number_ends_no_sentence() -> None:
    """The number of an item belongs to its sentence: "1. Stop the pump" is one."""
    text = "1. Stop the pump. 2. Close the valve."
    assert next(text[s.start : s.end] for s in sentence_spans(text)) == "1. Stop the pump."
