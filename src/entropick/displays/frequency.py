"""How often each feature was chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..looks import COLOURS
from .display import FAINT, Display, label, labels

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ..evaluation.comparison import Comparison

MOST = 60  # features drawn


class FrequencyDisplay(Display):
    """The share of resamples in which a feature was chosen; below half, where a pick is uncertain, the bar is pale.

    Parameters
    ----------
    frequency
        columns name, frequency; others are kept in `frame`.
    method, k
        who chose, and how many.

    Examples
    --------
    >>> import entropick as ep
    >>> X, y = ep.datasets.load_demo()
    >>> found = ep.compare(X, y, ["jmi", "mim"], k=[2, 4], estimators="nearest mean", cv=3, repeats=1)
    >>> ep.displays.FrequencyDisplay.from_comparison(found, "mim", k=2).frame()["name"].head(1).tolist()
    ['worst perimeter']
    """

    def __init__(self, frequency: pd.DataFrame, method: str = "", k: int | None = None) -> None:
        self.frequency = frequency
        self.method = method
        self.k = k

    @classmethod
    def from_comparison(
        cls, comparison: Comparison, method: str | None = None, k: int | None = None
    ) -> FrequencyDisplay:
        """Of one method and number of features (None: those that `best` recommends)."""
        best = comparison.best()
        method, k = best.method if method is None else method, best.k if k is None else k
        return cls(comparison.frequency(method, k), method, k)

    def frame(self) -> pd.DataFrame:
        """feature, name, frequency, most often first."""
        return self.frequency

    def _size(self) -> tuple[float, float]:
        rows = max(min(len(self.frequency), MOST), 3)
        return 6.4, 1.4 + (0.24 if rows <= 30 else 0.17) * rows

    def _title(self) -> str:
        of = f" among its first {self.k}" if self.k is not None else ""
        return f"How often {label(self.method) or 'the method'} selected a feature{of}"

    def _draw(self, ax: Axes) -> None:
        shown = self.frequency.head(MOST)
        sure = shown["frequency"] >= 0.5
        bars = ax.barh(range(len(shown)), shown["frequency"], height=0.7, color=COLOURS[0], alpha=0.85)
        for bar, steady in zip(bars, sure, strict=True):
            bar.set_alpha(0.85 if steady else 0.3)
        ax.axvline(0.5, color=FAINT, lw=1, ls="--", zorder=0)
        ax.set_yticks(range(len(shown)), labels(shown["name"].tolist()), fontsize=8 if len(shown) <= 30 else 7)
        ax.set_ylim(len(shown) - 0.4, -0.6)
        ax.set_xlim(0, 1.0)
        ax.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f}%")
        ax.tick_params(axis="y", length=0)
        ax.set_xlabel("share of resamples (pale: below half, uncertain)")
