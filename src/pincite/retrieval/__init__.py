"""A query to candidates with reasons: anchor, then context."""

from pincite.retrieval.hybrid import HybridRetriever, Method
from pincite.retrieval.routed import RoutedRetriever
from pincite.retrieval.versions import superseded

__all__ = ["HybridRetriever", "Method", "RoutedRetriever", "superseded"]
