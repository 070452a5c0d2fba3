"""What reads the text of pictures, whatever engine it is."""

from typing import TYPE_CHECKING, Protocol

from pincite.parsing.ocr_layout import Piece

if TYPE_CHECKING:
    from PIL.Image import Image


class OcrError(Exception):
    """The engine failed on a picture, or took too long; it is caught where the page is given up."""


class Engine(Protocol):
    """Reads the text of pictures."""

    @property
    def name(self) -> str:
        """What it is called, with its version."""
        ...

    @property
    def dpi(self) -> int:
        """At how many dots per inch it reads pages best."""
        ...

    def read(self, image: "Image") -> list[Piece]:
        """Return the pieces of text in a picture, in no order.

        Raises:
            OcrError: it failed, or took longer than it may.

        """
        ...
