"""Line match and next-line order on the synthetic pages of the `lines` suite.

The truth of G_2col_superscript leaves the raised marks out, so raised and lowered numerals are taken out of
our lines before they are compared; everything else must be equal after white space is made one space.
"""

import argparse
import json
import os
import re
import time
from itertools import pairwise
from pathlib import Path

from pincite.parsing.pdf import PdfiumParser

_MARKS = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾₀-₉]")


def normal(text: str) -> str:
    """Return the text without raised marks, white space made one space."""
    return " ".join(_MARKS.sub("", text).split())


def measure(path: Path) -> tuple[float, float]:
    """Return the share of true lines found, and of true successors that follow at once, on one file."""
    truth = json.loads(path.with_suffix(".json").read_text())
    document = PdfiumParser().parse(path.read_bytes(), name=path.name, uri=str(path))
    found = total = follows = pairs = 0
    for page_num, expected in enumerate(truth, start=1):
        ours = [normal(line.text) for line in document.page_lines(page_num)]
        theirs = [normal(text) for text in expected]
        have = set(ours)
        after = set(pairwise(ours))
        found += sum(text in have for text in theirs)
        total += len(theirs)
        follows += sum(pair in after for pair in pairwise(theirs))
        pairs += len(theirs) - 1
    return found / total, follows / pairs


def main() -> None:
    """Print one row a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", default=os.environ.get("PINCITE_BENCH", "../shared/bench"))
    folder = Path(parser.parse_args().bench) / "lines"
    for path in sorted(folder.glob("*.pdf")):
        start = time.process_time()
        match, order = measure(path)
        print(f"{path.name:36} lines {match:7.2%}  order {order:7.2%}  {time.process_time() - start:5.2f} s")


if __name__ == "__main__":
    main()
