"""The columns that each pick cannot be told from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import InvalidParameter
from ..looks import COLOURS
from .display import Display, label

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ..selection import Selection

SHOWN = 8  # columns of a set that are drawn


class CredibleSetDisplay(Display):
    """For each pick its credible set: columns along the axis, chances as bars, the pick itself dark.

    Parameters
    ----------
    sets
        columns pick, feature, weight, chosen; one row a column of a set, the most likely first.
    """

    def __init__(self, sets: pd.DataFrame) -> None:
        self.sets = sets

    @classmethod
    def from_selection(cls, selection: Selection) -> CredibleSetDisplay:
        """The sets of a selection that has any: by ``k="auto"``, ``joint``, or ``level=0.95``."""
        import pandas as pd

        rows = [
            {"pick": step.name, "feature": name, "weight": weight, "chosen": name == step.name}
            for step in selection.steps
            if step.credible_set is not None
            for name, weight in zip(step.credible_set.names, step.credible_set.weights, strict=True)
        ]
        if not rows:
            raise InvalidParameter("selection: has no credible sets; select with k='auto', or with level=0.95")
        return cls(pd.DataFrame(rows))

    def frame(self) -> pd.DataFrame:
        """One row a column of a set."""
        return self.sets

    def _drawn(self) -> pd.DataFrame:
        return self.sets.groupby("pick", sort=False).head(SHOWN).reset_index(drop=True)

    def _size(self) -> tuple[float, float]:
        return 1.6 + 0.36 * max(len(self._drawn()), 8), 3.4

    def _draw(self, ax: Axes) -> None:
        frame = self._drawn()
        places = [place + 0.8 * group for place, group in enumerate(frame.groupby("pick", sort=False).ngroup())]
        ax.bar(places, frame["weight"], width=0.8, color=[COLOURS[0] if c else "#b9c2cf" for c in frame["chosen"]])
        ax.set_xticks(places, [label(name) for name in frame["feature"]], rotation=60, ha="right")
        ax.tick_params(axis="x", length=0)
        ax.set_ylim(0, 1)
        ax.set_ylabel("chance to be the real one")
