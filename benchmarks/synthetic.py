"""Documents of made-up words with the shape of real ones, and an embedder that is as clustered as a real one.

Words follow Zipf's law. A document is about three of 400 topics, which have words of their own, so some words are
common everywhere, some in few documents, most nowhere else. The vector of a text is a random projection of its words,
weighted by how rare they are, in which the words of one topic lie near each other: passages of a topic are
neighbours, as they are with a real model, and a question is near the passages that share its words.
"""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from pincite.types.document import DocumentRecord, Line, Page, ParsedDocument, ParsingSummary, Section
from pincite.types.passage import Passage

N_WORDS: Final = 60_000
N_TOPICS: Final = 400
N_TOPIC_WORDS: Final = 300
N_PASSAGES: Final = 100
LINES_A_PASSAGE: Final = 10
WORDS_A_LINE: Final = 11
LINES_A_PAGE: Final = 45
DIMENSION: Final = 384
#: The share of the words of a passage that its topic gives.
_TOPIC_SHARE: Final = 0.3
_SYLLABLES: Final = [c + v for c in "bdfghklmnprstvwz" for v in "aeiou"]


class Made(NamedTuple):
    """What `Store.put` takes."""

    record: DocumentRecord
    document: ParsedDocument
    passages: list[Passage]


def word(rank: int) -> str:
    """Return the word of a rank: three syllables, no two ranks alike."""
    # 48271 has no factor in common with 80³, so this only changes the order.
    number = rank * 48271 % 80**3
    return "".join(_SYLLABLES[number // 80**place % 80] for place in range(3))


WORDS: Final = [word(number) for number in range(N_WORDS)]
_RANKS: Final = {made: rank for rank, made in enumerate(WORDS)}
_ZIPF: Final = np.cumsum(1 / (np.arange(N_WORDS) + 2.7)) / np.sum(1 / (np.arange(N_WORDS) + 2.7))
_TOPIC_ZIPF: Final = np.cumsum(1 / (np.arange(N_TOPIC_WORDS) + 1.0)) / np.sum(1 / (np.arange(N_TOPIC_WORDS) + 1.0))
#: The words of each topic: of middling and rare ranks, a few of them in several topics.
TOPICS: Final = np.random.default_rng(11).integers(300, N_WORDS, (N_TOPICS, N_TOPIC_WORDS))


def ranks_of(document: int, version: int, n_passages: int) -> tuple[Any, Any]:
    """Return the ranks of the words of a document, a row a passage, and the topic of each passage."""
    random = np.random.default_rng((document, version))
    about = random.integers(0, N_TOPICS, 3)
    topics = about[random.choice(3, n_passages, p=[0.6, 0.3, 0.1])]
    shape = (n_passages, LINES_A_PASSAGE * WORDS_A_LINE)
    ranks = np.searchsorted(_ZIPF, random.random(shape))
    own = TOPICS[topics[:, None], np.searchsorted(_TOPIC_ZIPF, random.random(shape))]
    return np.where(random.random(shape) < _TOPIC_SHARE, own, ranks), topics


def document_of(number: int, version: int = 0, n_passages: int = N_PASSAGES) -> Made:
    """Return a document: pages of 45 lines, a section every ten passages, a passage every ten lines."""
    ranks, topics = ranks_of(number, version, n_passages)
    lines: list[Line] = []
    passages: list[Passage] = []
    toc: list[Section] = []
    for index, row in enumerate(ranks.tolist()):
        if index % 10 == 0:
            toc.append(_section(index, [WORDS[r] for r in TOPICS[topics[index], index // 10 :][:3]], n_passages))
        own = []
        for start in range(0, len(row), WORDS_A_LINE):
            at = len(lines)
            text = " ".join(WORDS[rank] for rank in row[start : start + WORDS_A_LINE])
            # A passage is a sentence or two.
            text = (text.capitalize() if start == 0 else text) + ("." if start + WORDS_A_LINE >= len(row) else "")
            line = Line(
                line_id=at + 1, page_num=1 + at // LINES_A_PAGE, line_num=1 + at % LINES_A_PAGE, text=text,
                section_id=toc[-1].section_id,
            )  # fmt: skip
            lines.append(line)
            own.append(line)
        passages.append(_passage(own, (toc[-1].title,)))
    return _made(number, version, tuple(lines), tuple(toc), passages)


def _section(index: int, words: Sequence[str], n_passages: int) -> Section:
    first, last = index * LINES_A_PASSAGE, min(index + 10, n_passages) * LINES_A_PASSAGE - 1
    title = " ".join(words).capitalize()
    return Section(
        section_id=1 + index // 10,
        parent_id=None,
        level=1,
        title=title,
        breadcrumb=(title,),
        start_page=1 + first // LINES_A_PAGE,
        start_line=1 + first % LINES_A_PAGE,
        start_y=None,
        end_page=1 + last // LINES_A_PAGE,
        end_line=1 + last % LINES_A_PAGE,
        origin="outline",
    )


def _passage(lines: Sequence[Line], breadcrumb: tuple[str, ...]) -> Passage:
    text = "\n".join(line.text for line in lines)
    return Passage(
        first_line_id=lines[0].line_id,
        last_line_id=lines[-1].line_id,
        first_page=lines[0].page_num,
        last_page=lines[-1].page_num,
        section_id=lines[0].section_id,
        breadcrumb=breadcrumb,
        kind="prose",
        text=text,
        text_hash=hashlib.sha256(f"{breadcrumb} {text}".encode()).hexdigest(),
    )


def _made(
    number: int, version: int, lines: tuple[Line, ...], toc: tuple[Section, ...], passages: list[Passage]
) -> Made:
    n_pages = lines[-1].page_num
    document = ParsedDocument(
        name=f"report-{number:05}.txt",
        uri=f"bench:{number:05}",
        media_type="text/plain",
        content_hash=hashlib.sha256(f"{number} {version}".encode()).hexdigest(),
        n_bytes=sum(len(line.text) + 1 for line in lines),
        parser="bench@1",
        metadata={},
        parsing_summary=ParsingSummary(n_pages=n_pages),
        pages=tuple(Page(page_num=n, width_pt=612, height_pt=792, n_lines=LINES_A_PAGE) for n in range(1, n_pages + 1)),
        lines=lines,
        toc=toc,
    )
    record = DocumentRecord.of(
        document,
        doc_id=hashlib.sha256(str(number).encode()).hexdigest()[:16],
        name=document.name,
        added_at="2026-01-01T00:00:00+00:00",
        has_text=True,
    )
    return Made(record, document, passages)


class TopicEmbedder:
    """The random projection of the words of a text; words of one topic lie near each other."""

    name = "topics"
    dimension = DIMENSION

    def __init__(self) -> None:
        """Give every word its direction."""
        random = np.random.default_rng(5)
        self._directions = random.standard_normal((N_WORDS, DIMENSION), dtype=np.float32)
        # The directions of topics decay as the spectrum of a real model does: few of them say most.
        spectrum = (np.arange(DIMENSION, dtype=np.float32) + 10) ** -0.5
        centres = random.standard_normal((N_TOPICS, DIMENSION), dtype=np.float32) * spectrum
        centres *= np.sqrt(DIMENSION) / np.linalg.norm(centres, axis=1, keepdims=True)
        for topic, ranks in enumerate(TOPICS):
            self._directions[ranks] += 0.3 * centres[topic]
        self._directions *= np.log(np.arange(N_WORDS, dtype=np.float32) + 3)[:, None]

    def of_ranks(self, ranks: Any) -> Any:
        """Return the vectors of passages that are given as rows of ranks of words."""
        made = np.array([self._directions[row].sum(axis=0) for row in ranks])
        return made / np.linalg.norm(made, axis=1, keepdims=True)

    def embed(self, texts: Sequence[str]) -> Any:
        """Return vectors of length one; words that are not ours count for nothing."""
        made = np.empty((len(texts), DIMENSION), dtype=np.float32)
        for row, text in enumerate(texts):
            known = [r for w in text.lower().replace(".", " ").split() if (r := _RANKS.get(w)) is not None]
            made[row] = self._directions[known].sum(axis=0) if known else self._directions[0]
        return made / np.linalg.norm(made, axis=1, keepdims=True)


def questions(n: int) -> Iterator[str]:
    """Yield questions of six words of a topic, some common in it and some rare, and two of everyday language."""
    random = np.random.default_rng(7)
    for _ in range(n):
        own = TOPICS[random.integers(N_TOPICS)][np.searchsorted(_TOPIC_ZIPF, random.random(6))]
        everyday = np.searchsorted(_ZIPF, random.random(2))
        named = [WORDS[rank] for rank in dict.fromkeys([*own.tolist(), *everyday.tolist()])]
        yield f"What do the reports say about {' '.join(named[:3])} and {' '.join(named[3:])}?"
