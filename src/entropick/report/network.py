"""Interactions inside a notebook: how many, the best as a list and as a network, every pair in a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .notebook import MOST, SHOWN, STYLE, cut, escaped, table

if TYPE_CHECKING:
    from ..pairs.answer import Interaction, Interactions

NODES, WIDTH = 12, 360


def interactions_fragment(found: Interactions) -> str:
    """The answer as HTML for a notebook."""
    best, what = found.significant, "pair" if found.order == 2 else "triple"
    many = f"{len(best)} of {found.tests:,} {what}s".replace(",", "\u202f")
    headline = f"{many} {'interacts' if len(best) == 1 else 'interact'}." if best else f"No {what} interacts."
    told = f"Family-wise error {found.alpha:g}, {found.n_samples} rows, {len(found.feature_names)} columns."
    entries = "".join(_entry(rank, pair) for rank, pair in enumerate(best[:SHOWN], start=1))
    left = len(best) - SHOWN
    more = f'<li class="ep-dim">and {left} more</li>' if left > 0 else ""
    frame = found.to_frame()
    return (
        f'<div class="ep-answer"><style>{STYLE}</style><div class="ep-over"><div class="ep-told"><h4>{headline}</h4>'
        f'<p class="ep-dim">{escaped(told)}</p><ol>{entries}{more}</ol></div>{_network(best)}</div>'
        f"{table(f'Every {what} kept', frame.head(MOST), len(frame) - MOST)}</div>"
    )


def _entry(rank: int, pair: Interaction) -> str:
    names = " × ".join(cut(name, 24) for name in pair.features)
    share = "" if pair.share is None else f' <span class="ep-dim">{100 * pair.share:.0f}\u202f%</span>'
    title = f"synergy {pair.synergy:.3g} nats, adjusted p = {pair.p_adjusted:.2g}"
    return f'<li title="{escaped(title)}"><b>{rank}</b><bdi>{escaped(names)}</bdi>{share}</li>'


def _network(pairs: Sequence[Interaction]) -> str:
    """The columns of the best pairs on a circle; a line joins two that interact, the wider the more."""
    names: list[str] = []
    edges = []
    for pair in pairs:
        new = [name for name in pair.features if name not in names]
        if len(pair.features) == 2 and len(names) + len(new) <= NODES:
            names += new
            edges.append(pair)
    if len(names) < 2:
        return ""
    radius = min(88, 30 + 8 * len(names))
    middle, height = WIDTH / 2, 2 * radius + 50
    turn = {name: 2 * math.pi * i / len(names) for i, name in enumerate(names)}
    at = {name: (middle + radius * math.cos(a), height / 2 + radius * math.sin(a)) for name, a in turn.items()}
    most = max(abs(pair.synergy) for pair in edges) or 1.0
    parts = []
    for pair in edges:
        (x1, y1), (x2, y2) = (at[name] for name in pair.features)
        wide = 1 + 4 * abs(pair.synergy) / most
        line = f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#2f86bd"'
        parts.append(f'{line} stroke-width="{wide:.1f}" stroke-opacity=".6"/>')
    for name, (x, y) in at.items():
        side = "start" if math.cos(turn[name]) > 0.1 else "end" if math.cos(turn[name]) < -0.1 else "middle"
        dx = {"start": 8, "end": -8, "middle": 0}[side]
        dy = 4 if side != "middle" else 18 if math.sin(turn[name]) > 0 else -10
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="#2f86bd"/>')
        place = f'x="{x + dx:.1f}" y="{y + dy:.1f}" text-anchor="{side}"'
        parts.append(f"<text {place}>{escaped(cut(name, 14))}</text>")
    return (
        f'<svg role="img" aria-label="Columns that interact" width="{WIDTH}" height="{height}"'
        f' viewBox="0 0 {WIDTH} {height}">{"".join(parts)}</svg>'
    )
