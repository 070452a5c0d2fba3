"""What a server keeps beside the documents, in a folder and in Lance tables: one claim for both."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.interfaces.http.conftest import until
from tests.scale.conftest import bucket as bucket
from tests.scale.conftest import s3 as s3

from pincite.ask.conversation import Turn
from pincite.interfaces.http.access.tokens import Tokens
from pincite.interfaces.http.shapes import Job, NewConversation
from pincite.interfaces.http.state.conversations import ConversationTable
from pincite.interfaces.http.state.feedback import Feedback, FeedbackTable
from pincite.interfaces.http.state.jobs import LEASE_S, JobTable, over
from pincite.interfaces.http.state.moments import moment
from pincite.interfaces.http.state.opening import ServerState, open_state
from pincite.storage.ledger import Row
from pincite.types.answer import ReadExtent, Refusal, Searched, Signals

PLACES = ["folder", pytest.param("lance", marks=pytest.mark.scale), pytest.param("s3", marks=pytest.mark.scale)]
Open = Callable[[], ServerState]


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return where a library may be, which nothing is at yet."""
    if request.param == "folder":
        return str(tmp_path / "library")
    pytest.importorskip("lance", reason="the extra `scale` (pylance) is not installed")
    if request.param == "lance":
        return f"lance:{tmp_path / 'library'}"
    address: str = request.getfixturevalue("bucket").address
    return address


