"""What the chosen features say twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidInput
from ..evaluation.path import path_evidence, recorded_evidence
from ..selection import Selection
from .display import Display, label

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

WRITTEN = 14  # with more features than this the cells are too small for numbers


class RedundancyDisplay(Display):
    """I(X_i;X_j) of the chosen features as a map: a dark cell is a pair of which one repeats the other.

    Parameters
    ----------
    names
        (k,) of the steps.
    matrix
        (k, k) their redundancies, symmetric, NaN on the diagonal.
    units
        ``"nats"``, or empty for a bare number.
    """

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
        side = 2.4 + 0.42 * len(self.names) if len(self.names) <= WRITTEN else 8.0
        return side + 1.2, side

    def _draw(self, ax: Axes) -> None:
        # one bit at least, lest features that share next to nothing look like copies
        largest = max(float(np.nanmax(self.matrix)), np.log(2) if self.units == "nats" else 1e-12)
        image = ax.imshow(self.matrix, cmap="Blues", vmin=0, vmax=largest)
        ticks, names = range(len(self.names)), [label(name, 24) for name in self.names]
        ax.set_xticks(ticks, names, rotation=40, ha="right", rotation_mode="anchor")
        ax.set_yticks(ticks, names)
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        if len(self.names) <= WRITTEN:
            for (i, j), value in np.ndenumerate(self.matrix):
                if np.isfinite(value):
                    colour = "white" if value > 0.6 * largest else "#1d2430"
                    ax.text(j, i, f"{value:.2f}", ha="center", va="center", fontsize=8, color=colour)
        bar = ax.figure.colorbar(image, ax=ax, shrink=0.8, pad=0.02)
        bar.outline.set_visible(False)
        bar.set_label("shared information" + (f" ({self.units})" if self.units else ""))


def _names(selection: Selection, n: int) -> list[str]:
    return [step.name for step in selection.steps[:n]]
