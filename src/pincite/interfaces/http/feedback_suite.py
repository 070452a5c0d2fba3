"""Feedback as a suite for `pincite eval`: what readers called right has to be found and cited again."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final

from pincite.errors import SettingsError
from pincite.interfaces.http.state.feedback import Feedback
from pincite.library import Library
from pincite.types.record import Record

_ODD: Final = re.compile(r"[^\w.-]+")
_MOST_NAME_CHARS: Final = 80
#: Formats whose lines are the file's own: their evidence has no page.
_TEXT_TYPES: Final = ("text/markdown", "text/plain", "text/x-rst")


class SuiteReport(Record, frozen=True, kw_only=True):
    """What was written: questions, documents, questions that readers only found wrong cites for, and what is left out.

    `left_out` are the questions whose documents are not kept any more, as they were when the cite was judged.
    """

    questions: int
    documents: int
    rejected: int
    left_out: tuple[str, ...]


def write_suite(said: Sequence[Feedback], library: Library, folder: Path, *, name: str = "feedback") -> SuiteReport:
    """Write `suite.json`, `questions.jsonl`, `docs/` and `rejected.jsonl` into `folder`, which is made.

    A question is in the suite when a cite of its answer was called right by somebody and wrong by nobody. Questions
    with wrong cites alone have no known answer: they are in `rejected.jsonl`, which is for people.

    Raises:
        SettingsError: the folder is there already, or no cite was called right.

    """
    questions: list[dict[str, Any]] = []
    rejected: list[dict[str, Any]] = []
    left_out: list[str] = []
    originals = _Originals(library)
    for trace_id, of_trace in _by_trace(said).items():
        judged = [group for group in _by_cite(of_trace).values() if originals.name_of(group[0]) is not None]
        right = [group[0] for group in judged if all(one.right for one in group)]
        wrong = [one for group in judged for one in group if not one.right]
        places = [_evidence(one, originals) | ({"note": one.note} if one.note else {}) for one in wrong]
        if right:
            questions.append(_question(trace_id, right, originals) | ({"rejected": places} if places else {}))
        elif wrong:
            rejected.append({"id": trace_id, "question": wrong[0].question, "rejected": places})
        else:
            left_out.append(of_trace[0].question)
    if not questions:
        raise SettingsError("no cite has been called right by a reader yet: there is nothing to ask again")
    try:
        folder.mkdir(parents=True)
    except FileExistsError as error:
        raise SettingsError(f"{str(folder)!r} is there already; name a new folder") from error
    originals.write(folder / "docs", {e["doc"] for q in questions for e in q["evidence"]})
    about = {
        "name": name,
        "source": "cites that readers called right",
        "licence": "that of the documents",
        "scope": "docs",
    }
    (folder / "suite.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
    _write_lines(folder / "questions.jsonl", questions)
    if rejected:
        _write_lines(folder / "rejected.jsonl", rejected)
    return SuiteReport(
        questions=len(questions),
        documents=sum(1 for _ in (folder / "docs").iterdir()),
        rejected=len(rejected),
        left_out=tuple(left_out),
    )


class _Originals:
    """Names, within the suite, of the documents as they were when they were cited."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._names: dict[str, str | None] = {}
        self._types = {record.content_hash: record.media_type for record in library.documents()}

    def name_of(self, said: Feedback) -> str | None:
        """Return the name of a document below docs/; `None` when its bytes are not kept."""
        if said.content_hash not in self._names:
            taken = set(self._names.values())
            kept = self._library.store.original_of(said.content_hash) is not None
            self._names[said.content_hash] = _free_name(said, taken) if kept else None
        return self._names[said.content_hash]

    def has_pages(self, said: Feedback) -> bool:
        """Say whether a page of the document is a place; of a text file its lines are."""
        kind = self._types.get(said.content_hash, "")
        return not kind.startswith(_TEXT_TYPES) and not said.doc_name.lower().endswith((".md", ".txt", ".rst"))

    def write(self, folder: Path, names: set[str]) -> None:
        """Write the documents of those names."""
        folder.mkdir()
        for content_hash, name in self._names.items():
            if name is not None and name in names:
                content = self._library.store.original_of(content_hash)
                if content is not None:
                    (folder / name).write_bytes(content)


def _free_name(said: Feedback, taken: set[str | None]) -> str:
    """Return a plain file name for a document: whatever its own name is, it leads nowhere else."""
    plain = _ODD.sub("-", PurePosixPath(said.doc_name.replace("\\", "/")).name).strip(".-") or "document"
    stem, dot, ending = plain.rpartition(".")
    shown = f"{stem[:_MOST_NAME_CHARS]}{dot}{ending[:10]}" if stem else plain[:_MOST_NAME_CHARS]
    return shown if shown not in taken else f"{said.content_hash[:8]}-{shown}"


def _by_trace(said: Iterable[Feedback]) -> Mapping[str, list[Feedback]]:
    found: defaultdict[str, list[Feedback]] = defaultdict(list)
    for one in said:
        found[one.trace_id].append(one)
    return found


def _by_cite(said: Iterable[Feedback]) -> Mapping[tuple[int, int], list[Feedback]]:
    found: defaultdict[tuple[int, int], list[Feedback]] = defaultdict(list)
    for one in said:
        found[one.item, one.citation].append(one)
    return found


def _question(trace_id: str, right: Sequence[Feedback], originals: _Originals) -> dict[str, Any]:
    evidence = [_evidence(one, originals) for one in right]
    return {
        "id": trace_id,
        "question": right[0].question,
        "answerable": True,
        "answers": list(dict.fromkeys(one.item_text for one in right)),
        "kind": "feedback",
        "shape": right[0].shape,
        "docs": list(dict.fromkeys(piece["doc"] for piece in evidence)),
        "evidence": evidence,
    }


def _evidence(said: Feedback, originals: _Originals) -> dict[str, Any]:
    page = said.page if originals.has_pages(said) else None
    return {"doc": originals.name_of(said), "page": page, "text": said.quote}


def _write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_bytes(text.encode("utf-8", "replace"))
