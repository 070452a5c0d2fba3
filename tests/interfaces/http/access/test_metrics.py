"""Figures in the form of Prometheus: what is counted, and that nobody can make them grow without end."""

from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.interfaces.http.access.conftest import Running, running

from pincite.interfaces.http.access.options import AccessOptions
from pincite.interfaces.http.access.running import count_library


def samples(text: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Return every sample by its name and labels."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_what_is_counted(folder: Path) -> None:
    """Requests, their times by route, questions by what became of them, documents, jobs and lanes are counted."""
    with running(folder, AccessOptions()) as server:
        count_library(server.app.state.metrics, server.app.state.served)
        for question in ("What is the harbour fee?", "Who painted the moon in 1871?"):
            server.client.post("/v1/ask", json={"question": question})
        server.client.get("/v1/documents/none")
        found = samples(server.client.get("/metrics").text)

    assert found["pincite_questions_total", (("result", "answer"),)] == 1
    assert found["pincite_questions_total", (("result", "not_found"),)] == 1
    asked = (("method", "POST"), ("route", "/v1/ask"))
    assert found["pincite_http_requests_total", (*asked, ("status", "200"))] == 2
    assert found["pincite_http_request_seconds_count", asked] == 2
    assert (
        found[
            "pincite_http_requests_total", (("method", "GET"), ("route", "/v1/documents/{doc_id}"), ("status", "404"))
        ]
        == 1
    )
    assert found["pincite_documents", (("collection", "default"),)] == 1
    assert found["pincite_documents", (("collection", "vault"),)] == 1
    assert found["pincite_jobs", (("state", "running"),)] == 0
    assert [found["pincite_requests_waiting", (("lane", lane),)] for lane in ("questions", "uploads")] == [0, 0]
    assert found["process_resident_memory_bytes", ()] > 0


def test_paths_do_not_make_figures(open_server: Running) -> None:
    """A thousand made-up paths are one figure: the routes are counted, not what is asked for."""
    before = len(samples(open_server.client.get("/metrics").text))
    for number in range(30):
        open_server.client.get(f"/v1/documents/{number}")
        open_server.client.get(f"/v1/{number}")
    after = len(samples(open_server.client.get("/metrics").text))

    assert after - before < 60


@pytest.mark.parametrize("path", ["/v1/health", "/v1/ready"])
def test_health_is_for_everybody(guarded_server: Running, path: str) -> None:
    """Whoever watches over the server needs no token."""
    assert guarded_server.client.get(path).status_code == 200
