"""`/v1/evals`: saved runs of `pincite eval`."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from fastapi import APIRouter
from starlette.responses import Response

from pincite.evaluation.records import Summary
from pincite.interfaces.http.openapi import shows
from pincite.interfaces.http.opened import Opened, Reading
from pincite.interfaces.http.problems import ProblemError
from pincite.interfaces.http.replies import reply
from pincite.interfaces.http.shapes import EvalInfo, EvalList

router = APIRouter(tags=["evals"])


@router.get("/v1/evals", **shows(EvalList))
def list_evals(opened: Reading) -> Response:
    """Return the saved runs, newest first: those in `evals` of the library, or beside the library of a suite."""
    found = [
        EvalInfo(eval_id=eval_id, suite=summary.suite, started_at=summary.started_at, n=summary.n)
        for eval_id, summary in _summaries(opened)
    ]
    return reply(EvalList(evals=tuple(sorted(found, key=lambda one: one.started_at, reverse=True))))


@router.get("/v1/evals/{eval_id}", **shows(Summary))
def get_eval(opened: Reading, eval_id: str) -> Response:
    """Return the measures of a saved run."""
    for known_id, summary in _summaries(opened):
        if known_id == eval_id:
            return reply(msgspec.structs.replace(summary, results=eval_id))
    raise ProblemError(404, "unknown_eval", f"there is no saved run {eval_id[:80]!r}")


def _summaries(opened: Opened) -> Iterator[tuple[str, Summary]]:
    """Yield the saved runs by the name of their folder; what cannot be read is none. Ids are only compared."""
    folder: Path = opened.library.path.absolute()
    places = [(folder / "evals").glob("*/results*/*/summary.json")]
    if folder.name == "library":
        places.append(folder.parent.glob("results*/*/summary.json"))
    for place in places:
        for file in sorted(place):
            try:
                yield file.parent.name, msgspec.json.decode(file.read_bytes(), type=Summary)
            except (OSError, msgspec.DecodeError, UnicodeDecodeError):
                continue
