"""What the server keeps beside the documents, in `server.sqlite`."""
