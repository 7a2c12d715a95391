"""Mean ranks of methods over tables, and which cannot be told apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..looks import COLOURS
from .display import INK, Display, label

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ..evaluation.benchmark import Benchmark


class CriticalDifferenceDisplay(Display):
    """Demšar's diagram: methods at their mean ranks, the best at the left; bars join those that Nemenyi's test cannot
    tell apart.

    Parameters
    ----------
    ranks
        columns method, rank.
    difference
        the critical difference.
    groups
        the methods that each bar joins.

    Examples
    --------
    >>> import pandas as pd
    >>> from entropick.displays import CriticalDifferenceDisplay
    >>> ranks = pd.DataFrame({"method": ["jmi", "mim"], "rank": [1.25, 1.75]})
    >>> CriticalDifferenceDisplay(ranks, 0.98, [["jmi", "mim"]]).frame()["method"].tolist()
    ['jmi', 'mim']
    """

    def __init__(self, ranks: pd.DataFrame, difference: float, groups: Sequence[Sequence[str]]) -> None:
        self.ranks = ranks
        self.difference = difference
        self.groups = groups

    @classmethod
    def from_benchmark(cls, benchmark: Benchmark, alpha: float = 0.05) -> CriticalDifferenceDisplay:
        """The diagram at the level ``alpha``."""
        return cls(benchmark.ranks(), benchmark.critical_difference(alpha), benchmark.groups(alpha))

    def frame(self) -> pd.DataFrame:
        """method, rank, the best first."""
        return self.ranks.sort_values("rank", kind="stable", ignore_index=True)

    def _size(self) -> tuple[float, float]:
        return 7.2, 1.4 + 0.16 * len(self.ranks) + 0.12 * len(self.groups)

    def _draw(self, ax: Axes) -> None:
        frame = self.frame()
        n = len(frame)
        bars = 0.25 * (len(self.groups) + 1)
        ax.spines[["left", "right", "bottom"]].set_visible(False)
        ax.spines["top"].set_visible(True)
        ax.xaxis.tick_top()
        ax.set_yticks([])
        ax.set_xlim(0.6, n + 0.4)
        ax.set_xticks(range(1, n + 1))
        ax.set_xlabel("mean rank (left is better)")
        ax.xaxis.set_label_position("top")
        half = -(-n // 2)
        lowest = -bars - 0.45 * half
        ax.set_ylim(lowest - 0.2, 0.0)
        for place, (name, rank) in enumerate(frame[["method", "rank"]].itertuples(index=False)):
            left = place < half
            depth = -bars - 0.45 * (place if left else n - 1 - place)
            edge = 0.7 if left else n + 0.3
            ax.plot([rank, rank, edge], [0, depth, depth], color=INK, lw=0.9)
            text = f"{label(str(name), 24)}  {rank:.2f}"
            ax.text(edge, depth + 0.05, text, ha="left" if left else "right", va="bottom", fontsize=8.5)
        where = dict(zip(frame["method"], frame["rank"], strict=True))
        for number, group in enumerate(self.groups, start=1):
            ends = np.array([where[name] for name in group])
            ax.plot([ends.min() - 0.04, ends.max() + 0.04], [-0.25 * number] * 2, color=COLOURS[0], lw=4)
        ax.set_title(f"critical difference {self.difference:.2f}", fontsize=9, loc="right", color=INK)
