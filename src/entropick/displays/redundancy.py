"""What the selected features share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidInput
from ..evaluation.path import path_evidence, recorded_evidence
from ..selection import Selection
from .display import INK, Display, labels

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

WRITTEN = 14  # with more features than this the cells are too small for numbers


class RedundancyDisplay(Display):
    """I(X_i;X_j) of the selected features, clustered, with their tree: in a dark cell one repeats the other.

    Parameters
    ----------
    names
        (k,) of the steps.
    matrix
        (k, k) their redundancies, symmetric, NaN on the diagonal.
    units
        ``"nats"``, or empty for a bare number.

    Examples
    --------
    >>> import entropick as ep
    >>> X, y = ep.datasets.load_demo()
    >>> found = ep.select(X, y, method="jmi", k=3)
    >>> ep.displays.RedundancyDisplay.from_selection(found).frame().shape
    (3, 3)
    """

    title = "What the selected features share"

    def __init__(self, names: Sequence[str], matrix: Any, units: str = "nats") -> None:
        self.names = list(names)
        self.matrix = np.array(matrix, dtype=np.float64)
        self.units = units

    @classmethod
    def from_selection(cls, selection: Selection) -> RedundancyDisplay:
        """From what a pairwise criterion recorded; other methods record none: then use `from_data`."""
        evidence = recorded_evidence(selection)
        if not evidence.redundancy:
            raise InvalidInput(
                f"selection: {selection.method!r} with {len(selection)} steps records no redundancy of pairs;"
                " use RedundancyDisplay.from_data(selection, X, y)"
            )
        return cls(_names(selection, len(evidence.redundancy)), evidence.redundancy, evidence.redundancy_units)

    @classmethod
    def from_data(cls, selection: Selection, X: Any, y: Any) -> RedundancyDisplay:
        """Counted from the rows, for any method."""
        evidence = path_evidence(selection, X, y)
        if not evidence.redundancy:
            raise InvalidInput(f"selection: needs two features at least, got {len(selection)}")
        return cls(_names(selection, len(evidence.redundancy)), evidence.redundancy)

    def frame(self) -> pd.DataFrame:
        """The matrix, features × features, in the order chosen."""
        import pandas as pd

        return pd.DataFrame(self.matrix, index=self.names, columns=self.names)

    def _size(self) -> tuple[float, float]:
        n = len(self.names)
        side = 3.0 + 0.42 * n if n <= WRITTEN else 6.5 + 0.09 * n
        return side + 1.0, side

    def _draw(self, ax: Axes) -> None:
        tree = self._tree()
        order = self._order(tree)
        matrix, n = self.matrix[np.ix_(order, order)], len(order)
        # one bit at least, lest features that share next to nothing look like copies
        largest = max(float(np.nanmax(matrix)), np.log(2) if self.units == "nats" else 1e-12)
        image = ax.imshow(matrix, cmap="Blues", vmin=0, vmax=largest)
        names = labels([self.names[j] for j in order], 26)
        size = 9 if n <= WRITTEN else max(6.0, 9 - 0.03 * n)
        ax.set_yticks(range(n), names, fontsize=size)
        ax.set_xticks(range(n), names if n <= WRITTEN else [""] * n, fontsize=size, rotation=40, ha="right",
                      rotation_mode="anchor")  # fmt: skip
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        if n > 2:
            _draw_tree(ax, tree)
        if n <= WRITTEN:
            for (i, j), value in np.ndenumerate(matrix):
                if np.isfinite(value):
                    colour = "white" if value > 0.6 * largest else "#1d2430"
                    ax.text(j, i, f"{value:.2f}", ha="center", va="center", fontsize=8, color=colour)
        bar = ax.figure.colorbar(image, ax=ax, shrink=0.8, pad=0.02)
        bar.outline.set_visible(False)
        bar.set_label("shared information" + (f" ({self.units})" if self.units else ""))

    def _tree(self) -> Any:
        """Average linkage, the closest pair being the one that shares most; the joins of SciPy."""
        from scipy.cluster.hierarchy import linkage
        from scipy.spatial.distance import squareform

        shared = np.nan_to_num(self.matrix)
        far = shared.max() - shared
        np.fill_diagonal(far, 0.0)
        return linkage(squareform(far, checks=False), "average", optimal_ordering=True)

    def _order(self, tree: Any) -> list[int]:
        from scipy.cluster.hierarchy import leaves_list

        return [int(j) for j in leaves_list(tree)]


def _draw_tree(ax: Axes, tree: Any) -> None:
    """Above the map, one leg over the middle of each column."""
    from scipy.cluster.hierarchy import dendrogram

    drawn = dendrogram(tree, no_plot=True)
    above = ax.inset_axes((0.0, 1.01, 1.0, 0.12), sharex=ax)
    for x, y in zip(drawn["icoord"], drawn["dcoord"], strict=True):
        above.plot([(place - 5) / 10 for place in x], y, color=INK, lw=0.8)
    above.set_ylim(bottom=0)
    above.axis("off")


def _names(selection: Selection, n: int) -> list[str]:
    return [step.name for step in selection.steps[:n]]
