"""What pincite understands of a question, by rules alone."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.making import parsed

from pincite.errors import QuestionError
from pincite.questions import ConceptKeyword, DocumentCorpus, generation_brief, parse_question, retrieval_query
from pincite.questions.keywords import asked_of_pages, content_words
from pincite.questions.rules import clean_question, must_distinguish
from pincite.types.question import Hints, ParsedQuestion, Scope

RESCUE = parsed(
    "# Sea rescue\n\nThe Maritime Rescue Sub-Centre (MRSC) answers on channel 16. The MRSC is staffed by two "
    "watch-keepers.\n\nThe colour of the leading lights is amber. The fine for mooring is 40 crowns.\n",
    "rescue-plan_2.md",
)


def understood(question: str, *, concepts: Sequence[ConceptKeyword] = ()) -> ParsedQuestion:
    return parse_question(question, DocumentCorpus(RESCUE), concepts=concepts)


def keywords(question: str) -> list[str]:
    return [k.text for k in understood(question).keywords]


@pytest.mark.parametrize("text", ["", "  ", "\n\t", "\x00", "\u200b\ufeff", "\x1b\x07"], ids=ascii)
def test_nothing_is_no_question(text: str) -> None:
    """Blanks, control characters and characters without width are an empty question, said as such."""
    with pytest.raises(QuestionError, match="empty"):
        understood(text)


def test_too_long_is_said_with_both_numbers() -> None:
    """The message names the length and the limit; a question of exactly the limit is taken."""
    assert clean_question("x" * 4000, max_chars=4000) == "x" * 4000
    with pytest.raises(QuestionError, match=r"4001 characters; at most 4000"):
        clean_question("x" * 4001, max_chars=4000)


@given(st.text(max_size=80))
def test_any_string_is_a_clean_question_or_an_error(text: str) -> None:
    """Whatever is typed becomes one line of printable text that can be written anywhere, or a `QuestionError`."""
    try:
        clean = clean_question(text, max_chars=200)
    except QuestionError:
        return
    assert clean == clean.strip() != ""
    assert "\n" not in clean
    assert "\x00" not in clean
    assert clean.encode("utf-8").decode("utf-8") == clean
    assert clean_question(clean, max_chars=200) == clean


def test_a_lone_surrogate_is_replaced() -> None:
    """Half of a character pair cannot be written; it becomes a question mark, not an error."""
    assert clean_question("a \ud83d b", max_chars=99) == "a ? b"


@given(st.text(max_size=60))
def test_any_question_is_parsed(text: str) -> None:
    """Whatever is typed is understood in some way, keeps its own form, and makes both briefs."""
    try:
        question = understood(text)
    except QuestionError:
        return
    assert question.original == clean_question(text, max_chars=4000)
    assert retrieval_query(question, Scope()).anchor_keywords == generation_brief(question).keywords


def test_a_typo_is_corrected_and_said() -> None:
    """A word that no document knows becomes the near one that they know; the answer says so."""
    question = understood("how many wachkeepers at the mrsc")
    assert question.original == "how many wachkeepers at the mrsc"
    assert question.corrected == "how many watch-keepers at the mrsc"
    assert "“wachkeepers” was read as “watch-keepers”" in question.notes
    assert [k.origin for k in question.keywords if k.text == "watch-keepers"] == ["correction"]


@pytest.mark.parametrize(
    ("question", "corrected"),
    [
        ("Which chanel answers?", "Which channel answers?"),
        ("the resque centre", "the rescue centre"),
        ("What is the fine?", "What is the fine?"),
        ("What is the find?", "What is the find?"),
        ("What color is it?", "What color is it?"),
        ("What is the code HX-41?", "What is the code HX-41?"),
        ("Who is Krag?", "Who is Krag?"),
    ],
)
def test_only_absent_words_with_a_near_one_are_corrected(question: str, corrected: str) -> None:
    """Known words, common words, short words and codes stay as they were typed."""
    assert understood(question).corrected == corrected


def test_an_acronym_is_searched_by_both_forms() -> None:
    """The short form finds the long one and the reverse, as the document defines it."""
    for question in ("Where is the MRSC?", "Where is the maritime rescue sub centre?"):
        assert {"MRSC", "Maritime Rescue Sub-Centre"} <= set(keywords(question))
        assert any("MRSC stands for" in note for note in understood(question).notes)


def test_the_word_value_is_not_searched_where_no_text_says_it() -> None:
    """The words "value of beta" mean beta: a text that gives it need not call it a value."""
    assert [k.text for k in understood("What is the value of the fine?").keywords] == ["fine"]


def test_a_concept_is_searched_by_its_keywords() -> None:
    """Naming a concept of the user's table adds its keyword with its weight, and says so; other concepts do not."""
    rows = [
        ConceptKeyword(concept="berth dues", keyword="mooring fine", weight=0.5),
        ConceptKeyword(concept="other", keyword="x"),
    ]
    question = understood("What are the Berth Dues?", concepts=rows)
    added = [k for k in question.keywords if k.origin == "vocabulary"]
    assert [(k.text, k.weight) for k in added] == [("mooring fine", 0.5)]
    assert any("berth dues" in note for note in question.notes)


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("What colour is the It?", ["colour", "It"]),
        ("WHAT COLOR IS THE CENTER LINE???", ["COLOR", "CENTER", "LINE"]),
        ("what is it", ["what", "is", "it"]),
        ("C++", ["C++"]),
        ("section 12(4)(b)", ["section", "12(4)(b)"]),
        ("Downloads/transcripts", ["Downloads/transcripts"]),
        ("罚款是多少？", ["罚款"]),
    ],
)
def test_content_words(question: str, kept: list[str]) -> None:
    """Words of asking go, names and codes stay whole; when nothing else is left, all words are kept."""
    assert content_words(question) == kept


