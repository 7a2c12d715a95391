"""What all displays share: axes, colours, and labels that keep out of each other's way."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ..errors import MissingExtra
from ..looks import COLOURS, looks

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation
    from matplotlib.transforms import Bbox

    from ..evaluation.comparison import Comparison

MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES = ("-", "--", ":", "-.")
INK, FAINT = "#333333", "#BBBBBB"
LONGEST = 32  # characters of a name that are shown
OFFSETS = [(dx * far, dy * far) for far in (6, 16, 28) for dx in (1, -1, 0) for dy in (1, 0, -1) if dx or dy]


class Display(ABC):
    """A picture and its numbers."""

    ax_: Axes
    figure_: Figure
    size = (6.4, 4.2)  # inches, of a figure made here
    title = ""

    @abstractmethod
    def frame(self) -> pd.DataFrame:
        """The numbers that `plot` draws."""

    @abstractmethod
    def _draw(self, ax: Axes) -> None:
        """Draw on the axes."""

    def _size(self) -> tuple[float, float]:
        return self.size

    def _title(self) -> str:
        return self.title

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on ``ax``, or on a new figure; returns the display, with ``ax_`` and ``figure_``."""
        if ax is None:
            try:
                from matplotlib import pyplot
            except ImportError as error:
                raise MissingExtra("matplotlib", "plot", "drawing") from error
            ax = pyplot.subplots(figsize=self._size(), layout="constrained")[1]
        ax.spines[["top", "right"]].set_visible(False)
        if title := self._title():
            ax.set_title(title, loc="left", fontsize=10.5)
        self._draw(ax)
        self.ax_, self.figure_ = ax, figure_of(ax)
        return self


def figure_of(ax: Axes) -> Figure:
    """The whole figure, where axes are part of a subfigure too."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    return figure


def other_error(comparison: Comparison) -> tuple[str, ...]:
    """The name of errors that are neither error rates nor standard deviations."""
    return () if comparison.standard else (comparison.error_name,)


def error_axis(axis: Axis, task: str, words: str, error: str = "") -> None:
    """Name an axis of errors: percentages of wrong answers, standard deviations of a number, or others by name."""
    if error:
        axis.set_label_text(f"{error} {words}".strip())
        return
    if task == "classification":
        axis.set_major_formatter(lambda value, _: f"{100 * value:.3g}%")
    what = "error rate" if task == "classification" else "RMSE / standard deviation"
    axis.set_label_text(f"{what} {words}".strip())


def looks_of(methods: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Colour, marker and dashes of each method, as in the report."""
    return {method: look(number) for method, number in looks(methods).items()}


def look(number: int) -> dict[str, Any]:
    """Colour, marker and dashes of the method with this number: no two of the first 28 are alike."""
    again, kind = divmod(number, len(COLOURS))
    return {
        "color": COLOURS[kind],
        "marker": MARKERS[(kind + 2 * again) % len(MARKERS)],  # methods of one colour differ in it too
        "linestyle": DASHES[again % len(DASHES)],
    }


def label(name: str, longest: int = LONGEST) -> str:
    """The name as Matplotlib may draw it: one line of what fonts have, cut in the middle, dollars not mathematics.

    >>> label("a\\nb$c$")
    'a b\\\\$c\\\\$'
    >>> label("mean concave points of the nucleus", 12)
    'mean c…cleus'
    """
    name = "".join(c if c.isprintable() else "·" for c in " ".join(name.split()))
    if len(name) > longest:
        name = f"{name[: longest - longest // 2]}…{name[1 - longest // 2 :]}"
    return name.replace("$", r"\$")


def labels(names: Sequence[str], longest: int = LONGEST) -> list[str]:
    """The names as `label` cuts them; those that would then look alike are cut where they still differ.

    >>> labels(["spectral band 12 of the window", "spectral band 13 of the window", "gain"], 16)
    ['…band 12 of the…', '…band 13 of the…', 'gain']
    """
    cut = [label(name, longest) for name in names]
    for shown in {text for text in cut if cut.count(text) > 1}:
        alike = [i for i, text in enumerate(cut) if text == shown]
        whole = [" ".join(names[i].split()) for i in alike]
        same = sum(1 for _ in takewhile(lambda letters: len(set(letters)) == 1, zip(*whole, strict=False)))
        start = max(0, same - longest // 2)
        start = whole[0].find(" ", start, same) + 1 or start  # at a word, where one begins
        if len(set(whole)) > 1 and start > 0:
            for i, name in zip(alike, whole, strict=True):
                part = name[start : start + longest - 2]
                cut[i] = label(f"…{part}{'…' if start + len(part) < len(name) else ''}", longest)
    return cut


def point_looks(methods: Sequence[str]) -> list[tuple[str, str]]:
    """Colour and marker of each method."""
    return [(style["color"], style["marker"]) for style in looks_of(methods).values()]


def label_points(ax: Axes, x: ArrayLike, y: ArrayLike, names: Sequence[str], colour: str, halo: str) -> None:
    """Write each name beside its point, on that side where it covers least of what is there."""
    from matplotlib.patheffects import withStroke

    figure_of(ax).draw_without_rendering()  # fixes the limits and the layout, on which pixels depend
    places = np.column_stack([np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)])
    pixels, inside = ax.transData.transform(places), ax.get_window_extent()
    taken: list[Bbox] = []
    for place, name in zip(places, names, strict=True):
        text = ax.annotate(
            label(name, 18),
            tuple(place),
            OFFSETS[0],
            textcoords="offset points",
            fontsize=8.5,
            color=colour,
            path_effects=[withStroke(linewidth=2.5, foreground=halo)],
            arrowprops={"arrowstyle": "-", "color": FAINT, "lw": 0.7, "shrinkA": 0, "shrinkB": 3},
            zorder=5,
        )

        def hidden(offset: tuple[int, int], text: Annotation = text) -> tuple[int, float]:
            """(how much the text would cover there, how far away it is)"""
            _move(text, offset)
            box = text.get_window_extent().padded(1)
            others = sum(box.overlaps(other) for other in taken)
            outside = box.x0 < inside.x0 or box.x1 > inside.x1 or box.y0 < inside.y0 or box.y1 > inside.y1
            return 4 * others + 2 * outside + sum(box.contains(*point) for point in pixels), float(np.hypot(*offset))

        _move(text, min(OFFSETS, key=hidden))
        taken.append(text.get_window_extent())


def _move(text: Annotation, offset: tuple[int, int]) -> None:
    """The text's near corner or edge at this offset, in points, from what it names."""
    text.set_position(offset)
    text.set_horizontalalignment(("right", "center", "left")[int(np.sign(offset[0])) + 1])
    text.set_verticalalignment(("top", "center", "bottom")[int(np.sign(offset[1])) + 1])
