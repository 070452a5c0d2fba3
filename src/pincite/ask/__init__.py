"""Pipeline two: question → retrieval → lines → draft → verdicts → answer or refusal."""

from pincite.ask.pipeline import AskRequest, Tools, ask
from pincite.ask.replay import replay

__all__ = ["AskRequest", "Tools", "ask", "replay"]