@pytest.fixture
def opened(place: str) -> Iterator[Open]:
    """Return what opens the state of one library, as each of several processes does."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(open_state(place))


def row(key: str, data: bytes = b"", **more: Any) -> Row:
    """Return a row."""
    return Row(key=key, data=data or key.encode(), **more)


def test_who_is_first_under_a_key_stays(opened: Open) -> None:
    """A key is given once, whoever else wants it; `put` replaces what is there."""
    one, other = opened().ledger("jobs"), opened().ledger("jobs")

    assert (one.add(row("a", b"first")), other.add(row("a", b"second"))) == (True, False)
    assert (one.get("a"), other.get("a")) == (row("a", b"first"), row("a", b"first"))
    other.put(row("a", b"third"))
    found = one.get("a", newest=True)
    assert found is not None
    assert (found.data, one.get("b")) == (b"third", None)


def test_a_change_of_what_has_changed_is_refused(opened: Open) -> None:
    """Nobody overwrites what another wrote meanwhile: who has an old revision has to look again."""
    one, other = opened().ledger("jobs"), opened().ledger("jobs")
    one.add(row("a"))
    old = other.get("a")
    assert old is not None

    assert one.change(replace(old, data=b"'quoted' \x00\xff", tag="x")) is True
    assert other.change(replace(old, data=b"other")) is False
    assert other.get("a", newest=True) == row("a", b"'quoted' \x00\xff", tag="x", revision=1)
    assert one.change(row("nothing")) is False


def test_of_many_who_change_a_row_one_gets_it(opened: Open) -> None:
    """Whatever wants the same row at the same moment, one has it and knows it; no change is lost."""
    ledgers = [opened().ledger("jobs") for _ in range(4)]
    ledgers[0].add(row("a", b"0"))
    barrier = threading.Barrier(len(ledgers))

    def count(ledger: Any) -> int:
        barrier.wait()
        won = 0
        while won < 3:
            found = ledger.get("a", newest=True)
            won += ledger.change(replace(found, data=str(int(found.data) + 1).encode()))
        return won

    with ThreadPoolExecutor(len(ledgers)) as pool:
        assert list(pool.map(count, ledgers)) == [3] * 4
    found = ledgers[0].get("a", newest=True)
    assert found == row("a", b"12", revision=12)


def test_reading_goes_on_beside_changes(opened: Open) -> None:
    """Threads of one server read what another thread of it is changing, and find one revision or the next."""
    ledger = opened().ledger("jobs")
    ledger.add(row("a", b"0"))

    def change(_: int) -> bool:
        found = ledger.get("a", newest=True)
        assert found is not None
        assert found.data == str(found.revision).encode()
        return ledger.change(replace(found, data=str(found.revision + 1).encode()))

    def look(_: int) -> tuple[str, ...]:
        ledger.get("a", newest=True)
        return tuple(one.key for one in ledger.rows(limit=1))

    with ThreadPoolExecutor(1) as changing, ThreadPoolExecutor(3) as looking:
        changed, looked = changing.map(change, range(20)), looking.map(look, range(200))
        assert (list(changed), set(looked)) == ([True] * 20, {("a",)})


def test_rows_are_found_by_collection_and_tag_in_their_order(opened: Open) -> None:
    """The newest come first, or the oldest; a limit cuts what comes last; deleted rows are gone."""
    ledger = opened().ledger("jobs")
    for n in range(6):
        ledger.add(row(f"k{n}", collection="ab"[n % 2], tag="xyz"[n % 3], at=moment()))

    def keys(**wanted: Any) -> list[str]:
        return [one.key for one in ledger.rows(**wanted)]

    assert keys() == ["k5", "k4", "k3", "k2", "k1", "k0"]
    assert keys(collection="a", oldest_first=True) == ["k0", "k2", "k4"]
    assert keys(tags=("x", "y"), limit=3) == ["k4", "k3", "k1"]
    assert keys(collection="b", tags=("z",), limit=1, oldest_first=True) == ["k5"]
    assert (keys(tags=("q",)), keys(collection="o'clock", limit=2)) == ([], [])
    assert ledger.counts() == {"x": 2, "y": 2, "z": 2}
    ledger.delete(["k0", "k5", "never"])
    ledger.tidy()
    assert keys() == ["k4", "k3", "k2", "k1"]


def test_many_changes_do_not_add_up(opened: Open) -> None:
    """However often rows change, they stay in few files, and who is at them meanwhile loses nothing."""
    states = [opened(), opened()]
    one, other = (state.ledger("jobs") for state in states)
    for n in range(30):
        one.add(row(f"k{n:02}", tag="t"))
    seen = other.get("k07")
    assert seen is not None

    states[0].tidy()
    assert other.change(replace(seen, data=b"changed"))
    one.get("k07", newest=True)  # else what another process did may be a second old
    assert [found.data for found in one.rows(oldest_first=True)][6:9] == [b"k06", b"changed", b"k08"]
    assert one.counts() == {"t": 30}
    if states[0].is_shared:
        tables: Any = one
        assert len(tables._tables.at("jobs").get_fragments()) < 5


def test_new_rows_of_another_process_are_there_at_once(opened: Open) -> None:
    """Who looks for a key that was just given elsewhere finds it, also where looks are a second old at most."""
    one, other = opened().ledger("sessions"), opened().ledger("sessions")
    assert other.get("a") is None

    for key in "abc":
        one.add(row(key))
        assert other.get(key) == row(key)
    one.delete(["a"])
    assert other.get("a", newest=True) is None


def test_a_job_is_taken_by_one_server(opened: Open) -> None:
    """However many servers look for work at the same moment, each job is done once."""
    tables = [JobTable(opened()) for _ in range(3)]
    queued = [tables[0].queue("default", f"{n}.md", upload=f"u{n}", content_hash=str(n)).job_id for n in range(5)]
    barrier = threading.Barrier(len(tables))

    def take_all(table: JobTable) -> list[str]:
        barrier.wait()
        taken = []
        while (work := table.take()) is not None:
            taken.append(work.job_id)
            assert table.finish(Job(job_id=work.job_id, name=work.name, state="done", created_at="", doc_id="d"))
        return taken

    with ThreadPoolExecutor(len(tables)) as pool:
        taken = [job_id for one in pool.map(take_all, tables) for job_id in one]
    taken += take_all_again(tables[0])
    assert sorted(taken) == sorted(queued)
    assert tables[1].counts() == {"done": 5}


def take_all_again(table: JobTable) -> list[str]:
    """Take what three who were in each other's way may have left; the server looks every few seconds."""
    taken: list[str] = []

    def is_empty() -> bool:
        while (work := table.take()) is not None:
            taken.append(work.job_id)
            table.finish(Job(job_id=work.job_id, name=work.name, state="done", created_at="", doc_id="d"))
        return table.counts().keys() == {"done"}

    until(is_empty, what="every job is done")
    return taken


