"""How often another sample would have given the same features."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..looks import COLOURS
from .display import FAINT, Display, label

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ..evaluation.comparison import Comparison


class StabilityDisplay(Display):
    """Nogueira's stability of each method with its confidence interval: 1 is always the same set, 0 is chance.

    Parameters
    ----------
    stability
        columns method, nogueira, low, high; others are kept in `frame`.

    Examples
    --------
    >>> import entropick as ep
    >>> X, y = ep.datasets.load_demo()
    >>> found = ep.compare(X, y, ["jmi", "mim"], k=[2, 4], estimators="nearest mean", cv=3, repeats=1)
    >>> ep.displays.StabilityDisplay.from_comparison(found, k=2).frame()["method"].tolist()
    ['mim', 'jmi']
    """

    title = "Stability of the selected features"

    def __init__(self, stability: pd.DataFrame) -> None:
        self.stability = stability

    @classmethod
    def from_comparison(cls, comparison: Comparison, k: int | None = None) -> StabilityDisplay:
        """The stability of the first k features (None: of the number that `best` recommends)."""
        return cls(comparison.stability(k))

    def frame(self) -> pd.DataFrame:
        """One row a method, the most stable first."""
        return self.stability.sort_values("nogueira", ascending=False, kind="stable", ignore_index=True)

    def _size(self) -> tuple[float, float]:
        return 6.4, 1.3 + 0.34 * max(len(self.stability), 2)

    def _draw(self, ax: Axes) -> None:
        frame = self.frame()
        rows = range(len(frame))
        ax.barh(rows, frame["nogueira"], height=0.6, color=COLOURS[0], alpha=0.75)
        middle = frame["nogueira"]
        spread = [middle - frame["low"], frame["high"] - middle]
        ax.errorbar(middle, rows, xerr=spread, fmt="none", ecolor="#1d2430", elinewidth=1.2, capsize=3)
        ax.axvline(0, color=FAINT, lw=0.8, zorder=0)
        ax.set_yticks(rows, [label(method) for method in frame["method"]])
        ax.set_ylim(len(frame) - 0.4, -0.6)
        ax.set_xlim(min(0.0, frame["low"].min() - 0.02), max(1.0, frame["high"].max() + 0.02))
        ax.tick_params(axis="y", length=0)
        ax.set_xlabel("stability (Nogueira): 0 chance, 1 always the same")
