"""`make bench`: runs the benchmarks one after the other and writes benchmarks/RESULTS.md.

python benchmarks/run.py [NAME ...]      only these: peers, shapes, discrete, sparse_tables, compare
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

NAMES = ("peers", "shapes", "discrete", "sparse_tables", "compare")


def main(names: list[str]) -> int:
    unknown = sorted(set(names) - set(NAMES))
    if unknown:
        print(f"error: no benchmark {unknown[0]!r}; there are {', '.join(NAMES)}", file=sys.stderr)
        return 1
    here = Path(__file__).parent
    sys.path.insert(0, str(here))
    os.chdir(here.parent)
    results = here / "RESULTS.md"
    parts = ["# Results of `make bench`", "Made by `benchmarks/run.py`; every ratio is of two times taken in one run."]
    for name in names or NAMES:
        print(f"running {name}", file=sys.stderr, flush=True)
        text = importlib.import_module(name).main()
        print(text, flush=True)
        parts.append(text)
    if not names:
        temporary = results.with_suffix(".part")
        temporary.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
        os.replace(temporary, results)
        print(f"written to {results.relative_to(here.parent)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
