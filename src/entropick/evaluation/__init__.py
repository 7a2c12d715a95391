"""Judging methods: the evaluations and tables by which the papers judge."""
