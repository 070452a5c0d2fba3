"""pincite: answers from documents with pin cites that hold."""
