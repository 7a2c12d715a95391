"""Tables for papers: LaTeX with booktabs, Markdown, CSV."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InvalidParameter, check_choice
from ..files import write_whole

if TYPE_CHECKING:
    import pandas as pd

FORMS = ("latex", "markdown", "csv")
SUFFIXES = {".tex": "latex", ".md": "markdown", ".csv": "csv"}
SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip


def export(table: Any, form: str | os.PathLike[str] = "markdown", digits: int = 3) -> str:
    """A table as text: ``"latex"`` (needs ``\\usepackage{booktabs}``), ``"markdown"`` or ``"csv"``.

    Where ``form`` ends in .tex, .md or .csv it is a file, which is written. CSV has all digits.

    >>> import pandas as pd
    >>> print(export(pd.DataFrame({"method": ["jmi"], "error": [0.25]})), end="")
    | method | error |
    | --- | ---: |
    | jmi | 0.250 |
    """
    if not (hasattr(table, "columns") and hasattr(table, "itertuples")):
        raise InvalidParameter(f"table: must be a DataFrame, as the methods of a Comparison give, got {table!r:.60}")
    suffix = Path(form).suffix.lower() if not (isinstance(form, str) and form in FORMS) else ""
    kind = SUFFIXES[suffix] if suffix in SUFFIXES else check_choice("form", str(form), FORMS)
    text = {"latex": _latex, "markdown": _markdown, "csv": _csv}[kind](_flat(table), digits)
    if suffix:
        write_whole(Path(form), text)
    return text


def _flat(table: pd.DataFrame) -> pd.DataFrame:
    """Labels of rows as a first column, where they say something."""
    import pandas as pd

    return (
        table
        if isinstance(table.index, pd.RangeIndex)
        else table.rename_axis(str(table.index.name or "")).reset_index()
    )


def _cells(row: Any, digits: int) -> list[str]:
    return ["–" if one != one else f"{one:.{digits}f}" if isinstance(one, float) else str(one) for one in row]


def _numeric(table: pd.DataFrame) -> list[bool]:
    return [dtype.kind in "iuf" for dtype in table.dtypes]


def _latex(table: pd.DataFrame, digits: int) -> str:
    def line(cells: Any) -> str:
        return " & ".join("".join(SPECIAL.get(letter, letter) for letter in str(cell)) for cell in cells) + r" \\"

    layout = "".join("r" if number else "l" for number in _numeric(table))
    body = [line(_cells(row, digits)) for row in table.itertuples(index=False)]
    rows = [rf"\begin{{tabular}}{{{layout}}}", r"\toprule", line(table.columns), r"\midrule", *body, r"\bottomrule",
            r"\end{tabular}"]  # fmt: skip
    return "\n".join(rows) + "\n"


def _markdown(table: pd.DataFrame, digits: int) -> str:
    def line(cells: Any) -> str:
        return f"| {' | '.join(' '.join(str(cell).split()).replace('|', chr(92) + '|') for cell in cells)} |"

    rule = ["---:" if number else "---" for number in _numeric(table)]
    rows = [line(table.columns), line(rule), *(line(_cells(row, digits)) for row in table.itertuples(index=False))]
    return "\n".join(rows) + "\n"


def _csv(table: pd.DataFrame, digits: int) -> str:
    return str(table.to_csv(index=False, lineterminator="\n"))
