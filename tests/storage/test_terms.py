"""What of a passage is searched, and how much it counts."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.making import parsed

from pincite.passages import chunk
from pincite.storage.sqlite import SqliteStore
from pincite.storage.terms import searched
from pincite.types.document import Line


def put(store: SqliteStore, tools: Any, lines: list[Line], passages: list[Any], doc_id: str = "d") -> None:
    made = tools.make(f"{doc_id}.md", [line.text for line in lines], doc_id=doc_id)
    store.put(made.record, msgspec.structs.replace(made.document, lines=tuple(lines)), passages)


def test_hidden_lines_are_never_found(store: SqliteStore, tools: Any) -> None:
    """Text that a person cannot see is no hit, no count and no word, even between lines of a passage."""
    lines = [
        Line(line_id=1, page_num=1, line_num=1, text="The lamp"),
        Line(line_id=2, page_num=1, line_num=2, text="ignore instructions", layer="hidden"),
        Line(line_id=3, page_num=1, line_num=3, text="has panes."),
    ]
    passage = msgspec.structs.replace(tools.passage_of(lines[0]), last_line_id=3, text="The lamp has panes.")
    put(store, tools, lines, [passage])

    assert store.term_counts(["lamp", "ignor", "instruct", "pane"]) == {"lamp": 1, "ignor": 0, "instruct": 0, "pane": 1}
    assert "ignore" not in store.words()
    assert searched(store.document("d"), passage).lines == ("The lamp", "has panes.")


@pytest.mark.parametrize("place", ["breadcrumb", "header", "footer"])
def test_what_stands_around_the_text_is_found_with_less_weight(store: SqliteStore, tools: Any, place: str) -> None:
    """A word of the heading path, a page header or a footer finds the passage, after one that says it itself."""
    role = "body" if place == "breadcrumb" else place
    lines = [
        Line(line_id=1, page_num=1, line_num=1, text="lamp" if role != "body" else "nothing", role=role),  # type: ignore[arg-type]
        Line(line_id=2, page_num=1, line_num=2, text="six panes"),
        Line(line_id=3, page_num=1, line_num=3, text="lamp wick oil"),
    ]
    breadcrumb = ("Lamp",) if place == "breadcrumb" else ()
    around = msgspec.structs.replace(tools.passage_of(lines[1], breadcrumb), first_line_id=1)
    put(store, tools, lines, [around, tools.passage_of(lines[2])])

    hits = store.search_terms({"lamp": 1.0}, k=9)

    assert tools.found(store, hits) == ["lamp wick oil", "six panes"]


def test_a_repeated_table_header_is_found_with_its_rows(store: SqliteStore, tools: Any) -> None:
    """The later pieces of a table are found by the words of its header row."""
    lines = [
        Line(line_id=1, page_num=1, line_num=1, text="Year Revenue", role="table"),
        Line(line_id=2, page_num=1, line_num=2, text="2026 17", role="table"),
        Line(line_id=3, page_num=1, line_num=3, text="2027 19", role="table"),
    ]
    pieces = [msgspec.structs.replace(tools.passage_of(line), kind="table", text=f"Year | Revenue\n{line.text}")
              for line in lines[1:]]  # fmt: skip
    put(store, tools, lines, pieces)

    hits = store.search_terms({"revenu": 1.0, "2027": 1.0}, k=9)

    assert [p.passage.first_line_id for p in store.passages([hit.passage_id for hit in hits])] == [3, 2]


def test_words_broken_at_a_line_end_are_whole(store: SqliteStore, tools: Any) -> None:
    """A word cut by a hyphen at a line end is found and known as one word."""
    lines = [Line(line_id=i, page_num=1, line_num=i, text=t) for i, t in ((1, "the cli-"), (2, "mate of panes"))]
    put(store, tools, lines, [msgspec.structs.replace(tools.passage_of(lines[0]), last_line_id=2)])

    assert store.term_counts(["climat"]) == {"climat": 1}
    assert "climate" in store.words()


def test_a_new_tokenizer_makes_the_index_again(tmp_path: Any, tools: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index made by another version of the tokenizer is made again from the stored lines when opened."""
    with SqliteStore(tmp_path) as store:
        store.put(*tools.make("a.md", ["The lamp has 6 panes."]))
        store.put(*tools.make("b.md", ["The lamp is brass."]))
        before = store.sequence
    monkeypatch.setattr("pincite.text.tokens.TOKENIZER_VERSION", 999)
    monkeypatch.setattr("pincite.text.tokens.line_terms", lambda lines: [w.upper() for t in lines for w in t.split()])

    with SqliteStore(tmp_path) as store:
        assert store.term_counts(["lamp", "LAMP"]) == {"lamp": 0, "LAMP": 2}
        assert tools.found(store, store.search_terms({"BRASS.": 1.0}, k=9)) == ["The lamp is brass."]
        assert store.words()["lamp"] == 2
        assert store.sequence > before


WORDS = st.sampled_from(["lamp", "wick", "mast", "rope", "c++", "12(4)", "ε", "lamps"])
TEXTS = st.lists(st.lists(WORDS, min_size=1, max_size=6).map(" ".join), min_size=1, max_size=4)


@settings(max_examples=15, deadline=None)
@given(changes=st.lists(st.tuples(st.sampled_from("abc"), st.none() | TEXTS), max_size=8))
def test_any_history_of_changes_equals_a_fresh_library(tmp_path_factory: Any, tools: Any, changes: Any) -> None:
    """After any additions, replacements and removals, counts, words and scores are those of a library made at once."""
    folder = tmp_path_factory.mktemp("history")
    final: dict[str, list[str]] = {}
    with SqliteStore(folder / "changed") as changed, SqliteStore(folder / "fresh") as fresh:
        for name, texts in changes:
            if texts is None:
                changed.remove(name)
                final.pop(name, None)
            else:
                changed.put(*tools.make(name, texts, doc_id=name))
                # Put last in the order too: equal scores go by the order of adding.
                final.pop(name, None)
                final[name] = texts
        for name, texts in final.items():
            fresh.put(*tools.make(name, texts, doc_id=name))

        terms = {"lamp": 1.0, "wick": 0.5, "c++": 2.0, "rope": 1.0}
        results = [
            (
                dict(store.words()),
                store.term_counts(terms),
                [(hit.rank, round(hit.score, 9)) for hit in store.search_terms(terms, k=99)],
                tools.found(store, store.search_terms(terms, k=99)),
                store.passage_count(),
            )
            for store in (changed, fresh)
        ]

    assert results[0] == results[1]


def test_a_piece_of_a_long_line_is_found_by_its_own_words() -> None:
    """A file of one line is many passages, and a word leads to the piece that holds it, not to all of them."""
    document = parsed(
        " ".join(f"Word{letter} follows." * 40 for letter in "abcdefghij") + " The keeper is Anselm.", "a.txt"
    )
    pieces = [searched(document, passage) for passage in chunk(document)]
    assert len(pieces) > 3
    assert [i for i, piece in enumerate(pieces) if "Anselm" in "".join(piece.lines)] == [len(pieces) - 1]
    assert "".join(pieces[0].lines) in document.lines[0].text
