"""Results for people: a self-contained HTML page, Markdown, or text; ours, the paper's figure and the difference.

Every name and value is escaped. A table with a label that goes ``across`` is laid out as in the paper, ours first,
the paper's behind it.
"""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from .chart import chart
from .paper_table import Figure, Result

TITLE = "The papers' numbers, made again"
COMMANDS = (
    "`entropick reproduce NAME` makes one of these tables, `--quick` a smaller one; `entropick reproduce` lists them.\n"
    "`entropick reproduce NAME --kept --update docs/reproduction.md` puts what is kept of a table into this page.\n"
    "Times were taken on two busy cores."
)
STYLE = """
:root { color-scheme: light dark; --ink: #1d2430; --dim: #5b6675; --line: #dfe3e8; --back: #fff; --card: #f6f7f9; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ee; --dim: #9aa5b4; --line: #333b47; --back: #14181e; --card: #1c222b; } }
body { margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 75rem; background: var(--back); color: var(--ink);
       font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin: 2.5rem 0 .25rem; } p { max-width: 48rem; margin: .4rem 0; }
.dim, small { color: var(--dim); } code { background: var(--card); padding: .1rem .3rem; border-radius: .25rem; }
.scroll { overflow-x: auto; margin: .8rem 0; } svg { max-width: 40rem; width: 100%; height: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th[scope=row], thead th.label { text-align: left; } tbody tr:hover { background: var(--card); }
td small { display: block; }
@media print { body { max-width: none; padding: 0; } }
"""


@dataclass(frozen=True)
class Grid:
    """Figures in rows and columns: ``rows`` are (labels of the row, one figure or None for each of ``columns``)."""

    labels: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], tuple[Figure | None, ...]], ...]


def grid(result: Result) -> Grid:
    """The figures as the paper lays them out, in the order in which rows and columns first appear."""
    across = result.table.across
    labels = tuple(dict.fromkeys(name for f in result.figures for name in f.labels if name != across))
    columns = tuple(dict.fromkeys(str(f.labels[across]) for f in result.figures)) if across else ("",)
    rows: dict[tuple[str, ...], dict[str, Figure]] = {}
    for f in result.figures:
        key = tuple(str(f.labels.get(name, "")) for name in labels)
        rows.setdefault(key, {})[str(f.labels[across]) if across else ""] = f
    return Grid(labels, columns, tuple((key, tuple(cells.get(c) for c in columns)) for key, cells in rows.items()))


def number(value: float, digits: int) -> str:
    """So many decimals, fewer where a number is large; small ones by their leading digits; – where there is none.

    >>> number(0.125, 2), number(2308.0, 1), number(3.2e-15, 2), number(math.nan, 2)
    ('0.12', '2308', '3.2e-15', '–')
    """
    if math.isnan(value):
        return "–"
    if value != 0 and abs(value) < 0.5 * 10**-digits:
        return f"{value:.1e}"
    return f"{value:.0f}" if value == int(value) and abs(value) >= 100 else f"{value:.{digits}f}"


def mode(result: Result) -> str:
    """How much of the table was made: full or quick, and how many cells where some are missing."""
    if not result.finished:
        return "not made"
    name = "quick" if result.quick else "full"
    return name if result.finished == result.wanted else f"{name}, {result.finished} of {result.wanted} cells"


def distance(result: Result) -> str:
    """How far ours are from the printed figures, in a line; empty where nothing can be compared."""
    compared = result.compared()
    if not compared:
        return ""
    digits = result.table.digits
    worst = max(compared, key=lambda f: abs(f.difference))
    middle = statistics.median(abs(f.difference) for f in compared)
    unit = f" {result.table.unit}" if result.table.unit else ""
    return (
        f"{len(compared)} figures beside the paper's: median difference {number(middle, digits)}{unit}, largest "
        f"{number(worst.difference, digits)} ({', '.join(str(value) for value in worst.labels.values())})"
    )


def as_text(result: Result) -> str:
    """The table for a terminal, and what there is to say about it."""
    columns, body = _rows(result, _one_line)
    rows = [[*grid(result).labels, *columns], *([*labels, *cells] for labels, cells in body)] if body else []
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(text.ljust(w) for text, w in zip(row, wide, strict=True)).rstrip() for row in rows]
    return "\n".join([result.table.title, "", *lines, "", *_remarks(result)]) + "\n"


def as_markdown(results: Sequence[Result], page: str = "") -> str:
    """A page for the documentation: what was made, how far off, and why.

    page : an earlier page; its tables that ``results`` lack stay as they are, in the order of that page.
    """
    rows, sections = _parts(page)
    rows |= {result.table.name: _row(result) for result in results}
    sections |= {result.table.name: _markdown_section(result) for result in results}
    head = [
        f"# {TITLE}\n",
        f"{_lead(results)}\n",
        f"{COMMANDS}\n",
        "| table | made | beside the paper's |",
        "|---|---|---|",
    ]
    body = [sections[name] for name in rows if sections.get(name)]
    return "\n".join([*head, *rows.values(), *body]) + "\n"


