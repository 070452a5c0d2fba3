"""Tables of contents of real documents of many kinds: sections found, and start lines that are right.

The truth, `benchmarks/truth/contents.json`, was checked by looking at the rendered pages: titles with the page, line
and height (in points) where each section starts. A start is right within one line's height of it. Of a document
whose sections are all listed, what is found beside them counts as wrong. The list began as what the program found,
looked at one by one, with what was seen missing; it cannot tell what nobody saw missing. `--all` also tells for
every filing where its contents come from, and whether they would be of use as far as they tell themselves.
"""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.parsing.locating import key
from pincite.parsing.pdf import PdfiumParser
from pincite.types.document import ParsedDocument, Section

TRUTH = Path(__file__).parent / "truth" / "contents.json"
#: A start within so many points of the true one is on the same line.
SAME_LINE_PT = 6.0
#: Contents are of use when this share of the true sections starts right, and of the rows this share at most is wrong.
USABLE = 0.8
#: Without a truth: so many rows at least, most of them found by their titles.
ROWS, SURE = 4, 0.7


@dataclass(frozen=True)
class Score:
    """How many sections there are, were found, and start right; and how many rows there are and are wrong."""

    n_true: int
    n_found: int
    n_right: int
    n_rows: int
    n_wrong: int
    sure: tuple[tuple[float, bool], ...]

    @property
    def is_usable(self) -> bool:
        """Whether a reader is well served by these contents."""
        return self.n_right >= USABLE * self.n_true and self.n_wrong <= (1 - USABLE) * max(self.n_rows, 1)


def score(toc: Sequence[Section], truth: Sequence[Sequence[Any]], *, is_whole: bool) -> Score:
    """Compare contents with the truth: each true section is found by its title, the one that starts nearest first."""
    left = list(toc)
    n_found = n_right = n_wrong = 0
    sure: list[tuple[float, bool]] = []
    for title, page, _line, y in truth:
        same = [section for section in left if _is_title(section.title, title)]
        if not same:
            continue
        best = min(same, key=lambda section: (abs(section.start_page - page), abs((section.start_y or 0.0) - y)))
        left.remove(best)
        is_right = best.start_page == page and abs((best.start_y or 0.0) - y) <= SAME_LINE_PT
        n_found += 1
        n_right += is_right
        n_wrong += not is_right
        sure.append((getattr(best, "confidence", 1.0), is_right))
    n_rows = len(toc) if is_whole else n_found
    return Score(len(truth), n_found, n_right, n_rows, n_wrong + (len(left) if is_whole else 0), tuple(sure))


def _is_title(found: str, true: str) -> bool:
    mine, theirs = key(found), key(true)
    return mine == theirs or mine.startswith(theirs) or theirs.startswith(mine)


def parsed(path: Path) -> ParsedDocument:
    """Parse a file."""
    return PdfiumParser().parse(path.read_bytes(), name=path.name, uri=str(path))


def main() -> int:
    """Print what is found of each document, and of all; 0 means that the truth was there to compare with."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", default=os.environ.get("PINCITE_BENCH", "../shared/bench"))
    parser.add_argument("--all", action="store_true", help="also look at every filing")
    arguments = parser.parse_args()
    bench = Path(arguments.bench)
    scores = []
    for entry in json.loads(TRUTH.read_text())["documents"]:
        path = bench / entry["file"]
        if not path.is_file():
            print(f"{entry['file']}  is not there")
            continue
        document = parsed(path)
        one = score(document.toc, entry["sections"], is_whole=entry["is_whole"])
        scores.append(one)
        verdict = "usable" if one.is_usable else "of no use"
        print(
            f"{entry['kind']:25} {path.name[-40:]:40} {document.parsing_summary.toc_origin or 'none':8}"
            f"  true {one.n_true:3}  right {one.n_right:3}  wrong {one.n_wrong:3}  {verdict}"
        )
    if not scores:
        return 1
    _print_totals(scores)
    if arguments.all:
        _print_all(sorted((bench / "financebench" / "docs").glob("*.pdf")))
    return 0


def _print_totals(scores: Sequence[Score]) -> None:
    n_true, n_right = sum(s.n_true for s in scores), sum(s.n_right for s in scores)
    n_found, n_wrong = sum(s.n_found for s in scores), sum(s.n_wrong for s in scores)
    print(f"documents with contents of use  {sum(s.is_usable for s in scores)} of {len(scores)}")
    print(f"sections found with the right start line  {n_right} of {n_true} ({n_right / n_true:.3f})")
    print(f"of the sections found, start line right  {n_right / max(n_found, 1):.3f}")
    print(f"rows that are wrong, or no section  {n_wrong}")
    for low, high in ((0.9, 1.01), (0.7, 0.9), (0.0, 0.7)):
        sure = [is_right for score in scores for value, is_right in score.sure if low <= value < high]
        print(f"starts of confidence {low:.1f} or more, right  {sum(sure)} of {len(sure)}")


def _print_all(paths: Sequence[Path]) -> None:
    origins: Counter[str] = Counter()
    n_usable = 0
    for path in paths:
        toc = parsed(path).toc
        origins[toc[0].origin if toc else "none"] += 1
        sure = sum(section.start_line is not None and section.confidence >= SURE for section in toc)
        n_usable += len(toc) >= ROWS and sure >= USABLE * len(toc)
    print(f"filings with contents of use, as far as they tell themselves  {n_usable} of {len(paths)}")
    print(f"filings by where their contents come from  {dict(origins.most_common())}")


if __name__ == "__main__":
    sys.exit(main())
