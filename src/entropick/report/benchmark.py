"""A benchmark as one self-contained page: the diagram, the errors, the tests."""

from __future__ import annotations

import os
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..evaluation.benchmark import Benchmark
from ..evaluation.cite import references
from ..files import write_whole
from .words import counted, joined

if TYPE_CHECKING:
    import pandas as pd

STYLE = """
body{font:16px/1.5 system-ui,sans-serif;color:#222;background:#fff;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9rem}
th,td{padding:.25rem .75rem;text-align:right;border-bottom:1px solid #ddd}th:first-child,td:first-child{text-align:left}
.wide{overflow-x:auto}.best{font-weight:700}svg{width:100%;height:auto}small{color:#666}
"""


def write_benchmark(benchmark: Benchmark, path: str | os.PathLike[str]) -> Path:
    """Write the page to ``path`` and return that."""
    destination = Path(path)
    write_whole(destination, page(benchmark))
    return destination


def page(benchmark: Benchmark) -> str:
    """The page as text."""
    first = benchmark.ranks().iloc[0]
    headline = f"{first['method']} has the best mean rank, {first['rank']:.2f}."
    told = "".join(f"<p>{escape(words)}</p>" for words in _words(benchmark))
    notes = "".join(f"<li>{escape(note)}</li>" for note in benchmark.notes)
    shared = next(iter(benchmark.comparisons.values()))
    papers = "".join(f"<li>{escape(line)}</li>" for line in references(shared))
    body = (
        f"<h1>{escape(headline)}</h1>{told}<h2>Mean ranks</h2>{diagram(benchmark)}"
        f"<h2>Errors</h2><p>The mean over numbers of features, estimators and resamples; the lowest in bold.</p>"
        f"{_errors(benchmark.errors)}<h2>Pairs</h2><p>p-values by Nemenyi's test and by Wilcoxon's with Holm's"
        " correction; then the probabilities, by the Bayesian sign test, that the first is better by more than 0.01,"
        f" that both are equivalent, that it is worse.</p>{_table(benchmark.differences())}"
        + (f"<h2>Notes</h2><ul>{notes}</ul>" if notes else "")
        + (f"<h2>References</h2><ul>{papers}</ul>" if papers else "")
    )
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    text = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(headline)}</title><style>{STYLE}</style></head><body>{body}</body></html>\n"
    )
    return text.encode("ascii", "xmlcharrefreplace").decode()


def _words(benchmark: Benchmark) -> list[str]:
    test = benchmark.friedman
    differ = test.f_p_value < 0.05
    told = [
        f"{counted(len(benchmark.methods), 'method')} on {counted(len(benchmark.comparisons), 'table')}."
        f" Friedman's test: χ² {test.chi2:.2f}, p {test.p_value:.2g}; Iman and Davenport's F {test.f:.2f}, p"
        f" {test.f_p_value:.2g}: " + ("some methods differ." if differ else "no difference can be shown.")
    ]
    groups = benchmark.groups()
    if groups:
        told.append(f"Not significantly different at 5 %: {'; '.join(joined(group) for group in groups)}.")
    return told


def diagram(benchmark: Benchmark) -> str:
    """Demšar's critical-difference diagram as SVG."""
    frame = benchmark.ranks()
    n, groups = len(frame), benchmark.groups()
    names, ranks = frame["method"].tolist(), frame["rank"].tolist()
    half, top, step = -(-n // 2), 46, 18
    lines = top + 12 * (len(groups) + 1)
    height = lines + step * half + 10
    left, right = 170.0, 630.0

    def x(rank: float) -> float:
        return left + (rank - 1) / max(n - 1, 1) * (right - left)

    parts = [f'<line x1="{left}" y1="{top}" x2="{right}" y2="{top}" stroke="#333"/>']
    for tick in range(1, n + 1):
        parts.append(f'<line x1="{x(tick):.1f}" y1="{top - 5}" x2="{x(tick):.1f}" y2="{top}" stroke="#333"/>')
        parts.append(f'<text x="{x(tick):.1f}" y="{top - 9}" text-anchor="middle">{tick}</text>')
    difference = benchmark.critical_difference()
    end = min(x(1 + difference), right)
    parts.append(f'<line x1="{left}" y1="14" x2="{end:.1f}" y2="14" stroke="#D55E00" stroke-width="2"/>')
    parts.append(f'<text x="{end + 6:.1f}" y="18">critical difference {difference:.2f}</text>')
    for place, (name, rank) in enumerate(zip(names, ranks, strict=True)):
        first = place < half
        y = lines + step * (place if first else n - 1 - place)
        edge, anchor = (left - 10, "end") if first else (right + 10, "start")
        parts.append(f'<polyline points="{x(rank):.1f},{top} {x(rank):.1f},{y} {edge},{y}" fill="none" stroke="#333"/>')
        shift = -4 if first else 4
        parts.append(f'<text x="{edge + shift}" y="{y + 4}" text-anchor="{anchor}">{escape(name)} {rank:.2f}</text>')
    where = dict(zip(names, ranks, strict=True))
    for number, group in enumerate(groups, start=1):
        ends = sorted(where[name] for name in group)
        y = top + 12 * number
        low, high = x(ends[0]) - 3, x(ends[-1]) + 3
        parts.append(f'<line x1="{low:.1f}" y1="{y}" x2="{high:.1f}" y2="{y}" stroke="#0072B2" stroke-width="5"/>')
    title = "Methods at their mean ranks; bars join those that do not differ significantly"
    return (
        f'<svg viewBox="0 0 800 {height}" role="img" aria-label="{title}" font-size="12" font-family="sans-serif">'
        f"{''.join(parts)}</svg>"
    )


def _errors(errors: pd.DataFrame) -> str:
    head = "".join(f"<th>{escape(str(name))}</th>" for name in errors.columns)
    rows = []
    for name, row in errors.iterrows():
        least = row.min()
        cells = "".join(f"<td{' class=best' if value == least else ''}>{value:.3f}</td>" for value in row)
        rows.append(f"<tr><td>{escape(str(name))}</td>{cells}</tr>")
    return f'<div class="wide"><table><tr><th>table</th>{head}</tr>{"".join(rows)}</table></div>'


def _table(frame: pd.DataFrame) -> str:
    head = "".join(f"<th>{escape(str(name))}</th>" for name in frame.columns)
    rows = "".join(f"<tr>{''.join(f'<td>{_cell(v)}</td>' for v in row)}</tr>" for row in frame.itertuples(index=False))
    return f'<div class="wide"><table><tr>{head}</tr>{rows}</table></div>'


def _cell(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else escape(str(value))
