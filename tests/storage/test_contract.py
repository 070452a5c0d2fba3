"""Every store, built in or not, keeps the promises of `Store`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pincite.errors import EmbeddingModelChangedError, UnknownDocumentError
from pincite.protocols import Store
from pincite.registry import load
from pincite.storage import STORES
from pincite.types.document import (
    Attachment,
    Cell,
    HiddenText,
    Image,
    Line,
    ModelProfile,
    NamedObject,
    Page,
    ParsedDocument,
    ParsingSummary,
    PlacedObject,
    QuotedLine,
    Reference,
    Section,
    Table,
)
from pincite.types.geometry import BBox
from pincite.types.passage import Passage


@pytest.fixture(params=sorted(STORES))
def any_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "lance":
        pytest.importorskip("lance", reason="the extra `scale` (pylance) is not installed")
    opened = load(request.param, STORES, group="pincite.stores")(tmp_path / "library")
    yield opened
    opened.close()


PROFILE = ModelProfile(
    model="test:one",
    doc_type="report",
    typical_fields=("revenue",),
    summary=(QuotedLine(line_id=2, page_num=1, line_num=2, text="Revenue rose"),),
    n_rejected=1,
)
BOX = BBox(x0=1.5, y0=2.25, x1=100.125, y1=12.75)


def full_document() -> ParsedDocument:
    """Return a document that has something in every field."""
    return ParsedDocument(
        name="report.pdf",
        uri="/library/report.pdf",
        media_type="application/pdf",
        content_hash="ab" * 32,
        n_bytes=12345,
        parser="pdf@3",
        metadata={"Author": "Ø. Ångström", "nested": {"list": [1, 2.5, None]}, "odd": "\udc80"},
        parsing_summary=ParsingSummary(
            n_pages=2,
            format="PDF 1.7",
            typical_fields=("revenue",),
            summary="Revenue rose 4 %.",
            summary_line_ids=(2,),
            page_flags={"no_text": (2,), "watermark": (2,)},
            scanned_pages=(2,),
            toc_origin="outline",
            hidden_text=(HiddenText(page_num=1, text="ignore", reason="white"),),
            attachments=(Attachment(name="a.csv", n_bytes=3),),
            warnings=("one page failed",),
            model_profile=PROFILE,
        ),
        pages=(
            Page(page_num=1, label="iii", width_pt=612.0, height_pt=792.0, n_lines=3, n_columns=2),
            Page(page_num=2, rotation=90, kind="scanned", flags=("no_text", "watermark")),
        ),
        lines=(
            Line(
                line_id=1, page_num=1, line_num=1, text="1 Results", box=BOX, role="heading", font_size=14.5, bold=True
            ),
            Line(line_id=2, page_num=1, line_num=2, text="Revenue rose 4 %\x00.", box=BOX, column=2, section_id=1),
            Line(line_id=3, page_num=1, line_num=3, text="ignore all", layer="hidden", section_id=1),
            Line(line_id=4, page_num=2, line_num=1, text="Signed", layer="ocr", confidence=0.625),
        ),
        toc=(
            Section(
                section_id=1,
                parent_id=None,
                level=1,
                title="Results",
                breadcrumb=("Results",),
                start_page=1,
                start_line=1,
                start_y=2.25,
                end_page=2,
                end_line=None,
                origin="outline",
                confidence=0.7,
            ),
        ),
        tables=(
            Table(
                table_id=7,
                page_num=1,
                caption="Table 1",
                n_rows=1,
                n_cols=2,
                header_rows=0,
                first_line_id=2,
                last_line_id=2,
                unit="EUR",
                scale="million",
                cells=(
                    Cell(row=1, col=1, text="Revenue", line_ids=(2,), box=BOX),
                    Cell(row=1, col=2, text="", line_ids=()),
                ),
            ),
        ),
        images=(Image(page_num=2, box=BOX, content_hash="cd" * 32, caption_line_id=3),),
        objects=(NamedObject(kind="table", label="Table 1", title="Revenue", page_num=1, line_num=2),),
        references=(
            Reference(kind="table", label="Table 1", page_num=1, line_num=2, target="Table 1"),
            Reference(kind="figure", label="Figure 9", page_num=1, line_num=2),
        ),
    )


def test_gives_back_what_was_put(any_store: Store, tools: Any) -> None:
    """A stored document comes back row for row, whatever is in it."""
    document = full_document()

    any_store.put(tools.record_of(document, "d1"), document, [])

    assert any_store.document("d1") == document
    assert any_store.records() == (tools.record_of(document, "d1"),)
    assert any_store.lines("d1", 2, 4) == document.lines[1:]
    assert any_store.page_lines("d1", 1, 2) == document.lines
    assert any_store.pages("d1") == document.pages
    assert any_store.toc("d1") == document.toc


def test_names_the_document_that_is_not_there(any_store: Store) -> None:
    """Asking for an unknown document is an error that names it."""
    with pytest.raises(UnknownDocumentError, match="d404"):
        any_store.document("d404")


def test_sequence_grows_with_every_change(any_store: Store, tools: Any) -> None:
    """What is derived from a store can tell that it is stale."""
    seen = [any_store.sequence]
    for text in ("The lamp has 6 panes.", "The lamp has 7 panes."):
        any_store.put(*tools.make("a.md", [text]))
        seen.append(any_store.sequence)
    any_store.remove(any_store.records()[0].doc_id)
    seen.append(any_store.sequence)

    assert seen == sorted(set(seen))


def test_replacing_leaves_nothing_of_the_old(any_store: Store, tools: Any) -> None:
    """After an edit, neither the old text nor its passages, terms, words or vectors are found."""
    embedder = tools.embedder()
    any_store.put(*tools.make("a.md", ["The lamp has 6 panes.", "It is brass."]))
    old = any_store.passages_at(any_store.records()[0].doc_id, 1, 2)
    tools.embed_all(any_store, embedder)

    any_store.put(*tools.make("a.md", ["The lamp has 7 shutters."]))
    tools.embed_all(any_store, embedder)

    assert any_store.passages([p.passage_id for p in old]) == ()
    assert any_store.search_terms({"pane": 1.0, "brass": 1.0}, doc_ids=[], k=9) == ()
    assert any_store.term_counts(["pane", "shutter"], doc_ids=[]) == {"pane": 0, "shutter": 1}
    assert dict(any_store.words()) == {"the": 1, "lamp": 1, "has": 1, "shutters": 1}
    near = any_store.nearest(embedder.embed(["It is brass."])[0], embedder=embedder, doc_ids=[], k=9)
    assert tools.found(any_store, near) == ["The lamp has 7 shutters."]
    assert any_store.passage_count(doc_ids=[]) == 1


def test_removing_forgets_everything(any_store: Store, tools: Any) -> None:
    """A removed document is in no list and no search; removing it again changes nothing."""
    made = tools.make("a.md", ["The lamp has 6 panes."])
    any_store.put(*made)
    any_store.remove(made.record.doc_id)
    after = any_store.sequence

    any_store.remove(made.record.doc_id)

    assert any_store.records() == ()
    assert any_store.search_terms({"lamp": 1.0}, doc_ids=[], k=9) == ()
    assert dict(any_store.words()) == {}
    assert any_store.sequence == after


def test_named_objects_are_found_in_any_case_and_where_asked(any_store: Store, tools: Any) -> None:
    """A label leads to every document that has it, or to those that were asked."""
    for name in ("a.txt", "b.txt"):
        made = tools.make(name, [f"Table 2 of {name}", "rows"])
        named = NamedObject(kind="table", label="Table 2", title="Loads", page_num=1, line_num=1)
        any_store.put(made.record, msgspec.structs.replace(made.document, objects=(named,)), made.passages)
    doc_ids = [record.doc_id for record in any_store.records()]

    assert {one.doc_id for one in any_store.named(["table 2", "Table 9"], doc_ids=())} == set(doc_ids)
    found = any_store.named(["Table 2"], doc_ids=doc_ids[:1])
    assert [(one.doc_id, one.named.label, one.named.line_num) for one in found] == [(doc_ids[0], "Table 2", 1)]
    assert any_store.named(["Table 3"], doc_ids=()) == ()


def test_named_objects_come_in_the_order_of_documents_and_places(any_store: Store, tools: Any) -> None:
    """All objects of all labels asked, each once; only letters of ASCII have two cases; odd labels are labels."""
    places = [("Annex A", 3), ("annex a", 1), ("Änder", 2), ("it's 1", 2), ("ANNEX A", 2)]
    objects = tuple(
        NamedObject(kind="annex", label=label, title="", page_num=1, line_num=line) for label, line in places
    )
    for name, doc_id in (("a.txt", "d2"), ("b.txt", "d1")):
        made = tools.make(name, ["one", "two", "three"], doc_id=doc_id)
        any_store.put(made.record, msgspec.structs.replace(made.document, objects=objects), made.passages)

    found = any_store.named(["Annex A", "annex A", "äNDER", "IT'S 1"], doc_ids=())

    wanted = [objects[i] for i in (0, 1, 3, 4)]
    assert found == tuple(PlacedObject(doc_id=doc_id, named=one) for doc_id in ("d1", "d2") for one in wanted)
    assert any_store.named([], doc_ids=()) == ()
    assert any_store.named(["Annex A"], doc_ids=["no such id"]) == ()


def test_named_objects_of_what_was_replaced_or_removed_are_gone(any_store: Store, tools: Any) -> None:
    """A label leads to what a document says now, and to nothing once the document is removed."""
    made = tools.make("a.txt", ["one", "two"])
    for line in (1, 2):
        named = NamedObject(kind="table", label="Table 1", title="", page_num=1, line_num=line)
        any_store.put(made.record, msgspec.structs.replace(made.document, objects=(named,)), made.passages)
    now = [one.named.line_num for one in any_store.named(["Table 1"], doc_ids=())]
    any_store.remove(made.record.doc_id)

    assert now == [2]
    assert any_store.named(["Table 1"], doc_ids=()) == ()


def test_another_summary_changes_nothing_else(any_store: Any, tools: Any) -> None:
    """What a model says of a document is kept with its record and document; its passages stay what they are."""
    made = tools.make("it's \udc80.md", ["lamp wick"])
    any_store.put(*made)
    before = any_store.sequence, any_store.search_terms({"lamp": 1.0}, k=9)
    summary = msgspec.structs.replace(made.record.parsing_summary, model_profile=PROFILE, title="\udc80")

    any_store.set_summary(made.record.doc_id, summary)

    assert any_store.records() == (msgspec.structs.replace(made.record, parsing_summary=summary),)
    assert any_store.document(made.record.doc_id) == msgspec.structs.replace(made.document, parsing_summary=summary)
    assert any_store.sequence > before[0]
    assert any_store.search_terms({"lamp": 1.0}, k=9) == before[1]
    with pytest.raises(UnknownDocumentError, match="d404"):
        any_store.set_summary("d404", summary)


def test_many_names_are_looked_up_at_once(any_store: Any, tools: Any) -> None:
    """Each name gives its document, in the order asked; one that is unknown is an error that names it."""
    for name in ("a.md", "b.md"):
        any_store.put(*tools.make(name, ["lamp"]))
    first, second = any_store.records()

    assert any_store.resolve_all(["b.md", first.doc_id, "b.md"]) == (second, first, second)
    assert any_store.resolve_all([]) == ()
    assert any_store.resolve("a.md") == first
    with pytest.raises(UnknownDocumentError, match=r"c\.md"):
        any_store.resolve_all(["a.md", "c.md"])


def test_passages_come_in_the_order_asked(any_store: Store, tools: Any) -> None:
    """Ids decide the order; ids that are gone are left out; the same id may be asked twice."""
    made = tools.make("a.md", ["one", "two", "three"])
    any_store.put(*made)
    ids = [p.passage_id for p in any_store.passages_at(made.record.doc_id, 1, 3)]

    texts = [p.passage.text for p in any_store.passages([ids[2], 10**6, ids[0], ids[2]])]

    assert texts == ["three", "one", "three"]


def test_passages_at_share_a_line(any_store: Store, tools: Any) -> None:
    """A range finds the passages that it touches, in order."""
    made = tools.make("a.md", ["one", "two", "three", "four"])
    wide: Passage = made.passages[0]
    any_store.put(
        made.record, made.document, [wide.__class__(**{**_fields(wide), "last_line_id": 3}), made.passages[3]]
    )

    assert [p.passage.last_line_id for p in any_store.passages_at(made.record.doc_id, 3, 9)] == [3, 4]
    assert any_store.passages_at(made.record.doc_id, 5, 9) == ()


def _fields(passage: Passage) -> dict[str, Any]:
    return {name: getattr(passage, name) for name in passage.__struct_fields__}


def test_rare_terms_rank_first_and_ranks_start_at_one(any_store: Store, tools: Any) -> None:
    """A passage with the rare term comes before those with the common one."""
    any_store.put(*tools.make("a.md", ["the lamp burns", "the lamp is out", "the mast and the lamp", "the rope"]))

    hits = any_store.search_terms({"lamp": 1.0, "mast": 1.0}, doc_ids=[], k=2)

    assert tools.found(any_store, hits)[0] == "the mast and the lamp"
    assert [hit.rank for hit in hits] == [1, 2]
    assert hits[0].score > hits[1].score


def test_term_weights_count(any_store: Store, tools: Any) -> None:
    """A heavier term wins; a term of weight 0 finds nothing."""
    any_store.put(*tools.make("a.md", ["lamp wick", "mast rope"]))

    def texts(lamp: float, mast: float) -> list[str]:
        hits = any_store.search_terms({"lamp": lamp, "mast": mast}, doc_ids=[], k=2)
        return list(tools.found(any_store, hits))

    by_weight = [texts(2.0, 1.0), texts(1.0, 2.0), texts(0.0, 1.0)]

    assert by_weight == [["lamp wick", "mast rope"], ["mast rope", "lamp wick"], ["mast rope"]]


def test_scores_are_those_of_the_documents_asked(any_store: Store, tools: Any) -> None:
    """A filter works before ranking: other documents change neither scores nor ranks."""
    made = tools.make("a.md", ["lamp wick", "lamp oil", "rope"])
    any_store.put(*made)
    doc_ids = [made.record.doc_id]
    alone = any_store.search_terms({"lamp": 1.0, "wick": 0.5}, doc_ids=doc_ids, k=9)
    any_store.put(*tools.make("b.md", [f"lamp lamp lamp wick {i}" for i in range(50)]))

    assert any_store.search_terms({"lamp": 1.0, "wick": 0.5}, doc_ids=doc_ids, k=9) == alone
    assert any_store.term_counts(["lamp"], doc_ids=doc_ids) == {"lamp": 2}
    assert any_store.term_counts(["lamp"], doc_ids=[]) == {"lamp": 52}
    assert any_store.search_terms({"lamp": 1.0}, doc_ids=["no such id"], k=9) == ()
    assert any_store.passage_count(doc_ids=doc_ids) == 3


@pytest.mark.parametrize(
    "term", ["c++", "12(4)(b)", "50%", "a*b", '"', "near/2", "-x", "col:on", "^", "\x00", "\udc80", "ε"]
)
def test_any_character_may_be_in_a_term(any_store: Store, tools: Any, term: str) -> None:
    """No character of a question has a meaning of its own to the store."""
    any_store.put(*tools.make("a.md", ["lamp wick", "c++ 12(4)(b) 50% ε"]))

    hits = any_store.search_terms({term: 1.0}, doc_ids=[], k=9)

    expected = ["c++ 12(4)(b) 50% ε"] if term in ("c++", "12(4)(b)", "50%", "ε") else []
    assert tools.found(any_store, hits) == expected


def test_vectors_of_passages_are_those_that_were_stored(any_store: Store, tools: Any) -> None:
    """Each passage that has a vector gives its row; one without, and one that is gone, gives none."""
    embedder = tools.embedder(dimension=64)
    any_store.put(*tools.make("a.md", ["lamp wick", "mast rope"]))
    tools.embed_all(any_store, embedder)
    any_store.put(*tools.make("b.md", ["brass bell"]))
    ids = [p.passage_id for record in any_store.records() for p in any_store.passages_at(record.doc_id, 1, 99)]

    found = any_store.vectors_of([*ids, 10**6], embedder=embedder)

    assert sorted(found.tolist()) == sorted(embedder.embed(["lamp wick", "mast rope"]).tolist())


def test_nearest_is_filtered_before_ranking(any_store: Store, tools: Any) -> None:
    """The nearest passages of the documents asked come back, however near others are."""
    embedder = tools.embedder(dimension=64)
    made = tools.make("a.md", ["lamp wick", "mast rope"])
    any_store.put(*made)
    any_store.put(*tools.make("b.md", [f"lamp wick {i}" for i in range(20)]))
    tools.embed_all(any_store, embedder)
    query = embedder.embed(["lamp wick 3"])[0]

    everywhere = any_store.nearest(query, embedder=embedder, doc_ids=[], k=1)
    within = any_store.nearest(query, embedder=embedder, doc_ids=[made.record.doc_id], k=9)

    assert tools.found(any_store, everywhere) == ["lamp wick 3"]
    assert tools.found(any_store, within) == ["lamp wick", "mast rope"]
    assert everywhere[0].score == pytest.approx(1.0)


def test_passages_without_a_vector_are_not_near(any_store: Store, tools: Any) -> None:
    """Embedding may lag behind: nothing is made up for what is not embedded yet."""
    embedder = tools.embedder()
    any_store.put(*tools.make("a.md", ["lamp wick"]))
    vector = embedder.embed(["lamp wick"])[0]
    before = any_store.nearest(vector, embedder=embedder, doc_ids=[], k=9)
    tools.embed_all(any_store, embedder)
    any_store.put(*tools.make("b.md", ["mast rope"]))

    after = any_store.nearest(vector, embedder=embedder, doc_ids=[], k=9)

    assert before == ()
    assert tools.found(any_store, after) == ["lamp wick"]


def test_vectors_of_another_embedder_are_refused(any_store: Store, tools: Any) -> None:
    """Search with another embedder is an error that names both, never a ranking without meaning."""
    any_store.put(*tools.make("a.md", ["lamp wick"]))
    tools.embed_all(any_store, tools.embedder("fake-a"))
    other = tools.embedder("fake-c", reverse=True)

    with pytest.raises(EmbeddingModelChangedError, match=r"fake-a.*fake-c"):
        any_store.nearest(other.embed(["lamp"])[0], embedder=other, doc_ids=[], k=1)
