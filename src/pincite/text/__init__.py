"""Pure text arithmetic."""
