"""Settings of the whole suite."""

from hypothesis import settings

# The same examples on every run, and no clock decides: a slow machine is no failure.
settings.register_profile("suite", deadline=None, derandomize=True, database=None, max_examples=60)
settings.load_profile("suite")
