"""Files handed over: their names, their bytes, and the jobs that add them."""

import io
import json
import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.interfaces.http.conftest import HANDBOOK, PDF, Serve, Server, serving, until

from pincite.interfaces.http.uploads import MOST_NAME_CHARS
from pincite.storage.sqlite import SqliteStore

CASE = Path(__file__).parents[2] / "cases" / "OPS06-upload-traversal"
NAMES = [row["filename"] for row in json.loads((CASE / "names.json").read_text(encoding="utf-8"))]
Stuck = Callable[[], tuple[str, bytes, Path]]


def files_of(folder: Path) -> set[str]:
    """Return every file below a folder, without the database's own."""
    return {
        str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and ".sqlite" not in path.name
    }


def jobs_of(reply: httpx.Response) -> list[Any]:
    """Return the jobs of a reply."""
    jobs: list[Any] = reply.json()["jobs"]
    return jobs


def is_alive(process_id: int) -> bool:
    """Say whether a process runs; a dead one whose parent has not looked is dead."""
    try:
        return "Z" not in Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server that the tests of names share."""
    with serving(tmp_path_factory.mktemp("around") / "library") as server:
        yield server


@pytest.mark.parametrize("name", NAMES)
def test_no_name_reaches_the_file_system(shared: Server, name: str) -> None:
    """Whatever a client calls its file, it is kept under its hash in the library, and is called by one part."""
    around = shared.served.folder.parent
    before = files_of(around)
    text = f"# Fees\n\nThe fee is {len(before)} EUR.\n".encode()
    form = httpx.Request("POST", shared.address, files={"file": (name or " ", text)})
    content = form.read() if name else form.read().replace(b'filename=" "', b'filename=""')

    reply = shared.client.post(
        "/v1/documents",
        params={"wait": 60},
        content=content,
        headers={"Content-Type": form.headers["Content-Type"]},
    )

    new = files_of(around) - before
    assert all(file.startswith("library/originals/") for file in new - {"library/pincite.lock"}), new
    if reply.is_client_error:
        assert reply.json()["code"] in ("invalid_name", "invalid_request")
        assert new <= {"library/pincite.lock"}
    else:
        (job,) = jobs_of(reply)
        assert not set(job["name"]) & set("/\\\0")
        assert job["name"] not in ("", ".", "..")


@pytest.mark.parametrize(
    ("given", "called"),
    [
        ("../inside.txt", "inside.txt"),
        ("C:\\Windows\\y.txt", "y.txt"),
        ("%2e%2e%2fy.txt", "%2e%2e%2fy.txt"),
        ("naïve “report” <script>.txt", "naïve “report” <script>.txt"),
        ("x" * 296 + ".txt", "x" * 296 + ".txt"),
        ("תקנון.txt", "תקנון.txt"),
    ],
)
def test_a_document_is_called_what_the_client_calls_it(shared: Server, given: str, called: str) -> None:
    """Folders are cut off a name and nothing is decoded twice; else it stays as it is."""
    doc_id = shared.add(given, f"The name is {called}.\n")

    assert shared.client.get(f"/v1/documents/{doc_id}").json()["name"] == called


@pytest.mark.parametrize("name", ["", ".", "..", "a/..", "nul\0.txt", "a\nb.txt", "x" * (MOST_NAME_CHARS + 1)])
def test_names_that_name_nothing_are_refused(shared: Server, name: str) -> None:
    """A file without a usable name is refused at once, and nothing of it is kept."""
    reply = shared.client.post("/v1/documents", params={"name": name}, content=b"The fee is 40 EUR.")

    assert (reply.status_code, reply.json()["code"]) == (422, "invalid_name")
    assert list((shared.served.folder / "uploads").iterdir()) == []


def test_an_archive_is_told_to_be_unpacked(server: Server, tmp_path: Path) -> None:
    """A zip with members that lead outside is not unpacked: nothing is written but the reason why it is not taken."""
    before = files_of(tmp_path)
    reply = server.client.post(
        "/v1/documents", params={"name": "slip.zip", "wait": 60}, content=(CASE / "slip.zip").read_bytes()
    )

    (job,) = jobs_of(reply)
    assert (job["state"], job["error"]["code"], job["error"]["status"]) == ("failed", "unsupported_format", 415)
    assert files_of(tmp_path) - before - {"library/pincite.lock"} == set()


def test_the_type_is_that_of_the_bytes(server: Server) -> None:
    """A page under the name of a PDF fails with the reason, and a PDF under the name of a text is read as a PDF."""
    page = server.client.post(
        "/v1/documents", params={"name": "x.pdf", "wait": 60}, content=b"<!doctype html><p>No PDF</p>"
    )
    doc_id = server.add("x.txt", PDF.read_bytes())

    assert jobs_of(page)[0]["error"]["code"] == "not_a_pdf"
    assert server.client.get(f"/v1/documents/{doc_id}").json()["media_type"] == "application/pdf"


@pytest.mark.parametrize(
    "content", [b"\x7fELF\x02\x01\x01" + b"\0" * 5000, b"MZ\x90\0" + bytes(range(256)) * 40, b"OggS\0" * 9]
)
def test_what_no_parser_takes_is_refused_at_once(server: Server, content: bytes) -> None:
    """Programs, sounds and other bytes that are no document are refused, whatever they are called; nothing is kept."""
    codes = []
    for name in ("report.bin", "x.exe", "noext"):
        reply = server.client.post("/v1/documents", params={"name": name}, content=content)
        codes.append((reply.status_code, reply.json()["code"]))

    assert codes == [(415, "unsupported_format")] * 3
    assert list((server.served.folder / "uploads").iterdir()) == []


def test_the_same_bytes_are_added_once(server: Server) -> None:
    """Bytes that are there already are done at once, under whatever name they come."""
    doc_id = server.add("fees.md", HANDBOOK)

    reply = server.client.post("/v1/documents", params={"name": "again.md"}, content=HANDBOOK.encode())

    (job,) = jobs_of(reply)
    assert (reply.status_code, job["state"], job["unchanged"], job["doc_id"]) == (200, "done", True, doc_id)
    assert server.client.get("/v1/documents").json()["total"] == 1


def test_two_files_of_one_name_are_two_documents(server: Server) -> None:
    """Another file of the same name never replaces the first: it gets a number."""
    server.add("fees.md", HANDBOOK)
    server.add("fees.md", "# Other fees\n\nThe fee is 50 EUR.\n")

    names = [document["name"] for document in server.client.get("/v1/documents").json()["documents"]]

    assert names == ["fees (2).md", "fees.md"] or names == ["fees.md", "fees.md (2)"]


def test_many_files_in_one_form(server: Server) -> None:
    """One bad file stops no other; each has a job with its own end."""
    files = [
        ("file", ("a.md", b"# A\n\nThe fee is 40 EUR.\n")),
        ("file", ("..", b"no name")),
        ("file", ("empty.md", b"")),
        ("file", ("b.md", b"# B\n\nThe fee is 50 EUR.\n")),
    ]
    reply = server.client.post("/v1/documents", params={"wait": 60}, files=files, data={"note": "no file"})

    states = [(job["name"], job["state"], (job["error"] or {}).get("code")) for job in jobs_of(reply)]
    assert states == [
        ("a.md", "done", None),
        ("..", "failed", "invalid_name"),
        ("empty.md", "failed", "empty_file"),
        ("b.md", "done", None),
    ]


def test_what_is_too_large_is_refused_while_it_comes_in(serve: Serve) -> None:
    """Bytes beyond the limit end the upload, with or without a stated length; nothing of the request is kept."""
    server = serve(max_upload_mb=1)
    stated = server.client.post("/v1/documents", params={"name": "big.txt"}, content=b"x" * (2 << 20))
    unstated = server.client.post("/v1/documents", params={"name": "big.txt"}, content=iter([b"x" * (1 << 18)] * 8))
    in_form = server.client.post("/v1/documents", files={"file": ("big.txt", io.BytesIO(b"x" * (2 << 20)))})

    assert [r.status_code for r in (stated, unstated, in_form)] == [413, 413, 413]
    assert list((server.served.folder / "uploads").glob("*")) == []
    assert server.client.get("/v1/jobs").json()["jobs"] == []


def test_too_many_pages_are_refused(serve: Serve) -> None:
    """A document of more pages than allowed fails with a problem of its own, and is not in the library."""
    server = serve(max_pages=31)
    reply = server.client.post("/v1/documents", params={"name": "a.pdf", "wait": 60}, content=PDF.read_bytes())

    (job,) = jobs_of(reply)
    assert (job["state"], job["error"]["code"], job["error"]["status"]) == ("failed", "source_limit", 413)
    assert server.client.get("/v1/documents").json()["total"] == 0


def test_too_many_files_are_refused(serve: Serve) -> None:
    """More files in one request than allowed are refused together."""
    server = serve(max_files=2)
    reply = server.client.post("/v1/documents", files=[("file", (f"{n}.txt", b"text")) for n in range(3)])

    assert (reply.status_code, reply.json()["code"]) == (422, "too_many_files")
    assert list((server.served.folder / "uploads").glob("*")) == []


@pytest.mark.parametrize(
    "content",
    [b"", b"--x\r\n", b"no form at all", b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n'],
)
def test_a_broken_form_is_no_upload(server: Server, content: bytes) -> None:
    """A form that breaks off or is none is told so, and leaves nothing behind."""
    reply = server.client.post(
        "/v1/documents", content=content, headers={"Content-Type": "multipart/form-data; boundary=x"}
    )

    assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")
    assert list((server.served.folder / "uploads").glob("*")) == []


def test_an_upload_that_breaks_off_leaves_nothing(server: Server) -> None:
    """When a client goes away in the middle of a file, what was written of it is deleted."""
    uploads = server.served.folder / "uploads"
    with socket.create_connection(("127.0.0.1", int(server.address.rpartition(":")[2]))) as connection:
        connection.sendall(
            b"POST /v1/documents?name=a.txt HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n" + b"x" * 2_000_000
        )
        until(lambda: list(uploads.glob("*")), what="the file comes in")

    until(lambda: not list(uploads.glob("*")), what="what came in is deleted")


def test_a_slow_upload_holds_up_nobody(server: Server) -> None:
    """While one client sends its file byte by byte, others add and ask."""
    with socket.create_connection(("127.0.0.1", int(server.address.rpartition(":")[2]))) as connection:
        connection.sendall(b"POST /v1/documents?name=a.txt HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx")
        server.add("handbook.md", HANDBOOK)
        answer = server.client.post("/v1/ask", json={"question": "What is the notice period?"}).json()

    assert answer["result"] == "answer"


def test_a_stuck_parse_holds_up_nobody(serve: Serve, stuck: Stuck) -> None:
    """While one file is parsed without end, others are added, and questions are answered."""
    server = serve(adding=2)
    name, content, told = stuck()
    (job,) = jobs_of(server.client.post("/v1/documents", params={"name": name}, content=content))
    until(told.exists, what="the parser begins")
    server.add("handbook.md", HANDBOOK)
    answer = server.client.post("/v1/ask", json={"question": "What is the notice period?"}).json()

    assert answer["result"] == "answer"
    assert server.client.get(f"/v1/jobs/{job['job_id']}").json()["state"] == "running"


def test_a_cancelled_job_ends_its_process(serve: Serve, stuck: Stuck) -> None:
    """Cancelling a job kills the process that parses its file; nothing of the file stays."""
    server = serve(adding=1)
    name, content, told = stuck()
    (job,) = jobs_of(server.client.post("/v1/documents", params={"name": name}, content=content))
    process_id = int(until(lambda: told.exists() and told.read_text(), what="the parser begins"))

    cancelled = server.client.post(f"/v1/jobs/{job['job_id']}/cancel").json()

    assert (cancelled["state"], is_alive(process_id)) == ("cancelled", False)
    assert list((server.served.folder / "uploads").glob("*")) == []
    assert server.client.get("/v1/documents").json()["total"] == 0
    server.add("handbook.md", HANDBOOK)  # the next job has its turn


def test_what_was_not_over_when_the_server_ended_goes_on(tmp_path: Path, stuck: Stuck) -> None:
    """A server that ends leaves its running job to the next one, which begins it again."""
    name, content, told = stuck()
    with serving(tmp_path / "library", adding=1) as server:
        (job,) = jobs_of(server.client.post("/v1/documents", params={"name": name}, content=content))
        process_id = int(until(lambda: told.exists() and told.read_text(), what="the parser begins"))
    assert not is_alive(process_id)
    told.unlink()

    with serving(tmp_path / "library", adding=1) as server:
        until(told.exists, what="the parser begins again")
        again = server.client.get(f"/v1/jobs/{job['job_id']}").json()
        server.client.post(f"/v1/jobs/{job['job_id']}/cancel")

    assert again["state"] == "running"


def test_an_upload_waits_while_another_process_writes(serve: Serve) -> None:
    """A long `pincite add` elsewhere fails no upload: it is kept when that is done, and may be stopped."""
    server = serve(adding=2)
    with SqliteStore(server.served.folder) as other, other.writing():
        first, second = (
            jobs_of(server.client.post("/v1/documents", params={"name": name}, content=f"# {name}\n\nText.\n"))[0]
            for name in ("a.md", "b.md")
        )
        path = f"/v1/jobs/{second['job_id']}"
        until(lambda: server.client.get(path).json()["stage"] == "parsing", what="both are parsed")
        assert server.client.post(f"{path}/cancel").json()["state"] == "cancelled"
    path = f"/v1/jobs/{first['job_id']}"
    until(lambda: server.client.get(path).json()["state"] == "done", what="the first is kept")

    assert [d["name"] for d in server.client.get("/v1/documents").json()["documents"]] == ["a.md"]


def test_a_waiting_job_can_be_cancelled(serve: Serve, stuck: Stuck) -> None:
    """A job that waits for its turn is cancelled without ever being begun; one that is over stays what it is."""
    server = serve(adding=1)
    name, content, told = stuck()
    (first,) = jobs_of(server.client.post("/v1/documents", params={"name": name}, content=content))
    until(told.exists, what="the parser begins")
    (second,) = jobs_of(server.client.post("/v1/documents", params={"name": "a.md"}, content=HANDBOOK.encode()))

    cancelled = server.client.post(f"/v1/jobs/{second['job_id']}/cancel").json()
    again = server.client.post(f"/v1/jobs/{second['job_id']}/cancel").json()
    server.client.post(f"/v1/jobs/{first['job_id']}/cancel")

    assert (cancelled["state"], again) == ("cancelled", cancelled)
    assert server.client.get("/v1/documents").json()["total"] == 0
    assert server.add("a.md", HANDBOOK)  # the same bytes may come again


def test_a_job_is_followed_to_its_end(server: Server) -> None:
    """The events of a job tell each change, and end when it is over."""
    (job,) = jobs_of(server.client.post("/v1/documents", params={"name": "a.pdf"}, content=PDF.read_bytes()))
    with server.client.stream("GET", f"/v1/jobs/{job['job_id']}/events") as reply:
        told = [json.loads(line[6:]) for line in reply.iter_lines() if line.startswith("data: ")]

    assert told[-1]["state"] == "done"
    assert [one["event"] for one in told] == ["job"] * len(told)


def test_the_same_file_twice_at_once_is_one_job(serve: Serve, stuck: Stuck) -> None:
    """A file that is on its way already is not added a second time: both get the same job."""
    server = serve(adding=1)
    name, content, told = stuck()
    (first,) = jobs_of(server.client.post("/v1/documents", params={"name": name}, content=content))
    until(told.exists, what="the parser begins")

    (second,) = jobs_of(server.client.post("/v1/documents", params={"name": "other.stuck"}, content=content))

    assert second["job_id"] == first["job_id"]
    assert len(list((server.served.folder / "uploads").glob("*"))) == 1
    server.client.post(f"/v1/jobs/{first['job_id']}/cancel")


def test_many_uploads_at_once_are_all_added(server: Server) -> None:
    """Clients that add at the same time do not get into each other's way."""
    ids: list[str] = []

    def add(n: int) -> None:
        with httpx.Client(base_url=server.address, timeout=300) as client:
            sent = client.post("/v1/documents", params={"name": "a.md", "wait": 60}, content=f"# Fee\n\nFee {n} EUR.\n")
            ids.extend(job["doc_id"] for job in sent.json()["jobs"])

    threads = [threading.Thread(target=add, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    documents = server.client.get("/v1/documents").json()["documents"]
    assert {document["doc_id"] for document in documents} == set(ids)
    assert len({document["name"] for document in documents}) == 8
    assert os.listdir(server.served.folder / "uploads") == []  # noqa: PTH208


def test_a_job_that_is_cancelled_as_it_begins_does_not_go_on(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cancelling counts at any moment, also between a job's being taken and its being done."""
    table = server.app.state.jobs.table
    take = table.take

    def taken() -> Any:
        work = take()
        if work is not None:
            assert table.cancel(work.collection, work.job_id)
        return work

    monkeypatch.setattr(table, "take", taken)
    sent = server.client.post("/v1/documents", params={"name": "a.md", "wait": 60}, content=HANDBOOK.encode())

    assert [job["state"] for job in sent.json()["jobs"]] == ["cancelled"]
    assert server.client.get("/v1/documents").json()["total"] == 0
