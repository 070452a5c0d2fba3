"""Letters for pictures: a font that ships with Pillow for numbers, the system's own for names."""

import unicodedata
from functools import lru_cache

from PIL import ImageFont

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

#: Sans-serif fonts of Linux, macOS and Windows by file name, widest coverage of ordinary names first.
_FONTS = (
    "DejaVuSans.ttf",
    "NotoSans-Regular.ttf",
    "LiberationSans-Regular.ttf",
    "Arial.ttf",
    "arial.ttf",
    "Arial Unicode.ttf",
    "NotoSansCJK-Regular.ttc",
    "msyh.ttc",
    "Hiragino Sans GB.ttc",
)
#: A character that no font has: what it looks like is the sign for "missing".
_NO_CHARACTER = "\U0010ffff"


@lru_cache(maxsize=64)
def number_font(size_px: int) -> Font:
    """Return the font of line numbers: the same on every machine."""
    return ImageFont.load_default(size_px)


def text_font(text: str, size_px: int) -> Font:
    """Return the first font of this machine that has every character of `text`, else the first there is."""
    fonts = [font for name in _FONTS if (font := _installed(name, size_px)) is not None]
    covering = (font for font in fonts if _covers(font, text))
    return next(covering, next(iter(fonts), number_font(size_px)))


def drawable(text: str, font: Font) -> str:
    """Return `text` with what `font` lacks in its nearest plain form (`é` as `e`), else as `?`."""
    return "".join(char if _covers(font, char) else _plain(char, font) for char in text)


def _plain(char: str, font: Font) -> str:
    dashes = {"—": "-", "–": "-", "…": "...", "·": "-"}
    bare = dashes.get(char) or unicodedata.normalize("NFKD", char)[0]
    return bare if all(_covers(font, part) for part in bare) else "?"


@lru_cache(maxsize=64)
def _installed(name: str, size_px: int) -> ImageFont.FreeTypeFont | None:
    try:
        return ImageFont.truetype(name, size_px)
    except OSError:
        return None


def _covers(font: Font, text: str) -> bool:
    missing = bytes(font.getmask(_NO_CHARACTER))
    return all(char.isspace() or bytes(font.getmask(char)) != missing for char in text)
