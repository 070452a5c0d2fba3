"""The HTTP API and what serves the web page; `pincite serve` runs it."""
