"""Settings as files and code blocks hold them: a value beside or below its key, keys within keys."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from pincite.text.tokens import token_terms
from pincite.types.source import ReadingLine

_FILES: Final = re.compile(
    r"\.(?:ya?ml|json[c5]?|toml|ini|cfg|conf|properties|env)$|(?:^|/)\.env[\w.]*$", re.IGNORECASE
)
_FENCE: Final = re.compile(r"^\s*(?:```+|~~~+)\s*(?P<language>[\w+-]*)")
_LANGUAGES: Final = frozenset("yaml yml json jsonc json5 toml ini cfg conf properties env dotenv".split())
_TABLE: Final = re.compile(r"^\s*\[{1,2}(?P<path>[^\[\]]+)\]{1,2}\s*(?:[#;].*)?$")
_PAIR: Final = re.compile(
    r"^(?P<indent>\s*)(?P<dash>-\s+)?(?:export\s+)?(?P<quote>[\"']?)"
    r"(?P<key>[\w.$/@*-]+(?:[ ][\w.$/@*-]+){0,4})(?P=quote)"
    r"\s*(?P<sign>[:=])(?=\s|$|\S)\s*(?P<value>.*?)\s*$"
)
_ELEMENT: Final = re.compile(r"^(?P<indent>\s*)(?:-\s+)?(?P<value>\S.*?)\s*$")
_COMMENT: Final = re.compile(r"^\s*(?:#|//|;)\s*(?P<said>.*)$")
_TRAILING: Final = re.compile(r"\s+(?:#|//)\s.*$")
#: Keys and values within braces, on one line.
_MAPPING: Final = re.compile(r"^\{.*\}$")
#: A value that only opens what stands below it.
_OPENS: Final = re.compile(r"^(?:[\[{|>]|[|>][+-]|&\w+)?$")
#: What is written short in a key.
_SHORT: Final = {
    "max": "maximum", "min": "minimum", "dir": "directory", "num": "number", "addr": "address", "pwd": "password",
    "db": "database", "conn": "connection", "msg": "message", "cfg": "configuration", "config": "configuration",
    "auth": "authentication", "env": "environment", "id": "identifier", "len": "length", "temp": "temperature",
    "freq": "frequency", "img": "image", "pct": "percent", "sec": "seconds", "secs": "seconds", "ms": "milliseconds",
    "mins": "minutes", "mb": "megabytes", "kb": "kilobytes", "gb": "gigabytes", "repo": "repository", "ttl": "lifetime",
}  # fmt: skip


@dataclass(frozen=True)
class Setting:
    """A key with its value: `above` are the keys that it stands in with their lines, `comment` stands beside it.

    `said` is the part of its line that holds it, where the line holds more.
    """

    above: tuple[tuple[str, ReadingLine], ...]
    key: str
    value: str
    line: ReadingLine
    sign: str
    said: str = ""
    comment: str = ""
    elements: tuple[tuple[str, ReadingLine], ...] = field(default=())

    @cached_property
    def key_terms(self) -> frozenset[str]:
        """The index terms of the words of its own key."""
        return key_terms(self.key)

    @cached_property
    def path_terms(self) -> frozenset[str]:
        """The index terms of the keys that it stands in."""
        return frozenset[str]().union(*(key_terms(key) for key, _ in self.above))

    @property
    def path(self) -> str:
        """All its keys, joined by points."""
        return ".".join((*(key for key, _ in self.above), self.key))


def key_terms(key: str) -> frozenset[str]:
    """Return the index terms of the words of a key, and of what they are short for.

    >>> sorted(key_terms("maxSize"))
    ['max', 'maximum', 'size']
    """
    words = [
        w.lower()
        for part in re.split(r"[\W_]+", key)
        for w in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+", part)
    ]
    words += [_SHORT[word] for word in words if word in _SHORT]
    return frozenset(term for word in words for term in token_terms(word)[:1])


def is_settings_file(name: str) -> bool:
    """Say whether a file holds nothing but settings, by its name."""
    return _FILES.search(name) is not None


def settings_in(lines: Sequence[ReadingLine]) -> list[Setting]:
    """Return the settings of files that hold nothing else and of fenced blocks, in reading order."""
    return [setting for block in _blocks(lines) for setting in _settings(block)]


def _blocks(lines: Sequence[ReadingLine]) -> Iterator[list[ReadingLine]]:
    """Yield runs of lines that are settings: those of a file, or of a block that says what language it is in."""
    block: list[ReadingLine] = []
    inside = is_told = False
    for before, line in zip((None, *lines), lines, strict=False):
        if before is not None and before.doc_id != line.doc_id:
            yield block
            block, inside = [], False
        if is_settings_file(line.doc_name):
            block.append(line)
            continue
        fence = _FENCE.match(line.line.text) if line.line.role == "code" else None
        if fence is not None:
            yield block if is_told or all(map(_is_plain, block)) else []
            language = fence["language"].lower()
            block, inside, is_told = [], not inside and (language in _LANGUAGES or not language), bool(language)
        elif inside and line.line.role == "code":
            block.append(line)
    yield block


def _is_plain(line: ReadingLine) -> bool:
    """Say whether a line of a block without a language can be one of settings, and is none of a program."""
    text = line.line.text
    pair = _PAIR.match(text)
    is_pair = pair is not None and not _is_address(pair) and not re.search(r"[;(]\s*$|=>|\w\(", text)
    return not text.strip() or is_pair or bool(_TABLE.match(text) or _COMMENT.match(text) or re.match(r"\s*-\s", text))


@dataclass
class _Open:
    """A key whose block is open: what stands deeper than `indent` belongs to it."""

    indent: int
    key: str
    line: ReadingLine
    comment: str
    elements: list[tuple[str, ReadingLine]] = field(default_factory=list)
    has_keys: bool = False


def _settings(block: Sequence[ReadingLine]) -> Iterator[Setting]:
    table: list[tuple[str, ReadingLine]] = []
    opened: list[_Open] = []
    comment = ""
    for line in block:
        text = line.line.text
        said = _COMMENT.match(text)
        if not text.strip() or said is not None:
            comment = f"{comment} {said['said']}".strip() if said is not None else ""
            continue
        heading = _TABLE.match(text)
        pair = _PAIR.match(text)
        is_dashed = re.match(r"\s*-\s", text) is not None
        indent = len(text) - len(text.lstrip()) + (1 if is_dashed else 0)
        while opened and opened[-1].indent >= indent:
            yield from _closed(table, opened)
        if heading is not None and not opened:
            table, comment = [(heading["path"].strip(" \"'"), line)], ""
        elif _MAPPING.match(text.strip().removesuffix(",")):
            above = (*table, *((one.key, one.line) for one in opened))
            yield from _inline(text.strip().removesuffix(","), above, line)
        elif pair is None or _is_address(pair):
            element = _ELEMENT.match(text)
            if opened and element is not None and any(map(str.isalnum, text)):
                opened[-1].elements.append((_bare(element["value"]), line))
        else:
            if opened:
                opened[-1].has_keys = True
            above = (*table, *((one.key, one.line) for one in opened))
            beside = _TRAILING.search(text)
            told = " ".join(filter(None, (comment, beside.group().strip() if beside else "")))
            if _OPENS.match(_bare(pair["value"])):
                opened.append(_Open(indent, pair["key"], line, told))
            else:
                yield from _of_pair(pair, above, line, comment=told)
        comment = ""
    while opened:
        yield from _closed(table, opened)


def _of_pair(
    pair: re.Match[str],
    above: tuple[tuple[str, ReadingLine], ...],
    line: ReadingLine,
    *,
    said: str = "",
    comment: str = "",
) -> Iterator[Setting]:
    """Yield the setting of a key with its value, or those of the mapping that is its value."""
    value = _bare(pair["value"])
    if _MAPPING.match(value):
        yield from _inline(value, (*above, (pair["key"], line)), line)
        return
    inline = re.fullmatch(r"\[([^\[\]{}]*)\]", value)
    inside = [_bare(part) for part in inline[1].split(",")] if inline is not None else []
    elements = tuple((part, line) for part in inside if part)
    yield Setting(above, pair["key"], value, line, pair["sign"], said, comment, elements)


def _inline(text: str, above: tuple[tuple[str, ReadingLine], ...], line: ReadingLine) -> Iterator[Setting]:
    """Yield the settings of a mapping that stands on one line: "{"port": 7070, "tls": false}"."""
    for part in _parts(text.strip()[1:-1]):
        pair = _PAIR.match(part.strip())
        if pair is not None and pair["value"]:
            yield from _of_pair(pair, above, line, said=part.strip())


def _parts(text: str) -> Iterator[str]:
    """Yield what commas part, those inside brackets and quotes left alone."""
    start = depth = 0
    quote = ""
    for at, char in enumerate(text):
        if quote:
            quote = "" if char == quote and text[at - 1] != "\\" else quote
        elif char in "\"'":
            quote = char
        elif char in "[{":
            depth += 1
        elif char in "]}":
            depth -= 1
        elif char == "," and depth == 0:
            yield text[start:at]
            start = at + 1
    yield text[start:]


def _is_address(pair: re.Match[str]) -> bool:
    """Say whether what looks like a key is part of a value: "- http://…", "- 8080:80"."""
    return pair["sign"] == ":" and not pair["quote"] and not re.match(r"\s|$", pair.string[pair.end("sign") :])


def _closed(table: Sequence[tuple[str, ReadingLine]], opened: list[_Open]) -> Iterator[Setting]:
    """Yield the innermost open key where its values stand below it, and close it."""
    one = opened.pop()
    if one.elements and not one.has_keys:
        above = (*table, *((other.key, other.line) for other in opened))
        value = ", ".join(text for text, _ in one.elements)
        yield Setting(above, one.key, value, one.line, ":", "", one.comment, tuple(one.elements))


def _bare(value: str) -> str:
    """Return a value without a comment behind it, the comma of JSON and quotes around the whole."""
    text = _TRAILING.sub("", value).strip().removesuffix(",").strip()
    quoted = re.fullmatch(r"([\"'])([^\"']*)\1", text)
    return quoted[2] if quoted else text
