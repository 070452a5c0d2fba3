"""`Library`: documents in, cited answers out. The public facade, and the only place that wires parts together."""

from pincite.library.facade import Library

__all__ = ["Library"]
