"""Vectors: reused by text, never mixed, and a matrix file that is never trusted."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pincite.errors import EmbeddingModelChangedError, StoreError
from pincite.storage.sqlite import SqliteStore
from pincite.text.tokens import index_terms


def nearest(store: SqliteStore, tools: Any, embedder: Any, text: str, k: int = 3) -> list[str]:
    hits = store.nearest(embedder.embed([text])[0], embedder=embedder, k=k)
    return list(tools.found(store, hits))


def matrix_file(store: SqliteStore) -> Path:
    (path,) = store.path.glob("vectors-*.i8")
    return path


def test_an_unchanged_text_is_not_embedded_again(store: SqliteStore, tools: Any) -> None:
    """Editing one passage of a document costs one embedding; a copy elsewhere costs none."""
    embedder = tools.embedder()
    store.put(*tools.make("a.md", ["lamp wick", "mast rope"]))
    tools.embed_all(store, embedder)
    store.put(*tools.make("a.md", ["lamp wick", "mast rope and sail"]))
    store.put(*tools.make("b.md", ["lamp wick"]))
    before = embedder.n_texts

    tools.embed_all(store, embedder)

    assert embedder.n_texts - before == 1
    assert store.vectors.progress(embedder) == (2, 2)
    assert nearest(store, tools, embedder, "lamp wick") == ["lamp wick", "lamp wick", "mast rope and sail"]


def test_removed_texts_take_their_vectors_along(store: SqliteStore, tools: Any) -> None:
    """A vector goes when no passage has its text any more, and not before."""
    embedder = tools.embedder()
    store.put(*tools.make("a.md", ["lamp wick", "mast rope"], doc_id="a"))
    store.put(*tools.make("b.md", ["lamp wick"], doc_id="b"))
    tools.embed_all(store, embedder)

    store.remove("a")
    assert store.vectors.progress(embedder) == (1, 1)
    store.remove("b")
    assert store.vectors.progress(embedder) == (0, 0)


def test_embedding_goes_on_where_it_stopped(store: SqliteStore, tools: Any) -> None:
    """What is missing is computed from what is there: a stop in the middle repeats nothing."""
    embedder = tools.embedder()
    store.put(*tools.make("a.md", [f"text {i}" for i in range(10)]))
    first = next(iter(store.vectors.missing(embedder, batch=4)))
    store.vectors.add(embedder, [(key, embedder.embed([text])[0]) for key, text in first])

    batches = list(store.vectors.missing(embedder, batch=4))

    assert [len(batch) for batch in batches] == [4, 2]
    assert store.vectors.progress(embedder) == (4, 10)
    assert not {key for key, _ in first} & {key for batch in batches for key, _ in batch}


def test_missing_vectors_of_some_documents(store: SqliteStore, tools: Any) -> None:
    """The documents one asks about can be embedded first."""
    store.put(*tools.make("a.md", ["one"], doc_id="a"))
    store.put(*tools.make("b.md", ["two"], doc_id="b"))

    assert [[text for _, text in b] for b in store.vectors.missing(tools.embedder(), doc_ids=["b"])] == [["two"]]


def test_a_vector_that_is_none_is_refused(store: SqliteStore, tools: Any) -> None:
    """A wrong dimension or a value that is no number never enters the library."""
    embedder = tools.embedder()
    store.put(*tools.make("a.md", ["one"]))
    ((key, _),) = next(iter(store.vectors.missing(embedder)))

    for vector in (np.zeros(7), np.full(8, np.nan)):
        with pytest.raises(StoreError, match="fake-a"):
            store.vectors.add(embedder, [(key, vector)])
    assert store.vectors.progress(embedder) == (0, 1)


def test_another_embedder_is_refused_and_words_still_find(store: SqliteStore, tools: Any) -> None:
    """Case RET08: other dimension or other name: an error with both names and the way out; keyword search works."""
    case = tools.cases / "RET08-embedding-model-changed"
    text = (case / "doc.md").read_text(encoding="utf-8")
    question = json.loads((case / "case.json").read_text(encoding="utf-8"))["question"]
    store.put(*tools.make("doc.md", text.splitlines()))
    tools.embed_all(store, tools.embedder("fake", 8))
    others = [tools.embedder("fake", 12), tools.embedder("fake-reversed", 8, reverse=True)]

    for other in others:
        for ask in (
            store.vectors.check,
            lambda e: store.nearest(e.embed([question])[0], embedder=e, k=1),
        ):
            with pytest.raises(EmbeddingModelChangedError, match=r"'fake'.*8.*'fake.*pincite embed --again") as caught:
                ask(other)
            assert caught.value.code == "embedding_model_changed"
    hits = store.search_terms(dict.fromkeys(index_terms(question), 1.0), k=1)
    assert tools.found(store, hits) == ["The lamp has 6 panes."]


def test_embedding_again_switches_when_complete(store: SqliteStore, tools: Any) -> None:
    """While passages are embedded again the old vectors serve; then the new ones do; at no time both."""
    old, new = tools.embedder("old"), tools.embedder("new", 12)
    store.put(*tools.make("a.md", ["lamp wick", "mast rope", "six panes", "a bell"]))
    tools.embed_all(store, old)
    batches = store.vectors.missing(new, batch=3)
    store.vectors.add(new, [(key, new.embed([text])[0]) for key, text in next(batches)])

    with pytest.raises(StoreError, match="3 of 4"):
        store.vectors.switch(new)
    assert nearest(store, tools, old, "lamp wick", 1) == ["lamp wick"]
    store.vectors.add(new, [(key, new.embed([text])[0]) for key, text in next(batches)])
    store.vectors.switch(new)

    assert nearest(store, tools, new, "a bell", 1) == ["a bell"]
    with pytest.raises(EmbeddingModelChangedError):
        store.vectors.check(old)
    assert store.vectors.progress(old) == (0, 4)
    assert [path.name for path in store.path.glob("vectors-*.i8")] == ["vectors-new-12.i8"]


def test_a_library_without_vectors_takes_any_embedder(store: SqliteStore, tools: Any) -> None:
    """When everything was removed, another embedder may start anew."""
    store.put(*tools.make("a.md", ["lamp"], doc_id="a"))
    tools.embed_all(store, tools.embedder("old"))
    store.remove("a")
    new = tools.embedder("new", 12)
    store.put(*tools.make("a.md", ["lamp"], doc_id="a"))

    tools.embed_all(store, new)

    assert nearest(store, tools, new, "lamp") == ["lamp"]


@pytest.mark.parametrize("harm", ["delete", "cut", "flip", "text", "empty", "header", "longer", "of another library"])
def test_a_harmed_matrix_file_changes_no_result(tmp_path: Path, tools: Any, harm: str) -> None:
    """The matrix file may be lost, cut or altered: results come from the database all the same."""
    embedder = tools.embedder()
    with SqliteStore(tmp_path / "one") as store:
        store.put(*tools.make("a.md", ["lamp wick", "mast rope", "six panes"]))
        tools.embed_all(store, embedder)
        hits = store.nearest(embedder.embed(["six panes"])[0], embedder=embedder, k=3)
        path = matrix_file(store)
    content = path.read_bytes()
    if harm == "delete":
        path.unlink()
    elif harm == "of another library":
        with SqliteStore(tmp_path / "two") as other:
            other.put(*tools.make("a.md", ["nothing", "of", "that"]))
            tools.embed_all(other, embedder)
            nearest(other, tools, embedder, "lamp")
            matrix_file(other).replace(path)
    else:
        flipped = content[:-5] + bytes([content[-5] ^ 255]) + content[-4:]
        path.write_bytes({"cut": content[:-9], "flip": flipped, "text": b"hello", "empty": b"",
                          "header": b"x" + content[1:], "longer": content + b"junk"}[harm])  # fmt: skip

    with SqliteStore(tmp_path / "one") as store:
        assert store.nearest(embedder.embed(["six panes"])[0], embedder=embedder, k=3) == hits
        assert path.read_bytes() == content or harm == "longer"


def test_the_matrix_file_grows_with_additions(store: SqliteStore, tools: Any) -> None:
    """Adding documents appends to the file: what was there stays as it was."""
    embedder = tools.embedder()
    store.put(*tools.make("a.md", ["lamp wick", "mast rope"]))
    tools.embed_all(store, embedder)
    nearest(store, tools, embedder, "lamp")
    inode, rows = matrix_file(store).stat().st_ino, matrix_file(store).read_bytes()[4096:]
    store.put(*tools.make("b.md", ["six panes"]))
    tools.embed_all(store, embedder)

    assert nearest(store, tools, embedder, "six panes", 1) == ["six panes"]
    assert matrix_file(store).stat().st_ino == inode
    assert matrix_file(store).read_bytes()[4096:][: len(rows)] == rows


def test_an_append_that_was_killed_is_overwritten(store: SqliteStore, tools: Any) -> None:
    """Rows that were written but not counted before a process died are no rows; the next append takes their place."""
    embedder = tools.embedder()
    store.put(*tools.make("a.md", ["lamp wick", "mast rope"]))
    tools.embed_all(store, embedder)
    nearest(store, tools, embedder, "lamp")
    with matrix_file(store).open("ab") as file:
        file.write(b"\x07" * 100)
    store.put(*tools.make("b.md", ["six panes"]))
    tools.embed_all(store, embedder)

    assert nearest(store, tools, embedder, "six panes", 1) == ["six panes"]
    with SqliteStore(store.path, read_only=True) as other:
        assert nearest(other, tools, embedder, "six panes", 1) == ["six panes"]
    assert matrix_file(store).stat().st_size == 4096 + 3 * (24 + 8)


def test_the_file_of_an_earlier_pincite_goes(store: SqliteStore, tools: Any) -> None:
    """What is derived is made anew in its present form, and the earlier form does not stay on the disk."""
    embedder = tools.embedder()
    store.put(*tools.make("a.md", ["lamp wick"]))
    tools.embed_all(store, embedder)
    earlier = store.path / "vectors-fake-a-8.f32"
    earlier.write_bytes(b"pincite vectors 1\n")

    assert nearest(store, tools, embedder, "lamp wick", 1) == ["lamp wick"]
    assert not earlier.exists()


def test_vectors_of_any_length_are_ranked_as_they_are(store: SqliteStore, tools: Any) -> None:
    """Vectors of a service need not have length one: the products of the true vectors rank, to the last digit."""
    embedder = tools.embedder(dimension=16)
    texts = [f"text {number}" for number in range(300)]
    store.put(*tools.make("a.md", texts))
    random = np.random.default_rng(5)
    given: dict[str, Any] = {}
    for batch in store.vectors.missing(embedder):
        numbers = random.standard_normal((len(batch), 16)) * random.choice([0, 1e-20, 1, 1e8], (len(batch), 1))
        made = {key: row for (key, _), row in zip(batch, numbers.astype(np.float32), strict=True)}
        store.vectors.add(embedder, made.items())
        given |= {text: made[key] for key, text in batch}
    query = random.standard_normal(16).astype(np.float32)

    hits = store.nearest(query, embedder=embedder, k=40)

    scores = {text: float(np.vecdot(vector, query)) for text, vector in given.items()}
    expected = sorted(texts, key=lambda text: -scores[text])[:40]
    assert tools.found(store, hits) == expected
    assert [hit.score for hit in hits] == [scores[text] for text in expected]


def test_a_vector_that_another_program_deleted_is_missed_alone(store: SqliteStore, tools: Any) -> None:
    """What is no longer in the database is no longer found, and breaks nothing."""
    embedder = tools.embedder(dimension=64)
    store.put(*tools.make("a.md", ["lamp wick", "mast rope", "six panes"]))
    tools.embed_all(store, embedder)
    assert len(nearest(store, tools, embedder, "lamp wick")) == 3
    with sqlite3.connect(store.path / "pincite.sqlite") as connection:
        connection.execute("DELETE FROM vectors WHERE vector_id = 1")
    connection.close()

    assert sorted(nearest(store, tools, embedder, "lamp wick")) == ["mast rope", "six panes"]


def test_late_vectors_of_early_passages_are_found(store: SqliteStore, tools: Any) -> None:
    """Passages may be embedded in any order."""
    embedder = tools.embedder(dimension=64)
    store.put(*tools.make("a.md", ["lamp wick"], doc_id="a"))
    store.put(*tools.make("b.md", ["mast rope"], doc_id="b"))
    for doc_id in ("b", "a"):
        for batch in store.vectors.missing(embedder, doc_ids=[doc_id]):
            store.vectors.add(embedder, [(key, embedder.embed([text])[0]) for key, text in batch])
        found = nearest(store, tools, embedder, "mast rope lamp wick")
        assert sorted(found) == {"b": ["mast rope"], "a": ["lamp wick", "mast rope"]}[doc_id]


def test_many_replacements_do_not_grow_the_file_for_ever(store: SqliteStore, tools: Any) -> None:
    """Rows of passages that are gone are dropped from time to time."""
    embedder = tools.embedder()
    for version in range(12):
        store.put(*tools.make("a.md", [f"lamp {version}", f"wick {version}"]))
        tools.embed_all(store, embedder)
        assert sorted(nearest(store, tools, embedder, "lamp", 9)) == [f"lamp {version}", f"wick {version}"]

    assert matrix_file(store).stat().st_size <= 4096 + 4 * (24 + 8)


def test_two_stores_share_the_matrix_file(tmp_path: Path, tools: Any) -> None:
    """Whoever asks first brings the file up to date; the others take it as it is."""
    embedder = tools.embedder(dimension=251)
    with SqliteStore(tmp_path) as one, SqliteStore(tmp_path) as two:
        for number, (writer, reader) in enumerate([(one, two), (two, one), (one, one), (two, two)]):
            writer.put(*tools.make(f"{number}.md", [f"lamp{number}"]))
            tools.embed_all(writer, embedder)
            for store in (reader, one, two):
                assert nearest(store, tools, embedder, f"lamp{number}", 1) == [f"lamp{number}"]
                assert len(nearest(store, tools, embedder, "lamp", 99)) == number + 1


def test_the_name_of_an_embedder_may_hold_anything(store: SqliteStore, tools: Any) -> None:
    """An embedder named like a path makes a file in the library and nowhere else."""
    embedder = tools.embedder("../../openai:text/embed\x00 ü")
    store.put(*tools.make("a.md", ["lamp"]))
    tools.embed_all(store, embedder)

    assert nearest(store, tools, embedder, "lamp") == ["lamp"]
    assert matrix_file(store).parent == store.path
