"""What each method sees, as a table of `entropick reproduce`: no paper has it, so ours stand alone."""

from __future__ import annotations

import math

import entropick as ep

from .paper_table import Figure, Found, Means, Numbers, PaperTable, Settings
from .sight import PROBES, share_found
from .variants import FAMILY


def _cells(quick: bool) -> list[Settings]:
    repeats = 1 if quick else 5
    listed = ep.methods()
    methods = listed.index[listed["family"] != FAMILY]
    return [{"method": method, "problem": probe, "repeats": repeats} for method in methods for probe in PROBES]


def _compute(settings: Settings, means: Means) -> Numbers:
    share = share_found(settings["problem"], settings["method"], settings["repeats"], n_jobs=means.n_jobs)
    return {"share": None if math.isnan(share) else share}


def _figures(found: Found) -> list[Figure]:
    return [
        Figure({"method": settings["method"], "problem": settings["problem"]}, numbers["share"])
        for settings, numbers in found
        if numbers["share"] is not None
    ]


TABLE = PaperTable(
    "what-each-sees",
    "Which of the true features each method finds, problem by problem",
    "",
    _cells,
    _compute,
    _figures,
    across="problem",
    alone=False,
    how="Problems with a known answer, 400 rows; the share of the true features among as many chosen.",
)
