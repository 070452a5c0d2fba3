"""Command line, HTTP, MCP."""
