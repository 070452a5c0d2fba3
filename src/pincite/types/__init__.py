"""The nouns: frozen records that every stage takes and returns."""
