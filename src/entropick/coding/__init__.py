"""Columns -> levels: fitted once on the training rows, applied block by block."""

from .coder import Coder
from .groups import Candidate, GroupCoder, parse_groups
from .target import Target, code_target

__all__ = ["Candidate", "Coder", "GroupCoder", "Target", "code_target", "parse_groups"]
