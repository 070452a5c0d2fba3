"""Tables found in real reports and how right their cells are, beside camelot and pdfplumber on the same files.

The method is that of the ICDAR 2013 table competition (Göbel, Hassan, Oro, Orsi). *Regions*: the characters of a page
that lie in a true table and those that lie in a found one; recall and precision are taken over the characters of a
file. A table is whole when one found region holds all of its characters and no others (completeness and purity).
*Cells*: every cell with text and its nearest neighbour with text to the right and below make an adjacency relation
(page, text, text, direction); cells without text are passed over, a spanning cell has a neighbour in each row or
column it touches. Texts are compared without blanks, letters in lower case, all that is neither letter nor digit as
one sign. A relation that was found is right when the truth of that page has it, each as often as the truth has it.
Nothing is told to the finders: what is missed as a region is missed as cells. Recall, precision and F1 are taken a
file and averaged over the files, as in the competition.

Of camelot both ways are run (stream, lattice), and the one with the better F1 counts for the file, which no user could
choose beforehand. `--show FILE` lists the relations that were missed and those that are wrong.

    .venv/bin/python benchmarks/tables.py                 needs requirements/bench.in installed
    .venv/bin/python benchmarks/tables.py --only pincite
"""

import argparse
import logging
import os
import re
import time
import unicodedata
import warnings
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium

Box = tuple[float, float, float, float]
#: A found box may miss this much of a character, in points.
_SLACK = 2.0


@dataclass(frozen=True, slots=True)
class CellAt:
    """A cell: its first and last row and column from 0, and its text."""

    row: int
    col: int
    last_row: int
    last_col: int
    text: str


@dataclass(frozen=True, slots=True)
class TableAt:
    """A table on one page: its box in points from the bottom left, and its cells."""

    page: int
    box: Box
    cells: tuple[CellAt, ...]


@dataclass(slots=True)
class Score:
    """Recall and precision of one file: of the characters in regions and of the relations of cells; whole regions."""

    char_recall: float
    char_precision: float
    recall: float
    precision: float
    whole: int
    n_true: int
    n_found: int

    @property
    def f1(self) -> float:
        """The harmonic mean of recall and precision of the relations."""
        return f1(self.recall, self.precision)


def f1(recall: float, precision: float) -> float:
    """Return the harmonic mean of two shares."""
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def truth_of(path: Path) -> list[TableAt]:
    """Return the true tables of a file, one a region."""
    boxes = {
        (table.get("id"), region.get("id")): _box(region.find("bounding-box"))
        for table in ET.parse(path.with_name(f"{path.stem}-reg.xml")).getroot().iter("table")  # noqa: S314 (our files)
        for region in table.iter("region")
    }
    found = []
    for table in ET.parse(path.with_name(f"{path.stem}-str.xml")).getroot().iter("table"):  # noqa: S314
        for region in table.iter("region"):
            cells = tuple(
                CellAt(
                    int(cell.get("start-row", "0")),
                    int(cell.get("start-col", "0")),
                    int(cell.get("end-row", cell.get("start-row", "0"))),
                    int(cell.get("end-col", cell.get("start-col", "0"))),
                    cell.findtext("content") or "",
                )
                for cell in region.iter("cell")
            )
            own = [_box(cell.find("bounding-box")) for cell in region.iter("cell")]
            box = boxes.get((table.get("id"), region.get("id"))) or _union(own)
            found.append(TableAt(int(region.get("page", "1")), box, cells))
    return found


def _box(element: ET.Element | None) -> Box:
    if element is None:
        return (0.0, 0.0, 0.0, 0.0)
    x0, y0, x1, y1 = (float(element.get(name, "0")) for name in ("x1", "y1", "x2", "y2"))
    return (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def _union(boxes: Sequence[Box]) -> Box:
    return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))


def by_pincite(path: Path) -> list[TableAt]:
    """Return what pincite finds; a table over several pages is one on each of them."""
    from pincite.parsing.pdf import PdfiumParser

    document = PdfiumParser().parse(path.read_bytes(), name=path.name, uri=str(path))
    heights = {page.page_num: page.height_pt for page in document.pages}
    pages = {line.line_id: line.page_num for line in document.lines}
    found = []
    for table in document.tables:
        places: dict[tuple[int, Box], list[tuple[int, int, str]]] = {}
        for cell in table.cells:
            if cell.text and cell.box is not None:
                page = pages[cell.line_ids[0]]
                b = cell.box
                box = (b.x0, heights[page] - b.y1, b.x1, heights[page] - b.y0)
                places.setdefault((page, box), []).append((cell.row, cell.col, cell.text))
        for page in sorted({page for page, _ in places}):
            mine = [(box, at) for (on, box), at in places.items() if on == page]
            # A text that stands in several places of the grid at once is one spanning cell.
            cells = tuple(
                CellAt(min(r for r, _, _ in at), min(c for _, c, _ in at), max(r for r, _, _ in at),
                       max(c for _, c, _ in at), at[0][2])
                for _, at in mine
            )  # fmt: skip
            found.append(TableAt(page, _union([box for box, _ in mine]), cells))
    return found


