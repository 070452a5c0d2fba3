"""Bytes to text: no letter is ever dropped, and every doubt is a warning."""

import codecs
import re
from dataclasses import dataclass
from typing import Final

from pincite.errors import NotTextError
from pincite.parsing.detect import is_binary, utf16_order
from pincite.parsing.legacy_encoding import decode_western_line, guess_legacy

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LINE: Final = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text without byte order mark and NUL characters, the encoding it had, and what was doubtful."""

    text: str
    encoding: str
    warnings: tuple[str, ...] = ()


def decode(content: bytes, name: str) -> Decoded:
    r"""Return the text of a file; `name` is what the error calls it.

    Tried in turn: a byte order mark, UTF-8, UTF-16 without mark, lines of UTF-8 and Windows-1252 mixed, and the
    legacy encoding whose letters fit best.

    >>> decode(b"5 \x80 for caf\xe9 soup", "menu.txt").text
    '5 € for café soup'

    Raises:
        NotTextError: the bytes are not text in any encoding.

    """
    if is_binary(content):
        raise NotTextError("the bytes are not text, whatever the name says", origin=name)
    decoded = _decode(content)
    n_nuls = decoded.text.count("\0")
    if not n_nuls:
        return decoded
    warning = f"{n_nuls} NUL character{'s' if n_nuls > 1 else ''} removed"
    return Decoded(decoded.text.replace("\0", ""), decoded.encoding, (*decoded.warnings, warning))


def _decode(content: bytes) -> Decoded:
    for bom, encoding in _BOMS:
        if content.startswith(bom):
            return _marked(content[len(bom) :], encoding)
    order = utf16_order(content)
    if order is not None:
        return _marked(content, order)
    try:
        return Decoded(content.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return _mixed(content) or _legacy(content)


def _marked(content: bytes, encoding: str) -> Decoded:
    """Decode what says its encoding; broken places show as U+FFFD, in UTF-8 as Windows-1252."""
    try:
        return Decoded(content.decode(encoding), encoding)
    except UnicodeDecodeError:
        if encoding == "utf-8":
            return _by_line(content)
        text = content.decode(encoding, errors="replace")
        return Decoded(text, encoding, (f"{text.count(chr(0xFFFD))} broken characters are shown as \ufffd",))


def _mixed(content: bytes) -> Decoded | None:
    """Return text whose lines are partly UTF-8 and partly not, or `None` where that is not what it is.

    By chance a line of another encoding is valid UTF-8 now and then; so a mix needs as many lines of UTF-8 as of
    the rest, or a rest that no legacy encoding explains better than Windows-1252.
    """
    lines = [line for line in _LINE.findall(content) if not line.isascii()]
    n_utf8 = sum(_is_utf8(line) for line in lines)
    if n_utf8 == 0:
        return _by_line(content) if _holds_utf8(content) else None
    if n_utf8 < len(lines) - n_utf8 and guess_legacy(content).encoding != "cp1252":
        return None
    return _by_line(content)


def _holds_utf8(content: bytes) -> bool:
    """Say whether most of the characters are UTF-8, with a few bytes of something else between them."""
    text = content.decode("utf-8", errors="surrogateescape")
    n_broken = sum("\udc80" <= char <= "\udcff" for char in text)
    return sum(char > "\x7f" for char in text) - n_broken > n_broken


def _by_line(content: bytes) -> Decoded:
    """Decode line by line: UTF-8 where it is valid, else the valid parts as UTF-8 and the rest as Windows-1252."""
    parts, numbers = [], []
    for number, line in enumerate(_LINE.findall(content), start=1):
        if _is_utf8(line):
            parts.append(line.decode("utf-8"))
        else:
            parts.append(decode_western_line(line))
            numbers.append(str(number))
    shown = ", ".join(numbers[:5]) + (", …" if len(numbers) > 5 else "")
    place = f"line {shown} is" if len(numbers) == 1 else f"lines {shown} are"
    return Decoded("".join(parts), "utf-8", (f"mixed encodings: {place} not UTF-8 and was read as Windows-1252",))


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _legacy(content: bytes) -> Decoded:
    guess = guess_legacy(content)
    text = content.decode(guess.encoding, errors="replace")
    warnings = [] if guess.is_sure else [f"the encoding is uncertain; read as {guess.encoding}"]
    if "\ufffd" in text:
        warnings.append(f"{text.count(chr(0xFFFD))} broken characters are shown as \ufffd")
    return Decoded(text, guess.encoding, tuple(warnings))
