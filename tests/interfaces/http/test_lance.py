"""A server of a library in Lance tables."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.interfaces.http.conftest import HANDBOOK, PDF, serving

from pincite.errors import StoreError
from pincite.interfaces.http.state.opening import open_state
from pincite.storage.ledger import Row
from pincite.storage.opening import open_store

pytest.importorskip("lance", reason="the extra `scale` (pylance) is not installed")


def test_uploads_questions_and_removals_work_on_lance_tables(tmp_path: Path) -> None:
    """A file that is sent is there once, is answered from with its page, and is gone when it is deleted."""
    open_store(f"lance:{tmp_path / 'library'}").close()
    question = {"question": "What is the notice period?"}
    with serving(tmp_path / "library") as server:
        doc_id = server.add("handbook.md", HANDBOOK)
        again = server.add("handbook.md", HANDBOOK)
        answer = server.client.post("/v1/ask", json=question).json()
        trace = server.client.get(f"/v1/traces/{answer['trace_id']}")
        pages = server.client.get(f"/v1/documents/{doc_id}/pages").json()["pages"]
        removed = server.client.delete(f"/v1/documents/{doc_id}")
        after = server.client.post("/v1/ask", json=question).json()

    assert again == doc_id
    assert answer["items"][0]["text"] == "The notice period is three months."
    assert (trace.status_code, removed.status_code) == (200, 204)
    assert [page["page_num"] for page in pages] == [1]
    assert after["result"] == "refusal"
    assert not (tmp_path / "library" / "pincite.sqlite").exists()


def test_an_answer_is_a_report_and_its_pages_are_pictures(tmp_path: Path) -> None:
    """What is drawn in processes of their own is drawn of Lance tables, too; originals come back byte for byte."""
    question = {"question": "What are the six functions?"}
    with serving(f"lance:{tmp_path / 'library'}") as server:
        doc_id = server.add("framework.pdf", PDF.read_bytes())
        trace_id = server.client.post("/v1/ask", json=question).json()["trace_id"]
        exports = {
            form: server.client.get(f"/v1/answers/{trace_id}/export", params={"format": form})
            for form in ("html", "pdf", "md")
        }
        picture = server.client.get(f"/v1/documents/{doc_id}/pages/20.png?lines=3")
        original = server.client.get(f"/v1/documents/{doc_id}/original")

    assert {form: one.status_code for form, one in exports.items()} == {"html": 200, "pdf": 200, "md": 200}
    assert "Govern" in exports["html"].text
    assert exports["pdf"].content.startswith(b"%PDF-")
    assert picture.content.startswith(b"\x89PNG")
    assert original.content == PDF.read_bytes()


def test_collections_are_tables_too(tmp_path: Path) -> None:
    """A collection is made once, has tables of its own, and is found by its name when the command line made it."""
    with serving(f"lance:{tmp_path / 'library'}") as server:
        made = [server.client.post("/v1/collections", json={"name": "papers"}).status_code for _ in range(2)]
        server.add("handbook.md", HANDBOOK, collection="papers")
        open_store(f"lance:{tmp_path / 'library' / 'collections' / 'other'}").close()
        found = [
            server.client.get("/v1/documents", params={"collection": name}).status_code for name in ("other", "third")
        ]
        listed = server.client.get("/v1/collections").json()["collections"]

    assert (made, found) == ([201, 409], [200, 404])
    assert [(one["name"], one["n_documents"]) for one in listed] == [("default", 0), ("other", 0), ("papers", 1)]
    assert (tmp_path / "library" / "collections" / "papers" / "documents.lance").is_dir()
    assert not list((tmp_path / "library").rglob("*.sqlite"))


def test_the_bytes_of_an_upload_outlive_a_sweep(tmp_path: Path) -> None:
    """`pincite gc` leaves what was uploaded and waits to be added; bytes of another hash are never kept under it."""
    content_hash = hashlib.sha256(HANDBOOK.encode()).hexdigest()
    with open_store(f"lance:{tmp_path / 'library'}") as opened:
        store: Any = opened
        store.keep_original(HANDBOOK.encode(), content_hash)
        swept = store.sweep()
        kept = store.original_of(content_hash)
        with pytest.raises(StoreError, match="changed"):
            store.keep_original(b"something else", content_hash)

    assert (swept, kept) == ((0, 0), HANDBOOK.encode())


def test_a_row_that_changes_while_it_is_looked_for_is_not_taken_for_what_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job that another server takes between two looks at the table is not among those that wait."""
    with open_state(f"lance:{tmp_path / 'library'}") as here, open_state(f"lance:{tmp_path / 'library'}") as there:
        ledger: Any = here.ledger("jobs")
        waiting = Row(key="a", data=b"a", tag="queued")
        ledger.add(waiting)
        keys = ledger._keys

        def then_taken(where: str | None) -> Any:
            found = keys(where)
            assert there.ledger("jobs").change(replace(waiting, tag="running"))
            return found

        monkeypatch.setattr(ledger, "_keys", then_taken)

        assert ledger.rows(tags=("queued",), limit=5) == ()
