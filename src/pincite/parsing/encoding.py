"""Bytes to text: no letter is ever dropped, and every doubt is a warning."""

import codecs
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from pincite.errors import NotTextError
from pincite.parsing.detect import is_binary, utf16_order
from pincite.parsing.legacy_encoding import guess_legacy, holds_misread_utf8

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LINE: Final = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")
#: The sequences that switch to two-byte characters in ISO 2022 (RFC 1468, 1554, 1557), and the codecs to try.
_SWITCH: Final = re.compile(rb"\x1b(?:\$[@AB]|\$[()][A-H@]|\(I)")
_ISO_2022: Final = ("iso2022_kr", "iso2022_jp_2", "iso2022_jp_ext")
#: Half of a UTF-16 pair written like a character of UTF-8: two of them are one character in CESU-8 (UTR 26).
_PAIR: Final = re.compile(rb"\xed([\xa0-\xaf])([\x80-\xbf])\xed([\xb0-\xbf])([\x80-\xbf])")
_BROKEN: Final = re.compile("[\udc80-\udcff]+")


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text without byte order mark and NUL characters, the encoding it had, and what was doubtful."""

    text: str
    encoding: str
    warnings: tuple[str, ...] = ()


def decode(content: bytes, name: str) -> Decoded:
    r"""Return the text of a file; `name` is what the error calls it.

    Tried in turn: a byte order mark, UTF-16 without mark, ISO 2022, UTF-8, CESU-8, UTF-8 with broken bytes or lines
    of another encoding in it, and the legacy encoding whose letters fit best.

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
    if content.isascii():
        return _escaped(content)
    with suppress(UnicodeDecodeError):
        return Decoded(content.decode("utf-8"), "utf-8")
    paired = _paired(content)
    with suppress(UnicodeDecodeError):
        return Decoded(paired.decode("utf-8"), "cesu-8")
    return _by_line(paired) if _is_mixed(paired) else _legacy(content)


def _escaped(content: bytes) -> Decoded:
    """Decode ASCII, or the encodings that hide other letters in it behind escape sequences."""
    text = content.decode("ascii")
    if _SWITCH.search(content) is None:
        return Decoded(text, "utf-8")
    for encoding in _ISO_2022:
        with suppress(UnicodeDecodeError):
            decoded = content.decode(encoding)
            if not decoded.isascii():
                return Decoded(decoded, encoding)
    return Decoded(text, "utf-8", ("escape sequences of an ISO 2022 encoding were not read",))


def _paired(content: bytes) -> bytes:
    """Return CESU-8 as UTF-8: pairs of surrogates become characters of four bytes."""

    def joined(match: re.Match[bytes]) -> bytes:
        return (
            match.group().decode("utf-8", "surrogatepass").encode("utf-16", "surrogatepass").decode("utf-16").encode()
        )

    return _PAIR.sub(joined, content)


def _marked(content: bytes, encoding: str) -> Decoded:
    """Decode what says its encoding; broken places show as U+FFFD, in UTF-8 as in a legacy encoding."""
    try:
        return Decoded(content.decode(encoding), encoding)
    except UnicodeDecodeError:
        if encoding == "utf-8":
            return _by_line(_paired(content))
        text = content.decode(encoding, errors="replace")
        return Decoded(text, encoding, (f"{text.count(chr(0xFFFD))} broken characters are shown as \ufffd",))


def _is_mixed(content: bytes) -> bool:
    """Say whether bytes are UTF-8 with some of another encoding in it.

    By chance a few bytes of another encoding are valid UTF-8 now and then; so a mix needs more characters of UTF-8
    than broken bytes, or as many lines of it, or a rest that no legacy encoding explains better than Windows-1252.
    """
    n_valid, n_broken = _n_valid_and_broken(content)
    if n_valid == 0:
        return False
    if n_valid > n_broken:
        return True
    guess = guess_legacy(content)
    if holds_misread_utf8(content) and (n_broken <= n_valid or (n_broken <= 3 * n_valid and not guess.is_sure)):
        return True
    lines = [line for line in _LINE.findall(content) if not line.isascii()]
    n_utf8 = sum(_is_utf8(line) for line in lines)
    return n_utf8 > 0 and (2 * n_utf8 >= len(lines) or guess.encoding == "cp1252")


