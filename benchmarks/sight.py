"""docs/sight.md: which method sees what, from `entropick reproduce what-each-sees`.

python benchmarks/sight.py               computes the table (half an hour: lsmi.l1 is slow), then writes the page
python benchmarks/sight.py TABLE.csv     from the table that `entropick reproduce what-each-sees -o csv` wrote
"""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd

from entropick.methods import REGISTRY
from reproduction.sight import FOUND, as_markdown, what_each_sees

HARD = {
    "linear": "two features with shifted class means among ten",
    "scale": "the same in units that differ by 10⁹, the true ones smallest",
    "multi-class": "six classes; each of three features tells two of them from the rest",
    "redundancy": "a strong feature with four near copies, and a weak one of its own",
    "and-or": "Y = (X1 ∧ X2) ∨ (X3 ∧ X4), and three noisy copies of Y that look better alone",
    "non-linear": "classes differ in the spread of two features, in no mean",
    "quad": "Y = (X1² + X2)/(0.5 + (X2 + 1.5)²) + noise, a regression",
    "xor": "Y = X1 ⊕ X2: neither says anything alone",
    "xor copies": "the same, each of the two with three noisy copies",
    "three-way": "Y = X1 ⊕ X2 ⊕ X3: no pair says anything either",
}
PAGE = """# Which method sees what

Computed, not claimed: every method on ten generated problems whose true features are known, five draws of 400 rows
each. `entropick reproduce what-each-sees` makes the table again, `python benchmarks/sight.py` this page.

A method is asked for as many features as are true; its figure is the share of true ones among them, and it *sees* from
0.9 on. Mind what that asks: on `xor` neither feature says anything alone, so the first pick of a forward search is a
guess, and a wrong guess cannot be made good when two are asked for. (With k = 4 `jmi` has both in four of five draws.)

| problem | what is hard about it | seen by |
|---|---|---|
{problems}

## The table

The share of true features found, bold from 0.9; – where the method is not for that task. In `redundancy` a near copy of
the best feature counts as it.{missing}

{table}"""


def seen_by(shares: pd.Series) -> str:
    """The methods that see, or that do not, whichever are fewer."""
    able = shares.dropna()
    seeing, blind = ([f"`{name}`" for name in able.index[mask]] for mask in (able >= FOUND, able < FOUND))
    if len(seeing) > len(blind):
        return f"{len(seeing)} of {len(able)}, all but {', '.join(blind)}" if blind else f"all {len(able)}"
    return f"{len(seeing)} of {len(able)}" + (f": {', '.join(seeing)}" if seeing else "")


def main() -> None:
    frame = pd.read_csv(sys.argv[1], index_col=0) if len(sys.argv) > 1 else what_each_sees(n_jobs=-1)
    problems = "\n".join(f"| `{name}` | {HARD[name]} | {seen_by(frame[name])} |" for name in frame.columns)
    left_out = [f"`{name}`" for name in REGISTRY if name not in frame.index]
    missing = f" Not in this table, for their time: {', '.join(left_out)}." if left_out else ""
    page = Path(__file__).parent.parent / "docs" / "sight.md"
    page.write_text(PAGE.format(problems=problems, missing=missing, table=as_markdown(frame)), encoding="utf-8")
    print(f"{len(frame)} methods, {len(frame.columns)} problems, written to {page.name}")


if __name__ == "__main__":
    main()