def test_a_quoted_phrase_is_kept_whole() -> None:
    """What stands between quote marks is one keyword that an answer has to carry."""
    question = understood('What does "leading lights" mean?')
    assert question.keywords[0].text == "leading lights"
    assert "leading lights" in question.must_distinguish


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is the sill depth of lock 5?", ("5",)),
        ("What is the torque of the HX-40?", ("HX-40",)),
        ("Which step follows step_77?", ("step_77",)),
        ("What does a 9 metre boat pay?", ()),
        ("What is 12 kN?", ()),
        ("What was decided on dredging?", ()),
    ],
)
def test_what_may_not_be_swapped_for_its_twin(question: str, names: tuple[str, ...]) -> None:
    """Codes and numbered names have to stand in the answer's lines; measures and years describe."""
    assert must_distinguish(question, Hints()) == names


def test_named_places_are_not_also_names() -> None:
    """A page or table that the question names is a place to look, not a code to find in the text."""
    question = understood("What does Table 2 on page 3 say about section 4.1?")
    assert question.hints == Hints(
        pages=("3",), sections=("4.1",), objects=("Table 2",), places=("Table 2", "Section 4.1")
    )
    assert question.must_distinguish == ()
    assert question.granularity == "page"


def test_pages_alone_leave_nothing_to_search() -> None:
    """A question that says only "page iii" asks for the page; with more words it asks for those on the page."""
    assert asked_of_pages("What does page iii say?", Hints(pages=("iii",))) == ""
    assert "fire watch" in asked_of_pages("What does page 3 say about the fire watch?", Hints(pages=("3",)))


def test_two_questions_in_one() -> None:
    """Questions joined by "and" are told apart."""
    assert understood("What is the fine and who answers?").sub_questions == ("What is the fine", "who answers?")
    assert understood("What is the fine?").sub_questions == ()


def test_a_given_shape_wins() -> None:
    """The shape that the caller asks for is taken whatever the rules say."""
    assert parse_question("When was it?", DocumentCorpus(RESCUE), shape="text").shape == "text"
