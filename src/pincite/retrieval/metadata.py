"""What is known of a document beside its text, by the names that people use; and which documents a condition means."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import translate
from functools import lru_cache
from typing import Any, Final
from urllib.parse import unquote

from pincite.errors import FilterError
from pincite.retrieval.editions import edition_of
from pincite.types.document import DocumentRecord
from pincite.types.where import AllOf, AnyOf, Comparison, Condition, Not

_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_NUMBER: Final = re.compile(r"[+-]?\d+(?:\.\d+)?")
_DATE: Final = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")
_TAG_KEYS: Final = ("tag", "tags", "keywords", "labels", "categories", "category")
_AUTHOR_KEYS: Final = ("author", "authors", "creator", "by")

#: Fields that every document may have, whatever its format, and what they hold.
FIELDS: Final[Mapping[str, str]] = {
    "name": "the name that citations show",
    "path": "name, folders and address",
    "type": "the ending of the name, or the media type",
    "title": "the title it gives itself",
    "author": "who wrote it",
    "date": "the date it gives itself, else that of its name",
    "year": "the year of that date",
    "tag": "tags, keywords and categories",
    "language": "two letters: en, de, …",
    "source": "the place it was synced from",
    "added": "when it was added",
    "pages": "how many pages it has",
}


def matching(records: Sequence[DocumentRecord], condition: Condition) -> tuple[DocumentRecord, ...]:
    """Return the documents for which a condition holds, in their order.

    Raises:
        FilterError: it names a field that no document has; the message lists those there are.

    """
    known = set(FIELDS)
    for record in records:
        known.update(_own(record))
    for field in fields_of(condition):
        if records and _key(field) not in known and not any(values_of(r, field) for r in records):
            raise FilterError(f"no document has a field {field!r}; there are: {', '.join(sorted(known))}")
    return tuple(record for record in records if _holds(condition, record))


def values_of(record: DocumentRecord, field: str) -> tuple[str, ...]:
    """Return all values of a field of a document, as text; a field of the file's own metadata can be `a.b`."""
    key = _key(field)
    known = _KNOWN.get(key)
    own = _own(record)
    found = [*(known(record, own) if known is not None else ()), *_texts(own.get(key))]
    if not found and "." in field:
        found = list(_texts(_inside(record.metadata, field)))
    return tuple(dict.fromkeys(value for value in found if value))


def _own(record: DocumentRecord) -> dict[str, Any]:
    """Return the metadata of the file, and over them what the source says."""
    return {_key(key): value for key, value in {**record.metadata, **record.origin}.items()}


def _key(name: str) -> str:
    plain = re.sub(r"[\s-]+", "_", name.strip().lower())
    return {"tags": "tag", "authors": "author", "file": "name", "format": "type", "lang": "language"}.get(plain, plain)


def _inside(metadata: Mapping[str, Any], path: str) -> Any:
    value: Any = metadata
    for part in path.split("."):
        value = {_key(k): v for k, v in value.items()}.get(_key(part)) if isinstance(value, Mapping) else None
    return value


def _texts(value: Any) -> Iterator[str]:
    """Yield a value of metadata as texts: each of a list, nothing of what is none."""
    if isinstance(value, bool):
        yield "true" if value else "false"
    elif isinstance(value, str | int | float):
        yield str(value).strip()
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)


def _date(record: DocumentRecord, own: Mapping[str, Any]) -> Iterable[str]:
    del own
    found = edition_of(record, ()).date
    return () if found is None else (found,)


def _year(record: DocumentRecord, own: Mapping[str, Any]) -> Iterable[str]:
    if given := tuple(_texts(own.get("year"))):
        return given
    dates = [date[:4] for date in _date(record, own)]
    return dates or _YEAR.findall(record.name)


def _tags(record: DocumentRecord, own: Mapping[str, Any]) -> Iterator[str]:
    del record
    for key in _TAG_KEYS:
        for text in _texts(own.get(_key(key))):
            # PDF and Office write all keywords into one text.
            yield from (part.strip() for part in re.split(r"[,;]", text))


