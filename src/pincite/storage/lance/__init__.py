"""A library as Lance tables in a folder or on object storage: the extra `scale`."""
