"""Where documents are kept. One file and one line in `STORES` add a store."""

#: Name → where the store is; names also serve as the `pincite.stores` entry-point group.
STORES = {
    "sqlite": "pincite.storage.sqlite:SqliteStore",
    "lance": "pincite.storage.lance.store:LanceStore",
}
