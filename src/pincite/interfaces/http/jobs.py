"""`JobRunner`: adds what was uploaded, in threads of its own; what a server leaves undone the next or another one does.

Where several servers share a library, each says now and then that it is still at its jobs, and looks whether somebody
asked for their end. A job whose server has fallen silent is taken by another.
"""

import logging
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from pincite.add import Stop, Upload
from pincite.errors import PinciteError, StoppedError
from pincite.interfaces.http.arrivals import Arrivals, FolderArrivals, StoredArrivals
from pincite.interfaces.http.options import ServeOptions
from pincite.interfaces.http.problems import ProblemError, fault, problem_of
from pincite.interfaces.http.served import Served
from pincite.interfaces.http.shapes import Job
from pincite.interfaces.http.state.jobs import BEAT_S, JobTable, Work, over
from pincite.interfaces.http.uploads import Received
from pincite.library import Library
from pincite.types.source import SourceFile

logger = logging.getLogger(__name__)

#: How long the end of a job that is stopped is waited for.
_PATIENCE_S: Final = 5.0
#: How often is looked whether the end of a shared job was asked for, and how often shared files are made fewer (s).
_LOOK_S: Final = 1.0
_TIDY_S: Final = 60.0


class _Running:
    """A job that is being done: how far it is, and the switch that ends it."""

    def __init__(self) -> None:
        self.stop = Stop()
        self.is_over = threading.Event()
        self.is_cancelled = False
        self.is_whole = False
        #: Another server has taken the job: what comes of it here does not count.
        self.is_lost = False
        self.beat_at = time.monotonic()
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
        self._arrivals: Arrivals = StoredArrivals(served) if self.table.is_shared else FolderArrivals(served)
        self._served = served
        self._options = options
        self._wake = threading.Condition()
        self._n_submitted = 0
        self._running: dict[str, _Running] = {}
        self._is_stopping = threading.Event()
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Go on with what was not over when the server ended, and delete uploads that nobody needs."""
        self.table.requeue()
        self._arrivals.sweep(self.table.uploads())
        self._threads = [
            threading.Thread(target=self._serve, name="pincite-adding", daemon=True)
            for _ in range(self._options.adding)
        ]
        if self.table.is_shared:
            self._threads.append(threading.Thread(target=self._beat, name="pincite-beating", daemon=True))
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End every job; those that are not over go on at the next start, or at another server."""
        with self._wake:
            self._is_stopping.set()
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
            self._n_submitted += 1
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
        upload = self._arrivals.keep(library, one)
        job = self.table.queue(collection, one.name, upload=upload, content_hash=one.content_hash)
        if upload not in self.table.uploads():
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
        if self.table.cancel(collection, job_id):
            running = self._running.get(job_id)
            if running is not None:
                running.is_cancelled = True
                running.end()
            elif self.table.is_shared:
                self._await_end(collection, job_id)
        return self.get(collection, job_id)

    def _await_end(self, collection: str, job_id: str) -> None:
        """Wait a little for the end of a job that another server is at."""
        until = time.monotonic() + _PATIENCE_S
        while not self.get(collection, job_id).is_over and time.monotonic() < until:
            time.sleep(_LOOK_S / 4)

    def _shown(self, job: Job) -> Job:
        running = self._running.get(job.job_id)
        return job if running is None or job.state != "running" else running.shown(job)

    def _serve(self) -> None:
        while not self._is_stopping.is_set():
            n_submitted = self._n_submitted
            work = self._taken()
            if work is None:
                with self._wake:
                    if n_submitted == self._n_submitted and not self._is_stopping.is_set():
                        self._wake.wait(timeout=5)
                continue
            running = _Running()
            with self._wake:
                self._running[work.job_id] = running
                if self._is_stopping.is_set():
                    running.stop.throw()
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
            if self.table.order(work.job_id) == "cancel":  # between its taking and its being known as running
                running.is_cancelled = True
                running.stop.throw()
            with self._served.using(work.collection) as library, self._arrivals.path(library, work) as path:
                doc_id, unchanged = library.add_upload(
                    _upload(work, path, self._options), watcher=running, stop=running.stop
                )
                job = replace(job, doc_id=doc_id, unchanged=unchanged)
                running.is_whole = True
        except Exception as error:  # noqa: BLE001 - whatever it is, it is kept with the job
            if running.stop.is_thrown and not running.is_cancelled:
                self._leave(work)  # the server ends, perhaps with the library closed already
                return
            job = _ended(job, error)
        self._finish(work, running.shown(job))

    def _leave(self, work: Work) -> None:
        """Let another server do a job at once, or this one at its next start."""
        if self.table.is_shared:
            try:
                self.table.release(work.job_id)
            except PinciteError as error:
                logger.warning("a job is left to whoever finds it: %s", error)

    def _finish(self, work: Work, job: Job) -> None:
        try:
            is_ours = self.table.finish(job)
        except PinciteError:
            logger.exception("the end of a job cannot be kept")
            return
        if is_ours:
            self._arrivals.drop(work)

    def _beat(self) -> None:
        """Say that this server is at its jobs, and end those whose end somebody asked for."""
        tidied_at = time.monotonic()
        while not self._is_stopping.wait(_LOOK_S):
            for job_id, running in tuple(self._running.items()):
                try:
                    self._look_after(job_id, running)
                except PinciteError as error:
                    logger.warning("the jobs cannot be reached: %s", error)
            if time.monotonic() - tidied_at > _TIDY_S:
                tidied_at = time.monotonic()
                self._served.state.tidy()

    def _look_after(self, job_id: str, running: _Running) -> None:
        job = running.shown(Job(job_id=job_id, name="", state="running", created_at=""))
        is_due = time.monotonic() - running.beat_at >= BEAT_S
        order = self.table.beat(job) if is_due else self.table.order(job_id)
        if is_due:
            running.beat_at = time.monotonic()
        if order == "cancel":
            running.is_cancelled = True
            running.stop.throw()
        elif order == "let go" and not running.is_lost and not running.is_over.is_set():
            # Not stopped: who is stopped takes its document back, and that may be the other server's by now.
            running.is_lost = True
            logger.warning("another server has taken the job %s", job_id)


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
