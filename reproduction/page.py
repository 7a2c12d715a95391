"""Results for people, as Markdown or text: ours, the paper's figure and the difference.

A table with a label that goes ``across`` is laid out as in the paper, ours first,
the paper's behind it.
"""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .paper_table import Figure, Result

TITLE = "The papers' numbers, made again"
COMMANDS = (
    "`entropick reproduce NAME` makes one of these tables, `--quick` a smaller one; `entropick reproduce` lists them.\n"
    "`entropick reproduce NAME --kept --update docs/reproduction.md` puts what is kept of a table into this page.\n"
    "Times were taken on two busy cores."
)


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
    columns, body = _rows(result)
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
    columns, rows = _rows(result)
    head = [*grid(result).labels, *columns]
    source = f" *{result.table.paper}*." if result.table.paper else ""
    parts = [f"\n## {result.table.name}\n\n{result.table.title}.{source}\n"]
    parts += [f"{remark}\n" for remark in _remarks(result)]
    parts += [_line(head), "|" + "---|" * len(head), *(_line([*labels, *cells]) for labels, cells in rows)]
    return "\n".join(parts)


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


def _rows(result: Result) -> tuple[list[str], list[tuple[tuple[str, ...], list[str]]]]:
    """Headings of the figures, and for each row its labels and its figures as text.

    Where a label goes across, a cell holds ours and the paper's; else each kind has its column.
    """
    laid, digits = grid(result), result.table.digits
    if result.table.across:
        return list(laid.columns), [
            (labels, ["" if f is None else _one_line(f, digits) for f in figures]) for labels, figures in laid.rows
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


def _one_line(figure: Figure, digits: int) -> str:
    ours = number(figure.ours, digits)
    return ours if math.isnan(figure.paper) else f"{ours} / {number(figure.paper, digits)}"


def _line(cells: Sequence[str]) -> str:
    """A row of a Markdown table."""
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
