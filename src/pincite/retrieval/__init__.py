"""A query to candidates with reasons."""
