"""The columns that each pick cannot be told from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import InvalidParameter
from ..looks import COLOURS
from .display import Display, labels

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ..selection import Selection

SHOWN = 8  # columns of a set that are drawn
MOST = 60  # columns of all sets


class CredibleSetDisplay(Display):
    """For each pick its credible set, one bar a column for its chance to be the real one; the pick itself is dark.

    Parameters
    ----------
    sets
        columns pick, feature, weight, chosen; one row a column of a set, the most likely first.

    Examples
    --------
    >>> import entropick as ep
    >>> X, y = ep.datasets.load_demo()
    >>> found = ep.select(X, y, k=2)
    >>> ep.displays.CredibleSetDisplay.from_selection(found).frame()["pick"].unique().tolist()
    ['worst perimeter', 'worst concave points']
    """

    title = "What could stand in for each pick"

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
        return self.sets.groupby("pick", sort=False).head(SHOWN).head(MOST).reset_index(drop=True)

    def _size(self) -> tuple[float, float]:
        drawn = self._drawn()
        return 6.4, 1.2 + 0.21 * max(len(drawn) + 0.6 * drawn["pick"].nunique(), 4)

    def _draw(self, ax: Axes) -> None:
        frame = self._drawn()
        places = [place + 0.6 * group for place, group in enumerate(frame.groupby("pick", sort=False).ngroup())]
        ax.barh(places, frame["weight"], height=0.8, color=[COLOURS[0] if c else "#b9c2cf" for c in frame["chosen"]])
        ax.set_yticks(places, labels(frame["feature"].tolist()), fontsize=8)
        ax.tick_params(axis="y", length=0)
        ax.set_ylim(places[-1] + 0.7, -0.7)
        ax.set_xlim(0, 1)
        ax.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f}%")
        ax.set_xlabel("chance to be the real one (dark: the pick)")
