"""The JavaScript of the widget in a real engine: node where there is one, else Chromium."""

import base64
import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Any, Protocol

ELEMENT = (files("pincite.widget") / "pincite-ask.js").read_text(encoding="utf-8")
#: What is asked of the module, the same in both engines.
RUN = """
const run = (m, { op, ...p }) => {
  if (op === "terms") return m.terms(p.text, new Set(p.stop));
  if (op === "words") return m.words(p.text);
  if (op === "holds") return m.holdsQuote(p.quote, p.lines);
  const searcher = new m.Searcher(p.index);
  return p.questions.map((question) => {
    const outcome = searcher.ask(question);
    const ranked = outcome.ranked.map(({ number, ...kept }) => kept);
    const { found, ...kept_ } = outcome;
    return { ...kept_, ranked, shown: outcome.shown.map((s) => s.id) };
  });
};
"""
_NODE = """
import { createInterface } from "node:readline";
const m = await import(process.argv[1]);
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(run(m, JSON.parse(line))) + "\\n");
}
"""


class Engine(Protocol):
    """Runs `terms`, `words`, `holds` or `ask` of the module."""

    def __call__(self, op: str, **given: Any) -> Any:
        """Return what the module makes of it, as plain values."""
        ...


def node() -> str | None:
    """Return the program that runs JavaScript, if there is one."""
    return shutil.which("node") or shutil.which("nodejs")


@contextmanager
def node_engine(program: str) -> Iterator[Engine]:
    """Run the module in one process of node, a line of JSON for each question."""
    module = "data:text/javascript;base64," + base64.b64encode(ELEMENT.encode()).decode()
    command = [program, "--input-type=module", "-e", RUN + _NODE, module]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        pipe_in, pipe_out = process.stdin, process.stdout

        def call(op: str, **given: Any) -> Any:
            pipe_in.write(json.dumps({"op": op, **given}).encode() + b"\n")
            pipe_in.flush()
            return json.loads(pipe_out.readline())

        yield call
        pipe_in.close()