def by_pdfplumber(path: Path) -> list[TableAt]:
    """Return what pdfplumber finds as it is set by default: tables with drawn lines."""
    import pdfplumber

    found = []
    with pdfplumber.open(path) as document:
        for page in document.pages:
            for table in page.find_tables():
                x0, top, x1, bottom = table.bbox
                box = (x0, float(page.height) - bottom, x1, float(page.height) - top)
                found.append(TableAt(page.page_number, box, _of_rows(table.extract())))
    return found


def _of_rows(rows: Iterable[Sequence[str | None]]) -> tuple[CellAt, ...]:
    return tuple(CellAt(r, c, r, c, text or "") for r, row in enumerate(rows) for c, text in enumerate(row))


def by_camelot(flavor: str) -> Callable[[Path], list[TableAt]]:
    """Return the finder that is camelot in one of its ways."""

    def find(path: Path) -> list[TableAt]:
        from camelot.io import read_pdf

        read: Callable[..., Any] = read_pdf
        tables = read(str(path), pages="all", flavor=flavor, suppress_stdout=True)
        return [TableAt(int(t.page), tuple(t._bbox), _of_rows(t.df.values.tolist())) for t in tables]  # noqa: SLF001

    return find


def plain(text: str) -> str:
    """Return a text as it is compared: no blanks, lower case, one sign for all that is no letter or digit."""
    folded = unicodedata.normalize("NFKC", text).lower()
    return re.sub(r"[^\w]|_", "_", re.sub(r"\s+|\u00ad", "", folded))


Relation = tuple[int, str, str, str]


def relations(tables: Sequence[TableAt]) -> Counter[Relation]:
    """Return the adjacency relations of tables, each with how often it occurs."""
    found: Counter[Relation] = Counter()
    for table in tables:
        grid: dict[tuple[int, int], int] = {}
        texts = [plain(cell.text) for cell in table.cells]
        for at, cell in enumerate(table.cells):
            if texts[at]:
                for row in range(cell.row, cell.last_row + 1):
                    for col in range(cell.col, cell.last_col + 1):
                        grid[row, col] = at
        by_row: dict[int, list[int]] = {}
        by_col: dict[int, list[int]] = {}
        for (row, _), at in sorted(grid.items()):
            by_row.setdefault(row, []).append(at)
        for (_, col), at in sorted(grid.items(), key=lambda place: (place[0][1], place[0][0])):
            by_col.setdefault(col, []).append(at)
        pairs = {(a, b, way) for way, lines in (("right", by_row), ("below", by_col)) for line in lines.values()
                 for a, b in pairwise(line) if a != b}  # fmt: skip
        found.update((table.page, texts[a], texts[b], way) for a, b, way in pairs)
    return found


@dataclass(slots=True)
class Chars:
    """Where the characters of a file stand: page → the middle of each, from the bottom left."""

    pages: dict[int, list[tuple[float, float]]] = field(default_factory=dict)

    @classmethod
    def of(cls, path: Path) -> "Chars":
        """Return the characters of a file, without blanks."""
        made = cls()
        document = pdfium.PdfDocument(path)
        for number, page in enumerate(document, start=1):
            text = page.get_textpage()
            whole = text.get_text_range()
            middles = []
            for at in range(text.count_chars()):
                left, bottom, right, top = text.get_charbox(at)
                if right > left and top > bottom:
                    middles.append(((left + right) / 2, (bottom + top) / 2))
            del whole
            made.pages[number] = middles
            text.close()
            page.close()
        document.close()
        return made

    def inside(self, table: TableAt) -> set[tuple[int, int]]:
        """Return which characters lie in the region of a table."""
        x0, y0, x1, y1 = table.box
        return {
            (table.page, at)
            for at, (x, y) in enumerate(self.pages.get(table.page, ()))
            if x0 - _SLACK <= x <= x1 + _SLACK and y0 - _SLACK <= y <= y1 + _SLACK
        }


