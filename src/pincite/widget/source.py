"""A source file to passages: YAML, JSON or Markdown, checked field by field, every fault with its place."""

import datetime as dt
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from pincite.errors import PassagesError
from pincite.types.content_hash import hash_of
from pincite.widget.records import Draft, Scoring, SourceFile
from pincite.widget.sections import sections
from pincite.widget.structured import Structured, read_text, structured
from pincite.widget.words import LANGUAGES, as_terms, stop_words

_HEAD: Final = ("title", "language", "refusal", "suggestions", "scoring", "stop_words", "words", "passages")
_FIELDS: Final = ("id", "title", "text", "url", "tags", "reviewed_by", "reviewed_on", "cite")
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
#: An address with a scheme; of those only the web's own are followed from a page.
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_WEB: Final = re.compile(r"https?://[^/]", re.IGNORECASE)
_UNSEEN: Final = re.compile("[\\x00-\\x20\\x7f-\\xa0\u2028\u2029]")
_MARKDOWN: Final = frozenset({".md", ".markdown"})
_REFUSAL: Final = "That is not among the reviewed passages of this site."


def read_source(path: str | Path) -> SourceFile:
    """Return the passages of a file (`.yaml`, `.yml`, `.json`, `.md`), in its order.

    Raises:
        PassagesError: the file cannot be read, or something in it is not as it has to be; the message says where.

    """
    file = Path(path).expanduser()
    text = read_text(file)
    loaded = sections(text, file.name) if file.suffix.lower() in _MARKDOWN else _structured(file, text)
    if isinstance(loaded.data, list):  # a bare list of passages
        loaded = msgspec.structs.replace(loaded, data={"passages": loaded.data})
    head = _mapping(loaded.data, file.name, "a list `passages`", _HEAD)
    language = _text(head, "language", file.name) or "en"
    own_stop_words = _texts(head, "stop_words", file.name)
    if language not in LANGUAGES and "stop_words" not in head:
        known = ", ".join(LANGUAGES)
        raise PassagesError(f"{file.name}: stop words are known of {known}; for {language!r} list `stop_words`")
    return SourceFile(
        passages=_passages(head.get("passages"), loaded),
        title=_text(head, "title", file.name),
        refusal=_text(head, "refusal", file.name) or _REFUSAL,
        suggestions=_texts(head, "suggestions", file.name),
        scoring=_scoring(head.get("scoring"), file.name),
        language=language,
        stop_words=as_terms(own_stop_words) if "stop_words" in head else stop_words(language),
        words=_words(head.get("words"), file.name),
        content_hash=hash_of(text.encode()),
    )


def _structured(file: Path, text: str) -> Structured:
    ending = file.suffix.lower()
    if ending not in {".yaml", ".yml", ".json"}:
        raise PassagesError(f"{file.name}: passages are kept in a file that ends in .yaml, .json or .md")
    return structured(text, file.name, is_json=ending == ".json")


def _passages(listed: Any, loaded: Structured) -> tuple[Draft, ...]:
    if not isinstance(listed, list):
        raise PassagesError(f"{loaded.name}: it has to hold a list `passages`")
    drafts: dict[str, Draft] = {}
    for number, given in enumerate(listed, start=1):
        draft = _draft(given, loaded.place(given, f"passage {number}"))
        if draft.id in drafts:
            raise PassagesError(
                f"{draft.place}: the id {draft.id!r} is taken by {drafts[draft.id].place}; choose another"
            )
        drafts[draft.id] = draft
    return tuple(drafts.values())


def _draft(given: Any, place: str) -> Draft:
    fields = _mapping(given, place, "a passage with `id` and `text`", _FIELDS)
    texts = {name: _text(fields, name, place) for name in _FIELDS if name != "tags"}
    if not _ID.fullmatch(texts["id"]):
        raise PassagesError(
            f"{place}: the id {texts['id']!r} has to be letters, digits, '.', '_' and '-' (100 at most)"
        )
    if not texts["text"]:
        raise PassagesError(f"{place}: {texts['id']!r} has no text")
    _check_url(texts["url"], place)
    _check_day(texts["reviewed_on"], place)
    return Draft(tags=_tags(fields, place), place=place, **texts)


def _check_url(url: str, place: str) -> None:
    """Refuse what a link must not run, and what a browser would read as something else."""
    if _UNSEEN.search(url) or "\\" in url or (_SCHEME.match(url) and not _WEB.match(url)):
        raise PassagesError(f"{place}: the url {url!r} has to begin with https://, http://, or be a path on the site")


def _check_day(day: str, place: str) -> None:
    try:
        is_day = not day or dt.date.fromisoformat(day).isoformat() == day
    except ValueError:
        is_day = False
    if not is_day:
        raise PassagesError(f"{place}: reviewed-on is {day!r}; write the day as 2026-11-30")


def _tags(fields: Mapping[str, Any], place: str) -> tuple[str, ...]:
    given = fields.get("tags")
    listed = given.split(",") if isinstance(given, str) else _texts(fields, "tags", place)
    return tuple(tag for text in listed if (tag := text.strip()))


def _scoring(given: Any, name: str) -> Scoring:
    if given is None:
        return Scoring()
    try:
        return msgspec.convert(_underscored(given), Scoring, strict=False)
    except (msgspec.ValidationError, AttributeError) as error:
        known = ", ".join(Scoring.__struct_fields__)
        raise PassagesError(f"{name}: scoring: {error}; it may set {known}") from error


def _words(given: Any, name: str) -> dict[str, str]:
    if given is None:
        return {}
    if not isinstance(given, dict) or not all(isinstance(text, str) for text in given.values()):
        raise PassagesError(f"{name}: `words` has to be lines of `key: text`")
    return dict(given)


def _mapping(given: Any, place: str, what: str, known: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise PassagesError(f"{place}: here has to stand {what}")
    fields = _underscored(given)
    unknown = [name for name in fields if name not in known]
    if unknown:
        raise PassagesError(f"{place}: {unknown[0]!r} is not known here; known are {', '.join(known)}")
    return fields


def _underscored(given: Mapping[str, Any]) -> dict[str, Any]:
    return {key.replace("-", "_"): value for key, value in given.items()}


def _text(fields: Mapping[str, Any], name: str, place: str) -> str:
    given = fields.get(name)
    if given is None:
        return ""
    if not isinstance(given, str):
        raise PassagesError(f"{place}: {name} has to be text, not {given!r}")
    if any("\ud800" <= char <= "\udfff" for char in given):
        raise PassagesError(f"{place}: {name} holds half a character (a lone surrogate); write it anew")
    return given.replace("\r\n", "\n").strip()


def _texts(fields: Mapping[str, Any], name: str, place: str) -> tuple[str, ...]:
    given = fields.get(name)
    if given is None or given == "":
        return ()
    if not isinstance(given, list):
        raise PassagesError(f"{place}: {name} has to be a list")
    return tuple(_text({name: each}, name, place) for each in given)
