"""Citations to highlights, pictures and reports."""
