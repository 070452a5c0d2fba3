"""How long the command line takes from cold: help, a question to one PDF never seen, and to a library.

    .venv/bin/python benchmarks/startup.py [PDF] [--runs N]

Each command runs in a process of its own. CPU time is that of the process and its children; the PDF's cache is
deleted before each cold run. Without a PDF the Attention paper of the benchmark folder (`PINCITE_BENCH`) is asked.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

BENCH = Path(os.environ.get("PINCITE_BENCH", Path(__file__).resolve().parents[2] / "shared" / "bench"))
PAPER = BENCH / "articles" / "docs" / "attention-1706.03762v7.pdf"
QUESTION = "How many GPUs were used for training?"


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds on the clock and of the processor."""

    wall_s: float
    cpu_s: float


def run(arguments: list[str], environment: dict[str, str]) -> Cost:
    """Run the command line once and return what it cost."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [str(Path(sys.executable).with_name("pincite")), *arguments]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    wall_s = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(wall_s, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def show(what: str, costs: list[Cost], target: str) -> None:
    """Print the medians."""
    wall_s = statistics.median(c.wall_s for c in costs)
    cpu_s = statistics.median(c.cpu_s for c in costs)
    print(f"{what:34} {wall_s:6.2f} s wall   {cpu_s:6.2f} s CPU   target {target}")


def main() -> None:
    """Measure each command several times."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("pdf", nargs="?", type=Path, default=PAPER)
    arguments.add_argument("--runs", type=int, default=5)
    chosen = arguments.parse_args()
    if not chosen.pdf.is_file():
        raise SystemExit(f"{chosen.pdf}: there is no such file; name a PDF or set PINCITE_BENCH")
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "cache"
        environment = {**os.environ, "PINCITE_CACHE": str(cache)}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        show("--help", [run(["--help"], environment) for _ in range(chosen.runs)], "0.3 s CPU")
        ask = ["ask", QUESTION, str(chosen.pdf)]
        cold = []
        for _ in range(chosen.runs):
            shutil.rmtree(cache, ignore_errors=True)
            cold.append(run(ask, environment))
        show("ask a PDF never seen", cold, "3 s wall")
        library = ["--library", str(Path(folder) / "library")]
        run([*library, "add", str(chosen.pdf)], environment)
        asked = [run([*library, "ask", QUESTION], environment) for _ in range(chosen.runs)]
        show("ask the library", asked, "1 s wall")


if __name__ == "__main__":
    main()
