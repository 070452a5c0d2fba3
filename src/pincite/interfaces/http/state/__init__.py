"""What the server keeps beside the documents: tokens, jobs, conversations, feedback."""
