"""Which engine adds: in this process by default, over nodes only where they can write to the library."""

from pathlib import Path

import pytest

from pincite import Library
from pincite.errors import SettingsError
from pincite.nodes.ray_engine import open_ray


def test_a_library_in_sqlite_is_refused_with_what_to_do(tmp_path: Path) -> None:
    """Nodes cannot write to one file of this machine: the message names places that they can, and how to get there."""
    (tmp_path / "a.md").write_text("The lamp has 6 panes.\n")
    with (
        Library(tmp_path / "library") as library,
        pytest.raises(SettingsError, match=r"one SQLite database.*lance:DIR.*pincite migrate"),
    ):
        library.add(tmp_path / "a.md", engine="ray")


def test_an_address_without_the_engine_is_a_mistake_that_is_said(tmp_path: Path) -> None:
    """Nobody adds in one process and believes that a cluster does it."""
    with Library(tmp_path / "library") as library, pytest.raises(SettingsError, match='for the engine "ray"'):
        library.add(tmp_path, address="127.0.0.1:6379")


def test_a_driver_outside_of_the_cluster_is_refused() -> None:
    """A kind of address that is not tested is not tried; the message says what to do instead."""
    pytest.importorskip("ray", reason="the extra `scale` (ray) is not installed")
    with pytest.raises(SettingsError, match=r"ray start --address"), open_ray("ray://head:10001"):
        raise AssertionError
