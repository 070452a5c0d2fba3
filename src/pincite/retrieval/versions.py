"""Documents that are versions of one another: which one is in force, now or at a date."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from pincite.retrieval.editions import HEAD_LINES, Edition, agree, edition_of, signature, subject_of
from pincite.text.tokens import index_terms
from pincite.types.document import DocumentRecord, Line

#: Of more documents than this only those are read whose names or metadata speak of a date or version.
_MOST_READ: Final = 300
#: Versions have at least this share of the words of the smaller one in common.
_MIN_SHARED: Final = 0.5
#: What comes out again and again is about another time each: the new one does not replace the old one.
_SERIAL: Final = re.compile(
    r"\b(?:minutes|meetings?|invoices?|receipts?|statements?|logs?|logbook|diary|journal|newsletters?|letters?|agenda"
    r"|orders?|bulletins?|reports?|results|accounts|statistics|survey|review|budget|calendar|week|month|quarter|memo"
    r"|minute|protokolle?|sitzung|rechnung|bericht|jahresbericht|brief|rapport|facture|compte)\b",
    re.IGNORECASE,
)
#: Who asks for a change wants to hear of both versions.
_ABOUT_CHANGE: Final = re.compile(
    r"\b(?:changed?|changes|differen(?:ce|t|ces)|differs?|compare[ds]?|comparison|versus|vs|previous(?:ly)?|earlier"
    r"|former(?:ly)?|used to|before and after|geändert|unterschied|früher)\b",
    re.IGNORECASE,
)

LinesOf = Callable[[str, int], Sequence[Line]]


def superseded(
    records: Sequence[DocumentRecord],
    *,
    as_of: str | None = None,
    question: str = "",
    lines_of: LinesOf | None = None,
    families: Sequence[Sequence[Edition]] | None = None,
) -> dict[str, str]:
    """Return the documents that are not in force, each with the one that is in its place.

    Versions name each other (`replaces`, `superseded_by`), share a title and carry dates, or have names, titles or
    texts that differ in a date, a version number or measured values alone. `as_of` is an ISO date: versions that came
    later are not in force yet. A version that `question` names is meant, whatever is in force. `lines_of` gives the
    first lines of a document; without it names and metadata decide. `families` are those of the records, where they
    are known already.
    """
    out: dict[str, str] = {}
    if len(records) < 2 or _ABOUT_CHANGE.search(question):
        return out
    for family in families_of(records, lines_of) if families is None else families:
        ordered = _in_order(family)
        if ordered is None:
            continue
        named = [e for e in ordered if _is_named(e, question)]
        current = named[-1] if named else _in_force(ordered, as_of)
        kept = {e.record.doc_id for e in named} | {current.record.doc_id}
        out.update({e.record.doc_id: current.record.doc_id for e in ordered if e.record.doc_id not in kept})
    return out


def has_number(edition: Edition, number: str) -> bool:
    """Say whether a version has this number; "2" and "2.0" are one."""
    asked = [int(n) for n in number.split(".")]
    length = max(len(asked), len(edition.version))
    return bool(edition.version) and all(
        (asked[n] if n < len(asked) else 0) == (edition.version[n] if n < len(edition.version) else 0)
        for n in range(length)
    )


def not_in_force_yet(families: Sequence[Sequence[Edition]], as_of: str) -> frozenset[str]:
    """Return the documents of families that are dated later than an ISO date: they say nothing of that time."""
    return frozenset(e.record.doc_id for family in families for e in family if e.date and e.date > as_of)


class Editions:
    """What documents say of their editions, read once for as long as their records stay as they are."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._kept: dict[str, tuple[DocumentRecord, bool, Edition]] = {}

    def of(self, records: Sequence[DocumentRecord], lines_of: LinesOf | None) -> list[Edition]:
        """Return the editions of documents, of which only new and changed ones are read."""
        found: dict[str, tuple[DocumentRecord, bool, Edition]] = {}
        for record in records:
            is_read = lines_of is not None and _speaks(record, len(records))
            known = self._kept.get(record.doc_id)
            if known is None or known[:2] != (record, is_read):
                head = lines_of(record.doc_id, HEAD_LINES) if lines_of is not None and is_read else ()
                known = (record, is_read, edition_of(record, head))
            found[record.doc_id] = known
        # Part of a library may be asked about in between: what is known of the rest stays, what is gone goes in time.
        self._kept = found if 2 * len(found) >= len(self._kept) else self._kept | found
        return [edition for _, _, edition in found.values()]


def families_of(
    records: Sequence[DocumentRecord], lines_of: LinesOf | None = None, known: Editions | None = None
) -> list[list[Edition]]:
    """Return the documents that are versions of one another, family by family; no question changes them.

    `known` is what was read for an earlier state of the documents.
    """
    editions = (known or Editions()).of(records, lines_of)
    leader_of = {e.record.doc_id: e.record.doc_id for e in editions}

    def leader(doc_id: str) -> str:
        while leader_of[doc_id] != doc_id:
            leader_of[doc_id] = leader_of[leader_of[doc_id]]
            doc_id = leader_of[doc_id]
        return doc_id

    def join(one: Edition, other: Edition) -> None:
        leader_of[leader(other.record.doc_id)] = leader(one.record.doc_id)

    for one, other in _linked(editions):
        join(one, other)
    for alike in _alike(editions):
        for other in alike[1:]:
            join(alike[0], other)
    families: dict[str, list[Edition]] = defaultdict(list)
    for edition in editions:
        families[leader(edition.record.doc_id)].append(edition)
    return [family for family in families.values() if len(family) > 1]


def _speaks(record: DocumentRecord, n_records: int) -> bool:
    """Say whether the first lines of a document are read: of many documents only where its name speaks of a version."""
    said = re.search(r"\d|draft|old|new", record.name, re.IGNORECASE) or record.date
    return n_records <= _MOST_READ or bool(said)


