"""Lines in an inline SVG: enough for the curves of a figure, with nothing from outside the page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from .paper_table import Figure

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 720, 360, 60, 40, 12
RIGHT = 230  # room for the names of the lines
COLOURS = ("#1a6fb5", "#d1495b", "#2a9d5c", "#8a5fbf", "#c77d0a", "#3aa6b9", "#7a7a7a", "#b5487f")


def chart(figures: Sequence[Figure], x: str, series: str) -> str:
    """One line for each value of the label ``series``, over the label ``x``."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for f in figures:
        lines.setdefault(str(f.labels[series]), []).append((float(f.labels[x]), f.ours))
    points = np.array([point for line in lines.values() for point in line])
    low, high = points.min(axis=0), points.max(axis=0)
    reach = np.where(high > low, high - low, 1.0)
    inner = np.array([WIDTH - LEFT - RIGHT, HEIGHT - BOTTOM - TOP])

    def place(point: tuple[float, float]) -> tuple[float, float]:
        a, b = (np.array(point) - low) / reach * inner
        return LEFT + a, HEIGHT - BOTTOM - b

    drawn = []
    for i, (name, line) in enumerate(lines.items()):
        colour = COLOURS[i % len(COLOURS)]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in map(place, sorted(line)))
        row = TOP + 14 + 18 * i
        drawn.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        drawn.append(f'<text x="{WIDTH - RIGHT + 12}" y="{row}" fill="{colour}">{escape(name)}</text>')
    for share in (0.0, 0.5, 1.0):
        at = low + share * reach
        a, b = place((float(at[0]), float(at[1])))
        drawn.append(f'<text x="{a:.0f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{at[0]:g}</text>')
        drawn.append(f'<text x="{LEFT - 8}" y="{b:.0f}" text-anchor="end">{at[1]:.3g}</text>')
    drawn.append(f'<text x="{LEFT + inner[0] / 2}" y="{HEIGHT - 4}" text-anchor="middle">{escape(x)}</text>')
    axes = f"M{LEFT},{TOP} V{HEIGHT - BOTTOM} H{WIDTH - RIGHT}"
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(series)} over {escape(x)}" '
        f'font-family="inherit" font-size="12" fill="currentColor"><path d="{axes}" fill="none" stroke="currentColor"/>'
        f"{''.join(drawn)}</svg>"
    )
