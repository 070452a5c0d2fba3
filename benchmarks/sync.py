"""How long a sync of a folder takes: the first, one without a change, one with a few changes; and how much memory.

    python benchmarks/sync.py [--files 5000] [--embed]
    python benchmarks/sync.py --large [--files 50] [--pages 500]

Prints seconds, files per second and the peak memory of each run. Every run is a process of its own. With `--large` a
folder of large PDFs is synced undisturbed, and again while it is killed at random points: both have to end alike.
"""

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import large_sync
from pincite.library import Library
from pincite.settings import Settings


def fill(folder: Path, n_files: int) -> None:
    """Write small Markdown files, a hundred to a folder."""
    for number in range(n_files):
        path = folder / f"part{number // 100:03}" / f"note{number:05}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            f"---\ntags: [note, n{number % 7}]\n---\n# Note {number}\n\nThe gauge of mill {number} shows "
            f"{number * 7} mm.\n\n## Upkeep\n\nIt was greased on day {number % 365} of the year.\n",
            "utf-8",
        )


def change(folder: Path) -> None:
    """Edit ten files, delete ten, move ten."""
    files = sorted(folder.rglob("*.md"))
    for file in files[:10]:
        file.write_text(file.read_text("utf-8") + "\nA new line.\n", "utf-8")
    for file in files[10:20]:
        file.unlink()
    for file in files[20:30]:
        file.rename(file.with_name("moved-" + file.name))


def run_once(folder: Path, library: Path, *, embed: bool) -> None:
    """Sync once and print what it cost as JSON."""
    began = time.perf_counter()
    with Library(library, settings=Settings()) as opened:
        (report,) = opened.sync(folder, embed=embed)
    print(
        json.dumps(
            {
                "s": time.perf_counter() - began,
                "child_mb": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
                "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                "counts": [len(part) for part in (report.added, report.changed, report.moved, report.deleted)],
                "unchanged": len(report.unchanged),
                "embedded": report.n_embedded,
            }
        )
    )


def main() -> None:
    """Run all of it in a scratch folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--pages", type=int, default=large_sync.N_PAGES)
    parser.add_argument("--embed", action="store_true")
    parser.add_argument("--once", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.once:
        run_once(Path(given.once[0]), Path(given.once[1]), embed=given.embed)
        return
    scratch = Path(tempfile.mkdtemp(prefix="pincite-sync-"))
    try:
        if given.large:
            n_files = given.files or large_sync.N_FILES
            sys.exit(0 if large_sync.run(scratch, __file__, n_files=n_files, n_pages=given.pages) else 1)
        small_files(scratch, given.files or 5000, embed=given.embed)
    finally:
        shutil.rmtree(scratch)


def small_files(scratch: Path, n_files: int, *, embed: bool) -> None:
    """Sync many small files: at first, without a change, and with a few."""
    folder, library = scratch / "docs", scratch / "library"
    fill(folder, n_files)
    for name in ("first", "no change", "no change again", "30 changes", "no change after"):
        if name == "30 changes":
            change(folder)
        command = [sys.executable, __file__, "--once", str(folder), str(library), *(["--embed"] if embed else [])]
        found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        rate = n_files / found["s"]
        added, changed, moved, deleted = found["counts"]
        print(
            f"{n_files:,} files, {name}  {found['s']:.2f} s, {rate:,.0f} files/s, {found['mb']:.0f} MB: "
            f"{added} added, {changed} changed, {moved} moved, {deleted} deleted, {found['embedded']} embedded"
        )


if __name__ == "__main__":
    main()
