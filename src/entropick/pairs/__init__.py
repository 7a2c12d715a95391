"""Interactions: what two columns, or three, say about the target only together."""