def _parts(page: str) -> tuple[dict[str, str], dict[str, str]]:
    """The rows of the page's first table and its sections, each by the name of the table it speaks of."""
    summary, *rest = re.split(r"^(?=## )", page, flags=re.MULTILINE)
    rows = {found[1]: line for line in summary.splitlines() if (found := re.match(r"\| \[?([a-z0-9-]+)[\] ]", line))}
    rows.pop("table", None)
    return rows, {section[3:].split("\n", 1)[0]: "\n" + section.rstrip("\n") for section in rest}


def _row(result: Result) -> str:
    name = result.table.name
    far = distance(result) or ("no figures were printed" if result.figures else "")
    return _line([f"[{name}](#{name})" if result.figures else name, mode(result), far])


def _markdown_section(result: Result) -> str:
    if not result.figures:
        return ""
    columns, rows = _rows(result, _one_line)
    head = [*grid(result).labels, *columns]
    source = f" *{result.table.paper}*." if result.table.paper else ""
    parts = [f"\n## {result.table.name}\n\n{result.table.title}.{source}\n"]
    parts += [f"{remark}\n" for remark in _remarks(result)]
    parts += [_line(head), "|" + "---|" * len(head), *(_line([*labels, *cells]) for labels, cells in rows)]
    return "\n".join(parts)


def as_html(results: Sequence[Result]) -> str:
    """One page without scripts or anything from outside."""
    sections = "".join(_section(result) for result in results)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{TITLE}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<h1>{TITLE}</h1>
<p>{escape(_lead(results))}</p>
{sections}</main>
</body>
</html>
"""


def _lead(results: Sequence[Result]) -> str:
    versions = sorted({version for result in results for version in result.versions})
    by = f" by entropick {', '.join(versions)}" if versions else ""
    return f"Ours{by} first, the paper's figure behind it or below; – where there is none."


def _remarks(result: Result) -> list[str]:
    """Sentences: the protocol, how far off, why, what was skipped, how long it took."""
    table = result.table
    far = distance(result)
    lines = [table.how, f"{far}." if far else "", table.why]
    lines += [f"Skipped: {reason}." for reason in result.skipped]
    if result.finished:
        lines.append(f"Made: {mode(result)}; {result.seconds:.0f} s of computing.")
    return [line for line in lines if line]


def _rows(
    result: Result, across: Callable[[Figure, int], str]
) -> tuple[list[str], list[tuple[tuple[str, ...], list[str]]]]:
    """Headings of the figures, and for each row its labels and its figures as text.

    Where a label goes across, a cell holds what ``across`` makes of its figure; else each kind has its column.
    """
    laid, digits = grid(result), result.table.digits
    if result.table.across:
        return list(laid.columns), [
            (labels, ["" if f is None else across(f, digits) for f in figures]) for labels, figures in laid.rows
        ]
    kinds: dict[str, Callable[[Figure], float]] = {"ours": lambda f: f.ours}
    if any(not math.isnan(f.spread) for f in result.figures):
        kinds["spread"] = lambda f: f.spread
    if result.compared():
        kinds |= {"paper": lambda f: f.paper, "difference": lambda f: f.difference}
    return list(kinds), [
        (labels, [number(of(f), digits) for f in figures if f is not None for of in kinds.values()])
        for labels, figures in laid.rows
    ]


def _section(result: Result) -> str:
    table, labels = result.table, grid(result).labels
    columns, rows = _rows(result, _two_lines)
    remarks = "".join(f"<p>{escape(remark)}</p>" for remark in _remarks(result))
    head = "".join(f'<th class="label">{escape(name)}</th>' for name in labels)
    head += "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(
        "<tr>"
        + "".join(f'<th scope="row">{escape(name)}</th>' for name in names)
        + "".join(f"<td>{cell}</td>" for cell in cells)
        + "</tr>"
        for names, cells in rows
    )
    drawn = chart(result.figures, *table.curves) if table.curves and result.figures else ""
    grid_of_figures = f"""<div class="scroll" tabindex="0" role="region" aria-label="{escape(table.title)}">
<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"""
    source = f'<p class="dim">{escape(table.paper)}</p>' if table.paper else ""
    return f"""<section id="{escape(table.name)}">
<h2>{escape(table.title)}</h2>
{source}<p class="dim"><code>entropick reproduce {escape(table.name)}</code></p>
{remarks}{drawn}
{grid_of_figures if result.figures else ""}
</section>
"""


def _two_lines(figure: Figure, digits: int) -> str:
    """Ours; below it the paper's and the difference, where the paper has one."""
    if math.isnan(figure.paper):
        return number(figure.ours, digits)
    below = f"{number(figure.paper, digits)} ({figure.difference:+.{digits}f})"
    return f"{number(figure.ours, digits)}<small>{below}</small>"


def _one_line(figure: Figure, digits: int) -> str:
    ours = number(figure.ours, digits)
    return ours if math.isnan(figure.paper) else f"{ours} / {number(figure.paper, digits)}"


def _line(cells: Sequence[str]) -> str:
    """A row of a Markdown table."""
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
