"""What one million, 100 million and 10 billion pages would take, worked out from what was measured at 200,000 passages.

    .venv/bin/python benchmarks/scale_model.py

`measured.json` holds what was measured, with the command that did; `Assumed` what was not. Everything printed is
calculated. `docs/scale.md` shows the same tables, which `docs/check.py` compares with what this module makes.
"""

import json
import math
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

MEASURED_FILE: Final = Path(__file__).with_name("measured.json")
PAGES: Final = (10**6, 10**8, 10**10)
#: The numbers of passages that the measured times of search belong to.
SMALL, LARGE = 20_000, 200_000
#: Partitions of the index of vectors that a question looks through (`pincite.storage.lance.held`).
PROBES: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What was measured; `measured.json` says how. Times are CPU time of one core, kB are 1,000 bytes."""

    pages_parsed_per_cpu_s: float
    passages_embedded_per_core_s: float
    passages_per_page: float
    original_kb_per_page: float
    index_cpu_ms_per_passage: float
    write_vector_ms_per_passage: float
    table_kb_per_passage: float
    vector_kb_per_passage: float
    words_cpu_ms_20k: float
    words_cpu_ms_200k: float
    meaning_cpu_ms_200k: float
    question_cpu_ms_20k: float
    question_cpu_ms_200k: float
    memory_mb_empty: float
    memory_mb_200k: float
    first_search_ms_1k: float
    first_search_ms_200k: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumed:
    """What was not measured and the calculation rests on all the same."""

    cores_a_node: int = 16
    memory_gb_a_node: int = 64
    #: What of a node's cores does work while documents are added: the rest waits for storage and for each other.
    busy_share: float = 0.8
    #: Adding may take a week, on as many nodes as that needs.
    hours_to_add: float = 168
    #: One request to object storage, and how many a question makes one after another when nothing is in memory.
    request_ms: float = 30
    requests_a_question: int = 12
    #: A library is cut into shards when a question to it would keep a core busy for longer.
    most_question_ms: float = 500
    #: How many shards are asked for one question, when profiles of documents say which.
    shards_asked: int = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Worked:
    """What was worked out for a number of pages."""

    pages: int
    passages: float
    parse_core_hours: float
    embed_core_hours: float
    index_core_hours: float
    nodes: int
    hours: float
    originals_tb: float
    tables_tb: float
    vectors_tb: float
    question_ms: float
    memory_gb: float
    shards: int
    memory_gb_of_all: float
    nodes_to_answer: int
    sharded_question_ms: float
    first_question_ms: float


def words_ms(n_passages: float, given: Measured) -> float:
    """Return the time of a search by words: that of the small library, and as much more a passage as was measured.

    >>> given = measured()
    >>> words_ms(20_000, given) == given.words_cpu_ms_20k, words_ms(200_000, given) == given.words_cpu_ms_200k
    (True, True)
    """
    slope = (given.words_cpu_ms_200k - given.words_cpu_ms_20k) / (LARGE - SMALL)
    return given.words_cpu_ms_20k + slope * (n_passages - SMALL)


def meaning_ms(n_passages: float, given: Measured) -> float:
    """Return the time of a search by meaning, as the vectors grow that lie in the partitions that are looked through.

    The index has a quarter of the root of the number of vectors as partitions, at least one.
    """
    return given.meaning_cpu_ms_200k * _looked_through(n_passages) / _looked_through(LARGE)


def _looked_through(n_passages: float) -> float:
    return n_passages * min(PROBES / max(math.sqrt(n_passages) / 4, 1), 1)


def question_ms(n_passages: float, given: Measured) -> float:
    """Return the time of a whole search: what does not grow, some searches by words, and two by meaning.

    How many searches by words there are (terms are also counted, and words looked up that may be spelt out) is what
    makes the measured small library into the measured large one. In the small one all vectors are compared, which
    takes two milliseconds and is left out.

    >>> given = measured()
    >>> abs(question_ms(200_000, given) - given.question_cpu_ms_200k) < 1e-6
    True
    """
    grown = given.question_cpu_ms_200k - given.question_cpu_ms_20k - 2 * given.meaning_cpu_ms_200k
    n_searches = grown / (given.words_cpu_ms_200k - given.words_cpu_ms_20k)
    more = n_searches * (words_ms(n_passages, given) - given.words_cpu_ms_20k)
    return given.question_cpu_ms_20k + more + 2 * meaning_ms(n_passages, given)


def memory_mb(n_passages: float, given: Measured) -> float:
    """Return the memory of a process that answers."""
    return given.memory_mb_empty + (given.memory_mb_200k - given.memory_mb_empty) * n_passages / LARGE


def first_search_ms(n_passages: float, given: Measured) -> float:
    """Return how long a new process takes to open a library and search it for the first time, by the clock."""
    slope = (given.first_search_ms_200k - given.first_search_ms_1k) / (LARGE - 1000)
    return given.first_search_ms_1k + slope * (n_passages - 1000)


def shard_passages(given: Measured, assumed: Assumed) -> float:
    """Return how many passages a shard holds: as many as one core searches in the time that a question may take."""
    low, high = float(SMALL), 1e12
    while high / low > 1.001:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if question_ms(middle, given) <= assumed.most_question_ms else (low, middle)
    return low


def work_out(pages: int, given: Measured, assumed: Assumed) -> Worked:
    """Return what a number of pages takes."""
    passages = pages * given.passages_per_page
    parse = pages / given.pages_parsed_per_cpu_s / 3600
    embed = passages / given.passages_embedded_per_core_s / 3600
    index = passages * (given.index_cpu_ms_per_passage + given.write_vector_ms_per_passage) / 1000 / 3600
    core_hours = parse + embed + index
    a_node = assumed.cores_a_node * assumed.busy_share
    nodes = max(1, math.ceil(core_hours / a_node / assumed.hours_to_add))
    shards = max(1, math.ceil(passages / shard_passages(given, assumed)))
    each = passages / shards
    memory_gb = shards * memory_mb(each, given) / 1000
    asked = min(shards, assumed.shards_asked)
    waiting = assumed.request_ms * assumed.requests_a_question
    return Worked(
        pages=pages,
        passages=passages,
        parse_core_hours=parse,
        embed_core_hours=embed,
        index_core_hours=index,
        nodes=nodes,
        hours=core_hours / a_node / nodes,
        originals_tb=pages * given.original_kb_per_page / 1e9,
        tables_tb=passages * given.table_kb_per_passage / 1e9,
        vectors_tb=passages * given.vector_kb_per_passage / 1e9,
        question_ms=question_ms(passages, given),
        memory_gb=memory_mb(passages, given) / 1000,
        shards=shards,
        memory_gb_of_all=memory_gb,
        nodes_to_answer=max(1, math.ceil(memory_gb / assumed.memory_gb_a_node)),
        # Those that are asked work at the same time, on a core each; what is found is ranked once more by one of them.
        sharded_question_ms=question_ms(each, given) + (question_ms(SMALL, given) if asked > 1 else 0),
        first_question_ms=first_search_ms(each, given) + waiting,
    )


def measured(file: Path = MEASURED_FILE) -> Measured:
    """Return what was measured."""
    found = json.loads(file.read_text(encoding="utf-8"))
    return Measured(**{field.name: float(found[field.name]["value"]) for field in fields(Measured)})


def said(value: float) -> str:
    """Return a number as a table shows it: two digits that count, thousands apart, and what is counted whole.

    >>> said(0.0137), said(9.44), said(1234.0), said(6), said(65_000_000_000.0)
    ('0.014', '9.4', '1,200', '6', '65,000,000,000')
    """
    digits = 1 - math.floor(math.log10(abs(value))) if value else 0
    rounded = round(value, digits)
    return f"{rounded:,.{max(digits, 0)}f}" if isinstance(value, float) and rounded < 10 else f"{rounded:,.0f}"


def worked_table(given: Measured, assumed: Assumed) -> str:
    """Return the table of what is worked out, a column for each number of pages."""
    columns = [work_out(pages, given, assumed) for pages in PAGES]
    rows: list[tuple[str, list[float] | list[int]]] = [
        ("passages", [c.passages for c in columns]),
        ("parsing, core-hours", [c.parse_core_hours for c in columns]),
        ("embedding, core-hours", [c.embed_core_hours for c in columns]),
        ("terms, tables and vectors written, core-hours", [c.index_core_hours for c in columns]),
        (f"nodes of {assumed.cores_a_node} cores to add all", [c.nodes for c in columns]),
        ("… hours it takes them", [c.hours for c in columns]),
        ("storage of originals, TB", [c.originals_tb for c in columns]),
        ("… of tables and their indexes, TB", [c.tables_tb for c in columns]),
        ("… of vectors and their index, TB", [c.vectors_tb for c in columns]),
        ("one library: CPU of one search, ms", [c.question_ms for c in columns]),
        ("… memory of a process that answers, GB", [c.memory_gb for c in columns]),
        ("shards, so that none takes longer than "
         f"{assumed.most_question_ms:.0f} ms", [c.shards for c in columns]),
        ("… memory of all of them, GB", [c.memory_gb_of_all for c in columns]),
        (f"… nodes of {assumed.memory_gb_a_node} GB that hold them", [c.nodes_to_answer for c in columns]),
        (f"… a search in {assumed.shards_asked} of them at once, ms", [c.sharded_question_ms for c in columns]),
        ("… the first one in a shard that nobody has opened, ms", [c.first_question_ms for c in columns]),
    ]  # fmt: skip
    lines = [f"| calculated | {' | '.join(f'{pages:,} pages' for pages in PAGES)} |", "| --- | --- | --- | --- |"]
    lines += [f"| {name} | {' | '.join(said(value) for value in values)} |" for name, values in rows]
    return "\n".join(lines) + "\n"


def measured_table(file: Path = MEASURED_FILE) -> str:
    """Return the table of what was measured."""
    found = json.loads(file.read_text(encoding="utf-8"))
    lines = ["| measured | value | by |", "| --- | --- | --- |"]
    for name, one in found.items():
        lines.append(f"| {name.replace('_', ' ')} | {one['value']:g} {one['unit']} | {one['source']} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print both tables."""
    print(measured_table())
    print(worked_table(measured(), Assumed()), end="")


if __name__ == "__main__":
    main()
