"""Blogs and documentation: one idea a passage, code whole, and an edit that costs one vector."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.making import WordEmbedder, pages, parsed

from pincite.add import embed_missing, put_document
from pincite.passages import chunk
from pincite.passages.flowing import cut_text
from pincite.settings import Settings
from pincite.storage.sqlite import SqliteStore
from pincite.types.passage import Passage


def markdown(text: str, **sizes: int) -> tuple[Passage, ...]:
    return chunk(parsed(text), **sizes)


def sentences(n: int, about: str = "boat") -> str:
    return " ".join(f"The {about} number {number} pays {number} crowns to the harbour." for number in range(n))


def test_the_introduction_is_a_passage_of_its_own() -> None:
    """What stands before the first heading belongs to no section, and is not mixed with the first one."""
    passages = markdown("The harbour is open.\n\n# Fees\n\nA boat pays.\n\n## Dogs\n\nOn a lead.\n")

    assert [(p.breadcrumb, p.text) for p in passages] == [
        ((), "The harbour is open."),
        (("Fees",), "Fees\nA boat pays."),
        (("Fees", "Dogs"), "Dogs\nOn a lead."),
    ]


def test_a_long_section_is_cut_at_paragraph_ends() -> None:
    """No passage has more than 1,500 characters, and each ends where a paragraph does."""
    paragraphs = [sentences(9, name) for name in ("boat", "ship", "dinghy", "ferry", "barge")]
    passages = markdown("# Fees\n\n" + "\n\n".join(paragraphs) + "\n")

    assert len(passages) > 1
    assert all(len(p.text) <= 1500 for p in passages)
    assert [text for p in passages for text in p.text.removeprefix("Fees\n").split("\n")] == paragraphs


def test_a_paragraph_on_one_long_line_is_cut_at_sentence_ends() -> None:
    """Editors that keep a paragraph on one line lose nothing: its passages share the line."""
    passages = markdown(sentences(60) + "\n")

    assert len(passages) > 1
    assert all(len(p.text) <= 1500 and p.text.endswith("harbour.") for p in passages)
    assert " ".join(p.text for p in passages) == sentences(60)
    assert {p.first_line_id for p in passages} == {1}


def test_the_upper_bound_can_be_set() -> None:
    """Who wants shorter passages says so."""
    assert all(len(p.text) <= 400 for p in markdown(sentences(60) + "\n", max_chars=400))


def test_a_block_of_code_is_whole() -> None:
    """A listing that fits is one piece: no passage ends in the middle of it."""
    code = "```sh\n" + "".join(f"run --step {number} --with some more words here\n" for number in range(24)) + "```"
    passages = markdown(f"# Steps\n\n{sentences(6)}\n\n{code}\n\nThen wait.\n")

    (holder,) = [p for p in passages if "--step 0" in p.text]
    assert code in holder.text


def test_passages_of_a_pdf_are_measured_in_words() -> None:
    """The bound on characters is for files whose lines are paragraphs: on a page a line is never cut."""
    document = pages(sentences(60))

    assert chunk(document) == chunk(document, max_chars=200)


@given(st.text(st.sampled_from("ab .\n"), max_size=400), st.integers(1, 60))
def test_cutting_loses_no_word(text: str, max_chars: int) -> None:
    """The pieces hold the words of a text in order, and only one long word makes a piece too long."""
    found = cut_text(text, max_chars)

    assert " ".join(found).split() == text.split()
    assert all(len(piece) <= max_chars or " " not in piece for piece in found)


def test_an_edit_costs_one_vector(tmp_path: Path) -> None:
    """Of a folder of two hundred pages, editing one paragraph embeds one passage again: vectors follow the text."""
    texts = {
        f"page-{number}.md": f"Intro to page {number}.\n\n# Fees {number}\n\n{sentences(9, f'boat{number}')}\n\n"
        f"## Dogs {number}\n\nDogs of page {number} stay on a lead.\n"
        for number in range(200)
    }
    embedder = WordEmbedder()
    with SqliteStore(tmp_path / "library") as store:
        for name, text in texts.items():
            put_document(parsed(text, name), store, Settings(), original=None)
        n_first, _ = embed_missing(store, embedder)
        edited = texts["page-7.md"].replace("on a lead", "at home")
        put_document(parsed(edited, "page-7.md"), store, Settings(), original=None)
        n_again, _ = embed_missing(store, embedder)

    assert (n_first, n_again) == (600, 1)
    assert embedder.read[-1].endswith("Dogs of page 7 stay at home.")
