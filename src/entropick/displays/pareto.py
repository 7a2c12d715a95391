"""Accuracy against stability."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .display import FAINT, INK, Display, error_axis, label_points, other_error, point_looks

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ..evaluation.comparison import Comparison


class ParetoDisplay(Display):
    """Error and stability of each method; no method beats one on the front in both (Brown et al. 2012, §5.4).

    Parameters
    ----------
    methods
        columns method, error, stability, front (1: non-dominated).
    task
        ``"classification"`` or ``"regression"``, which says what the errors are.
    error
        what they are where neither error rates nor standard deviations.

    Examples
    --------
    >>> import entropick as ep
    >>> X, y = ep.datasets.load_demo()
    >>> found = ep.compare(X, y, ["jmi", "mim"], k=[2, 4], estimators="nearest mean", cv=3, repeats=1)
    >>> ep.displays.ParetoDisplay.from_comparison(found, k=2).frame().columns.tolist()
    ['method', 'error', 'stability', 'front']
    """

    title = "Accuracy against stability"

    def __init__(self, methods: pd.DataFrame, task: str = "classification", error: str = "") -> None:
        self.methods = methods
        self.task = task
        self.error = error

    @classmethod
    def from_comparison(
        cls, comparison: Comparison, k: int | None = None, estimator: str | None = None
    ) -> ParetoDisplay:
        """At k features (None: the number that `best` recommends)."""
        return cls(comparison.pareto(k, estimator), comparison.task, *other_error(comparison))

    def frame(self) -> pd.DataFrame:
        """method, error, stability, front; the best fronts first."""
        return self.methods.sort_values(["front", "error"], kind="stable", ignore_index=True)

    def _draw(self, ax: Axes) -> None:
        frame = self.frame()
        front = frame["front"].eq(1)
        best = frame[front].sort_values("error")
        ax.step(best["error"], best["stability"], where="post", color=FAINT, lw=1.2, zorder=1)
        for (x, y, first), (colour, marker) in zip(
            zip(frame["error"], frame["stability"], front, strict=True),
            point_looks(frame["method"].tolist()),
            strict=True,
        ):
            ax.scatter([x], [y], s=44 if first else 26, c=colour, marker=marker, alpha=1 if first else 0.55, zorder=3)
        error_axis(ax.xaxis, self.task, "(left is better)", self.error)
        ax.set_ylabel("stability (up is better)")
        ax.margins(0.14)
        label_points(ax, frame["error"], frame["stability"], frame["method"].tolist(), INK, "white")
