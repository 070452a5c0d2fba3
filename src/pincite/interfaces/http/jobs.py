"""`JobRunner`: adds what was uploaded, in threads of its own, and goes on after a restart where it was."""

import logging
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from pincite.add import Stop, Upload
from pincite.errors import PinciteError, StoppedError
from pincite.interfaces.http.options import ServeOptions
from pincite.interfaces.http.problems import ProblemError, fault, problem_of
from pincite.interfaces.http.served import Served
from pincite.interfaces.http.shapes import Job
from pincite.interfaces.http.state.jobs import JobTable, Work, over
from pincite.interfaces.http.uploads import Received
from pincite.library import Library
from pincite.storage.own_files import UPLOADS_NAME
from pincite.types.source import SourceFile

logger = logging.getLogger(__name__)

#: How long the end of a job that is stopped is waited for.
_PATIENCE_S: Final = 5.0


class _Running:
    """A job that is being done: how far it is, and the switch that ends it."""

    def __init__(self) -> None:
        self.stop = Stop()
        self.is_over = threading.Event()
        self.is_cancelled = False
        self.is_whole = False
        self._now = ("stored", 0, 0)

    def parsed(self, done: int, total: int) -> None:
        self._now = ("parsing", done, total)

    def embedded(self, done: int, total: int) -> None:
        self._now = ("embedding", done, total)

    def shown(self, job: Job) -> Job:
        """Return the job with how far it is now."""
        stage, done, total = self._now
        if self.is_whole:  # its last passages may have had their vectors from another job's turn
            stage, done = "embedding", total
        return replace(job, stage=stage, done=done, total=total)

    def end(self, patience_s: float = _PATIENCE_S) -> None:
        """Throw the switch, again while a process only just starts, and wait for the end."""
        for _ in range(int(patience_s / 0.1)):
            self.stop.throw()
            if self.is_over.wait(0.1):
                return


