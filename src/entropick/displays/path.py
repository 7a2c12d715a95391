"""The selection step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..evaluation.path import PathEvidence, path_evidence, recorded_evidence
from ..looks import COLOURS
from ..selection import Selection
from .display import FAINT, INK, Display, figure_of, labels

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


class SelectionPathDisplay(Display):
    """One row a step: what the criterion gave the feature, and what all features so far say together.

    Bars are the method's own scores. Points are I(X_S;Y), where it is known, up to H(Y), the most there is to know;
    the percentage beside a point is Fano's floor: no classifier that sees only these features errs less often.

    Parameters
    ----------
    selection
        the steps to draw.
    evidence
        their joint information, see `entropick.evaluation.path.PathEvidence`.

    Examples
    --------
    >>> import entropick as ep
    >>> X, y = ep.datasets.load_demo()
    >>> found = ep.select(X, y, method="jmi", k=2)
    >>> ep.displays.SelectionPathDisplay.from_data(found, X, y).frame()["feature"].tolist()
    ['worst perimeter', 'worst smoothness']
    """

    def __init__(self, selection: Selection, evidence: PathEvidence) -> None:
        self.selection = selection
        self.evidence = evidence

    @classmethod
    def from_selection(cls, selection: Selection) -> SelectionPathDisplay:
        """From what the Selection itself records: joint information of Gaussian methods and of cmi only."""
        return cls(selection, recorded_evidence(selection))

    @classmethod
    def from_data(cls, selection: Selection, X: Any, y: Any) -> SelectionPathDisplay:
        """With the joint information counted from the rows, for any method."""
        return cls(selection, path_evidence(selection, X, y))

    def frame(self) -> pd.DataFrame:
        """rank, feature, score, information (nats), floor (error rate); missing where unknown."""
        import pandas as pd

        n = len(self.selection.steps)
        return pd.DataFrame(
            {
                "rank": range(1, n + 1),
                "feature": [step.name for step in self.selection.steps],
                "score": self.selection.scores,
                "information": pd.Series(self.evidence.information or [None] * n, dtype=float),
                "floor": pd.Series(self.evidence.floor or [None] * n, dtype=float),
            }
        )

    def _size(self) -> tuple[float, float]:
        steps = max(len(self.selection.steps), 2)
        return 6.8, 1.6 + (0.3 if steps <= 25 else 0.18) * steps

    def _title(self) -> str:
        return "What each feature adds"

    def _draw(self, ax: Axes) -> None:
        frame = self.frame()
        names = zip(frame["rank"], labels(frame["feature"].tolist()), strict=True)
        size = 9 if len(frame) <= 25 else 7.5
        ax.set_yticks(frame["rank"], [f"{name}  {rank}" for rank, name in names], fontsize=size)
        ax.set_ylim(len(frame) + 0.6, 0.4)
        ax.tick_params(axis="y", length=0)
        units = self.selection.units
        ax.set_xlabel(f"score of {self.selection.method}" + (f" ({units})" if units else ""))
        ax.barh(frame["rank"], frame["score"], height=0.62, color=COLOURS[4], alpha=0.55, label="score of the step")
        ax.axvline(0, color=FAINT, lw=0.8, zorder=0)
        known = frame.dropna(subset="information")
        if len(known):
            self._draw_information(ax, known)

    def _draw_information(self, ax: Axes, known: pd.DataFrame) -> None:
        from matplotlib.patheffects import withStroke

        most = self.evidence.class_entropy
        axes = [ax]
        if self.selection.units == "nats":
            ax.set_xlabel(f"score of {self.selection.method}, joint information (nats)")
        else:  # an axis of its own, or the length of a bar would be read as information
            axes.append(ax.twiny())
            axes[1].set_xlim(0, 1.12 * max(known["information"].max(), most or 0.0))
            axes[1].spines[["bottom", "right"]].set_visible(False)
            axes[1].set_xlabel("joint information (nats)")
        scale = axes[-1]
        scale.plot(known["information"], known["rank"], "o-", color=COLOURS[0], ms=5, lw=1.4, label="all so far")
        if most is not None:
            scale.axvline(most, color=INK, lw=1, ls="--", label="all there is to know")
        for rank, nats, floor in known[["rank", "information", "floor"]].itertuples(index=False):
            if floor > 0:
                scale.annotate(
                    f"error ≥ {floor:.1%}",
                    (nats, rank),
                    (7, 0),
                    textcoords="offset points",
                    horizontalalignment="left",
                    verticalalignment="center",
                    fontsize=8,
                    color=INK,
                    path_effects=[withStroke(linewidth=2.5, foreground="white")],
                )
        drawn = [one for each in axes for one in each.get_legend_handles_labels()[0]]
        figure_of(ax).legend(handles=drawn, frameon=False, fontsize=8, loc="outside lower center", ncols=3)
