"""Jobs as rows: what is to be added, what became of it; they outlive the server."""

import sqlite3
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import msgspec

from pincite.interfaces.http.problems import Problem
from pincite.interfaces.http.shapes import Job
from pincite.interfaces.http.state.database import Database
from pincite.types.record import Record

#: Of the jobs that are over, this many are remembered.
_REMEMBERED: Final = 10_000
_COLUMNS: Final = "job_id, name, state, created_at, stage, error, doc_id, unchanged, finished_at"
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS jobs (
    number INTEGER PRIMARY KEY,
    job_id TEXT NOT NULL UNIQUE,
    collection TEXT NOT NULL,
    name TEXT NOT NULL,
    upload TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    state TEXT NOT NULL,
    stage TEXT NOT NULL,
    error BLOB,
    doc_id TEXT,
    unchanged INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    finished_at TEXT
);
CREATE INDEX IF NOT EXISTS jobs_by_state ON jobs (state, number);
"""


class Work(Record, frozen=True, kw_only=True):
    """What a job is to do: add the bytes of the file `upload`, which have this hash, to a collection."""

    job_id: str
    collection: str
    name: str
    upload: str
    content_hash: str


class JobTable:
    """The jobs of all collections; every question names the collection, so that none is seen from another."""

    def __init__(self, database: Database) -> None:
        """Make the table where it is not there."""
        self._database = database
        with database.reading() as connection:
            connection.executescript(_SCHEMA)

    def queue(self, collection: str, name: str, *, upload: str, content_hash: str) -> Job:
        """Keep a new job and return it; one that is under way with the same bytes is returned instead."""
        with self._database.writing() as connection:
            row = connection.execute(
                f"SELECT {_COLUMNS} FROM jobs WHERE state IN ('queued', 'running') "  # noqa: S608 - names of columns
                "AND collection = ? AND content_hash = ?",
                (collection, content_hash),
            ).fetchone()
            if row is not None:
                return _job(row)
            job = Job(job_id=uuid.uuid4().hex[:16], name=name, state="queued", created_at=_now())
            _insert(connection, collection, job, upload=upload, content_hash=content_hash)
            return job

    def note(self, collection: str, job: Job) -> Job:
        """Keep a job that is over already, and return it."""
        with self._database.writing() as connection:
            _insert(connection, collection, job, upload="", content_hash="")
        return job

    def get(self, collection: str, job_id: str) -> Job | None:
        """Return a job of a collection, or `None`."""
        with self._database.reading() as connection:
            row = connection.execute(
                f"SELECT {_COLUMNS} FROM jobs WHERE collection = ? AND job_id = ?",  # noqa: S608
                (collection, job_id),
            ).fetchone()
        return None if row is None else _job(row)

    def newest(self, collection: str, limit: int, states: Sequence[str]) -> tuple[Job, ...]:
        """Return the newest jobs of a collection first; `states` empty means all."""
        marks = ",".join("?" * len(states))
        within = f"AND state IN ({marks})" if states else ""
        with self._database.reading() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM jobs WHERE collection = ? {within} ORDER BY number DESC LIMIT ?",  # noqa: S608
                (collection, *states, limit),
            ).fetchall()
        return tuple(map(_job, rows))

    def take(self) -> Work | None:
        """Return the oldest job that waits, which is running from now on; `None` where none waits."""
        with self._database.writing() as connection:
            row = connection.execute(
                "SELECT job_id, collection, name, upload, content_hash FROM jobs WHERE state = 'queued' "
                "ORDER BY number LIMIT 1"
            ).fetchone()
            if row is None:
                return None
            connection.execute("UPDATE jobs SET state = 'running' WHERE job_id = ?", (row[0],))
        return Work(job_id=row[0], collection=row[1], name=row[2], upload=row[3], content_hash=row[4])

    def cancel_waiting(self, collection: str, job_id: str) -> bool:
        """Cancel a job that waits; return whether it did."""
        with self._database.writing() as connection:
            changed = connection.execute(
                "UPDATE jobs SET state = 'cancelled', finished_at = ? "
                "WHERE collection = ? AND job_id = ? AND state = 'queued'",
                (_now(), collection, job_id),
            )
            return changed.rowcount > 0

    def finish(self, job_id: str, job: Job) -> None:
        """Keep what became of a job."""
        error = None if job.error is None else msgspec.json.encode(job.error)
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE jobs SET state = ?, stage = ?, error = ?, doc_id = ?, unchanged = ?, finished_at = ? "
                "WHERE job_id = ?",
                (job.state, job.stage, error, job.doc_id, job.unchanged, _now(), job_id),
            )

    def requeue(self) -> None:
        """Let what was running when the server ended wait again."""
        with self._database.writing() as connection:
            connection.execute("UPDATE jobs SET state = 'queued', stage = 'stored' WHERE state = 'running'")
            connection.execute(
                "DELETE FROM jobs WHERE state NOT IN ('queued', 'running') "
                "AND number <= (SELECT max(number) FROM jobs) - ?",
                (_REMEMBERED,),
            )

    def uploads(self) -> frozenset[str]:
        """Return the files that jobs still need."""
        with self._database.reading() as connection:
            rows = connection.execute("SELECT upload FROM jobs WHERE state IN ('queued', 'running')").fetchall()
        return frozenset(row[0] for row in rows)

    def counts(self) -> dict[str, int]:
        """Return how many jobs are in each state, over all collections."""
        with self._database.reading() as connection:
            return dict(connection.execute("SELECT state, count(*) FROM jobs GROUP BY state").fetchall())


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


def _insert(connection: sqlite3.Connection, collection: str, job: Job, *, upload: str, content_hash: str) -> None:
    error = None if job.error is None else msgspec.json.encode(job.error)
    values = {
        "job_id": job.job_id,
        "collection": collection,
        "name": job.name,
        "upload": upload,
        "content_hash": content_hash,
        "state": job.state,
        "stage": job.stage,
        "error": error,
        "doc_id": job.doc_id,
        "unchanged": job.unchanged,
        "created_at": job.created_at,
        "finished_at": job.finished_at,
    }
    names, marks = ", ".join(values), ", ".join(f":{name}" for name in values)
    connection.execute(f"INSERT INTO jobs ({names}) VALUES ({marks})", values)  # noqa: S608 - names of columns


def _job(row: Sequence[object]) -> Job:
    names = ("job_id", "name", "state", "created_at", "stage", "error", "doc_id", "unchanged", "finished_at")
    fields = dict(zip(names, row, strict=True))
    error = fields["error"]
    if isinstance(error, bytes):
        fields["error"] = msgspec.json.decode(error, type=Problem)
    return msgspec.convert({**fields, "unchanged": bool(fields["unchanged"])}, Job)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
