"""`Caller`: who asks, what they may do, and in which collection."""

from collections.abc import Iterable
from typing import Final, Literal, get_args

from pincite.types.record import Record

Scope = Literal["read", "ask", "write"]
#: Each scope holds those before it.
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
#: The collection of a token that may see all of them.
EVERY_COLLECTION: Final = "*"


class Caller(Record, frozen=True, kw_only=True):
    """Whose request it is: `collection` is the only one they may see, or `*`; `scopes` are closed (write holds ask).

    `token_id` is empty where no token was shown.
    """

    name: str
    scopes: frozenset[Scope]
    collection: str
    token_id: str = ""

    def may(self, scope: Scope) -> bool:
        """Say whether the caller has the scope."""
        return scope in self.scopes

    @property
    def sees_all(self) -> bool:
        """Whether the caller may see every collection, and so figures of the whole server."""
        return self.collection == EVERY_COLLECTION


def with_lesser(scopes: Iterable[Scope]) -> frozenset[Scope]:
    """Return the scopes and the lesser ones that they include.

    >>> sorted(with_lesser(["ask"]))
    ['ask', 'read']
    """
    highest = max((SCOPES.index(scope) for scope in scopes), default=-1)
    return frozenset(SCOPES[: highest + 1])


#: Who asks where access is off: on loopback, by default.
EVERYONE: Final = Caller(name="local", scopes=frozenset(SCOPES), collection=EVERY_COLLECTION)
#: Who asks without a token where one is needed: only what is open to all is left to them.
NOBODY: Final = Caller(name="-", scopes=frozenset(), collection="")
