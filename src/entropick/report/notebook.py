"""An answer inside a notebook: the verdict, the curve, the features; one fragment of HTML with a style of its own.

No script runs, so that it also shows where notebooks are only displayed. Names are escaped, long ones cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from ..evaluation.comparison import Comparison
from ..looks import COLOURS
from ..selection import Selection
from .summary import comparison_summary, selection_summary

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 12  # features
MOST = 30  # rows of the table
WIDTH, HEIGHT = 380, 190
STYLE = """
.ep-answer{font:14px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;max-width:60rem;color:inherit}
.ep-answer .ep-over{display:flex;flex-wrap:wrap;gap:1rem 2.5rem;align-items:flex-start}
.ep-answer .ep-told{flex:1 1 20rem;min-width:0}
.ep-answer h4{font-size:1.25rem;margin:.1rem 0 .5rem}
.ep-answer p{margin:.3rem 0}
.ep-answer .ep-dim{opacity:.72}
.ep-answer .ep-warn{border-left:3px solid #d29b22;padding:.15rem .6rem;margin:.3rem 0;background:rgb(210 155 34/.12)}
.ep-answer ol{list-style:none;display:flex;flex-wrap:wrap;gap:.4rem;padding:0;margin:.6rem 0}
.ep-answer li{border:1px solid rgb(128 128 128/.4);border-radius:.4rem;padding:.15rem .55rem;max-width:18rem;
overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.ep-answer li b{color:#2f86bd;margin-right:.35rem}
.ep-answer svg text{font-size:11px;fill:currentColor;opacity:.8}
"""


def fragment(answer: Selection | Comparison) -> str:
    """The answer as HTML for a notebook."""
    summary = comparison_summary(answer) if isinstance(answer, Comparison) else selection_summary(answer)
    told = summary["answer"]
    target, rest = told["predicting"]
    cautions = "".join(f'<p class="ep-warn">{escaped(one["text"])}</p>' for one in told["cautions"])
    words = "".join(
        f"<p>{f'<b>{escaped(lead)}</b> ' if lead else ''}{escaped(text)}</p>" for lead, text in told["words"]
    )
    picture = (
        _curve(summary["accuracy"], summary["looks"])
        if summary.get("accuracy") and len(summary["accuracy"]["ks"]) > 1
        else ""
    )
    return (
        f'<div class="ep-answer"><style>{STYLE}</style><div class="ep-over"><div class="ep-told">'
        f'<p class="ep-dim">Predicting <b>{escaped(target)}</b> {escaped(rest)}</p><h4>{escaped(told["headline"])}</h4>'
        f"{cautions}{words}</div>{picture}</div>{_features(told['features'])}"
        f"{_steps(answer) if isinstance(answer, Selection) else ''}</div>"
    )


def _steps(selection: Selection) -> str:
    """Every step as a table, folded."""
    frame = selection.to_frame().head(MOST)
    if frame.empty:
        return ""
    return table("Every step", frame, len(selection.steps) - len(frame))


def table(title: str, frame: pd.DataFrame, left: int = 0) -> str:
    """A frame as a table, folded; ``left`` rows are not in it."""
    head = "".join(f"<th>{escaped(str(name).replace('_', ' '))}</th>" for name in frame.columns)
    rows = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in frame.itertuples(index=False))
    more = f"<p>and {left} more</p>" if left > 0 else ""
    shown = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f"<details><summary>{title}</summary>{shown}{more}</details>"


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"<td>{'' if value != value else f'{value:.4g}'}</td>"
    return f"<td>{'' if value is None else escaped(cut(str(value)))}</td>"


def _features(features: Sequence[dict[str, Any]]) -> str:
    entries = []
    for one in features[:SHOWN]:
        facts = [
            "" if one["share"] is None else f"selected in {100 * one['share']:.0f} % of resamples",
            "" if one["alone"] is None else f"{100 * one['alone']:.0f} % of the information alone",
            one["status"],
            one["note"],
        ]
        title = escaped("; ".join([one["name"], *(fact for fact in facts if fact)]))
        share = "" if one["share"] is None else f' <span class="ep-dim">{100 * one["share"]:.0f}\u202f%</span>'
        entries.append(f'<li title="{title}"><b>{one["rank"]}</b><bdi>{escaped(cut(one["name"]))}</bdi>{share}</li>')
    more = f'<li class="ep-dim">and {len(features) - SHOWN} more</li>' if len(features) > SHOWN else ""
    return f"<ol>{''.join(entries)}{more}</ol>" if entries else ""


def _curve(accuracy: dict[str, Any], numbers: dict[str, int]) -> str:
    """Error against the number of features; the recommended method in its colour, others grey."""
    best, ks = accuracy["best"], accuracy["ks"]
    curves = accuracy["curves"][best["estimator"]]
    low = min(min(curve["mean"]) for curve in curves)
    high = max(max(curve["mean"]) for curve in curves)
    span = (high - low) or 1.0

    def x(k: int) -> float:
        return float(44 + (WIDTH - 56) * ks.index(k) / (len(ks) - 1))

    def y(error: float) -> float:
        return float(HEIGHT - 34 - (HEIGHT - 56) * (error - low) / span)

    def points(curve: dict[str, Any]) -> str:
        return " ".join(f"{x(k):.1f},{y(mean):.1f}" for k, mean in zip(curve["k"], curve["mean"], strict=True))

    colour = COLOURS[numbers[best["method"]] % len(COLOURS)]
    lines = [
        f'<polyline points="{points(curve)}" fill="none" stroke="rgb(128 128 128/.5)" stroke-width="1.2"/>'
        for curve in curves
        if curve["method"] != best["method"]
    ]
    own = next(curve for curve in curves if curve["method"] == best["method"])
    lines.append(f'<polyline points="{points(own)}" fill="none" stroke="{colour}" stroke-width="2.4"/>')
    place = f'cx="{x(best["k"]):.1f}" cy="{y(best["error"]):.1f}"'
    ring = f'<circle {place} r="6" fill="none" stroke="{colour}" stroke-width="2"/>'

    def size(error: float) -> str:
        return f"{100 * error:.1f} %" if accuracy["percent"] else f"{error:.3g}"

    labels = "".join(f'<text x="{x(k):.1f}" y="{HEIGHT - 18}" text-anchor="middle">{k}</text>' for k in ks)
    for value in (low, high):
        labels += f'<text x="40" y="{y(value) + 4:.1f}" text-anchor="end">{size(value)}</text>'
    labels += f'<text x="{WIDTH / 2}" y="{HEIGHT - 3}" text-anchor="middle">number of features</text>'
    labels += f'<text x="2" y="11">{escaped(accuracy["error"])}, {escaped(best["estimator"])}</text>'
    return (
        f'<svg role="img" aria-label="Error against the number of features" width="{WIDTH}" height="{HEIGHT}"'
        f' viewBox="0 0 {WIDTH} {HEIGHT}">{"".join(lines)}{ring}{labels}</svg>'
    )


def cut(name: str, longest: int = 40) -> str:
    name = " ".join(name.split()) or "␣"
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def escaped(text: str) -> str:
    return escape(str(text)).encode("ascii", "xmlcharrefreplace").decode()
