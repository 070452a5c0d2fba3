"""Pages per CPU-second on real filings, beside raw pdfium text and pypdf, and the peak memory of a long file.

Each reader has a process of its own; they take turns file by file, so that whatever else the machine does slows
all of them alike. Imports are not counted, and every file is in the cache: its bytes have just been read.
Files are read whole, as people have them; `--pages N` takes the first N pages of each. `--two` also compares two
processes with one, `--long N` reads a file of N pages, made by repeating real ones.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pikepdf
import pypdf
import pypdfium2 as pdfium

from pincite.parsing.pdf import PdfiumParser


def raw_pdfium(path: Path) -> int:
    """Read the bare text of every page with pdfium; return the number of pages."""
    document = pdfium.PdfDocument(path.read_bytes())
    for page in document:
        textpage = page.get_textpage()
        textpage.get_text_range()
        textpage.close()
        page.close()
    n_pages = len(document)
    document.close()
    return n_pages


def pincite_parser(path: Path) -> int:
    """Parse a file as pincite does; return the number of pages."""
    return len(PdfiumParser().parse(path.read_bytes(), name=path.name, uri=str(path)).pages)


def pypdf_text(path: Path) -> int:
    """Read the text of every page with pypdf; return the number of pages."""
    pages = pypdf.PdfReader(path).pages
    for page in pages:
        page.extract_text()
    return len(pages)


def shortened(path: Path, n_pages: int, folder: Path) -> Path:
    """Return a copy of the first pages of a file."""
    with pikepdf.open(path) as source, pikepdf.new() as target:
        target.pages.extend(source.pages[:n_pages])
        out = folder / path.name
        target.save(out)
    return out


def repeated(paths: list[Path], n_pages: int, folder: Path) -> Path:
    """Return a file of `n_pages` pages made of real ones."""
    out = folder / "long.pdf"
    target = pikepdf.new()
    while len(target.pages) < n_pages:
        for path in paths:
            with pikepdf.open(path) as source:
                target.pages.extend(source.pages[: n_pages - len(target.pages)])
    target.save(out)
    return out


def timed(read: Callable[[Path], int], path: Path) -> tuple[int, float]:
    """Return pages read and CPU seconds used."""
    start = time.process_time()
    return read(path), time.process_time() - start


def own_process(n: int = 1) -> ProcessPoolExecutor:
    """Return `n` fresh processes to read in."""
    return ProcessPoolExecutor(n, mp_context=get_context("spawn"))


def in_turns(paths: list[Path], rounds: int) -> dict[str, float]:
    """Return pages per CPU-second of each reader, over all files and rounds, and print them."""
    readers = (raw_pdfium, pincite_parser, pypdf_text)
    pages, seconds = dict.fromkeys(readers, 0), dict.fromkeys(readers, 0.0)
    workers = {read: own_process() for read in readers}
    for path in paths * rounds:
        for read, worker in workers.items():
            n, used = worker.submit(timed, read, path).result()
            pages[read] += n
            seconds[read] += used
    for read, worker in workers.items():
        worker.shutdown()
        print(f"{read.__name__:16} {pages[read]} pages  {pages[read] / seconds[read]:7.1f} pages per CPU-second")
    return {read.__name__: pages[read] / seconds[read] for read in readers}


def two_processes(paths: list[Path]) -> float:
    """Return how many times as fast two processes parse the files as one, by the clock."""
    took = {}
    for n in (1, 2):
        with own_process(n) as workers:
            list(workers.map(pincite_parser, paths))  # imports are done, and every process has started
            start = time.perf_counter()
            list(workers.map(pincite_parser, paths * 2))
            took[n] = time.perf_counter() - start
    return took[1] / took[2]


def main() -> None:
    """Print pages per CPU-second of each reader, the two ratios, and the peak memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", default=os.environ.get("PINCITE_BENCH", "../shared/bench"))
    parser.add_argument("--pages", type=int, default=0, help="pages taken from each file (0: all)")
    parser.add_argument("--every", type=int, default=4, help="take every n-th file")
    parser.add_argument("--rounds", type=int, default=1, help="read every file so many times")
    parser.add_argument("--two", action="store_true", help="also compare two processes with one")
    parser.add_argument("--long", type=int, default=0, help="also read a file of this many pages")
    parser.add_argument("--read", help="(internal) parse one file and print the peak memory")
    options = parser.parse_args()
    if options.read:
        pincite_parser(Path(options.read))
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
        return
    found = sorted((Path(options.bench) / "financebench" / "docs").glob("*.pdf"))[:: options.every]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = [shortened(path, options.pages, folder) for path in found] if options.pages else found
        for path in paths:
            path.read_bytes()
        speed = in_turns(paths, options.rounds)
        print(f"pincite / raw pdfium  {speed['pincite_parser'] / speed['raw_pdfium']:.2f}")
        print(f"pincite / pypdf       {speed['pincite_parser'] / speed['pypdf_text']:.1f}")
        if options.two:
            print(f"two processes / one   {two_processes(paths):.2f}")
        if options.long:
            long = repeated(found, options.long, folder)
            done = subprocess.run(
                [sys.executable, __file__, "--read", str(long)], capture_output=True, text=True, check=True
            )
            print(f"{options.long} pages: peak {done.stdout.strip()} MB")


if __name__ == "__main__":
    main()
