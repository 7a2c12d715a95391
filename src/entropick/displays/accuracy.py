"""How well the chosen features predict, as their number grows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from .display import Display, error_axis, label, looks_of, other_error

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ..evaluation.comparison import Comparison


BANDS = 4  # methods whose standard errors are all drawn; of more, that of the best one
WIDE = 12  # a range of numbers of features from which they are spaced by their ratios


class AccuracyDisplay(Display):
    """Cross-validated error against the number of features, one line a method, with one standard error around it.

    With more than four methods the band is drawn for the one with the lowest error only.

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

    Examples
    --------
    >>> import entropick as ep
    >>> X, y = ep.datasets.load_demo()
    >>> found = ep.compare(X, y, ["jmi", "mim"], k=[2, 4], estimators="nearest mean", cv=3, repeats=1)
    >>> display = ep.displays.AccuracyDisplay.from_comparison(found)
    >>> display.plot().ax_.get_title(loc="left")
    'Error against the number of features'
    >>> list(display.frame().columns)
    ['method', 'k', 'mean', 'se']
    """

    title = "Error against the number of features"

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
        methods = [str(method) for method in self.curves["method"].unique()]
        styles, curves = looks_of(methods), dict(list(self.curves.groupby("method", sort=False)))
        ends = {method: float(curve["mean"].iloc[-1]) for method, curve in curves.items()}
        banded = methods if len(methods) <= BANDS else [min(methods, key=lambda method: curves[method]["mean"].min())]
        for method in methods:
            style, curve = styles[method], curves[method]
            ax.plot(curve["k"], curve["mean"], lw=1.6, ms=4.5, label=label(method), **style)
            if method in banded:
                low, high = curve["mean"] - curve["se"], curve["mean"] + curve["se"]
                ax.fill_between(curve["k"], low, high, color=style["color"], alpha=0.14, lw=0)
        ks = sorted(set(self.curves["k"].tolist()))
        if ks[-1] > WIDE * ks[0]:  # most of what happens, happens early
            ax.set_xscale("log")
            spaced = [k for k, more in pairwise(ks) if more >= 1.25 * k] + ks[-1:]
            ax.set_xticks(spaced, [f"{k}" for k in spaced])
            ax.minorticks_off()
        else:
            ax.set_xticks(ks)
        ax.set_xlabel("number of features")
        error_axis(ax.yaxis, self.task, f"of {self.estimator}" if self.estimator else "", self.error)
        handles, names = ax.get_legend_handles_labels()
        order = sorted(range(len(methods)), key=lambda i: -ends[methods[i]])  # as the lines end, top to bottom
        ax.legend([handles[i] for i in order], [names[i] for i in order], frameon=False, fontsize=8.5,
                  loc="center left", bbox_to_anchor=(1.01, 0.5), handlelength=3.2)  # fmt: skip
