"""A parsed document to passages."""

from pincite.passages.chunking import chunk

__all__ = ["chunk"]
