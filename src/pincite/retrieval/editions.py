"""What a document says of its own edition: its date, its version number, whether it is a draft or out of force."""

import re
from collections.abc import Sequence
from typing import Final

from pincite.text.amounts import find_quantities
from pincite.text.dates import find_dates
from pincite.text.months import MONTHS
from pincite.text.tokens import is_stop_term, token_terms
from pincite.types.document import DATE_KEYS, DocumentRecord, Line
from pincite.types.record import Record

#: How many lines from the start of a document are asked for its date and title.
HEAD_LINES: Final = 40
_DATED_LINES: Final = 12
#: When a file was made says little: it counts only where nothing else does.
_FILE_KEYS: Final = "creation_date creationdate created mod_date moddate".split()
_SAYS_DATE: Final = re.compile(
    r"\b(?:effective|valid|in force|in effect|applies|applicable|as of|as at|as from|dated?|issued?|published|revised"
    r"|revision|updated|version|edition|since|gültig|stand|in kraft|ab|fassung|vom|en vigueur|mise? à jour)\b",
    re.IGNORECASE,
)
_VERSION: Final = re.compile(
    r"\b(?:v|ver|version|rev|revision|edition|release|issue|fassung|ausgabe)[ ._-]*(?P<marked>\d+(?:\.\d+)*)\b"
    r"|(?<![\w.])(?P<dotted>\d+(?:\.\d+)+)(?![\w]|\.\d)",
    re.IGNORECASE,
)
_STATE: Final = re.compile(
    r"\b(?:old|new|current|latest|final|superseded|obsolete|archived?|withdrawn|deprecated|draft|entwurf|alt|neu)\b"
)
_OUT_OF_FORCE: Final = frozenset({"superseded", "obsolete", "archived", "archive", "withdrawn", "deprecated", "expired",
                                  "old", "alt", "historic", "replaced"})  # fmt: skip
_DRAFT: Final = frozenset({"draft", "entwurf", "proposed", "proposal", "brouillon"})


class Edition(Record, frozen=True, kw_only=True):
    """A document as one of several versions. `date` is ISO, as far as known; stems are without edition marks."""

    record: DocumentRecord
    date: str | None
    file_date: str | None
    version: tuple[int, ...]
    is_draft: bool
    is_out: bool
    title: str
    name_stem: tuple[str, str] | None
    title_stem: str | None
    head: tuple[str, ...]


def edition_of(record: DocumentRecord, lines: Sequence[Line]) -> Edition:
    """Return what a document says of its edition, in its metadata, name, title and first lines, in this order."""
    metadata = {k.lower().replace("-", "_").replace(" ", "_"): v for k, v in record.metadata.items()}
    head = tuple(
        line.text for line in lines if line.role != "metadata" and line.layer != "hidden" and line.text.strip()
    )
    title = str(metadata.get("title") or "").strip() or (head[0] if head and len(head[0]) <= 90 else "")
    title = title.lstrip("# ").strip()
    folder, _, base = record.name.rpartition("/")
    name = _spaced(base.rsplit(".", 1)[0] if "." in base else base)
    states = set(_STATE.findall(name.lower())) | {str(metadata.get("status") or "").strip().lower()}
    return Edition(
        record=record,
        date=_first_date(metadata, DATE_KEYS) or _named_date(name) or _named_date(title) or _said_date(head),
        file_date=_first_date(metadata, _FILE_KEYS),
        version=_version(str(metadata.get("version") or "")) or _version(name) or _version(title),
        is_draft=bool(states & _DRAFT),
        is_out=bool(states & _OUT_OF_FORCE) or bool(metadata.get("superseded_by")),
        title=title,
        name_stem=(folder, _stem(name)) if _stem(name) or name else None,
        title_stem=_stem(title) or None,
        head=head,
    )


def _first_date(metadata: dict[str, object], keys: Sequence[str]) -> str | None:
    for key in keys:
        if (value := metadata.get(key)) is not None and (iso := _iso(str(value))) is not None:
            return iso
    return None


def _iso(text: str) -> str | None:
    return next((d.value.iso for d in find_dates(text) if not d.value.iso.startswith("--")), None)


