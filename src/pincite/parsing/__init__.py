"""Bytes to a parsed document."""
