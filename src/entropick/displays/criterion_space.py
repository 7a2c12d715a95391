"""The plane of pairwise criteria: how much to believe in redundancy, and in redundancy within the classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .display import INK, Display, label_points

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ..evaluation.criterion_space import CriterionSpace


class CriterionSpaceDisplay(Display):
    """Cross-validated error over (β, γ) of J = I(X_k;Y) − β Σ I(X_j;X_k) + γ Σ I(X_j;X_k|Y).

    The plane of figure 2 of Brown et al. (2012), with the known criteria as points: which belief in the assumptions
    that features are independent, and independent given the class, suits these data.

    Parameters
    ----------
    grid
        columns beta, gamma, error, one row a point of a regular grid.
    known
        name of a criterion -> its (β, γ).

    Examples
    --------
    >>> import entropick as ep
    >>> X, y = ep.datasets.load_demo()
    >>> space = ep.criterion_space(X, y, k=3, beta=[0, 1], gamma=[0, 1], estimator="nearest mean", cv=3)
    >>> len(ep.displays.CriterionSpaceDisplay.from_space(space).frame())
    4
    """

    size = (6.2, 5.0)
    title = "Error over the plane of criteria"

    def __init__(self, grid: pd.DataFrame, known: Mapping[str, tuple[float, float]]) -> None:
        self.grid = grid
        self.known = dict(known)

    @classmethod
    def from_space(cls, space: CriterionSpace) -> CriterionSpaceDisplay:
        """From what `entropick.evaluation.criterion_space` computed."""
        return cls(space.grid, space.known)

    def frame(self) -> pd.DataFrame:
        """beta, gamma, error."""
        return self.grid

    def _draw(self, ax: Axes) -> None:
        plane = self.grid.pivot_table(index="gamma", columns="beta", values="error")
        beta, gamma = plane.columns.to_numpy(float), plane.index.to_numpy(float)
        image = ax.pcolormesh(beta, gamma, plane.to_numpy(float), cmap="cividis", shading="nearest")
        best = self.grid.nsmallest(1, "error")
        ax.scatter(best["beta"], best["gamma"], marker="*", s=150, color="white", edgecolor="black", lw=0.8, zorder=4)
        names = list(self.known)
        x, y = [[self.known[name][axis] for name in names] for axis in (0, 1)]
        ax.scatter(x, y, s=26, color="white", edgecolor="black", lw=0.8, zorder=3, clip_on=False)
        ax.set_xlabel("β: penalty on redundancy")
        ax.set_ylabel("γ: credit for redundancy within the classes")
        bar = ax.figure.colorbar(image, ax=ax, pad=0.02)
        bar.outline.set_visible(False)
        bar.set_label("cross-validated error (star: least)")
        label_points(ax, x, y, names, INK, "white")
