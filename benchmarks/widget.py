"""How long a question to the widget takes in Chromium, over 2,000 passages: the look-up alone, and with what is shown.

    .venv/bin/python benchmarks/widget.py [--passages N] [--questions N]

The passages are made up of 8,000 words, the n-th 1/n as often as the first, 60 words a passage; the
160 most frequent are the stop words, as many as English has. Needs playwright and Chromium, and no documents. Times are
of `performance.now()` in a page that is isolated across origins, so that its steps are 5 µs.
"""

import argparse
import json
import random
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.widget.browser import Site, launched, missing, served
from tests.widget.cases import index, passage
from tests.widget.engine import ELEMENT

from pincite.types.record import to_json

WORDS_PER_PASSAGE = 60
N_WORDS = 8_000
N_STOP_WORDS = 160
ISOLATED = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}
MEASURE = """async (questions) => {
  const m = await import("/e.js");
  const given = await (await fetch("/i.json")).json();
  let at = performance.now();
  const searcher = new m.Searcher(given);
  const loaded = performance.now() - at;
  const element = document.querySelector("pincite-ask");
  await element.ready;
  const alone = [], shown = [];
  for (const question of questions) {
    at = performance.now();
    searcher.ask(question);
    alone.push(performance.now() - at);
    at = performance.now();
    await element.ask(question);
    element.getBoundingClientRect();
    shown.push(performance.now() - at);
  }
  return { loaded, alone, shown };
}"""


def made_up(n_passages: int, n_questions: int) -> tuple[Any, list[str]]:
    """Return an index and questions of 4 to 10 words, the same on every run."""
    chance = random.Random(5)  # noqa: S311  # no secret
    letters = "bcdfghklmnprstvwz", "aeiou"
    vocabulary = ["".join(chance.choice(letters[i % 2]) for i in range(chance.randint(4, 10))) for _ in range(N_WORDS)]
    weights = [1 / n for n in range(1, N_WORDS + 1)]

    def text(n_words: int) -> str:
        return " ".join(chance.choices(vocabulary, weights, k=n_words))

    passages = [passage(f"p{n}", text(WORDS_PER_PASSAGE), text(4)) for n in range(n_passages)]
    asked = {**to_json(index(*passages)), "stop_words": vocabulary[:N_STOP_WORDS]}
    return asked, [text(chance.randint(4, 10)) for _ in range(n_questions)]


def show(what: str, times: list[float]) -> None:
    """Print the median, the 95th percentile and the worst."""
    ordered = sorted(times)
    p95 = ordered[int(0.95 * (len(ordered) - 1))]
    print(f"{what:36}  p50 {ordered[len(ordered) // 2]:.2f} ms  p95 {p95:.2f} ms  worst {ordered[-1]:.2f} ms")


def main() -> None:
    """Measure in a page."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--passages", type=int, default=2_000)
    arguments.add_argument("--questions", type=int, default=300)
    chosen = arguments.parse_args()
    if missing():
        raise SystemExit(missing())
    given, questions = made_up(chosen.passages, chosen.questions)
    page = '<!doctype html><script type="module" src="/e.js"></script><pincite-ask src="/i.json"></pincite-ask>'
    files = {
        "/": ("text/html", page.encode()),
        "/e.js": ("text/javascript", ELEMENT.encode()),
        "/i.json": ("application/json", json.dumps(given).encode()),
    }
    with launched() as browser, served(Site(files=files, headers=ISOLATED)) as site:
        opened = browser.new_page()
        opened.goto(site.url)
        measured = opened.evaluate(MEASURE, questions)
    size_kb = len(files["/i.json"][1]) / 1024
    print(f"index of {chosen.passages:,} passages  {size_kb:,.0f} KB, read into memory in {measured['loaded']:.0f} ms")
    show("a question looked up", measured["alone"])
    show("a question asked and shown", measured["shown"])


if __name__ == "__main__":
    main()
