"""Where the work of adding is done: in this process, or on the nodes of a Ray cluster."""

from collections.abc import Callable
from functools import partial
from typing import Literal

from pincite.add import AddReport, add_files
from pincite.errors import SettingsError
from pincite.storage.opening import LibraryStore
from pincite.storage.sqlite import SqliteStore

EngineName = Literal["local", "ray"]


def adding_with(engine: EngineName, address: str | None, store: LibraryStore) -> Callable[..., AddReport]:
    """Return what adds files with an engine; it is called as `add_files`.

    Raises:
        SettingsError: nodes cannot write to this library, or an address is given and nobody goes there.

    """
    if engine == "local":
        if address is not None:
            raise SettingsError(f'the address {address!r} is for the engine "ray"; the engine is "local"')
        return add_files
    if isinstance(store, SqliteStore):
        raise SettingsError(
            f"nodes cannot write to the library in {str(store.path)!r}, which is one SQLite database; name one that "
            "they all see: --library s3://BUCKET/PREFIX, or lance:DIR in a folder that all share "
            f"(`pincite migrate {store.path} s3://BUCKET/PREFIX` copies this one)"
        )
    # Both take a second to import, and Ray may not be there.
    from pincite.nodes.adding import add_over_nodes
    from pincite.nodes.ray_engine import open_ray

    return partial(add_over_nodes, open_engine=partial(open_ray, address))
