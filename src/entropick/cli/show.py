"""Tables for a terminal: as wide as they need to be where there is room, readable at 80 columns where not."""

from __future__ import annotations

import inspect
import io
import os
import sys
import textwrap
from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from ..catalogue.method import WEIGHTS
from ..methods import Method
from ..selection import Selection, Step
from .group import one_line, printable

UNLIMITED = 10_000  # columns of a pipe or a file: whoever reads it next can cut, but not restore
ROUNDING = 1e-12  # what is below is the last digits of a sum, not a difference
MOST_ROWS = 40  # of a table on a terminal; a pipe or a file gets all
NARROWEST = 10  # a name is not cut below this; columns are given up first

# field -> heading where there is room, heading where there is not
HEADINGS = {
    "rank": ("rank", "#"),
    "feature": ("feature", "feature"),
    "score": ("score", "score"),
    "relevance": ("alone", "alone"),
    "redundancy": ("shared", "shared"),
    "complementarity": ("within classes", "within"),
    "runner_up": ("runner-up", "runner-up"),
    "margin": ("margin", "margin"),
    "p_value": ("p", "p"),
    "status": ("how sure", "how sure"),
}
GIVEN_UP = ("status", "p_value", "complementarity", "redundancy", "relevance", "runner_up", "margin")
LEGEND = {
    "relevance": "alone: own information",
    "redundancy": "shared: with earlier features",
    "complementarity": "within: per class",
}


def rendered(*parts: RenderableType) -> str:
    """The parts as text, with colours where the standard output is a terminal."""
    buffer = io.StringIO()
    terminal = sys.stdout.isatty()
    console = Console(file=buffer, width=width(), force_terminal=terminal, highlight=False, markup=False, emoji=False)
    for part in parts:
        console.print(part)
    lines = buffer.getvalue().splitlines()
    return "\n".join(line if terminal else line.rstrip() for line in lines) + "\n"


def width() -> int:
    """Columns there are: COLUMNS, else those of the terminal, else no limit."""
    set_by_hand = os.environ.get("COLUMNS", "")
    if set_by_hand.isdecimal() and int(set_by_hand) > 0:
        return int(set_by_hand)
    return os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout.isatty() else UNLIMITED


def selection_table(selection: Selection, room: int) -> list[RenderableType]:
    """One row a step, and a legend where headings had to be shortened."""
    all_rows = [_cells(step) for step in selection.steps]
    rows = all_rows[:MOST_ROWS] if sys.stdout.isatty() else all_rows
    shown, short = _columns(rows, room)
    widest = _widest_names(rows, shown, short, room)
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for name in shown:
        table.add_column(
            HEADINGS[name][short],
            justify="left" if name in widest else "right",
            no_wrap=True,
            style={"feature": "cyan", "runner_up": "dim"}.get(name),
        )
    for row in rows:
        cells = (shortened(row[name], widest[name]) if name in widest else row[name] for name in shown)
        table.add_row(*(Text(cell) for cell in cells))
    legend = " · ".join(LEGEND[name] for name in shown if name in LEGEND) if short else ""
    left = len(all_rows) - len(rows)
    more = f"… and {left} more; --output csv or --save FILE lists all" if left else ""
    return [table, *(Text(line, style="dim") for line in (more, legend) if line)]


def _columns(rows: Sequence[dict[str, str]], room: int) -> tuple[list[str], int]:
    """Fields that have a value and fit, and whether (1) their headings are the short ones."""
    shown = [name for name in HEADINGS if any(row[name] for row in rows)]
    if _needed(rows, shown, 0) <= room:
        return shown, 0
    cut = [{**row, **{name: row[name][:NARROWEST] for name in ("feature", "runner_up")}} for row in rows]
    for name in GIVEN_UP:
        if _needed(cut, shown, 1) > room and name in shown:
            shown.remove(name)
    return shown, 1


