"""Lines to a draft answer."""
