"""Jobs as rows: what is to be added, who is at it, what became of it; they outlive every server."""

import threading
import time
import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from pincite.interfaces.http.problems import Problem, problem
from pincite.interfaces.http.shapes import Job
from pincite.interfaces.http.state.moments import moment
from pincite.interfaces.http.state.opening import ServerState
from pincite.storage.ledger import Row
from pincite.types.record import Record

#: Of the jobs that are over, this many are remembered.
_REMEMBERED: Final = 10_000
#: A server that shares its jobs with others says this often that it is still at one, in seconds.
BEAT_S: Final = 10.0
#: A job whose server has not said so for this long is anybody's, in seconds: two beats may be missed.
LEASE_S: Final = 3 * BEAT_S
#: So many servers may end while they are at one job; the next would, too.
_MOST_TRIES: Final = 3
#: Of the jobs that wait, this many are tried for at a time: others may take the first ones at the same moment.
_MOST_TRIED: Final = 16
_UNDER_WAY: Final = ("queued", "running")
_OVER: Final = ("done", "failed", "cancelled")

#: What a server is to do with a job that it is at: go on, stop it, or let go of it, because it is another's now.
Order = Literal["go on", "cancel", "let go"]


class Work(Record, frozen=True, kw_only=True):
    """What a job is to do: add the bytes of the upload, which have this hash, to a collection."""

    job_id: str
    collection: str
    name: str
    upload: str
    content_hash: str


class _Kept(Record, frozen=True, kw_only=True):
    """What is kept of a job: `owner` is the server that is at it, or was; `n_tries` counts those that were."""

    job: Job
    work: Work
    owner: str = ""
    n_tries: int = 0
    is_cancelled: bool = False


