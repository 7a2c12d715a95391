"""Which methods choose alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .display import INK, Display, label_points, point_looks

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ..evaluation.comparison import Comparison


class MethodMapDisplay(Display):
    """Methods as points, near each other where they choose alike (classical MDS; Brown et al. 2012, figure 5).

    Only distances mean something: the axes have no names and the map may be turned.

    Parameters
    ----------
    points
        columns method, x, y.

    Examples
    --------
    >>> import entropick as ep
    >>> X, y = ep.datasets.load_demo()
    >>> found = ep.compare(X, y, ["jmi", "mim"], k=[2, 4], estimators="nearest mean", cv=3, repeats=1)
    >>> ep.displays.MethodMapDisplay.from_comparison(found, k=2).frame()["method"].tolist()
    ['jmi', 'mim']
    """

    size = (5.6, 5.0)
    title = "Which methods select alike"

    def __init__(self, points: pd.DataFrame) -> None:
        self.points = points

    @classmethod
    def from_comparison(cls, comparison: Comparison, k: int | None = None) -> MethodMapDisplay:
        """By the first k features (None: of the number that `best` recommends)."""
        return cls(comparison.map(k))

    def frame(self) -> pd.DataFrame:
        """method, x, y."""
        return self.points

    def _draw(self, ax: Axes) -> None:
        methods = self.points["method"].tolist()
        for x, y, (colour, marker) in zip(self.points["x"], self.points["y"], point_looks(methods), strict=True):
            ax.scatter([x], [y], s=36, c=colour, marker=marker, zorder=3)
        ax.set_aspect("equal", adjustable="datalim")
        ax.set_xticks([])
        ax.set_yticks([])
        ax.spines[:].set_visible(True)
        ax.spines[:].set_color("#DDDDDD")
        ax.margins(0.16)
        label_points(ax, self.points["x"], self.points["y"], methods, INK, "white")