def _widest_names(rows: Sequence[dict[str, str]], shown: Sequence[str], short: int, room: int) -> dict[str, int]:
    """Columns of the screen for each column of names; features are cut last."""
    named = [name for name in ("feature", "runner_up") if name in shown]
    numbers = _needed(rows, [name for name in shown if name not in named], short) + 2 * len(named)
    spare = room - numbers
    wish = {name: max(cell_len(row[name]) for row in rows) for name in named}
    rival = min(wish.get("runner_up", 0), max(NARROWEST, spare * 2 // 5))
    feature = max(min(wish["feature"], spare - rival), NARROWEST)
    return dict(zip(named, (feature, max(spare - feature, NARROWEST)), strict=False))


def _needed(rows: Sequence[dict[str, str]], shown: Sequence[str], short: int) -> int:
    widths = [max([cell_len(HEADINGS[name][short]), *(cell_len(row[name]) for row in rows)]) for name in shown]
    return sum(widths) + 2 * (len(widths) - 1)


def _cells(step: Step) -> dict[str, str]:
    def mean(values: tuple[float, ...] | None) -> float | None:
        return sum(values) / len(values) if values else None

    return {
        "rank": str(step.rank),
        "feature": one_line(step.name),
        "score": number(step.score),
        "relevance": number(step.relevance),
        "redundancy": number(mean(step.redundancy)),
        "complementarity": number(mean(step.complementarity)),
        "runner_up": one_line(step.runner_up or ""),
        "margin": number(step.margin),
        "p_value": "" if step.p_value is None else f"{step.p_value:.1g}" if step.p_value > 0 else "<1e-300",
        "status": _status(step),
    }


def _status(step: Step) -> str:
    """How sure, with the number of columns that it is one of."""
    found = step.credible_set
    if step.status is None or found is None or len(found) < 2:
        return step.status or ""
    return f"one of {len(found)}"


def number(value: float | None) -> str:
    """Four decimals, so that a column lines up; powers of ten where those would say nothing.

    >>> number(0.25), number(2.5e-7), number(-1e-16), number(123456.0), number(None)
    ('0.2500', '2e-07', '0.0000', '1.235e+05', '')
    """
    if value is None or value != value:
        return ""
    if abs(value) < ROUNDING:
        return "0.0000"
    if abs(value) < 5e-5:
        return f"{value:.0e}"
    return f"{value:.4f}" if abs(value) < 1000 else f"{value:.4g}"


def shortened(name: str, room: int) -> str:
    """The name cut in the middle: columns of one table often share their beginnings.

    >>> shortened("mean concave points", 12)
    'mean c…oints'
    """
    if cell_len(name) <= room:
        return name
    head = tail = ""
    rest = list(name)
    while rest:
        longer = (head + rest[0], tail) if cell_len(head) <= cell_len(tail) else (head, rest[-1] + tail)
        if cell_len(longer[0]) + cell_len(longer[1]) + 1 > room:
            break
        rest.pop(0 if longer[0] != head else -1)
        head, tail = longer
    return f"{head}…{tail}"


def explanation(selection: Selection, room: int) -> list[Text]:
    """`Selection.explain`, wrapped so that what belongs together stays indented together."""
    lines = (printable(line) for line in selection.explain().splitlines())
    return [Text(part) for line in lines for part in _wrapped(line, room)]


def _wrapped(line: str, room: int) -> list[str]:
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return textwrap.wrap(line, room, subsequent_indent=indent) or [""]


def summary(selection: Selection) -> str:
    """What was done, in a line."""
    units = f", scores in {selection.units}" if selection.units else ""
    as_asked = len(selection.steps) == selection.options.get("k")
    stopped = f"; {one_line(selection.stopped)}" if selection.stopped and not as_asked else ""
    return (
        f"{selection.method} chose {len(selection.names)} of {len(selection.feature_names)} features"
        f" from {selection.n_samples:g} rows{units}{stopped}"
    )


def methods_table(methods: Sequence[Method], room: int) -> Table:
    """One row a method: what it sees and what it does."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("method", style="cyan", no_wrap=True)
    for heading in ("red.", "int.", "nonl."):
        table.add_column(heading, justify="center", no_wrap=True)
    table.add_column("criterion", min_width=min(44, room - 40))
    if room >= 100:  # else the papers are left to `methods NAME`, so that a method stays a line
        table.add_column("paper", style="dim", no_wrap=True, overflow="ellipsis")
    for method in methods:
        sees = ("✓" if what in method.sees else "·" for what in ("redundancy", "interaction", "nonlinear"))
        table.add_row(method.name, *sees, method.summary, *([method.paper] if room >= 100 else []))
    return table


def method_details(method: Method) -> list[RenderableType]:
    """Everything the registry knows about one method."""
    facts = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    facts.add_column(style="bold", no_wrap=True)
    facts.add_column()
    facts.add_row("method", Text(method.name, style="cyan"))
    facts.add_row("criterion", method.summary)
    facts.add_row("family", method.family)
    facts.add_row("paper", method.paper)
    facts.add_row("sees", ", ".join(sorted(method.sees)) or "relevance only")
    facts.add_row("tasks", ", ".join(method.tasks))
    for name, told in _facts(method).items():
        facts.add_row(name, told)
    facts.add_row("searches", ", ".join(method.searches) + f"  (default {method.searches[0]})")
    for name, option in method.options.items():
        facts.add_row(f"option {name}", f"{option.rule}; default {_default(option.default)}")
    about = inspect.getdoc(method.measure_class()) or ""
    return [facts, *(Text(f"\n{_flowing(part)}") for part in about.split("\n\n") if part)]


def _flowing(paragraph: str) -> str:
    """Its lines as one, to be broken where the terminal ends; formulas and lists, which are indented, as they are."""
    lines = paragraph.splitlines()
    return paragraph if any(line.startswith((" ", "-")) for line in lines) else " ".join(lines)


def _facts(method: Method) -> dict[str, str]:
    """What it claims, in words."""
    scales = {"affine": "ax + b", "monotone": "any increasing function"}
    kinds = {"number": "numbers", "category": "categories", "missing": "missing values"}
    nested = method.nested_with(None, {})
    told = {
        "weights": WEIGHTS[method.weights],
        "columns": ", ".join(kinds[kind] for kind in method.columns or ()),
        "invariant to": ", ".join(scales[one] for one in method.invariant or ()),
        "streaming": "same result as in memory" if method.blocks else "no, needs all rows in memory",
        "targets": "several numeric targets at once" if method.several else "one",
        "nested": "yes: k features are the first k of any longer selection"
        if nested
        else "no: each k is selected anew",
        "random_state": "samples rows" if method.draws else "",
    }
    return {name: text for name, text in told.items() if text}


def _default(value: object) -> str:
    """A default as one would write it: no number with sixteen digits.

    >>> _default((0.1, 0.03162277660168379)), _default(1.0), _default("auto"), _default((1, 2))
    ('(0.1, 0.0316)', '1.0', "'auto'", '(1, 2)')
    """
    if isinstance(value, tuple):
        return f"({', '.join(map(_default, value))})"
    return f"{value:.3g}" if isinstance(value, float) and len(repr(value)) > 8 else repr(value)
