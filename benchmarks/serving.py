"""A served library under load: 20 clients ask for a minute, first alone, then beside a slow upload and a stuck parse.

    python benchmarks/serving.py [--clients 20] [--seconds 60] [--pages 1000] [--library DIR]

Prints how many questions were answered and refused, errors, p50 and p95 of what a client waited, and the memory of the
server before and after. The server is a process of its own on 127.0.0.1, the clients are threads of this one, on the
same cores. The library holds the first filings of financebench that make up the pages; with --library it is kept.
"""

import argparse
import contextlib
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pypdfium2

BENCH = Path(os.environ.get("PINCITE_BENCH", Path(__file__).resolve().parents[2] / "shared" / "bench"))
PINCITE = [sys.executable, "-c", "import sys; from pincite.interfaces.cli import main; sys.exit(main())"]


@dataclass
class Waited:
    """What the clients met: seconds of each question, and what became of it."""

    seconds: list[float] = field(default_factory=list)
    results: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)


def filings(n_pages: int) -> list[Path]:
    """Return the first filings that have `n_pages` pages together."""
    chosen, total = [], 0
    for path in sorted((BENCH / "financebench" / "docs").glob("*.pdf")):
        document = pypdfium2.PdfDocument(path)
        total += len(document)
        document.close()
        chosen.append(path)
        if total >= n_pages:
            break
    return chosen


def questions(docs: Sequence[Path]) -> list[str]:
    """Return the questions of the suite about those documents."""
    names = {path.name for path in docs}
    rows = map(json.loads, (BENCH / "financebench" / "questions.jsonl").read_text("utf-8").splitlines())
    return [row["question"] for row in rows if names & set(row["docs"])]


@contextlib.contextmanager
def served(library: Path) -> Iterator[tuple[str, int]]:
    """Serve the library on a free port; give its address and the id of its process."""
    command = [*PINCITE, "serve", "--library", str(library), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip().rstrip("/")
        while httpx.get(f"{url}/v1/ready", timeout=60).status_code != 200:
            time.sleep(0.2)
        yield url, process.pid
        process.send_signal(signal.SIGTERM)


def load(url: str, asked: Sequence[str], n_clients: int, seconds: float) -> Waited:
    """Let clients ask one question after another until the time is over."""
    waited, guard, until = Waited(), threading.Lock(), time.monotonic() + seconds

    def client(number: int) -> None:
        with httpx.Client(base_url=url, timeout=120) as session:
            turn = number
            while time.monotonic() < until:
                began = time.monotonic()
                try:
                    response = session.post("/v1/ask", json={"question": asked[turn % len(asked)]})
                    result = str(response.json()["result"]) if response.is_success else f"status {response.status_code}"
                except httpx.HTTPError as error:
                    result = type(error).__name__
                with guard:
                    waited.seconds.append(time.monotonic() - began)
                    waited.results[result] += 1
                turn += n_clients + 1

    threads = [threading.Thread(target=client, args=(number,)) for number in range(n_clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    waited.errors = [name for name in waited.results if name not in ("answer", "refusal")]
    return waited


def upload_slowly(url: str, stop: threading.Event) -> None:
    """Send an upload a byte at a time; when the server gives it up, send another."""
    parts = httpx.URL(url)
    head = f"POST /v1/documents?name=slow.pdf HTTP/1.1\r\nHost: {parts.host}\r\nContent-Length: 1000000\r\n\r\n"
    while not stop.is_set():
        with contextlib.suppress(OSError), socket.create_connection((parts.host, parts.port or 80)) as connection:
            connection.sendall(head.encode())
            while not stop.wait(0.2):
                connection.sendall(b"x")


def descendants(pid: int) -> set[int]:
    """Return the processes below a process."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    found, new = set[int](), {pid}
    while new:
        new = {child for child, parent in parents.items() if parent in new} - found
        found |= new
    return found


def stick_a_parse(url: str, pid: int) -> list[int]:
    """Upload a document and stop the process that parses it in the middle; return the stopped processes."""
    before = descendants(pid)
    content = (BENCH / "articles" / "docs" / "NIST.CSWP.29.pdf").read_bytes()
    httpx.post(f"{url}/v1/documents", params={"name": "stuck.pdf"}, content=content, timeout=60).raise_for_status()
    for _ in range(2000):
        new = descendants(pid) - before
        if new:
            for child in new:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGSTOP)
            return sorted(new)
        time.sleep(0.002)
    raise AssertionError("nothing began to parse the upload")


def memory_mb(pid: int) -> float:
    """Return the memory of a process that is in use, in MB."""
    (line,) = (one for one in Path(f"/proc/{pid}/status").read_text().splitlines() if one.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def report(name: str, waited: Waited, seconds: float) -> None:
    """Print the figures of a phase."""
    p50, p95 = (statistics.quantiles(waited.seconds, n=100)[at - 1] for at in (50, 95))
    counts = ", ".join(f"{number} × {result}" for result, number in sorted(waited.results.items()))
    print(f"{name}  {len(waited.seconds) / seconds:.1f} questions/s, p50 {p50:.2f} s, p95 {p95:.2f} s: {counts}")


def main() -> None:
    """Fill the library, serve it, and measure the two phases."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--library", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pincite-serving-") as scratch:
        library = given.library or Path(scratch) / "library"
        docs = filings(given.pages)
        subprocess.run([*PINCITE, "--library", library, "add", *docs], check=True, stdout=subprocess.DEVNULL)
        asked = questions(docs)
        with served(library) as (url, pid):
            load(url, asked, 2, min(10, given.seconds))
            at_first = memory_mb(pid)
            alone = load(url, asked, given.clients, given.seconds)
            between = memory_mb(pid)
            stop = threading.Event()
            slow = threading.Thread(target=upload_slowly, args=(url, stop))
            slow.start()
            stopped = stick_a_parse(url, pid)
            beside = load(url, asked, given.clients, given.seconds)
            still = [child for child in stopped if Path(f"/proc/{child}").exists()]
            at_last = memory_mb(pid)
            stop.set()
            slow.join()
            for child in still:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
    report(f"{given.clients} clients, {given.pages} pages", alone, given.seconds)
    report("… beside a slow upload and a stuck parse", beside, given.seconds)
    print(f"… errors  {sum(alone.results[e] for e in alone.errors) + sum(beside.results[e] for e in beside.errors)}")
    print(f"… memory of the server  {at_first:.0f} MB at first, {between:.0f} MB between, {at_last:.0f} MB at the end")
    print(f"… the stuck parse  {'was stuck to the end' if still else 'was given up before the end'}")


if __name__ == "__main__":
    main()
