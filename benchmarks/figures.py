"""Figures asked of annual reports: the questions of financebench whose answer is a number, without a model.

    .venv/bin/python benchmarks/figures.py --library /tmp/filings      adds the filings first, which takes minutes

A question is *right* when the value of the first item is the true one, rounded as that is written, whatever it
counts in; *cell* when the item cites a cell; *page* when a cited page is one of the true pages; *wrong* when there is
an answer that is not right; *refused* when there is none.
"""

import argparse
import json
import os
import re
import tempfile
import time
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

from pincite import Answer, Library
from pincite.types.answer import Quantity

BENCH = Path(os.environ.get("PINCITE_BENCH", Path(__file__).resolve().parents[2] / "shared" / "bench")) / "financebench"
#: An amount may be told in units, thousands, millions or billions.
SCALES = [Decimal(10) ** power for power in (-9, -6, -3, 0, 3, 6, 9)]


def is_right(value: Quantity, truth: str) -> bool:
    """Return whether a value is the true number, rounded to the decimals that this is written with."""
    written = re.sub(r"[^\d.]", "", truth).rstrip("0").rstrip(".")
    places = len(written.partition(".")[2])
    target, number = abs(Decimal(written)), abs(Decimal(value.number))
    return any(round(number * scale, places) == target for scale in SCALES)


def asked(library: Library, question: dict[str, Any]) -> tuple[set[str], str]:
    """Return what holds of the answer to a question, and what was said."""
    result = library.ask(question["question"], docs=question["docs"])
    if not isinstance(result, Answer):
        return {"refused"}, "refused"
    item = result.items[0]
    right = isinstance(item.value, Quantity) and is_right(item.value, question["answers"][0])
    holds = {"right" if right else "wrong"}
    holds |= {"cell"} if all(citation.cell for citation in item.citations) else set()
    true = {(one["doc"], one["page"]) for one in question["evidence"]}
    holds |= {"page"} if any((c.doc_name, c.page) in true for c in item.citations) else set()
    return holds, item.text


def main() -> None:
    """Add the filings that are asked about, ask, and print what holds of how many answers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--library", type=Path, help="where the filings are kept (default: a folder that is thrown away)"
    )
    options = parser.parse_args()
    questions = [json.loads(line) for line in (BENCH / "questions.jsonl").read_text("utf-8").splitlines()]
    questions = [one for one in questions if one["kind"].startswith("metrics")]
    with tempfile.TemporaryDirectory() as folder, Library(options.library or Path(folder)) as library:
        library.add(*sorted({BENCH / "docs" / name for one in questions for name in one["docs"]}), embed=False)
        counts: Counter[str] = Counter()
        started = time.perf_counter()
        for question in questions:
            holds, said = asked(library, question)
            counts.update(holds)
            print(f"{question['id']}  {' '.join(sorted(holds)):22} true {question['answers'][0]:10} {said[:70]}")
        seconds = (time.perf_counter() - started) / len(questions)
    print(
        f"{len(questions)} questions: " + ", ".join(f"{counts[name]} {name}" for name in ("right", "wrong", "refused"))
    )
    print(f"cited by cells {counts['cell']}, on a true page {counts['page']}; {seconds:.2f} s a question")


if __name__ == "__main__":
    main()
