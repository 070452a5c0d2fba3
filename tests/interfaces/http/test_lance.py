"""A server of a library in Lance tables."""

from pathlib import Path

import pytest
from tests.interfaces.http.conftest import HANDBOOK, serving

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
