"""Postings: which passages of which document hold a term, written with the document, read by term.

A row of `postings` holds all passages of one document that hold one term, as packed `(index in the document,
count in the text, count around it)`. "Around it" are the heading path, page headers and footers: found, with less
weight. Hidden lines are not there at all. `docs/decisions/0002-postings.md` says why this is not FTS5.
"""

import sqlite3
import struct
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from pincite.storage.values import storable
from pincite.types.document import FURNITURE, ParsedDocument
from pincite.types.passage import Passage

#: index in the document (uint32), count in the text (uint16), count around it (uint16); little-endian.
POSTING: Final = struct.Struct("<IHH")
#: number of terms in the text and around it (uint32 each).
LENGTH: Final = struct.Struct("<II")
_MOST: Final = 0xFFFF
#: A passage whose lines hold more characters than this, and more than twice its text, is a piece of a long line.
_LONG_LINES: Final = 4000


class SearchedPassage(msgspec.Struct, frozen=True):
    """What of a passage is searched: its running text, what stands around it, and its text with repeated parts."""

    lines: tuple[str, ...]
    around: tuple[str, ...]
    text: str


def searched(document: ParsedDocument, passage: Passage) -> SearchedPassage:
    """Return the lines of a passage that are searched, headers and footers apart, hidden lines left out."""
    lines = document.lines_between(passage.first_line_id, passage.last_line_id)
    visible = [line for line in lines if line.layer != "hidden"]
    around = tuple(line.text for line in visible if line.role in FURNITURE)
    own = tuple(line.text for line in visible if line.role not in FURNITURE)
    # A line may be the whole document: each of its pieces is found by its own words, not by those of all.
    is_piece = passage.kind != "table" and sum(map(len, own)) > max(_LONG_LINES, 2 * len(passage.text))
    return SearchedPassage(
        lines=tuple(passage.text.split("\n")) if is_piece else own,
        around=(*passage.breadcrumb, *around),
        # A piece of a table repeats the header row, whose lines stand outside the piece.
        text=passage.text if passage.kind == "table" else "",
    )


class Index(msgspec.Struct, frozen=True):
    """What is searched of one document: packed postings by term, packed lengths, and in how many passages a word is."""

    postings: dict[str, bytes]
    lengths: bytes
    words: dict[str, int]


def index_document(connection: sqlite3.Connection, doc_no: int, first_passage_id: int,
                   passages: Sequence[SearchedPassage]) -> None:  # fmt: skip
    """Write the postings, lengths and words of one document; `forget_document` is called before, not here."""
    made = index_of(passages)
    connection.execute(
        "INSERT INTO passage_lengths VALUES (?, ?, ?, ?)", (doc_no, first_passage_id, len(passages), made.lengths)
    )
    connection.executemany(
        "INSERT INTO postings VALUES (?, ?, ?)",
        ((storable(term), doc_no, data) for term, data in made.postings.items()),
    )
    _count_words(connection, doc_no, made.words)


def index_of(passages: Sequence[SearchedPassage]) -> Index:
    """Return the postings, lengths and words of the passages of one document, terms in order."""
    # Only here, because opening and listing a library do not need the stemmer.
    from pincite.text.joining import join_lines
    from pincite.text.tokens import index_terms, line_terms, words

    postings: dict[str, bytearray] = {}
    lengths = bytearray()
    vocabulary: Counter[str] = Counter()
    for index, passage in enumerate(passages):
        text = Counter(line_terms(passage.lines))
        around = Counter(index_terms(passage.text)) - text
        for line in passage.around:
            around.update(index_terms(line))
        lengths += LENGTH.pack(text.total(), around.total())
        for term in text.keys() | around.keys():
            posting = POSTING.pack(index, min(text[term], _MOST), min(around[term], _MOST))
            postings.setdefault(term, bytearray()).extend(posting)
        vocabulary.update(set(words(join_lines(passage.lines).text)).union(*map(words, passage.around)))
    return Index({term: bytes(postings[term]) for term in sorted(postings)}, bytes(lengths), dict(vocabulary))


def forget_document(connection: sqlite3.Connection, doc_no: int) -> None:
    """Take the postings, lengths and words of one document out."""
    connection.execute("DELETE FROM postings WHERE doc_no = ?", (doc_no,))
    connection.execute("DELETE FROM passage_lengths WHERE doc_no = ?", (doc_no,))
    row = connection.execute("SELECT counts FROM document_words WHERE doc_no = ?", (doc_no,)).fetchone()
    if row is not None:
        counts = msgspec.msgpack.decode(row[0], type=dict[str, int])
        connection.executemany(
            "UPDATE words SET n_passages = n_passages - ? WHERE word = ?", ((n, word) for word, n in counts.items())
        )
        connection.executemany("DELETE FROM words WHERE word = ? AND n_passages <= 0", ((word,) for word in counts))
        connection.execute("DELETE FROM document_words WHERE doc_no = ?", (doc_no,))


def load_words(connection: sqlite3.Connection) -> dict[str, int]:
    """Return every word with the number of passages that hold it."""
    return dict(connection.execute("SELECT word, n_passages FROM words"))


def count_passages(connection: sqlite3.Connection, terms: Iterable[str], doc_nos: str | None) -> dict[str, int]:
    """Return the number of passages that hold each term; `doc_nos` is a JSON list, `None` means everywhere."""
    within = "" if doc_nos is None else " AND doc_no IN (SELECT value FROM json_each(?))"
    statement = f"SELECT SUM(length(data)) FROM postings WHERE term = ?{within}"  # noqa: S608 - fixed parts
    counts = {}
    for term in dict.fromkeys(terms):
        arguments = (storable(term),) if doc_nos is None else (storable(term), doc_nos)
        counts[term] = (connection.execute(statement, arguments).fetchone()[0] or 0) // POSTING.size
    return counts


def _count_words(connection: sqlite3.Connection, doc_no: int, counts: dict[str, int]) -> None:
    # Letters are never lone surrogates, so words are always text.
    connection.executemany(
        "INSERT INTO words VALUES (?, ?) "
        "ON CONFLICT (word) DO UPDATE SET n_passages = n_passages + excluded.n_passages",
        sorted(counts.items()),
    )
    connection.execute("INSERT INTO document_words VALUES (?, ?)", (doc_no, msgspec.msgpack.encode(counts)))
