"""One column against the target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..coding import code_target
from ..errors import InvalidInput, closest
from ..evaluation.portraits import Portrait, portrait
from ..looks import COLOURS
from ..sources import split_target
from .display import INK, Display, label, labels

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


class FeatureDisplay(Display):
    """A column against the target: distributions by class, boxes of many classes, shares, or the mean of a quantity.

    Parameters
    ----------
    name
        of the column.
    picture
        its numbers, see `entropick.evaluation.portraits`.

    Examples
    --------
    >>> import entropick as ep
    >>> X, y = ep.datasets.load_demo()
    >>> ep.displays.FeatureDisplay.from_data(X, y, "mean area").frame().columns.tolist()
    ['class', 'from', 'to', 'rows']
    """

    size = (5.2, 3.2)

    def __init__(self, name: str, picture: Portrait) -> None:
        self.name = name
        self.picture = picture

    @classmethod
    def from_data(cls, X: Any, y: Any, feature: str | int, task: str = "auto") -> FeatureDisplay:
        """The column of that name or number."""
        table, values, _ = split_target(X, y)
        if isinstance(feature, str) and feature not in table.names:
            raise InvalidInput(f"feature: no column {feature!r} in X.{closest(feature, table.names)}")
        j = table.names.index(feature) if isinstance(feature, str) else range(table.n_columns)[feature]
        drawn = portrait(table, j, code_target(values, task))
        if drawn is None:
            raise InvalidInput(f"feature: {table.names[j]!r} has only missing values: nothing to draw")
        return cls(table.names[j], drawn)

    def frame(self) -> pd.DataFrame:
        """One row a bin and class, box, level, or point."""
        import pandas as pd

        picture, kind = self.picture, self.picture["kind"]
        if kind == "histogram":
            edges = picture["edges"]
            return pd.DataFrame(
                [
                    (str(name), edges[b], edges[b + 1], count)
                    for name, counts in zip(picture["classes"], picture["counts"], strict=True)
                    for b, count in enumerate(counts)
                ],
                columns=["class", "from", "to", "rows"],
            )
        if kind == "boxes":
            return pd.DataFrame(picture["boxes"], columns=["class", "10 %", "25 %", "50 %", "75 %", "90 %"])
        if kind == "trend":
            return pd.DataFrame(picture["points"], columns=["x", "mean", "sd", "rows"])
        if kind == "means":
            return pd.DataFrame(picture["levels"], columns=["level", "rows", "mean", "sd"])
        shares = [[name, rows, *own] for name, rows, own in picture["levels"]]
        return pd.DataFrame(shares, columns=["level", "rows", *picture["classes"]])

    def _draw(self, ax: Axes) -> None:
        ax.set_title(label(self.name), fontsize=10, loc="left")
        getattr(self, f"_draw_{self.picture['kind']}")(ax)

    def _draw_histogram(self, ax: Axes) -> None:
        for c, (name, counts) in enumerate(zip(self.picture["classes"], self.picture["counts"], strict=True)):
            share = [count / max(1, sum(counts)) for count in counts]
            ax.stairs(share, self.picture["edges"], fill=True, alpha=0.35, color=COLOURS[c], label=label(str(name)))
            ax.stairs(share, self.picture["edges"], color=COLOURS[c], lw=1.4)
        ax.set_ylabel("share of the class")
        ax.legend(frameon=False, fontsize=8.5)

    def _draw_boxes(self, ax: Axes) -> None:
        for place, (_, p10, p25, p50, p75, p90) in enumerate(self.picture["boxes"]):
            ax.vlines(place, p10, p90, color=INK, lw=0.8)
            ax.vlines(place, p25, p75, color=COLOURS[0], lw=6, alpha=0.6)
            ax.plot(place, p50, "_", color=INK, ms=8)
        names = labels([str(box[0]) for box in self.picture["boxes"]], 14)
        ax.set_xticks(range(len(names)), names, rotation=90 if max(map(len, names)) > 2 else 0, fontsize=8)

    def _draw_trend(self, ax: Axes) -> None:
        points = self.frame()
        low, high = points["mean"] - points["sd"], points["mean"] + points["sd"]
        ax.fill_between(points["x"], low, high, color=COLOURS[0], alpha=0.15, lw=0)
        ax.plot(points["x"], points["mean"], "o-", color=COLOURS[0], ms=4)
        ax.set_ylabel("target: mean ± sd")

    def _draw_shares(self, ax: Axes) -> None:
        levels = self.frame()
        left = [0.0] * len(levels)
        for c, name in enumerate(self.picture["classes"]):
            own = levels[name].tolist()
            ax.barh(range(len(levels)), own, left=left, color=COLOURS[c % len(COLOURS)], label=label(str(name)))
            left = [a + b for a, b in zip(left, own, strict=True)]
        ax.set_yticks(range(len(levels)), [label(str(name), 18) for name in levels["level"]])
        ax.invert_yaxis()
        ax.set_xlabel("share of the rows")
        if more := self.picture.get("more"):
            ax.set_ylabel(f"{more} rarer levels left out")
        ax.legend(frameon=False, fontsize=8.5, loc="center left", bbox_to_anchor=(1.01, 0.5))

    def _draw_means(self, ax: Axes) -> None:
        levels = self.frame()
        ax.errorbar(levels["mean"], range(len(levels)), xerr=levels["sd"], fmt="o", color=COLOURS[0], ecolor=INK, lw=1)
        ax.set_yticks(range(len(levels)), [label(str(name), 18) for name in levels["level"]])
        ax.invert_yaxis()
        ax.set_xlabel("target: mean ± sd")