def _n_valid_and_broken(content: bytes) -> tuple[int, int]:
    """Return how many bytes go on a character of UTF-8, as chance seldom has it, and how many are not UTF-8."""
    text = content.decode("utf-8", errors="surrogateescape")
    return len(content) - len(text), sum("\udc80" <= char <= "\udcff" for char in text)


def _by_line(content: bytes) -> Decoded:
    """Decode line by line: UTF-8, UTF-8 with broken bytes, or whole lines of a legacy encoding."""
    lines = _LINE.findall(content)
    foreign = [line for line in lines if not _is_utf8(line) and not _is_mostly_utf8(line)]
    guess = guess_legacy(b"\n".join(foreign))
    legacy = guess.encoding if foreign and guess.is_sure else "cp1252"
    parts, numbers, n_bytes = [], [], 0
    for number, line in enumerate(lines, start=1):
        if _is_utf8(line):
            parts.append(line.decode("utf-8"))
            continue
        is_repaired = _is_mostly_utf8(line)
        parts.append(_repaired(line) if is_repaired else line.decode(legacy, errors="replace"))
        n_bytes += _n_valid_and_broken(line)[1] if is_repaired else sum(byte > 0x7F for byte in line)
        numbers.append(str(number))
    text = "".join(parts)
    shown = ", ".join(numbers[:5]) + (", …" if len(numbers) > 5 else "")
    place = f"{n_bytes} byte{'s' if n_bytes > 1 else ''} in line{'s' if len(numbers) > 1 else ''} {shown}"
    outcome = f"{'are' if n_bytes > 1 else 'is'} not UTF-8 and {'were' if n_bytes > 1 else 'was'} read as "
    outcome += "Windows-1252" if legacy == "cp1252" else legacy
    if text.count("\ufffd") > content.count(b"\xef\xbf\xbd"):
        outcome += " or shown as \ufffd"
    return Decoded(text, "utf-8", (f"mixed encodings: {place} {outcome}",))


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _is_mostly_utf8(line: bytes) -> bool:
    """Say whether a line with broken bytes is UTF-8 for the rest."""
    n_valid, n_broken = _n_valid_and_broken(line)
    return n_valid > n_broken or (n_valid > 0 and holds_misread_utf8(line))


def _repaired(line: bytes) -> str:
    r"""Return a line of UTF-8, with its broken bytes as Windows-1252, or as U+FFFD where that cannot be.

    >>> _repaired(b"caf\xc3\xa9 for 5 \x80, \xc3\xa9t\xe9 \x81")
    'café for 5 €, été �'
    """
    text = line.decode("utf-8", errors="surrogateescape")
    letters = [char for char in text if char > "\x7f" and char.isalpha()]
    # In a line of another script a Latin letter is never what was meant.
    if 2 * sum(char > "\u024f" for char in letters) > len(letters):
        return _BROKEN.sub("\ufffd", text)
    return _BROKEN.sub(lambda run: run.group().encode("utf-8", "surrogateescape").decode("cp1252", "replace"), text)


def _legacy(content: bytes) -> Decoded:
    guess = guess_legacy(content)
    text = content.decode(guess.encoding, errors="replace")
    warnings = []
    if not guess.is_sure:
        rival = "" if guess.rival is None else f", could be {guess.rival}"
        readings = "" if guess.readings is None else f" ({' or '.join(map(repr, guess.readings))})"
        warnings.append(f"the encoding is uncertain: read as {guess.encoding}{rival}{readings}")
    if "\ufffd" in text:
        warnings.append(f"{text.count(chr(0xFFFD))} broken characters are shown as \ufffd")
    return Decoded(text, guess.encoding, tuple(warnings))
