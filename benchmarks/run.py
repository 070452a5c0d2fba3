"""Run the benchmarks one after another and print what they measured as one table.

    make bench
    .venv/bin/python benchmarks/run.py lines parsing     only these

Every other script of this folder is a benchmark, but for `quality.py`: it prints a line for each figure, name and value
two blanks apart.
They need the folder of public documents that `PINCITE_BENCH` names (../shared/bench by default).
"""

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
BENCH = Path(os.environ.get("PINCITE_BENCH", HERE.parents[1] / "shared" / "bench"))

#: Scripts of this folder that are no benchmark of speed: `quality.py` takes an hour and prints a table of its own,
#: `large_sync.py` is `sync.py --large`, `synthetic.py` makes documents, `scale_model.py` calculates, `scale.py` and
#: `many_documents.py` fill large libraries, `ray_add.py` takes a cluster (`make bench-scale`).
OTHERS = frozenset({"run", "quality", "large_sync", "synthetic", "scale_model", "scale", "many_documents", "ray_add"})


@dataclass(frozen=True, slots=True)
class Figure:
    """One line that a benchmark printed: what was measured and what came out."""

    what: str
    value: str


def figures(output: str) -> Iterator[Figure]:
    """Yield the figures that a benchmark printed.

    >>> list(figures("nearest    p50  3.1 ms   p95  4.0 ms"))
    [Figure(what='nearest', value='p50 3.1 ms, p95 4.0 ms')]
    """
    for line in output.splitlines():
        if line.startswith('{"'):  # one file in full: no figure
            continue
        what, _, rest = line.strip().partition("  ")
        if what:
            # Names and their values are set in columns: blanks behind a name are no gap between figures.
            close = re.sub(r"\b(p\d\d|lines|order) +", r"\1 ", rest.strip())
            yield Figure(what, ", ".join(re.split(r" {2,}", close)))


def run(script: Path) -> str:
    """Return what a benchmark prints; where it fails, its last words."""
    environment = os.environ | {"PINCITE_BENCH": str(BENCH)}
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False, env=environment)
    if done.returncode == 0:
        return done.stdout
    last = (done.stderr.strip().splitlines() or ["no message"])[-1]
    return f"{done.stdout}FAILED  {last}"


def scripts(names: Sequence[str]) -> list[Path]:
    """Return the benchmarks of those names, or all of them."""
    found = {path.stem: path for path in sorted(HERE.glob("*.py")) if path.stem not in OTHERS}
    unknown = sorted(set(names) - set(found))
    if unknown:
        sys.exit(f"there is no benchmark {', '.join(unknown)}; choose of: {', '.join(found)}")
    return [path for name, path in found.items() if not names or name in names]


def main() -> None:
    """Print one Markdown table."""
    parser = argparse.ArgumentParser(description="Run the benchmarks and print one table.")
    parser.add_argument("names", nargs="*", help="which benchmarks (default: all)")
    chosen = scripts(parser.parse_args().names)
    if not BENCH.is_dir():
        sys.exit(f"{BENCH}: there are no documents to measure with; name their folder in PINCITE_BENCH")
    print("| benchmark | figure | value |\n| --- | --- | --- |")
    for script in chosen:
        started = time.monotonic()
        output = run(script)
        for figure in figures(output):
            print(f"| {script.stem} | {figure.what} | {figure.value} |")
        print(f"| {script.stem} | took | {time.monotonic() - started:.0f} s |", flush=True)


if __name__ == "__main__":
    main()
