"""Moments as a kind: means and covariances of the classes, or the rows where those are cheaper."""

from __future__ import annotations

from contextlib import ExitStack
from numbers import Integral
from typing import Any

from ...coding import Target
from ...coding.coded_blocks import CodedBlocks
from ...coding.target_rule import TargetRule
from ...errors import InvalidParameter
from ...sources import Table
from ..kind import Asked, Collected, Floats, Increment, Summed, Taking, Way
from .collect import collect_moments
from .moments import Moments
from .normal_scores import NormalScores
from .parts import TakeMoments, TakeRanks, merge_moments, merge_ranks


class MomentsKind(Summed):
    """Sums of floats: every way gives the same scores but for rounding.

    Options of a method that look at the rows more than once: ``marginals`` (``"copula"`` ranks them, ``"auto"`` tries
    both) and ``pooling="auto"``.
    """

    kept = Moments

    def why_not(self, asked: Asked, way: Way) -> str | None:
        marginals, pooling = asked.options.get("marginals", "raw"), asked.options.get("pooling")
        if asked.grouped:
            return f"groups: {asked.method!r} cannot evaluate groups; use a discrete method"
        if way == "blocks" and "auto" in (marginals, pooling):
            return (
                f"method: {asked.method!r} judges rivals on halves of the rows in memory; in blocks give pooling and"
                " marginals ('raw' or 'copula'), as for gc.mi"
            )
        if way == "increments" and (marginals != "raw" or pooling == "auto"):
            return (
                f"method: {asked.method!r} needs all rows at once; use fit, or pass marginals='raw' and a number"
                " for pooling"
            )
        if way == "saved" and (marginals != "raw" or pooling == "auto"):
            return f"method: {asked.method!r} needs the rows, which saved statistics do not contain; use another method"
        return None

    def of_table(self, table: Table, target: Target, weights: Floats | None, asked: Asked) -> Collected:
        k = int(asked.k) if isinstance(asked.k, Integral) else None
        marginals, pooling = asked.options.get("marginals", "raw"), asked.options.get("pooling", 0.0)
        return Collected(
            asked.shared(
                ("moments", k, marginals, pooling == "auto"),
                lambda: collect_moments(
                    table, target, weights, asked.n_jobs, k=k, marginals=marginals, pooling=pooling
                ),
            )
        )

    def arguments(self, asked: Asked, target: Target | TargetRule) -> dict[str, Any]:
        told = {**super().arguments(asked, target), "labels": target.classes}
        if target.task != "classification":
            told["labels"] = None
        if "fill" in asked.options:
            told["random_state"] = int(told["random"].integers(2**31))
        return told

    def of_blocks(self, rows: CodedBlocks, asked: Asked, parts: ExitStack) -> Collected:
        """By merging; ranks for normal scores are taken in a pass before."""
        _check_size(rows, asked.method)
        ranks, notes = None, tuple[str, ...]()
        if asked.options.get("marginals") == "copula":
            ranks = NormalScores(rows.blocks.reduce(TakeRanks(rows.reader), merge_ranks))
            notes = ("normal scores use approximate ranks (accurate to about 0.5 %)",)
        return Collected(rows.blocks.reduce(TakeMoments(rows.reader, asked.n_jobs, ranks), merge_moments), notes=notes)

    def _block(self, rows: Increment, asked: Asked) -> Any:
        return collect_moments(rows.table, rows.target, rows.weights, asked.n_jobs, form="matrices")

    # -- saved -----------------------------------------------------------------------------------------

    def to_save(self, rows: CodedBlocks, n_jobs: int | None) -> Taking | None:
        return Taking(TakeMoments(rows.reader, n_jobs), merge_moments) if rows.complete else None

    def merge(self, one: Moments, other: Moments) -> Moments:
        return merge_moments(one, other)


def _check_size(rows: CodedBlocks, method: str) -> None:
    """Three times the covariances fit: a block's own, the sum so far, their sum."""
    target = rows.coding.target
    d = len(rows.roles.features) + (target.task == "regression")
    n_matrices = 1 if target.task == "regression" else target.n_classes
    needed, limit = 3 * 8 * n_matrices * d * d, rows.blocks.memory
    if limit is not None and needed > limit:
        raise InvalidParameter(
            f"memory: {method!r} keeps {n_matrices} covariance(s) of {d} columns, {needed} bytes, got a limit of"
            f" {limit}; raise it, drop columns, or use a discrete method"
        )