def score(truth: Sequence[TableAt], found: Sequence[TableAt], chars: Chars) -> Score:
    """Return how good what was found in one file is."""
    true_sets, found_sets = [chars.inside(t) for t in truth], [chars.inside(t) for t in found]
    true_chars: set[tuple[int, int]] = set().union(*true_sets)
    found_chars: set[tuple[int, int]] = set().union(*found_sets)
    both = len(true_chars & found_chars)
    wanted, got = relations(truth), relations(found)
    right = (wanted & got).total()
    return Score(
        char_recall=both / len(true_chars) if true_chars else 1.0,
        char_precision=both / len(found_chars) if found_chars else 0.0,
        recall=right / wanted.total() if wanted else 1.0,
        precision=right / got.total() if got else 0.0,
        whole=sum(one in found_sets for one in true_sets),
        n_true=len(truth),
        n_found=len(found),
    )


def measured(paths: Sequence[Path], find: Callable[[Path], list[TableAt]]) -> tuple[dict[str, Score], float]:
    """Return the score of each file, and the CPU seconds that finding took."""
    scores, seconds = {}, 0.0
    for path in paths:
        start = time.process_time()
        try:
            found = find(path)
        except Exception as error:  # noqa: BLE001 - a finder that fails on a file found nothing there
            print(f"  {path.name}: {type(error).__name__}: {str(error)[:80]}")
            found = []
        seconds += time.process_time() - start
        scores[path.stem] = score(truth_of(path), found, Chars.of(path))
    return scores, seconds


def line(name: str, scores: dict[str, Score], seconds: float) -> str:
    """Return the figures of one finder, averaged over the files."""
    n = len(scores)
    of = scores.values()
    recall, precision = sum(s.recall for s in of) / n, sum(s.precision for s in of) / n
    chars = (sum(s.char_recall for s in of) / n, sum(s.char_precision for s in of) / n)
    whole = f"{sum(s.whole for s in of)} of {sum(s.n_true for s in of)} whole, {sum(s.n_found for s in of)} found"
    return (
        f"{name:16}  cells recall {recall:.3f}  precision {precision:.3f}  F1 {f1(recall, precision):.3f}  "
        f"regions recall {chars[0]:.3f}  precision {chars[1]:.3f}  {whole}  {seconds:.0f} CPU-s"
    )


def shown(path: Path) -> None:
    """Print what is missed and what is wrong in one file."""
    wanted, got = relations(truth_of(path)), relations(by_pincite(path))
    for sign, counts in (("missed", wanted - got), ("wrong", got - wanted)):
        for relation, count in sorted(counts.items()):
            print(sign, count, *relation)


def main() -> None:
    """Print a line a finder, and with `--files` one a file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", default=os.environ.get("PINCITE_BENCH", "../shared/bench"))
    parser.add_argument("--only", choices=["pincite", "camelot", "pdfplumber"])
    parser.add_argument("--files", action="store_true", help="also print the F1 of every file")
    parser.add_argument("--show", help="print what is missed and wrong in one file, by the stem of its name")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    folder = Path(options.bench) / "tables"
    if options.show:
        shown(folder / f"{options.show}.pdf")
        return
    paths = sorted(folder.glob("*.pdf"))
    ways: dict[str, dict[str, Callable[[Path], list[TableAt]]]] = {"pincite": {"pincite": by_pincite}}
    ways |= {"pdfplumber": {"pdfplumber": by_pdfplumber}}
    ways["camelot"] = {f"camelot {flavor}": by_camelot(flavor) for flavor in ("stream", "lattice")}
    results: dict[str, dict[str, Score]] = {}
    for finder, chosen in ways.items():
        if options.only not in (None, finder):
            continue
        if find_spec(finder) is None:
            print(f"{finder:16}  not installed: pip install -r requirements/bench.txt")
            continue
        for name, find in chosen.items():
            results[name], seconds = measured(paths, find)
            print(line(name, results[name], seconds), flush=True)
    pair = [results[name] for name in ways["camelot"] if name in results]
    if pair:
        best = {file: max((one[file] for one in pair), key=lambda s: s.f1) for file in pair[0]}
        results["camelot better"] = best
        print(line("camelot better", best, 0.0))
    if options.files:
        for path in paths:
            print(path.stem, *(f"{name} {scores[path.stem].f1:.3f}" for name, scores in results.items()))


if __name__ == "__main__":
    main()