def test_jobs_go_first_in_first_out(opened: Open) -> None:
    """Files are added in the order in which they came; the same bytes are one job while they are under way."""
    table = JobTable(opened())
    names = [f"{n}.md" for n in range(4)]
    jobs = [table.queue("default", name, upload=name, content_hash=name) for name in names]
    again = table.queue("default", "again.md", upload="x", content_hash="0.md")
    table.note("default", over("known.md", doc_id="d"))

    assert again == jobs[0]
    assert [work.name for _ in names if (work := table.take()) is not None] == names
    assert table.take() is None
    assert [job.name for job in table.newest("default", 3, ())] == ["known.md", "3.md", "2.md"]
    assert [job.name for job in table.newest("default", 9, ("done",))] == ["known.md"]
    assert table.newest("other", 9, ()) == ()
    assert (table.get("other", jobs[0].job_id), table.get("default", "näh")) == (None, None)
    assert table.uploads() == frozenset(names)


class Clock:
    """A clock that stands until it is moved."""

    s = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.s


@pytest.mark.parametrize("place", PLACES[1:], indirect=True)  # a library in a folder has one server
def test_a_job_whose_server_fell_silent_is_anothers(opened: Open) -> None:
    """A server that is killed keeps no job; one that comes back after that changes nothing of what the other did."""
    clock = Clock()
    gone, other = JobTable(opened()), JobTable(opened(), now=clock)
    job = gone.queue("default", "a.md", upload="u", content_hash="h")
    assert gone.take() is not None
    assert other.take() is None
    clock.s += LEASE_S - 1
    assert gone.beat(replace(job, stage="parsing", done=3, total=9)) == "go on"
    heard = until(
        lambda: (found := other.get("default", job.job_id)) and found.stage == "parsing" and found, what="the beat"
    )
    assert (heard.state, heard.stage, heard.done, heard.total) == ("running", "parsing", 3, 9)
    assert other.take() is None

    clock.s += LEASE_S
    taken = other.take()
    assert taken is not None
    assert (gone.beat(job), other.order(job.job_id)) == ("let go", "go on")
    assert gone.finish(replace(job, state="failed")) is False
    assert other.finish(replace(job, state="done", doc_id="d")) is True

    def ending() -> Job | None:
        found = gone.get("default", job.job_id)
        return found if found is not None and found.state != "running" else None

    found = until(ending, what="its end is heard of")
    assert (found.state, found.doc_id) == ("done", "d")


def test_a_job_that_ends_every_server_is_given_up(opened: Open) -> None:
    """A file that takes three servers with it has failed, with what to do: it does not take the next ones, too."""
    clock = Clock()
    table = JobTable(opened(), now=clock)
    job = table.queue("default", "bomb.md", upload="u", content_hash="h")
    for _ in range(3):
        assert table.take() is not None
        table = JobTable(opened(), now=clock)
        table.requeue()
        table.take() if table.is_shared else None
        clock.s += LEASE_S

    assert table.take() is None
    found = table.get("default", job.job_id)
    assert found is not None
    assert found.error is not None
    assert (found.state, found.error.code) == ("failed", "job_lost")


def test_a_server_that_ends_leaves_its_jobs_at_once(opened: Open) -> None:
    """What a server that is told to end was at waits for another one, however often that happens."""
    tables = [JobTable(opened()) for _ in range(2)]
    job = tables[0].queue("default", "a.md", upload="u", content_hash="h")
    for n in range(5):
        until(tables[n % 2].take, what="the other one has it")
        tables[n % 2].release(job.job_id)

    assert tables[0].counts() == {"queued": 1}


def test_jobs_are_cancelled_from_anywhere(opened: Open) -> None:
    """A job that waits is over at once; one that runs is told to its server, whoever asks."""
    one, other = JobTable(opened()), JobTable(opened())
    running = one.queue("default", "a.md", upload="u", content_hash="h")
    waiting = one.queue("default", "b.md", upload="v", content_hash="i")
    assert one.take() is not None

    assert other.cancel("default", waiting.job_id) is False
    assert other.cancel("default", running.job_id) is True
    assert other.cancel("elsewhere", running.job_id) is False
    assert (one.beat(running), one.take()) == ("cancel", None)
    assert one.finish(replace(running, state="cancelled"))
    assert other.cancel("default", running.job_id) is False
    assert one.counts() == {"cancelled": 2}


