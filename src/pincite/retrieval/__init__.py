"""A query to candidates with reasons: anchor, then context."""

from pincite.retrieval.hybrid import HybridRetriever, Method

__all__ = ["HybridRetriever", "Method"]