def _named_date(name: str) -> str | None:
    compact = re.search(r"(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])(?!\d)", name)
    return "-".join(compact.groups()) if compact else _iso(name)


def _said_date(head: Sequence[str]) -> str | None:
    for line in head[:_DATED_LINES]:
        # A sentence that tells of a date ("revised on 3 May after …") is no date of the document.
        is_short = len(line) <= 120 and len(re.findall(r"[^\W\d_]+", line)) <= 8
        if is_short and _SAYS_DATE.search(line) and (iso := _iso(line)) is not None:
            return iso
    return None


def _version(text: str) -> tuple[int, ...]:
    if re.fullmatch(r"v?\d+(?:\.\d+)*", text.strip()):
        return tuple(int(n) for n in re.findall(r"\d+", text))
    match = _VERSION.search(text)
    if match is None:
        return ()
    return tuple(int(n) for n in (match["marked"] or match["dotted"]).split("."))


def _spaced(name: str) -> str:
    """Return a file name with blanks for its marks, dates and version numbers kept whole."""
    return " ".join(re.sub(r"[_()\[\]+,]|(?<=[^\W\d_])-(?=\w)|(?<=\d)-(?=[^\W\d_])", " ", name).split())


def _stem(text: str) -> str:
    """Return a name without dates, years, version numbers and words of state, in lower case."""
    plain = text.lower()
    plain = re.sub(r"(?<!\d)(?:19|20)\d{6}(?!\d)", " ", plain)
    for date in reversed(find_dates(plain)):
        plain = f"{plain[: date.span.start]} {plain[date.span.end :]}"
    plain = _STATE.sub(" ", _VERSION.sub(" ", plain))
    plain = re.sub(r"\b(?:as of|effective|valid from|from|version|edition|rev|dated)\b\W*$", " ", plain)
    return " ".join(re.findall(r"[^\W_]+", plain))


_NAMING: Final = frozenset(
    "name id no nr number title subject code ref reference titel nummer nom numéro titre".split()
)
_LABELLED: Final = re.compile(r"^\W*(?P<label>[^\W\d_]+)\W*[:|]\s*(?P<value>[^|]*[^\W_][^|]*)")
_INNER_NAME: Final = re.compile(r"(?<=[^\W_] )[A-ZÄÖÜ][\w’-]+")


def subject_of(edition: Edition) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of what a document is about: of its title, or the names in its first line; of its name or id.

    A label that names is "Name", "Id" or a word of the title: "Vessel: Alma" below "Vessel record".
    """
    head = edition.head
    is_titled = bool(edition.record.metadata.get("title")) or (bool(head) and head[0].startswith("#"))
    names = [name for name in _INNER_NAME.findall(head[0]) if name.lower() not in MONTHS] if head else []
    words = (edition.title_stem or "").split() if is_titled else names
    title = frozenset(t for w in words for t in token_terms(w)[:1] if not is_stop_term(t))
    for line in head[1 if is_titled else 0 : _DATED_LINES]:
        match = _LABELLED.match(line)
        if match is not None and (match["label"].lower() in _NAMING or set(token_terms(match["label"])) & title):
            return title, frozenset(t for w in _stem(match["value"]).split() for t in token_terms(w)[:1])
    return title, frozenset()


def agree(one: tuple[frozenset[str], frozenset[str]], other: tuple[frozenset[str], frozenset[str]]) -> bool:
    """Say whether two documents may be about one thing: the words of one are among those of the other."""
    return all(a <= b or b <= a for a, b in zip(one, other, strict=True))


def signature(head: Sequence[str]) -> str:
    """Return the words of a text without its dates and measured values: two versions of one short text share it.

    >>> signature(["Speed limit is 30 km/h."]) == signature(["Speed limit is 20 km/h."])
    True
    >>> signature(["Room 4 is 20 m long."]) == signature(["Room 5 is 22 m long."])
    False
    """
    text = " ".join(head)
    spans = [(d.span.start, d.span.end) for d in find_dates(text)]
    spans += [(q.span.start, q.span.end) for q in find_quantities(text) if q.value.unit or q.value.currency]
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return " ".join(re.findall(r"[^\W_]+", text.lower()))
