"""Interactions as pictures: a network of the columns that speak together, and the table of the best pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidInput
from ..looks import COLOURS
from ..pairs.answer import Interactions
from .display import FAINT, INK, Display, label, label_points

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

MOST = 60  # lines of a network: more are a ball of wool


class InteractionNetworkDisplay(Display):
    """Columns as points and interactions as lines: the wider a line, the more the two say only together.

    Parameters
    ----------
    names
        (p,) of the columns.
    lines
        (e, 2) positions in ``names``.
    synergy
        (e,) nats of each line.
    alone
        (p,) nats that each column says by itself: the size of its point.

    Examples
    --------
    >>> import entropick as ep
    >>> problem = ep.datasets.xor(random_state=0)
    >>> found = ep.interactions(problem.X, problem.y)
    >>> ep.displays.InteractionNetworkDisplay.from_interactions(found).names
    ['x0', 'x1']
    """

    def __init__(self, names: Sequence[str], lines: Any, synergy: Any, alone: Any) -> None:
        self.names = list(names)
        self.lines = np.array(lines, dtype=np.intp).reshape(-1, 2)
        self.synergy = np.array(synergy, dtype=np.float64)
        self.alone = np.array(alone, dtype=np.float64)

    @classmethod
    def from_interactions(cls, interactions: Interactions, most: int = MOST) -> InteractionNetworkDisplay:
        """Of the significant ones, at most so many; of triples every two columns are joined."""
        found = interactions.significant[:most]
        if not found:
            raise InvalidInput(
                f"interactions: none of {interactions.tests} is significant at {interactions.alpha:g}: nothing to draw"
            )
        alone: dict[str, float] = {}
        lines: dict[tuple[str, str], float] = {}
        for one in found:
            alone |= dict(zip(one.features, one.main_effects, strict=True))
            for k, first in enumerate(one.features):
                for second in one.features[k + 1 :]:
                    lines[first, second] = max(lines.get((first, second), 0.0), one.synergy)
        place = {name: k for k, name in enumerate(alone)}
        ends = [(place[a], place[b]) for a, b in lines]
        return cls(list(alone), ends, list(lines.values()), list(alone.values()))

    def frame(self) -> pd.DataFrame:
        """One row a line: feature_1, feature_2, synergy."""
        import pandas as pd

        ends = [(self.names[a], self.names[b]) for a, b in self.lines]
        return pd.DataFrame(ends, columns=["feature_1", "feature_2"]).assign(synergy=self.synergy)

    def places(self) -> np.ndarray:
        """(p, 2) where the points are: lines pull their ends together, points push each other apart.

        Fruchterman & Reingold's forces from a circle, so that the same answer always gives the same picture.
        """
        n = len(self.names)
        angle = 2 * np.pi * np.arange(n) / max(n, 1)
        at = np.stack([np.cos(angle), np.sin(angle)], 1)
        near = 1.6 / np.sqrt(max(n, 1))
        first, second = self.lines.T
        for heat in np.linspace(0.2, 0.005, 200):
            apart = at[:, None] - at[None]
            far = np.maximum(np.linalg.norm(apart, axis=2), 1e-3)
            move = (apart * (near / far)[:, :, None] ** 2).sum(axis=1)
            move -= 0.3 * at  # parts that no line joins stay in the picture
            pull = (at[first] - at[second]) * (far[first, second] / near)[:, None]
            np.add.at(move, first, -pull)
            np.add.at(move, second, pull)
            length = np.maximum(np.linalg.norm(move, axis=1, keepdims=True), 1e-9)
            at = at + move / length * np.minimum(length, heat)
        return at

    def _size(self) -> tuple[float, float]:
        side = float(np.clip(3.5 + 0.25 * len(self.names), 4.5, 9.0))
        return side + 1.0, side

    def _draw(self, ax: Axes) -> None:
        at = self.places()
        width = 0.8 + 4.2 * np.maximum(self.synergy, 0) / max(float(self.synergy.max()), 1e-12)
        for (a, b), wide in zip(self.lines, width, strict=True):
            ax.plot(at[[a, b], 0], at[[a, b], 1], color=COLOURS[0], alpha=0.55, linewidth=wide, zorder=1)
        size = 30 + 270 * self.alone / max(float(self.alone.max()), 0.01)
        ax.scatter(at[:, 0], at[:, 1], s=size, color=COLOURS[1], edgecolor="white", linewidth=1, zorder=2)
        ax.margins(0.15)
        ax.set_xticks([])
        ax.set_yticks([])
        ax.spines[:].set_visible(False)
        ax.set_aspect("equal", adjustable="datalim")
        label_points(ax, at[:, 0], at[:, 1], self.names, INK, "white")
        ax.set_title("lines: synergy of two columns; points: information of one", fontsize=9, color=INK)


class BestPairDisplay(Display):
    """The best pair as a heat map: the share of a class, or the mean of a number, by the levels of both columns.

    Parameters
    ----------
    features, levels
        names of the two columns, and of the levels of each.
    values
        (levels of the first, levels of the second), NaN where there is no row.
    rows
        how many rows each cell has.
    what
        what the values are.

    Examples
    --------
    >>> import entropick as ep
    >>> problem = ep.datasets.xor(random_state=0)
    >>> found = ep.interactions(problem.X, problem.y)
    >>> ep.displays.BestPairDisplay.from_interactions(found).values.shape
    (2, 2)
    """

    def __init__(
        self, features: Sequence[str], levels: Sequence[Sequence[str]], values: Any, rows: Any, what: str
    ) -> None:
        self.features = list(features)
        self.levels = [list(names) for names in levels]
        self.values = np.array(values, dtype=np.float64)
        self.rows = np.array(rows, dtype=np.int64)
        self.what = what

    @classmethod
    def from_interactions(cls, interactions: Interactions, label: str | None = None) -> BestPairDisplay:
        """Of the first pair. ``label`` says which class; by default the one whose share differs most between cells."""
        cells = interactions.best
        if cells is None:
            raise InvalidInput("interactions: has no pair to draw")
        if "means" in cells:
            return cls(cells["features"], cells["levels"], cells["means"], cells["rows"], "mean of the target")
        shares, rows = np.array(cells["shares"], dtype=np.float64), np.array(cells["rows"], dtype=np.float64)
        if label is None:
            middle = np.nansum(shares * rows, axis=(1, 2), keepdims=True) / rows.sum()
            at = int(np.argmax(np.nansum(rows * (shares - middle) ** 2, axis=(1, 2))[::-1]))
            at = len(shares) - 1 - at  # of two classes the second: yes rather than no
        elif label in cells["classes"]:
            at = cells["classes"].index(label)
        else:
            raise InvalidInput(f"label: must be one of {', '.join(cells['classes'])}, got {label!r}")
        what = f"share of {cells['classes'][at]}"
        return cls(cells["features"], cells["levels"], shares[at], cells["rows"], what)

    def frame(self) -> pd.DataFrame:
        """One row a cell: the level of both columns, rows and value."""
        import pandas as pd

        cells = [
            (a, b, int(self.rows[i, j]), float(self.values[i, j]))
            for i, a in enumerate(self.levels[0])
            for j, b in enumerate(self.levels[1])
        ]
        return pd.DataFrame(cells, columns=[*self.features, "rows", self.what])

    def _size(self) -> tuple[float, float]:
        return 2.8 + 0.75 * len(self.levels[1]), 1.8 + 0.6 * len(self.levels[0])

    def _draw(self, ax: Axes) -> None:
        known = self.values[np.isfinite(self.values)]
        low, high = float(known.min()), float(known.max())
        image = ax.imshow(self.values, cmap="Blues", vmin=low, vmax=high if high > low else low + 1, aspect="auto")
        ax.set_xticks(range(len(self.levels[1])), [label(name, 12) for name in self.levels[1]])
        ax.set_yticks(range(len(self.levels[0])), [label(name, 12) for name in self.levels[0]])
        ax.set_xlabel(label(self.features[1]))
        ax.set_ylabel(label(self.features[0]))
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        for (i, j), value in np.ndenumerate(self.values):
            if np.isfinite(value):
                colour = "white" if value > low + 0.6 * (high - low) else INK
                text = f"{value:.2g}\n({self.rows[i, j]})"
                ax.text(j, i, text, ha="center", va="center", fontsize=8, color=colour)
            else:
                ax.text(j, i, "no row", ha="center", va="center", fontsize=7, color=FAINT)
        bar = ax.figure.colorbar(image, ax=ax, shrink=0.9, pad=0.02)
        bar.outline.set_visible(False)
        bar.set_label(label(self.what))
