"""Keep a library in step with a place: list it, compare, then move, delete, add and replace."""

from pincite.sync.engine import sync_source
from pincite.sync.planning import Plan, plan
from pincite.sync.report import MovedDocument, SyncReport

__all__ = ["MovedDocument", "Plan", "SyncReport", "plan", "sync_source"]
