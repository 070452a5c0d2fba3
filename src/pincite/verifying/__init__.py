"""A draft to verdicts and citations."""
