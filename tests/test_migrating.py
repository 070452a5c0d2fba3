"""A library that is copied to Lance tables and back is the same library."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pincite import Answer, Library
from pincite.errors import StoreError
from pincite.library.migrating import contents_of, migrate
from pincite.settings import Settings
from pincite.storage.opening import open_store
from pincite.types.document import ModelProfile, NamedObject
from pincite.types.source import KnownFile

pytest.importorskip("lance", reason="the extra `scale` (pylance) is not installed")

TEXTS = {
    "contract.md": "# Notice\n\nThe notice period is 30 days.\n\n| Item | Fee |\n|---|---|\n| Setup | 12 EUR |\n",
    "lease.md": "# Term\n\nThe lease runs for 5 years. The notice period is 90 days.\n",
    "odd-\udc80.md": "The lamp has 6 panes.\n",
}
QUESTION = "What is the notice period of the contract?"


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a SQLite library with documents, vectors, a trace, a failure and a synced place."""
    folder = tmp_path_factory.mktemp("reports")
    docs = folder / "docs"
    docs.mkdir()
    for name, text in TEXTS.items():
        (docs / name).write_text(text)
    with Library(folder / "library") as library:
        library.sync(docs)
        library.ask(QUESTION)
        library.store.journal.record_failure(
            "file:///a.pdf", "a.pdf", None, "corrupt_file", "broken", "2027-01-01T00:00:00"
        )
        spec = library.store.sources.all()[0].spec
        noted = KnownFile(uri="file:///b", name="b", version="1", reader="r", code="c", message="m")
        library.store.sources.change_files(spec, noted=[noted], gone=())
    return folder / "library"


def answered(place: str | Path) -> Any:
    """Return what a library answers, without what is new with every question."""
    with Library(place) as library:
        result = library.ask(QUESTION)
    assert isinstance(result, Answer)
    return result.items, result.signals


def test_there_and_back_again_is_the_same(reports: Path, tmp_path: Path) -> None:
    """Documents, originals, vectors, traces, failures and places come back; both answer alike."""
    there, back = f"lance:{tmp_path / 'lance'}", tmp_path / "back"
    with open_store(reports, create=False) as source, open_store(there) as target, open_store(back) as last:
        before = contents_of(source)
        report = migrate(source, target)
        migrate(target, last)
        after = contents_of(last)

        assert report.contents == before == after
        assert report.copied == len(TEXTS)
        assert min(before.counts.values()) > 0
        for store in (source, target, last):
            assert store.records() == source.records()
            assert dict(store.words()) == dict(source.words())
    assert answered(reports) == answered(there) == answered(back)


def test_how_sure_each_part_is_and_what_a_model_said_go_along(reports: Path, tmp_path: Path) -> None:
    """Confidences of lines and contents, named objects and profiles are the same there and back."""
    with open_store(reports, create=False) as source, open_store(tmp_path / "first") as first:
        migrate(source, first)
        record = first.resolve("contract.md")
        document = first.document(record.doc_id)
        sure = [replace(line, layer="ocr", confidence=line.line_id / 64) for line in document.lines]
        named = NamedObject(kind="clause", label="Clause 1", title="Notice", page_num=1, line_num=1)
        toc = tuple(replace(section, confidence=0.5) for section in document.toc)
        document = replace(document, lines=tuple(sure), toc=toc, objects=(named,))
        passages = [one.passage for one in first.passages_at(record.doc_id, 0, 10**6)]
        first.put(record, document, passages)
        profile = ModelProfile(model="test:one", doc_type="contract")
        first.set_summary(record.doc_id, replace(record.parsing_summary, model_profile=profile))
        wanted = first.document(record.doc_id), first.named(["CLAUSE 1"], doc_ids=())
        with open_store(f"lance:{tmp_path / 'lance'}") as there, open_store(tmp_path / "back") as back:
            migrate(first, there)
            migrate(there, back)
            for store in (there, back):
                assert (store.document(record.doc_id), store.named(["CLAUSE 1"], doc_ids=())) == wanted
                assert store.lines(record.doc_id, 1, 3) == document.lines[:3]
                assert store.toc(record.doc_id) == toc
    assert [len(part) for part in (toc, wanted[1])] == [1, 1]


def test_both_rank_alike(reports: Path, tmp_path: Path) -> None:
    """Every search finds the same places in the same order, by words and by meaning."""
    place = f"lance:{tmp_path / 'lance'}"
    with open_store(reports, create=False) as source, open_store(place) as target:
        migrate(source, target)
    settings = Settings()
    found = []
    for where in (reports, place):
        with Library(where, settings=settings) as library:
            results = [
                library.search(q, method=m).candidates for q in ("notice", "panes") for m in ("keyword", "dense")
            ]
            found.append([[(c.rank, c.anchor) for c in candidates] for candidates in results])

    assert found[0] == found[1]
    assert all(found[0])


def test_an_interrupted_copy_goes_on(reports: Path, tmp_path: Path) -> None:
    """What was copied before is not copied again, and the whole is compared."""
    with open_store(reports, create=False) as source, open_store(f"lance:{tmp_path}") as target:
        migrate(source, target)
        target.remove(target.added_order()[-1])

        report = migrate(source, target)

        assert (report.copied, report.unchanged) == (1, len(TEXTS) - 1)


def test_other_documents_are_never_mixed_in(reports: Path, tmp_path: Path) -> None:
    """A library with documents of its own is no place to copy to; nothing is changed."""
    (tmp_path / "other.md").write_text("Other.\n")
    with Library(tmp_path / "other") as other:
        other.add(tmp_path / "other.md", embed=False)
    with open_store(reports, create=False) as source, open_store(tmp_path / "other") as target:
        with pytest.raises(StoreError, match="empty place"):
            migrate(source, target)

        assert len(target.records()) == 1
