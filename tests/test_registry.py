"""A name leads to an implementation, imported only then."""

import sys

import pytest

from pincite.answering import ANSWERERS
from pincite.errors import SettingsError
from pincite.models import EMBEDDERS
from pincite.parsing import PARSERS
from pincite.registry import load


@pytest.mark.parametrize("table", [ANSWERERS, EMBEDDERS, PARSERS], ids=["answerers", "embedders", "parsers"])
def test_every_name_of_every_table_loads(table: dict[str, str]) -> None:
    """What a table names is there and can be made without arguments."""
    for name in table:
        assert load(name, table, group="pincite.none")() is not None


def test_an_unknown_name_lists_the_known_ones() -> None:
    """The message says which names there are."""
    with pytest.raises(SettingsError, match=r"no 'minilmm'; choose one of: .*minilm"):
        load("minilmm", EMBEDDERS, group="pincite.embedders")


def test_nothing_is_imported_before_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table with a module that cannot be imported does no harm until its name is asked for."""
    table = {"good": "pincite.settings:Settings", "broken": "pincite.no_such_module:X"}
    assert load("good", table, group="pincite.none").__name__ == "Settings"
    monkeypatch.delitem(sys.modules, "pincite.no_such_module", raising=False)
    with pytest.raises(ModuleNotFoundError):
        load("broken", table, group="pincite.none")