def _linked(editions: Sequence[Edition]) -> Iterable[tuple[Edition, Edition]]:
    """Yield the pairs of which one document says that it replaces, or is replaced by, the other."""
    by_name: dict[str, Edition] = {}
    for edition in editions:
        base = edition.record.name.rsplit("/", 1)[-1]
        for name in (edition.record.name, base, base.rsplit(".", 1)[0], edition.title):
            by_name.setdefault(name.casefold(), edition)
    for edition in editions:
        for key in ("replaces", "supersedes", "superseded_by", "replaced_by", "previous_version", "next_version"):
            value = edition.record.metadata.get(key) or edition.record.metadata.get(key.replace("_", "-")) or ()
            for name in value if isinstance(value, list | tuple) else [value]:
                other = by_name.get(str(name).strip().casefold())
                if other is not None and other is not edition:
                    yield edition, other


def _alike(editions: Sequence[Edition]) -> Iterable[list[Edition]]:
    """Yield the groups whose titles, names or texts are the same but for dates, versions and measured values."""
    groups: dict[tuple[str, ...], list[Edition]] = defaultdict(list)
    for edition in editions:
        given = str(edition.record.metadata.get("title") or "").strip().casefold()
        if given and edition.date and (edition.record.date or len(given.split()) > 1):
            groups["title", given].append(edition)
        if _SERIAL.search(f"{edition.record.name.replace('_', ' ')} {edition.title}"):
            continue
        if edition.name_stem is not None and edition.name_stem[1] and len(edition.name_stem[1]) > 2:
            groups["name", *edition.name_stem].append(edition)
        if edition.title_stem and len(edition.title_stem.split()) > 1:
            groups["stem", edition.title_stem].append(edition)
        elif edition.title_stem and edition.name_stem is not None and not edition.name_stem[1]:
            groups["stem", edition.name_stem[0], edition.title_stem].append(edition)
        if edition.date and len((said := signature(edition.head)).split()) >= 3:
            groups["text", said].append(edition)
    for (kind, *_), group in groups.items():
        if kind in ("title", "text"):
            yield group
            continue
        for alike in _of_one_subject(group):
            if len(alike) > 1 and _share_words(alike):
                yield alike


def _of_one_subject(group: Sequence[Edition]) -> Iterable[list[Edition]]:
    """Yield the parts of a group that speak of one thing: "ship-v1" and "ship-v2" may be two ships of one register."""
    left = [(edition, subject_of(edition)) for edition in group]
    while left:
        first = left[0][1]
        yield [edition for edition, said in left if agree(first, said)]
        left = [(edition, said) for edition, said in left if not agree(first, said)]


def _share_words(group: Sequence[Edition]) -> bool:
    """Say whether each has much of the first one's words; texts that were not read are taken for alike."""
    words = [frozenset(t for line in e.head for t in index_terms(line) if t.isalpha()) for e in group]
    first, *others = words
    return all(len(first & w) >= _MIN_SHARED * min(len(first), len(w)) for w in others)


def _in_order(family: Sequence[Edition]) -> list[Edition] | None:
    """Return a family from the oldest to the newest, or `None` where nothing tells them apart."""
    dated = [e for e in family if e.date]
    if len(dated) == len(family) and len({e.date for e in family}) > 1:
        return sorted(family, key=lambda e: (e.date or "", e.version))
    if all(e.version for e in family) and len({e.version for e in family}) > 1:
        return sorted(family, key=lambda e: e.version)
    if any(e.is_out or e.is_draft for e in family) and not all(e.is_out or e.is_draft for e in family):
        return sorted(family, key=lambda e: (not (e.is_out or e.is_draft), e.date or ""))
    if dated and len(dated) < len(family) and not any(e.record.metadata.get("title") for e in family):
        # "fees-2019.md" beside "fees.md": the one without a date is the one that is kept up.
        return sorted(family, key=lambda e: (e.date is None, e.date or ""))
    if all(e.file_date for e in family) and len({e.file_date for e in family}) > 1:
        return sorted(family, key=lambda e: e.file_date or "")
    return None


def _in_force(ordered: Sequence[Edition], as_of: str | None) -> Edition:
    final = [e for e in ordered if not e.is_draft] or list(ordered)
    if as_of is None:
        return ([e for e in final if not e.is_out] or final)[-1]
    before = [e for e in final if (e.date or "9") <= as_of]
    return before[-1] if before else final[0]


def _is_named(edition: Edition, question: str) -> bool:
    """Say whether a question names this version: "protocol 1.2", "version 3", its file name."""
    base = edition.record.name.rsplit("/", 1)[-1]
    stem = base.rsplit(".", 1)[0]
    # There may be many versions, and hardly one is in a question: the patterns are made for that one alone.
    is_there = stem.casefold() in question.casefold()
    if is_there and re.search(rf"(?<!\w){re.escape(base)}(?!\w)", question, re.IGNORECASE):
        return True
    if (
        is_there
        and re.search(r"[\d_-]", stem)
        and re.search(rf"(?<![\w.]){re.escape(stem)}(?!\w|\.\d)", question, re.IGNORECASE)
    ):
        return True
    if edition.is_draft and re.search(r"\b(?:draft|entwurf|proposal)\b", question, re.IGNORECASE):
        return True
    if not edition.version:
        return False
    number = re.escape(".".join(map(str, edition.version)))
    marked = r"\b(?:v|ver|version|rev|revision|edition|release|issue|fassung)\.?\s*"
    before = marked if len(edition.version) == 1 else r"(?<![\w.])v?"
    return re.search(rf"{before}{number}(?!\w|\.\d)", question, re.IGNORECASE) is not None
