"""The public facade: documents in, cited answers out."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.making import WordEmbedder

from pincite.errors import (
    EmbeddingModelChangedError,
    FilterError,
    QuestionError,
    SettingsError,
    StoreError,
    UnknownDocumentError,
)
from pincite.library import Library
from pincite.settings import Settings
from pincite.types.answer import Answer, Refusal
from pincite.types.record import to_json
from pincite.verifying import check_bundle

SETTINGS = Settings(jobs=1)
FILES = {
    "lock.md": "# Lock\n\nThe sill of lock 4 is 3.2 m deep.\n\n## Bell\n\nThe bell rings at six.\n",
    "sub/lock.md": "# Other lock\n\nThe sill of lock 9 is 7.7 m deep.\n",
    "tea.txt": "Tea is served at noon.\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def library(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Return a library of three files with the real embedder."""
    with Library(tmp_path_factory.mktemp("library"), settings=SETTINGS) as made:
        made.add(folder)
        yield made


def answered(library: Library, question: str, *, docs: tuple[str, ...] = ()) -> Answer:
    result = library.ask(question, docs=docs)
    assert isinstance(result, Answer)
    return result


def test_an_answer_has_text_value_and_pin_cite(library: Library) -> None:
    """Question in, typed answer with a verified citation out."""
    item = answered(library, "What is the sill depth of lock 4?").items[0]
    assert item.text == "3.2 m"
    assert str(item.citations[0]) == "lock.md l.3"
    assert item.citations[0].quote == "The sill of lock 4 is 3.2 m deep."
    assert item.citations[0].verdict.value == "passed"


def test_a_refusal_says_what_was_searched(library: Library) -> None:
    """What is not there is refused with the extent of the search and the nearest places."""
    result = library.ask("Who is the first president of the USA?")
    assert isinstance(result, Refusal)
    assert (result.reason, result.searched.documents) == ("not_found", 3)
    assert all(c.verdict.status == "verified" for c in result.nearest)


def test_documents_are_chosen_by_name_path_or_id(library: Library, folder: Path) -> None:
    """A name, a path and an id lead to the same document, and only that one is answered from."""
    record = next(r for r in library.documents() if r.name == "sub/lock.md")
    for name in ("sub/lock.md", str(folder / "sub/lock.md"), record.doc_id):
        answer = answered(library, "How deep is the sill?", docs=(name,))
        assert {c.doc_name for i in answer.items for c in i.citations} == {"sub/lock.md"}
        assert answer.items[0].text == "7.7 m"


def test_an_unknown_document_is_an_error_with_near_names(library: Library) -> None:
    """A filter that names nothing never means everything; the message helps on."""
    with pytest.raises(UnknownDocumentError, match=r"lock\.md"):
        library.ask("How deep is the sill?", docs=("lok.md",))
    with pytest.raises(UnknownDocumentError):
        library.document("none")
    with pytest.raises(UnknownDocumentError):
        library.search("sill", docs=("none",))


def test_an_empty_question_is_an_error(library: Library) -> None:
    """There is nothing to answer, nor to search."""
    with pytest.raises(QuestionError):
        library.ask(" ")
    with pytest.raises(QuestionError):
        library.search("")


def test_the_shape_can_be_chosen(library: Library) -> None:
    """A text is given where a number would be."""
    result = library.ask("What is the sill depth of lock 4?", shape="text")
    assert isinstance(result, Answer)
    assert (result.shape, result.items[0].text) == ("text", "The sill of lock 4 is 3.2 m deep.")


def test_a_page_can_be_chosen(library: Library) -> None:
    """With a page given the question is answered from that page; a page that is not there is said."""
    assert isinstance(library.ask("What is the sill depth of lock 4?", docs=["lock.md"], pages=["1"]), Answer)
    refused = library.ask("What is the sill depth of lock 4?", docs=["lock.md"], pages=["9"])
    assert isinstance(refused, Refusal)
    assert "no page 9" in refused.message


