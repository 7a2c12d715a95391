"""Which pairs of classes a panel tells apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .display import INK, Display, label

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ..evaluation.panel import Panel


class PanelDisplay(Display):
    """Classes against classes, dark where they are told apart; the AUC is written where they are not.

    Parameters
    ----------
    pairs
        columns first, second and auc; one row a pair of classes.
    least
        the AUC below which a pair is lettered.

    Examples
    --------
    >>> import entropick as ep
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> panel = ep.panel(X, y, ["petal width (cm)"])
    >>> len(ep.displays.PanelDisplay.from_panel(panel).frame())
    3
    """

    title = "Which classes are told apart"

    def __init__(self, pairs: pd.DataFrame, least: float = 0.9) -> None:
        self.pairs, self.least = pairs, least

    @classmethod
    def from_panel(cls, panel: Panel) -> PanelDisplay:
        """Of what `entropick.panel` found."""
        return cls(panel.pairs, panel.least)

    def frame(self) -> pd.DataFrame:
        """One row a pair of classes."""
        return self.pairs

    def _names(self) -> list[str]:
        return list(dict.fromkeys([*self.pairs["first"], *self.pairs["second"]]))

    def _size(self) -> tuple[float, float]:
        side = 2.2 + 0.36 * len(self._names())
        return side + 0.8, side

    def _draw(self, ax: Axes) -> None:
        names = self._names()
        place = {name: i for i, name in enumerate(names)}
        values = np.full((len(names), len(names)), np.nan)
        for first, second, auc in zip(self.pairs["first"], self.pairs["second"], self.pairs["auc"], strict=True):
            i, j = place[first], place[second]
            values[max(i, j), min(i, j)] = auc
            if not auc >= self.least:
                text = "?" if np.isnan(auc) else f"{auc:.2f}"
                ax.text(min(i, j), max(i, j), text, ha="center", va="center", fontsize=7.5,
                        color="white" if auc > 0.75 else INK)  # fmt: skip
        shown = ax.imshow(values, cmap="YlGnBu", vmin=0.5, vmax=1.0)
        ax.figure.colorbar(shown, ax=ax, shrink=0.8, label="AUC of unseen rows")
        ax.set_xticks(range(len(names)), [label(name) for name in names], rotation=60, ha="right")
        ax.set_yticks(range(len(names)), [label(name) for name in names])
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
