"""A library for each case, made once a session with the real parsers, store and embedder."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.cases_e2e.expectations import CASES, case_file

from pincite.library import Library
from pincite.settings import Settings

LibraryOf = Callable[[str], Library]


@pytest.fixture(scope="session")
def library_of(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LibraryOf]:
    """Return the library that holds the input files of a case, and nothing else."""
    made: dict[str, Library] = {}

    def library(case_id: str) -> Library:
        if case_id not in made:
            folder = inputs_in(tmp_path_factory.mktemp("inputs"), case_id)
            made[case_id] = Library(tmp_path_factory.mktemp("library"), settings=Settings(jobs=1, ocr="never"))
            made[case_id].add(folder)
        return made[case_id]

    yield library
    for one in made.values():
        one.close()


def inputs_in(folder: Path, case_id: str) -> Path:
    """Copy the input files of a case into `folder`, without what is only said about them."""
    for name in case_file(case_id)["inputs"]:
        source = CASES / case_id / name.rstrip("/")
        if source.is_dir():
            shutil.copytree(source, folder / name.rstrip("/"))
        elif source.suffix != ".json":
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, folder / name)
    return folder
