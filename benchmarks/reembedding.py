"""How many passages are embedded again after one paragraph of a folder of 1,000 pages was edited.

    python benchmarks/reembedding.py [PAGES]

The folder is written anew: pages of an introduction and sections of one to forty paragraphs. One paragraph after the
other is edited in pages that are picked by a fixed seed, and the folder is added again after each. The embedder only
counts: which model makes the vectors changes no count.
"""

import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pincite import Library
from pincite.settings import Settings

#: Sections of a page have as many paragraphs; most pages are short, a few are very long.
_SECTION_SIZES = (1, 2, 3, 5, 8, 40)
_EDITS = 20
_WORDS = (
    "harbour boat pier crane rope crew keeper lamp tide storm anchor berth fee crown log gate lock sluice dredger mast "
    "morning night signal bell channel depth metre cargo barrel ferry pilot mooring fender wharf customs ledger".split()
)


class _Counting:
    """Makes vectors that mean nothing."""

    name, dimension = "counting", 4

    def embed(self, texts: Sequence[str]) -> Any:
        """Return a vector of zeros for each text."""
        return np.zeros((len(texts), self.dimension), dtype=np.float32)


def _paragraph(chance: random.Random) -> str:
    sentences = []
    for _ in range(chance.randint(2, 5)):
        words = [chance.choice(_WORDS) for _ in range(chance.randint(6, 16))]
        sentences.append(" ".join(words).capitalize() + ".")
    return " ".join(sentences)


def _page(number: int, chance: random.Random) -> str:
    parts = [_paragraph(chance)]
    for section in range(chance.randint(1, 3)):
        parts.append(f"## Section {section} of page {number}")
        size = chance.choice(_SECTION_SIZES[:-1]) if chance.random() < 0.98 else _SECTION_SIZES[-1]
        parts += [_paragraph(chance) for _ in range(size)]
    return "\n\n".join(parts) + "\n"


def main(n_pages: int) -> None:
    """Write the folder, add it, edit and add again; print the counts."""
    chance = random.Random(14)  # noqa: S311 - the same folder every time
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "docs")
        folder.mkdir()
        for number in range(n_pages):
            (folder / f"page-{number:04}.md").write_text(_page(number, chance), encoding="utf-8")
        with Library(Path(scratch, "library"), settings=Settings.load(), embedder=_Counting()) as library:
            first = library.add(folder)
            print(f"added {len(first.added)} pages, embedded {first.n_embedded} passages")
            again = library.add(folder)
            print(f"added again unchanged: embedded {again.n_embedded}")
            counts = []
            for _ in range(_EDITS):
                path = folder / f"page-{chance.randrange(n_pages):04}.md"
                parts = path.read_text(encoding="utf-8").split("\n\n")
                at = chance.choice([n for n, part in enumerate(parts) if not part.startswith("#")])
                parts[at] = parts[at].replace(".", f" {chance.choice(_WORDS)}.", 1)
                path.write_text("\n\n".join(parts), encoding="utf-8")
                counts.append(library.add(folder).n_embedded)
            print(f"{_EDITS} edits of one paragraph each: embedded {counts}, mean {sum(counts) / len(counts):.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