class JobRunner:
    """The jobs of a server: `adding` of them are done at a time; each ends its child process when it is stopped."""

    def __init__(self, served: Served, options: ServeOptions) -> None:
        """Keep jobs in the state of `served`; nothing runs before `start`."""
        self.table = JobTable(served.state)
        self._served = served
        self._options = options
        self._wake = threading.Condition()
        self._running: dict[str, _Running] = {}
        self._is_stopping = False
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Go on with what was not over when the server ended, and delete uploads that nobody needs."""
        self.table.requeue()
        needed = self.table.uploads()
        for name in self._served.collections():
            for file in (self._served.folder_of(name) / UPLOADS_NAME).glob("*"):
                if file.name not in needed:
                    file.unlink(missing_ok=True)
        self._threads = [
            threading.Thread(target=self._serve, name="pincite-adding", daemon=True)
            for _ in range(self._options.adding)
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End every job; those that are not over go on at the next start."""
        with self._wake:
            self._is_stopping = True
            running = list(self._running.values())
            self._wake.notify_all()
        for one in running:
            one.end()
        for thread in self._threads:
            thread.join(_PATIENCE_S)

    def submit(self, collection: str, library: Library, received: Sequence[Received]) -> tuple[Job, ...]:
        """Return a job for each file; what the library has already is done, what cannot be taken has failed.

        Raises:
            ProblemError: none of the files can be taken.

        """
        if received and all(one.error is not None for one in received):
            self._refuse(received)
        jobs = tuple(self._submitted(collection, library, one) for one in received)
        with self._wake:
            self._wake.notify_all()
        return jobs

    def _refuse(self, received: Sequence[Received]) -> None:
        first = next(one.error for one in received if one.error is not None)
        refused = ProblemError(first.status, first.code, first.detail)
        if len(received) > 1:
            refused.problem = replace(refused.problem, jobs=tuple(over(one.name, error=one.error) for one in received))
        raise refused

    def _submitted(self, collection: str, library: Library, one: Received) -> Job:
        if one.path is None:
            return self.table.note(collection, over(one.name, error=one.error))
        known = library.store.find_by_hash(one.content_hash)
        if known is not None:
            one.path.unlink()
            return self.table.note(collection, over(one.name, doc_id=known.doc_id))
        job = self.table.queue(collection, one.name, upload=one.path.name, content_hash=one.content_hash)
        if one.path.name not in self.table.uploads():
            one.path.unlink(missing_ok=True)  # the same bytes are on their way already
        return job

    def get(self, collection: str, job_id: str) -> Job:
        """Return a job of a collection as it is now.

        Raises:
            ProblemError: there is none (404).

        """
        job = self.table.get(collection, job_id)
        if job is None:
            raise ProblemError(404, "unknown_job", f"there is no job {job_id[:80]!r}")
        return self._shown(job)

    def newest(self, collection: str, limit: int, states: Sequence[str] = ()) -> tuple[Job, ...]:
        """Return the newest jobs of a collection first."""
        return tuple(self._shown(job) for job in self.table.newest(collection, limit, states))

    def cancel(self, collection: str, job_id: str) -> Job:
        """End a job, its child process too, and return it; one that is over stays what it is. Raises as `get`."""
        self.get(collection, job_id)
        if not self.table.cancel_waiting(collection, job_id):
            running = self._running.get(job_id)
            if running is not None:
                running.is_cancelled = True
                running.end()
        return self.get(collection, job_id)

    def _shown(self, job: Job) -> Job:
        running = self._running.get(job.job_id)
        return job if running is None or job.state != "running" else running.shown(job)

    def _serve(self) -> None:
        while True:
            with self._wake:
                if self._is_stopping:
                    return
                work = self._taken()
                if work is None:
                    self._wake.wait(timeout=5)
                    continue
                running = self._running[work.job_id] = _Running()
            try:
                self._do(work, running)
            finally:
                running.is_over.set()
                self._running.pop(work.job_id, None)

    def _taken(self) -> Work | None:
        try:
            return self.table.take()
        except PinciteError:
            logger.exception("the jobs cannot be read")
            return None

    def _do(self, work: Work, running: _Running) -> None:
        job = Job(job_id=work.job_id, name=work.name, state="done", created_at="")
        try:
            with self._served.using(work.collection) as library:
                path = library.path / UPLOADS_NAME / work.upload
                doc_id, unchanged = library.add_upload(
                    _upload(work, path, self._options), watcher=running, stop=running.stop
                )
                job = replace(job, doc_id=doc_id, unchanged=unchanged)
                running.is_whole = True
        except Exception as error:  # noqa: BLE001 - whatever it is, it is kept with the job
            if running.stop.is_thrown and not running.is_cancelled:
                return  # the server ends, perhaps with the library closed already: the job goes on at the next start
            job = _ended(job, error)
        self._finish(work, running.shown(job))

    def _finish(self, work: Work, job: Job) -> None:
        try:
            self.table.finish(work.job_id, job)
        except PinciteError:
            logger.exception("the end of a job cannot be kept")
            return
        with suppress(OSError):
            (self._served.folder_of(work.collection) / UPLOADS_NAME / work.upload).unlink()


def _ended(job: Job, error: Exception) -> Job:
    """Return a job that did not come to its end, with the reason."""
    if isinstance(error, StoppedError):
        return replace(job, state="cancelled")
    if isinstance(error, PinciteError):
        return replace(job, state="failed", error=problem_of(error))
    if isinstance(error, ProblemError):
        return replace(job, state="failed", error=error.problem)
    logger.error("a fault in pincite", exc_info=error)
    return replace(job, state="failed", error=fault())


def _upload(work: Work, path: Path, options: ServeOptions) -> Upload:
    # The address is made of the bytes: the same file is the same document, whatever it is called.
    file = SourceFile(name=work.name, uri=f"upload:{work.content_hash}", path=path)
    return Upload(file=file, content_hash=work.content_hash, max_pages=options.max_pages)
