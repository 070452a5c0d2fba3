"""The tints of highlights: one for each item of an answer, the same in every form of output."""

from pincite.types.record import Record


class Tint(Record, frozen=True, kw_only=True):
    """A highlight colour: `fill` lies under the text, `ink` is readable on white and on `fill`."""

    name: str
    fill: tuple[int, int, int]
    ink: tuple[int, int, int]

    @property
    def fill_hex(self) -> str:
        """The fill as `#rrggbb`."""
        return "#{:02x}{:02x}{:02x}".format(*self.fill)

    @property
    def ink_hex(self) -> str:
        """The ink as `#rrggbb`."""
        return "#{:02x}{:02x}{:02x}".format(*self.ink)


#: Light and dark ends of the hues of Okabe and Ito's colour-blind-safe set ("Color Universal Design",
#: 2008), so that neighbours differ in lightness as well; numbers are always drawn too.
TINTS: tuple[Tint, ...] = (
    Tint(name="amber", fill=(255, 221, 120), ink=(128, 80, 0)),
    Tint(name="sky", fill=(176, 221, 247), ink=(0, 84, 133)),
    Tint(name="green", fill=(170, 228, 203), ink=(0, 97, 71)),
    Tint(name="pink", fill=(243, 199, 224), ink=(133, 48, 96)),
    Tint(name="vermilion", fill=(255, 196, 163), ink=(150, 52, 0)),
    Tint(name="lavender", fill=(205, 205, 247), ink=(59, 59, 150)),
)
#: How much of the fill is laid on the page.
OPACITY = 0.85


def tint(item_num: int) -> Tint:
    """Return the tint of an item, counted from 1; after the last tint the first comes again."""
    return TINTS[(item_num - 1) % len(TINTS)]


def laid_on_white(fill: tuple[int, int, int]) -> tuple[int, int, int]:
    """Return the colour that `fill` has on white paper at `OPACITY`."""
    red, green, blue = (round(255 - OPACITY * (255 - part)) for part in fill)
    return (red, green, blue)