@pytest.mark.parametrize("question", ["What is the sill depth of lock 4?", "Who is the president?"])
def test_a_trace_replays_to_the_same_result(library: Library, question: str) -> None:
    """Every step is kept; running again from any step gives the same result under a new id."""
    result = library.ask(question)
    trace = library.trace(result.trace_id)
    assert [trace.step(name) is not None for name in ("question", "retrieval", "answer", "verify")] == [True] * 4
    assert library.result(result.trace_id) == result
    for step in ("retrieval", "answer", "verify"):
        again = library.replay(result.trace_id, from_step=step)
        assert again.trace_id != result.trace_id
        first, second = to_json(result), to_json(again)
        assert {**first, "trace_id": ""} == {**second, "trace_id": ""}


def test_a_trace_names_versions_and_documents(library: Library) -> None:
    """What an answer was checked against is written down: parts, document hashes, settings."""
    trace = library.trace(answered(library, "When does the bell ring?").trace_id)
    assert {"pincite", "normaliser", "tokenizer", "embedder"} <= trace.versions.keys()
    hashes = {r.name: r.content_hash for r in library.documents()}
    assert all(state.content_hash == hashes[state.name] for state in trace.documents)
    assert trace.settings["top_k"] == SETTINGS.top_k


def test_a_weak_first_look_is_followed_by_one_wider_one(library: Library) -> None:
    """The loop is bounded: one round, decided by confidence, and written down."""
    trace = library.trace(library.ask("Who is the first president of the USA?").trace_id)
    assert len(trace.rounds) <= 1
    assert len([s for s in trace.steps if s.name == "retrieval"]) == 1 + len(trace.rounds)
    assert library.trace(answered(library, "When does the bell ring?").trace_id).rounds == ()


def test_an_unknown_trace_is_an_error(library: Library) -> None:
    """The message says how to list them."""
    with pytest.raises(SettingsError, match="no trace 'x'"):
        library.trace("x")


def test_a_bundle_holds_offline(library: Library) -> None:
    """An answer with its lines can be checked without the library."""
    checked = check_bundle(library.bundle(answered(library, "When does the bell ring?").trace_id))
    assert [c.holds for c in checked] == [True]


def test_a_bundle_names_every_document_of_a_set(tmp_path: Path) -> None:
    """A count over many files cites each of them: all are in its trace and bundle, found or read with the set."""
    (tmp_path / "in").mkdir()
    for n in range(1, 46):
        (tmp_path / "in" / f"{n}.md").write_text(f"# Ticket {n:03d}\n\nReported by Uma.\n", encoding="utf-8")
    with Library(tmp_path / "library", settings=Settings(jobs=1, embedder="none")) as library:
        library.add(tmp_path / "in")
        result = library.ask("How many tickets are there?")
        assert isinstance(result, Answer)
        assert len({c.doc_id for c in result.items[0].citations}) == 45
        assert [one.reason for one in check_bundle(library.bundle(result.trace_id)) if not one.holds] == []


def test_an_answer_can_be_drawn(library: Library, tmp_path: Path) -> None:
    """The report of an answer is written where it was asked for."""
    path = answered(library, "When does the bell ring?").highlight(tmp_path / "cited.html")
    assert "The bell rings at six." in path.read_text(encoding="utf-8")


def test_nothing_is_made_where_nothing_may_be(tmp_path: Path) -> None:
    """With `create` off a missing library is an error, and nothing is written."""
    with pytest.raises(StoreError):
        Library(tmp_path / "none", create=False, settings=SETTINGS)
    assert not (tmp_path / "none").exists()


def test_an_empty_library_refuses(tmp_path: Path) -> None:
    """Without documents the refusal says to add some."""
    with Library(tmp_path, settings=SETTINGS) as library:
        result = library.ask("What is the fee?")
    assert isinstance(result, Refusal)
    assert (result.reason, result.searched.documents) == ("empty", 0)


def test_what_was_removed_is_answered_no_more(folder: Path, tmp_path: Path) -> None:
    """After removal neither words nor meaning lead to a document."""
    with Library(tmp_path, settings=SETTINGS, embedder=WordEmbedder()) as library:
        library.add(folder / "lock.md", folder / "tea.txt")
        assert isinstance(library.ask("When does the bell ring?"), Answer)
        assert library.remove("lock.md").name == "lock.md"
        assert [r.name for r in library.documents()] == ["tea.txt"]
        assert isinstance(library.ask("When does the bell ring?"), Refusal)
        assert {c.anchor.doc_id for c in library.search("bell").candidates} <= {library.documents()[0].doc_id}


