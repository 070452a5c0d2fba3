"""A parsed document to passages."""
