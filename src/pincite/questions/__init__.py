"""A string to a parsed question."""
