"""Pictures of pages with highlighted lines, the last ones kept."""

import hashlib
import os
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from pincite.interfaces.http.drawing import Drawers, Sheet
from pincite.interfaces.http.problems import ProblemError
from pincite.library import Library
from pincite.types.citation import HighlightBox
from pincite.types.document import DocumentRecord
from pincite.types.record import Record

#: Media types whose pages can be drawn.
DRAWN: Final = frozenset(
    {"application/pdf", "image/png", "image/jpeg", "image/gif", "image/tiff", "image/webp", "image/bmp"}
)
#: Raise this when pages are drawn in another way: what browsers keep is then stale.
_DRAWING_VERSION: Final = 1


class PageView(Record, frozen=True, kw_only=True):
    """What is drawn: a page at `scale` (1 is 72 pixels an inch), with lines of that page (by `line_num`) marked."""

    page_num: int
    scale: float
    lines: tuple[tuple[int, int], ...] = ()

    def tag_of(self, content_hash: str) -> str:
        """Return what stands for the picture of this view of a document: the same tag is the same picture."""
        named = f"{content_hash} {self.page_num} {self.scale:g} {self.lines} {_DRAWING_VERSION}"
        return hashlib.sha256(named.encode()).hexdigest()[:32]


class PictureCache:
    """PNG pictures by tag, the most recently used ones, in a bounded number of bytes."""

    def __init__(self, most_bytes: int) -> None:
        """Start empty."""
        self._most_bytes = most_bytes
        self._guard = threading.Lock()
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self.n_bytes = 0

    def get(self, tag: str) -> bytes | None:
        """Return a picture, or `None`."""
        with self._guard:
            if tag in self._kept:
                self._kept.move_to_end(tag)
            return self._kept.get(tag)

    def keep(self, tag: str, picture: bytes) -> None:
        """Keep a picture, and let go of those that were not asked for longest."""
        with self._guard:
            self.n_bytes += len(picture) - len(self._kept.pop(tag, b""))
            self._kept[tag] = picture
            while self.n_bytes > self._most_bytes:
                self.n_bytes -= len(self._kept.popitem(last=False)[1])


def check_drawable(record: DocumentRecord, page_num: int) -> None:
    """Raise a `ProblemError` (404) where the document has no such page to draw."""
    if record.media_type not in DRAWN:
        detail = (
            f"documents of type {record.media_type} have no page pictures; "
            f"show their lines: /v1/documents/{record.doc_id}/lines"
        )
        raise ProblemError(404, "no_page_pictures", detail)
    if not 1 <= page_num <= record.n_pages:
        raise ProblemError(404, "unknown_page", f"there is no page {page_num}; the document has {record.n_pages}")


def lines_of(given: str | None) -> tuple[tuple[int, int], ...]:
    """Return the ranges of `17-19,22`.

    Raises:
        ProblemError: it has another form (422).

    """
    ranges = []
    for part in (given or "").split(",") if given else ():
        first, _, last = part.partition("-")
        if not (first.strip().isdecimal() and (last or first).strip().isdecimal() and len(part) < 24):
            raise ProblemError(422, "invalid_request", f"lines is {given[:40] if given else ''!r}; use 17-19,22")
        ranges.append((int(first), int(last or first)))
    if len(ranges) > 200:
        raise ProblemError(422, "invalid_request", "lines names more than 200 ranges")
    return tuple(ranges)


def draw(library: Library, record: DocumentRecord, view: PageView, drawers: Drawers) -> bytes:
    """Return a page as PNG.

    Raises:
        ProblemError: the original is not kept (404).
        CorruptFileError, PasswordRequiredError: it cannot be drawn.

    """
    path = library.store.original_path(record.doc_id)
    sheet = (
        None
        if path is None
        else Sheet(
            path=os.fsencode(path.absolute()),
            name=record.name,
            page_num=view.page_num,
            dpi=72 * view.scale,
            boxes=tuple(_boxes(library, record, view)),
        )
    )
    picture = None if sheet is None else drawers.draw(sheet).content
    if picture is None:
        raise ProblemError(404, "original_not_kept", f"the original of {record.name!r} is not kept: no page pictures")
    return picture


def _boxes(library: Library, record: DocumentRecord, view: PageView) -> Sequence[HighlightBox]:
    if not view.lines:
        return ()
    page = next(page for page in library.store.pages(record.doc_id) if page.page_num == view.page_num)
    return [
        HighlightBox(
            page=view.page_num,
            width_pt=page.width_pt,
            height_pt=page.height_pt,
            box=(line.box.x0, line.box.y0, line.box.x1, line.box.y1),
        )
        for line in library.store.page_lines(record.doc_id, view.page_num, view.page_num)
        if line.box is not None
        and line.layer != "hidden"
        and any(first <= line.line_num <= last for first, last in view.lines)
    ]