def test_without_an_embedder_words_answer(folder: Path, tmp_path: Path) -> None:
    """The setting "none" turns dense search off; embedding then is an error that says so."""
    with Library(tmp_path, settings=Settings(jobs=1, embedder="none")) as library:
        assert library.add(folder).n_embedded == 0
        assert answered(library, "What is the sill depth of lock 4?").items[0].text == "3.2 m"
        with pytest.raises(SettingsError, match="embedder"):
            library.embed()


def test_added_without_vectors_is_found_by_words_and_said(folder: Path, tmp_path: Path) -> None:
    """Vectors can come later: until then the answer says how many passages are searched by meaning."""
    with Library(tmp_path, settings=SETTINGS, embedder=WordEmbedder()) as library:
        library.add(folder, embed=False)
        answer = answered(library, "What is the sill depth of lock 4?")
        assert any("searched by meaning in 0 of" in caveat for caveat in answer.signals.caveats)
        assert library.embed() > 0
        assert not any("searched by meaning" in c for c in library.ask("When does the bell ring?").signals.caveats)


def test_another_embedder_is_refused_until_all_is_embedded_again(folder: Path, tmp_path: Path) -> None:
    """`embed` without `again` never mixes vectors of two models."""
    with Library(tmp_path, settings=SETTINGS, embedder=WordEmbedder("one")) as library:
        library.add(folder / "tea.txt")
    with (
        Library(tmp_path, settings=SETTINGS, embedder=WordEmbedder("two")) as library,
        pytest.raises(EmbeddingModelChangedError),
    ):
        library.embed()


def test_expert_vocabulary_comes_from_the_settings(folder: Path, tmp_path: Path) -> None:
    """A concept of the user's table leads to lines that do not name it, and the answer says so."""
    table = tmp_path / "concepts.csv"
    table.write_text("concept,keyword\nchime,bell rings\n", encoding="utf-8")
    settings = Settings(jobs=1, concept_keywords=str(table))
    with Library(tmp_path / "library", settings=settings, embedder=WordEmbedder()) as library:
        library.add(folder)
        question = library.parse_question("When is the chime?")
        assert "bell rings" in [k.text for k in question.keywords]
        best = library.search("chime").candidates[0]
        lines = library.document("lock.md").lines_between(best.anchor.first_line_id, best.anchor.last_line_id)
        assert "bell" in " ".join(line.text for line in lines)


@pytest.mark.parametrize(("row", "depth"), [("Lock 4,3 m\nLock 5,4 m", "4 m"), ("Lock 4;3,5 m\nLock 5;4,2 m", "4,2 m")])
def test_a_cell_of_a_csv_file_is_answered_and_its_bundle_holds(tmp_path: Path, row: str, depth: str) -> None:
    """The mark between cells is no decimal comma: not for the answer, not for its check, not in a bundle."""
    mark = ";" if ";" in row else ","
    (tmp_path / "locks.csv").write_text(f"name{mark}depth\n{row}\n", encoding="utf-8")
    with Library(tmp_path / "library", settings=SETTINGS) as library:
        library.add(tmp_path / "locks.csv")
        answer = answered(library, "What is the depth of Lock 5?")
        assert [(item.text, str(item.citations[0])) for item in answer.items] == [(depth, "locks.csv l.3")]
        assert all(checked.holds for checked in check_bundle(library.bundle(answer.trace_id)))


def test_a_condition_narrows_what_is_asked(library: Library) -> None:
    """`where` reaches asking, searching and listing; one that means nothing is an error that shows what there is."""
    assert [record.name for record in library.documents(where="path~sub/")] == ["sub/lock.md"]
    result = library.ask("How deep is the sill of the lock?", where="name=sub/lock.md")
    assert isinstance(result, Answer)
    assert {c.doc_name for item in result.items for c in item.citations} == {"sub/lock.md"}
    found = library.search("tea", where="type=txt")
    assert {c.anchor.doc_id for c in found.candidates} == {library.store.resolve("tea.txt").doc_id}
    with pytest.raises(UnknownDocumentError, match=r"is one of: lock\.md"):
        library.ask("How deep?", where="name='none'")
    with pytest.raises(FilterError, match="cannot be read"):
        library.ask("How deep?", where="name")
    with pytest.raises(UnknownDocumentError):
        library.ask("How deep?", where="name=tea.txt", docs=("lock.md",))
