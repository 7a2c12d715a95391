"""One self-contained HTML page about a Selection or a Comparison.

``summary`` turns either into plain data, ``page`` puts those into a template whose script draws them.
"""

from __future__ import annotations

from .page import page, summarised, write_report

__all__ = ["page", "summarised", "write_report"]
