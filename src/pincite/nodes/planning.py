"""What is to be done, in pieces for nodes: files of about as many bytes, texts, tables."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, Self

import msgspec

from pincite.add import FailedFile
from pincite.errors import PinciteError
from pincite.nodes.engine import Work
from pincite.nodes.orders import EmbedOrder, Job, ParseOrder, PlannedFile, SentFile, TidyOrder
from pincite.nodes.work import embed_texts, parse_files, tidy
from pincite.parsing.worker import Job as ParseJob
from pincite.parsing.worker import content_of
from pincite.storage.lance.vectors import KnownEmbedder

#: The most files and bytes of a piece. A commit of a node costs as much for one document as for a hundred; a piece that
#: is lost is done again.
_MOST_FILES: Final = 64
_MOST_BYTES: Final = 16 << 20
#: The most texts of a piece: about ten seconds of work for one core.
_MOST_TEXTS: Final = 512
#: Each piece that is done leaves a file in each table: after this many tables are tidied, then after twice as many, and
#: so on, so that the work of tidying stays a small share.
_TIDY_AFTER: Final = 64
#: Each node is to get this many pieces at least, so that none is idle while another has its last one.
_ROUNDS: Final = 4


# Plain structs: a piece is a plan of this process, and never written anywhere.
class Files(msgspec.Struct, frozen=True):
    """Files that one node parses together."""

    job: Job
    files: tuple[PlannedFile, ...]

    @property
    def work(self) -> Work:
        """What a node does with it."""
        return parse_files

    @property
    def on_gpu(self) -> bool:
        """No part of it runs on a GPU."""
        return False

    @property
    def n_bytes(self) -> int:
        """What all files have together."""
        return sum(file.n_bytes for file in self.files)

    def order(self) -> ParseOrder:
        """Read the files."""
        return ParseOrder(job=self.job, files=tuple(_read(file, self.job) for file in self.files))

    def halves(self) -> tuple[Self, ...]:
        """Return two pieces of half the files."""
        return tuple(msgspec.structs.replace(self, files=half) for half in _halves(self.files))


class Texts(msgspec.Struct, frozen=True):
    """Texts that one node embeds."""

    job: Job
    known: KnownEmbedder
    texts: tuple[tuple[str, str], ...]
    wants_gpu: bool = False

    @property
    def work(self) -> Work:
        """What a node does with it."""
        return embed_texts

    @property
    def on_gpu(self) -> bool:
        """Whether nodes with a GPU are to do it."""
        return self.wants_gpu

    @property
    def n_bytes(self) -> int:
        """About the bytes of the texts."""
        return sum(len(text) for _, text in self.texts)

    def order(self) -> EmbedOrder:
        """Return the texts."""
        return EmbedOrder(job=self.job, known=self.known, texts=self.texts)

    def halves(self) -> tuple[Self, ...]:
        """Return two pieces of half the texts."""
        return tuple(msgspec.structs.replace(self, texts=half) for half in _halves(self.texts))


class Table(msgspec.Struct, frozen=True):
    """A table that is to be tidied."""

    wanted: TidyOrder

    @property
    def work(self) -> Work:
        """What a node does with it."""
        return tidy

    @property
    def on_gpu(self) -> bool:
        """No part of it runs on a GPU."""
        return False

    @property
    def n_bytes(self) -> int:
        """Nothing is sent."""
        return 0

    def order(self) -> TidyOrder:
        """Return what is wanted."""
        return self.wanted

    def halves(self) -> tuple[Self, ...]:
        """Return it whole."""
        return (self,)


def files_in_pieces(files: Sequence[PlannedFile], job: Job, n_slots: int) -> Iterator[Files]:
    """Yield pieces of about as many files, none of more bytes than a node should have at a time but for one file."""
    most = _share(len(files), n_slots, _MOST_FILES)
    piece: list[PlannedFile] = []
    n_bytes = 0
    for file in files:
        if piece and (len(piece) >= most or n_bytes + file.n_bytes > _MOST_BYTES):
            yield Files(job, tuple(piece))
            piece, n_bytes = [], 0
        piece.append(file)
        n_bytes += file.n_bytes
    if piece:
        yield Files(job, tuple(piece))


def with_tidying(pieces: Iterable[Files], tables: Callable[[], Iterable[TidyOrder]]) -> Iterator[Files | Table]:
    """Yield pieces, and `tables` to tidy after the first `_TIDY_AFTER` of them, after twice as many, and so on."""
    next_tidy = _TIDY_AFTER
    for n_pieces, piece in enumerate(pieces, start=1):
        yield piece
        if n_pieces == next_tidy:
            next_tidy *= 2
            yield from map(Table, tables())


def texts_in_pieces(texts: Iterable[tuple[str, str]], n_texts: int, like: Texts, n_slots: int) -> Iterator[Texts]:
    """Yield pieces `like` one, of as many texts each, read as they are needed; `n_texts` says about how many."""
    most = _share(n_texts, n_slots, _MOST_TEXTS)
    waiting = iter(texts)
    while piece := tuple(islice(waiting, most)):
        yield msgspec.structs.replace(like, texts=piece)


def _share(n_things: int, n_slots: int, most: int) -> int:
    return min(most, max(1, -(-n_things // (n_slots * _ROUNDS))))


def _halves(things: tuple[Any, ...]) -> tuple[tuple[Any, ...], ...]:
    middle = len(things) // 2
    return (things[:middle], things[middle:]) if middle else (things,)


def _read(file: PlannedFile, job: Job) -> SentFile:
    """Return a file with its bytes, or with the error that parsing it here would have."""
    sent = SentFile(name=file.name, uri=file.uri, doc_id=file.doc_id)
    most = job.settings.max_file_mb * 2**20
    try:
        content = content_of(ParseJob(name=file.name, uri=file.uri, max_bytes=most, path=os.fsencode(file.path)))
    except PinciteError as error:
        failed = FailedFile(name=file.name, code=error.code, message=str(error))
        return msgspec.structs.replace(sent, failed=failed)
    return msgspec.structs.replace(sent, content=content)
