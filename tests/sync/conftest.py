"""Folders, libraries and embedders that count."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.making import WordEmbedder

from pincite.library import Library
from pincite.settings import Settings


@pytest.fixture
def embedder() -> WordEmbedder:
    """Return an embedder that remembers what it read."""
    return WordEmbedder()


@pytest.fixture
def library(tmp_path: Path, embedder: WordEmbedder) -> Iterator[Library]:
    """Return an empty library."""
    with Library(tmp_path / "library", settings=Settings(jobs=1), embedder=embedder) as made:
        yield made


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes files into the folder `docs` and returns it."""

    def written(**files: str) -> Path:
        folder = tmp_path / "docs"
        folder.mkdir(exist_ok=True)
        for name, text in files.items():
            path = folder / (name.replace("__", "/") + ".md")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
        return folder

    return written