class JobTable:
    """The jobs of all collections; every question names the collection, so that none is seen from another."""

    def __init__(self, state: ServerState, *, now: Callable[[], float] = time.monotonic) -> None:
        """Work on the jobs of a server's state, which other servers may share."""
        self.is_shared = state.is_shared
        #: Stands for this server in the jobs that it is at.
        self.owner = uuid.uuid4().hex
        self._rows = state.ledger("jobs")
        self._queueing = threading.Lock()
        self._now = now
        self._seen: dict[str, tuple[int, float]] = {}

    def queue(self, collection: str, name: str, *, upload: str, content_hash: str) -> Job:
        """Keep a new job and return it; one that is under way with the same bytes is returned instead."""
        with self._queueing:
            for row in self._rows.rows(collection=collection, tags=_UNDER_WAY):
                if (kept := _kept(row)).work.content_hash == content_hash:
                    return kept.job
            job = Job(job_id=uuid.uuid4().hex[:16], name=name, state="queued", created_at=_now())
            work = Work(job_id=job.job_id, collection=collection, name=name, upload=upload, content_hash=content_hash)
            self._rows.add(_row(_Kept(job=job, work=work), at=moment()))
            return job

    def note(self, collection: str, job: Job) -> Job:
        """Keep a job that is over already, and return it."""
        work = Work(job_id=job.job_id, collection=collection, name=job.name, upload="", content_hash="")
        self._rows.add(_row(_Kept(job=job, work=work), at=moment()))
        return job

    def get(self, collection: str, job_id: str) -> Job | None:
        """Return a job of a collection, or `None`."""
        row = self._row(collection, job_id)
        return None if row is None else _kept(row).job

    def newest(self, collection: str, limit: int, states: Sequence[str]) -> tuple[Job, ...]:
        """Return the newest jobs of a collection first; `states` empty means all."""
        return tuple(_kept(row).job for row in self._rows.rows(collection=collection, tags=states, limit=limit))

    def counts(self) -> dict[str, int]:
        """Return how many jobs are in each state, over all collections."""
        return self._rows.counts()

    def uploads(self) -> frozenset[str]:
        """Return the uploads that jobs still need."""
        return frozenset(_kept(row).work.upload for row in self._rows.rows(tags=_UNDER_WAY))

    # ── who is at a job ──────────────────────────────────────────────────────────────────────────────────────────

    def take(self) -> Work | None:
        """Return the oldest job that waits or was left, which is this server's from now on; `None` where there is none.

        A job that was left too often has failed: it is not tried again.
        """
        for row in (*self._rows.rows(tags=("queued",), limit=_MOST_TRIED, oldest_first=True), *self._left()):
            kept = _kept(row)
            if kept.is_cancelled or kept.n_tries >= _MOST_TRIES:
                self._rows.change(_row(_given_up(kept), row))
                continue
            job = replace(kept.job, state="running", stage="stored", done=0, total=0)
            taken = replace(kept, job=job, owner=self.owner, n_tries=kept.n_tries + 1)
            if self._rows.change(_row(taken, row)):
                return kept.work
        return None

    def _left(self) -> tuple[Row, ...]:
        """Return the jobs whose server has been silent for too long, by this process's own clock, the oldest first."""
        if not self.is_shared:
            return ()
        running = self._rows.rows(tags=("running",), oldest_first=True)
        now = self._now()
        self._seen = {
            row.key: seen
            if (seen := self._seen.get(row.key)) is not None and seen[0] == row.revision
            else (row.revision, now)
            for row in running
        }
        return tuple(
            row for row in running if now - self._seen[row.key][1] >= LEASE_S and _kept(row).owner != self.owner
        )

    def order(self, job_id: str) -> Order:
        """Return what this server is to do with a job that it is at; what others asked for is seen within a second."""
        row = self._rows.get(job_id)
        kept = None if row is None else _kept(row)
        if kept is None or kept.owner != self.owner:
            return "let go"
        return "cancel" if kept.is_cancelled and not kept.job.is_over else "go on"

    def beat(self, job: Job) -> Order:
        """Say that this server is still at a job, and how far; return what it is to do."""
        while True:
            row = self._rows.get(job.job_id, newest=True)
            kept = None if row is None else _kept(row)
            if row is None or kept is None or kept.owner != self.owner or kept.job.state != "running":
                return "let go"
            if kept.is_cancelled:
                return "cancel"
            shown = replace(kept.job, stage=job.stage, done=job.done, total=job.total)
            if self._rows.change(_row(replace(kept, job=shown), row)):
                return "go on"

    def finish(self, job: Job) -> bool:
        """Keep what became of a job; return `False` where it is not this server's any more."""

        def ended(kept: _Kept) -> _Kept:
            made = replace(job, name=kept.job.name, created_at=kept.job.created_at, finished_at=_now())
            return replace(kept, job=made)

        return self._settle(job.job_id, ended)

    def release(self, job_id: str) -> None:
        """Let a job wait again, because this server ends."""
        self._settle(
            job_id,
            lambda kept: replace(
                kept, job=replace(kept.job, state="queued", stage="stored"), owner="", n_tries=kept.n_tries - 1
            ),
        )

    def _settle(self, job_id: str, change: Callable[[_Kept], _Kept]) -> bool:
        while True:
            row = self._rows.get(job_id, newest=True)
            kept = None if row is None else _kept(row)
            if row is None or kept is None or kept.owner != self.owner or kept.job.state != "running":
                return False
            if self._rows.change(_row(change(kept), row)):
                return True

    def cancel(self, collection: str, job_id: str) -> bool:
        """Cancel a job that waits, and ask for the end of one that runs; return whether one is left that runs."""
        while True:
            row = self._row(collection, job_id, newest=True)
            kept = None if row is None else _kept(row)
            if row is None or kept is None or kept.job.is_over:
                return False
            if kept.job.state == "queued":
                if self._rows.change(_row(_given_up(replace(kept, is_cancelled=True)), row)):
                    return False
            elif kept.is_cancelled or self._rows.change(_row(replace(kept, is_cancelled=True), row)):
                return True

    def requeue(self) -> None:
        """Forget old jobs; where no other server shares them, let what was running when this one ended wait again."""
        if not self.is_shared:
            for row in self._rows.rows(tags=("running",)):
                kept = _kept(row)
                job = replace(kept.job, state="queued", stage="stored")
                self._rows.change(_row(_given_up(kept) if kept.is_cancelled else replace(kept, job=job), row))
        if sum(self._rows.counts().values()) > _REMEMBERED:
            self._rows.delete(row.key for row in self._rows.rows(tags=_OVER)[_REMEMBERED:])

    def _row(self, collection: str, job_id: str, *, newest: bool = False) -> Row | None:
        row = self._rows.get(job_id, newest=newest) if job_id.isascii() else None
        return row if row is not None and row.collection == collection else None


def over(name: str, *, doc_id: str | None = None, error: Problem | None = None) -> Job:
    """Return a job that never had to wait: the bytes were there, or the file cannot be taken."""
    now = _now()
    return Job(
        job_id=uuid.uuid4().hex[:16],
        name=name,
        state="done" if error is None else "failed",
        created_at=now,
        finished_at=now,
        doc_id=doc_id,
        error=error,
        unchanged=doc_id is not None,
    )


def _given_up(kept: _Kept) -> _Kept:
    """Return a job that nobody works on any more, and why."""
    if kept.is_cancelled:
        return replace(kept, job=replace(kept.job, state="cancelled", finished_at=_now()))
    detail = f"{_MOST_TRIES} servers ended while they worked on {kept.work.name!r}; send it again, or add it from disk"
    return replace(
        kept, job=replace(kept.job, state="failed", error=problem(500, "job_lost", detail), finished_at=_now())
    )


def _row(kept: _Kept, row: Row | None = None, *, at: str = "") -> Row:
    """Return the row of a job: a new one, or the next revision of `row`."""
    return Row(
        key=kept.job.job_id,
        collection=kept.work.collection,
        tag=kept.job.state,
        at=at if row is None else row.at,
        revision=0 if row is None else row.revision,
        data=msgspec.json.encode(kept),
    )


def _kept(row: Row) -> _Kept:
    return msgspec.json.decode(row.data, type=_Kept)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
