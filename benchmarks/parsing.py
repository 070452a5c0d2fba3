"""Pages per CPU-second on real filings, beside raw pdfium text and pypdf, and the peak memory of a long file.

The three readers take turns on the same pages of the same files in one run, each file once for each round.
`--long N` makes a file of N pages by repeating real ones and reads it in a process of its own.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pikepdf
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
    import pypdf

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


def timed(read: Callable[[Path], int], paths: list[Path]) -> tuple[int, float]:
    """Return pages read and CPU seconds used."""
    start = time.process_time()
    pages = sum(read(path) for path in paths)
    return pages, time.process_time() - start


def main() -> None:
    """Print pages per CPU-second of each reader, the two ratios, and the peak memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", default=os.environ.get("PINCITE_BENCH", "../shared/bench"))
    parser.add_argument("--pages", type=int, default=40, help="pages taken from each file")
    parser.add_argument("--every", type=int, default=4, help="take every n-th file")
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
        paths = [shortened(path, options.pages, folder) for path in found]
        speed = {}
        for read in (raw_pdfium, pincite_parser, pypdf_text):
            pages, seconds = timed(read, paths)
            speed[read.__name__] = pages / seconds
            print(f"{read.__name__:16} {pages} pages  {pages / seconds:7.1f} pages per CPU-second")
        print(f"pincite / raw pdfium  {speed['pincite_parser'] / speed['raw_pdfium']:.2f}")
        print(f"pincite / pypdf       {speed['pincite_parser'] / speed['pypdf_text']:.1f}")
        if options.long:
            long = repeated(found, options.long, folder)
            done = subprocess.run(
                [sys.executable, __file__, "--read", str(long)], capture_output=True, text=True, check=True
            )
            print(f"{options.long} pages: peak {done.stdout.strip()} MB")


if __name__ == "__main__":
    main()
