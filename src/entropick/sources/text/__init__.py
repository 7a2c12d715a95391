"""Text files as sources: how a file writes its table, what its columns hold, its rows in blocks."""
