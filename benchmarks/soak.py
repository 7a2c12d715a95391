"""Random calls of `select` until the time is over; every fault is printed with the seed that makes it again.

python benchmarks/soak.py --minutes 30 --start 1000000
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from fuzz.hostile import case
from fuzz.verdict import fault


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--start", type=int, default=1_000_000)
    asked = parser.parse_args()
    end = time.monotonic() + 60 * asked.minutes
    methods: Counter[str] = Counter()
    faults = 0
    seed = asked.start
    while time.monotonic() < end:
        one = case(seed)
        found = fault(one)
        methods[one.keywords["method"]] += 1
        if found:
            faults += 1
            print(f"{one}\n{found}\n", flush=True)
        seed += 1
    print(f"{seed - asked.start} calls of {len(methods)} methods, seeds {asked.start} … {seed - 1}: {faults} faults")
    return faults > 0


if __name__ == "__main__":
    sys.exit(main())
