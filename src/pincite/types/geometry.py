"""`BBox` and `PageSize` in PDF points, origin top-left, plus pure box arithmetic."""

from pincite.types.record import Record


class PageSize(Record, frozen=True, kw_only=True):
    """Width and height of one page as it is displayed, in points (1/72 inch)."""

    width_pt: float
    height_pt: float


class BBox(Record, frozen=True, kw_only=True):
    """A rectangle on a displayed page: points, origin at the top-left corner, y grows down."""

    x0: float
    y0: float
    x1: float
    y1: float

    def __post_init__(self) -> None:
        """Refuse boxes that are turned inside out."""
        if self.x1 < self.x0 or self.y1 < self.y0:
            raise ValueError(f"box is inside out: {self!r}")

    @property
    def width_pt(self) -> float:
        """Horizontal extent in points."""
        return self.x1 - self.x0

    @property
    def height_pt(self) -> float:
        """Vertical extent in points."""
        return self.y1 - self.y0

    def union(self, other: "BBox") -> "BBox":
        """Return the smallest box that covers both."""
        return BBox(
            x0=min(self.x0, other.x0),
            y0=min(self.y0, other.y0),
            x1=max(self.x1, other.x1),
            y1=max(self.y1, other.y1),
        )

    def as_list(self) -> list[float]:
        """Return `[x0, y0, x1, y1]`, the form of the JSON contract."""
        return [self.x0, self.y0, self.x1, self.y1]

    def as_fractions(self, page: PageSize) -> tuple[float, float, float, float]:
        """Return `(x0, y0, x1, y1)` with the page as the unit square.

        The browser multiplies by its own viewport, so zoom needs no server call.

        >>> BBox(x0=0, y0=99, x1=306, y1=198).as_fractions(
        ...     PageSize(width_pt=612, height_pt=792)
        ... )
        (0.0, 0.125, 0.5, 0.25)
        """
        w, h = page.width_pt, page.height_pt
        return (self.x0 / w, self.y0 / h, self.x1 / w, self.y1 / h)
