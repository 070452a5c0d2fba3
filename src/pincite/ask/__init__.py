"""Pipeline two: question → retrieval → lines → draft → verdicts → answer or refusal."""

from pincite.ask.events import AskEvent
from pincite.ask.pipeline import ask
from pincite.ask.replay import replay
from pincite.ask.tools import AskRequest, Tools

__all__ = ["AskEvent", "AskRequest", "Tools", "ask", "replay"]