def _path(record: DocumentRecord, own: Mapping[str, Any]) -> Iterator[str]:
    address = unquote(record.uri, errors="replace")
    yield from (record.name, address, address.removeprefix("file://"))
    yield from _texts(own.get("path"))


def _type(record: DocumentRecord, own: Mapping[str, Any]) -> Iterator[str]:
    del own
    yield record.media_type
    _, dot, ending = record.name.rpartition(".")
    if dot:
        yield ending.lower()
    yield record.parsing_summary.format


_KNOWN: Final[Mapping[str, Callable[[DocumentRecord, Mapping[str, Any]], Iterable[str]]]] = {
    "name": lambda record, _: (record.name, record.name.rpartition("/")[2]),
    "path": _path,
    "type": _type,
    "title": lambda record, own: (*_texts(own.get("title")), record.parsing_summary.title or ""),
    "author": lambda _, own: [text for key in _AUTHOR_KEYS for text in _texts(own.get(_key(key)))],
    "date": _date,
    "year": _year,
    "tag": _tags,
    "language": lambda record, own: (*_texts(own.get("language")), record.parsing_summary.language or ""),
    "added": lambda record, _: (record.added_at,),
    "pages": lambda record, _: (str(record.n_pages),),
}


def fields_of(condition: Condition) -> Iterator[str]:
    """Yield the fields that a condition names, from left to right."""
    match condition:
        case Comparison(field=field):
            yield field
        case Not(inner=inner):
            yield from fields_of(inner)
        case AllOf(parts=parts) | AnyOf(parts=parts):
            for part in parts:
                yield from fields_of(part)


def _holds(condition: Condition, record: DocumentRecord) -> bool:
    match condition:
        case Not(inner=inner):
            return not _holds(inner, record)
        case AllOf(parts=parts):
            return all(_holds(part, record) for part in parts)
        case AnyOf(parts=parts):
            return any(_holds(part, record) for part in parts)
    values = values_of(record, condition.field)
    match condition.operator:
        case "exists":
            return bool(values)
        case "!=":
            return not any(_is_equal(value, wanted) for value in values for wanted in condition.values)
        case "=":
            return any(_is_equal(value, wanted) for value in values for wanted in condition.values)
        case "~":
            return any(_is_like(value, wanted) for value in values for wanted in condition.values)
    return any(_is_in_order(value, condition.operator, wanted) for value in values for wanted in condition.values)


def _is_equal(value: str, wanted: str) -> bool:
    if _NUMBER.fullmatch(value) and _NUMBER.fullmatch(wanted):
        return float(value) == float(wanted)
    # A year or month stands for all of its days.
    if _DATE.fullmatch(wanted) and _DATE.match(value) and value.startswith(wanted):
        return value == wanted or value[len(wanted)] in "-T "
    return _folded(value) == _folded(wanted)


def _is_like(value: str, wanted: str) -> bool:
    pattern = _folded(wanted)
    if "*" in pattern or "?" in pattern:
        return _glob(pattern).match(_folded(value)) is not None
    return pattern in _folded(value)


def _is_in_order(value: str, operator: str, wanted: str) -> bool:
    left: Any
    right: Any
    if _NUMBER.fullmatch(value) and _NUMBER.fullmatch(wanted):
        left, right = float(value), float(wanted)
    elif _DATE.fullmatch(wanted) and _DATE.match(value):
        # As exact as what was asked for: "date <= 2023" takes in all of 2023.
        left, right = value[: len(wanted)], wanted
    else:
        left, right = _folded(value), _folded(wanted)
    if operator in ("<", "<="):
        return bool(left < right or (operator == "<=" and left == right))
    return bool(left > right or (operator == ">=" and left == right))


@lru_cache(maxsize=100)
def _glob(pattern: str) -> re.Pattern[str]:
    return re.compile(translate(pattern.replace("[", "[[]")), re.DOTALL)


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
