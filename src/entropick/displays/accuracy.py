"""How well the chosen features predict, as their number grows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .display import Display, error_axis, label, looks_of, other_error

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ..evaluation.comparison import Comparison


class AccuracyDisplay(Display):
    """Cross-validated error against the number of features, one line a method, with one standard error around it.

    Parameters
    ----------
    curves
        columns method, k, mean, se.
    task
        ``"classification"`` or ``"regression"``, which says what the errors are.
    estimator
        who erred.
    error
        what the errors are, where neither error rates nor standard deviations.
    """

    def __init__(
        self, curves: pd.DataFrame, task: str = "classification", estimator: str = "", error: str = ""
    ) -> None:
        self.curves = curves
        self.task = task
        self.error = error
        self.estimator = estimator

    @classmethod
    def from_comparison(
        cls, comparison: Comparison, estimator: str | None = None, methods: Sequence[str] | None = None
    ) -> AccuracyDisplay:
        """The curves of one estimator (None: the one of `best`), of these methods (None: all)."""
        estimator = comparison.best(estimator).estimator
        curves = comparison.curves()
        kept = curves["estimator"].eq(estimator) & curves["method"].isin(methods or comparison.methods)
        columns = ["method", "k", "mean", "se"]
        return cls(
            curves.loc[kept, columns].reset_index(drop=True), comparison.task, estimator, *other_error(comparison)
        )

    def frame(self) -> pd.DataFrame:
        """method, k, mean, se."""
        return self.curves

    def _draw(self, ax: Axes) -> None:
        from matplotlib.ticker import MaxNLocator

        styles = looks_of([str(method) for method in self.curves["method"].unique()])
        for method, curve in self.curves.groupby("method", sort=False):
            style = styles[str(method)]
            ax.plot(curve["k"], curve["mean"], lw=1.6, ms=4.5, label=label(str(method)), **style)
            low, high = curve["mean"] - curve["se"], curve["mean"] + curve["se"]
            ax.fill_between(curve["k"], low, high, color=style["color"], alpha=0.12, lw=0)
        ax.set_xlabel("number of features")
        error_axis(ax.yaxis, self.task, f"of {self.estimator}" if self.estimator else "", self.error)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.legend(frameon=False, fontsize=8.5, loc="center left", bbox_to_anchor=(1.01, 0.5))
