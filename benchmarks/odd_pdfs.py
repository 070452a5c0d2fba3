"""Every odd PDF, each in a process of its own: read, refused by a named error, or a crash or hang."""

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

_CHILD = """
import json, resource, sys
from pathlib import Path
from pincite.errors import ParseError
from pincite.parsing.pdf import PdfiumParser
path = Path(sys.argv[1])
try:
    document = PdfiumParser().parse(path.read_bytes(), name=path.name, uri=str(path))
except ParseError as error:
    print(json.dumps({"outcome": error.code, "detail": error.message}))
else:
    summary = document.parsing_summary
    flags = sorted({flag for page in document.pages for flag in page.flags})
    empty = sum(page.n_lines == 0 and not page.flags for page in document.pages)
    print(json.dumps({"outcome": "read", "pages": len(document.pages), "lines": len(document.lines),
        "flags": flags, "unflagged_empty_pages": empty, "warnings": list(summary.warnings),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}))
"""


def read(path: Path, timeout_s: float) -> dict[str, object]:
    """Return what became of one file and how long it took."""
    start = time.monotonic()
    command = [sys.executable, "-c", _CHILD, str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout_s, check=False)
    except subprocess.TimeoutExpired:
        return {"file": path.name, "outcome": "HANG", "seconds": timeout_s}
    seconds = round(time.monotonic() - start, 2)
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or [f"signal {-done.returncode}"]
        return {"file": path.name, "outcome": "CRASH", "detail": last[0], "seconds": seconds}
    return {"file": path.name, **json.loads(done.stdout.splitlines()[-1]), "seconds": seconds}


def main() -> None:
    """Print one line for each file that is not simply read, then the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", default=os.environ.get("PINCITE_BENCH", "../shared/bench"))
    parser.add_argument("--timeout", type=float, default=30.0)
    parser.add_argument("--all", action="store_true", help="print every file")
    options = parser.parse_args()
    paths = sorted((Path(options.bench) / "odd-pdfs").glob("*.pdf"))
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda path: read(path, options.timeout), paths))
    for result in results:
        plain = result["outcome"] == "read" and not result.get("unflagged_empty_pages")
        if options.all or not plain:
            print(json.dumps(result, ensure_ascii=False))
    print(dict(Counter(str(result["outcome"]) for result in results)))


if __name__ == "__main__":
    main()