def test_a_token_is_everywhere_and_so_is_its_end(place: str) -> None:
    """A token or session that one server gives opens another at once, and is worthless there a second after its end."""
    here, there = Tokens(place), Tokens(place)
    made = here.new(scopes=["ask"], collection="papers", name="Ana")
    session = here.open_session(made.token)
    assert session is not None

    assert there.caller_of(made.token) == there.caller_of_session(session) == here.caller_of(made.token) is not None
    ended = here.open_session(made.token)
    assert ended is not None
    assert there.caller_of_session(ended) is not None
    there.close_session(ended)
    there.revoke(made.record.token_id)

    def opened_still() -> list[object]:
        found = [here.caller_of(made.token), here.caller_of_session(session), here.caller_of_session(ended)]
        return [caller for caller in found if caller is not None]

    until(lambda: not opened_still(), what="the end is heard of")
    assert [token.state for token in here.all()] == ["revoked"]
    here.close()
    there.close()


def turn(text: str) -> Turn:
    """Return a turn whose question was refused."""
    result = Refusal(
        question=text,
        reason="not_found",
        message="",
        searched=Searched(documents=0, pages=0, sections=0, terms=()),
        read=ReadExtent(lines=0, pages=0),
        signals=Signals(
            answer_found=False,
            complete_answer_found=False,
            context_completeness=0,
            context_structured=False,
            confidence=0,
        ),
        trace_id=text,
    )
    return Turn(message=text, question=text, result=result, notes=("a note",))


def test_a_conversation_goes_on_at_any_server(opened: Open) -> None:
    """What is said at one server is known to the next; nothing that two are told at the same moment is lost."""
    tables = [ConversationTable(opened()) for _ in range(3)]
    scope = NewConversation(docs=("o'clock.md",), where="year=2023")
    conversation_id = tables[0].begin("default", scope)
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda n: tables[n].keep(conversation_id, (turn(f"{n}a"), turn(f"{n}b"))), range(3)))

    found = tables[0].get("default", conversation_id)
    assert found is not None
    assert (found.scope, sorted(one.text for one in found.turns)) == (scope, ["0a", "0b", "1a", "1b", "2a", "2b"])
    (listed,) = tables[1].newest("default", 10)
    assert (listed.conversation_id, listed.n_turns, listed.first_text) == (conversation_id, 6, found.turns[0].text)
    assert (tables[1].get("other", conversation_id), tables[1].delete("other", conversation_id)) == (None, False)


def test_a_deleted_conversation_stays_deleted(opened: Open) -> None:
    """What is answered after a conversation was deleted elsewhere does not bring it back."""
    one, other = ConversationTable(opened()), ConversationTable(opened())
    conversation_id = one.begin("default", NewConversation())

    assert other.delete("default", conversation_id) is True
    one.keep(conversation_id, (turn("late"),))
    assert (one.get("default", conversation_id), one.delete("default", conversation_id)) == (None, False)
    assert other.newest("default", 10) == ()


def said(trace_id: str, *, right: bool = True, by: str = "Ana") -> Feedback:
    """Return feedback on the first cite of an answer."""
    return Feedback(
        trace_id=trace_id, item=0, citation=0, said_by=by, said_at=moment(), right=right, note="", question="q",
        shape="text", item_text="i", doc_id="d", doc_name="n", content_hash="h", page=1, quote="'q'",
    )  # fmt: skip


def test_readers_change_their_mind_and_nobody_elses(opened: Open) -> None:
    """The last word of a reader on a cite counts; those of others and of other answers stay."""
    table = FeedbackTable(opened())
    words = [said("a"), said("a", by="Bö"), said("b"), said("a", right=False)]
    for word in words:
        table.keep("default", word)
    table.keep("other", said("a"))

    assert table.all("default") == (words[1], words[2], words[3])
    assert table.all("default", trace_id="b") == (words[2],)
    assert table.all("default", trace_id="ä") == ()
