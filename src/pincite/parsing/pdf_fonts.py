"""The fonts of a page: name, weight, whether letters are of one width, whether it says what its glyphs mean."""

import ctypes
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pincite.parsing.pdf_calls import Ints, call, each, ready

_BOLD_NAMES = ("bold", "black", "heavy", "semibd", "demi")
_CODE_NAMES = ("courier", "mono", "consol", "typewriter", "cmtt", "menlo", "monaco", "inconsolata", "code")
#: Bit 1 of the font descriptor's flags (PDF 32000-1, table 123): all glyphs have one width.
_FIXED_PITCH = 1
_HEAVY = 600
#: Room for the name of a font; longer ones are asked for again.
_NAME_BYTES = 256


@dataclass(frozen=True, slots=True)
class Font:
    """A font as it is used on a page."""

    name: str
    bold: bool
    fixed: bool


def fonts_of(objects: list[int]) -> tuple[list[Font], Ints]:
    """Return the fonts of text objects, and for each object which of them it has."""
    fonts = each("FPDFTextObj_GetFont", ready(objects))
    seen = {font: at for at, font in enumerate(dict.fromkeys(fonts))}
    index = [seen[font] for font in fonts]
    return [_font(font) for font in seen], np.array(index, np.int64)


def _font(font: int) -> Font:
    if not font:
        return Font("", bold=False, fixed=False)
    buffer = ctypes.create_string_buffer(_NAME_BYTES)
    size = call("FPDFFont_GetBaseFontName")(font, ctypes.addressof(buffer), _NAME_BYTES)
    if size > _NAME_BYTES:
        buffer = ctypes.create_string_buffer(size)
        call("FPDFFont_GetBaseFontName")(font, ctypes.addressof(buffer), size)
    heavy = call("FPDFFont_GetWeight")(font) >= _HEAVY
    return _named(buffer.value, heavy, bool(call("FPDFFont_GetFlags")(font) & _FIXED_PITCH))


@lru_cache(maxsize=1024)
def _named(raw: bytes, heavy: bool, fixed: bool) -> Font:  # noqa: FBT001 - the key of a cache
    """Return the font of a name, which may say more than its descriptor."""
    name = raw.decode("utf-8", "replace")
    low = name.lower()
    return Font(
        name,
        bold=heavy or any(part in low for part in _BOLD_NAMES),
        fixed=fixed or any(part in low for part in _CODE_NAMES),
    )
