"""Random calls of everything public until the time is over; every fault is printed with the seed that makes it again.

Stopped early (Ctrl-C, kill) it tells what it has done so far.

python benchmarks/soak.py --minutes 30 --seed 1000000
python benchmarks/soak.py --seed 1000123 --calls 1 --surfaces sources     # a finding made again
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from threading import Timer

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from fuzz.hostile import case
from fuzz.surfaces import ANSWERED, REFUSED, SURFACES, outcome
from fuzz.verdict import fault

TESTS = Path(__file__).parent.parent / "tests"
ARRAYS, STOPPED = "select: arrays and frames", "commands that are stopped"
TURN = 2.0  # seconds that a surface has before the next one has its turn
TRIALS = 20  # of commands that are stopped, in one turn
LONG = 300.0  # seconds after which a call, or turn of commands, is told of while it goes on


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--start", "--seed", type=int, default=1_000_000)
    parser.add_argument("--calls", type=int, default=0, help="stop after so many calls, before the time is over")
    parser.add_argument("--surfaces", help=f"some of: {', '.join(SURFACES)}", default="")
    asked = parser.parse_args()
    names = asked.surfaces.split(",") if asked.surfaces else [ARRAYS, *SURFACES, STOPPED]
    end = time.monotonic() + 60 * asked.minutes
    seeds = dict.fromkeys(names, asked.start)
    counts: dict[str, Counter[str]] = {name: Counter() for name in names}
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        soak(names, seeds, counts, end, asked.calls)
    wide = max(map(len, names))
    for name in names:
        print(f"{name:<{wide}}  " + ", ".join(f"{number} {what}" for what, number in sorted(counts[name].items())))
    total = sum(counts.values(), Counter())
    spoilt, kills = counts.get("damaged_files", Counter()).total(), total["by kill"]
    print(f"{total.total()} calls from seed {asked.start}, {spoilt} damaged files and {kills} kills among them")
    print(f"{total['faults']} faults")
    return int(total["faults"] > 0)


def soak(names: list[str], seeds: dict[str, int], counts: dict[str, Counter[str]], end: float, calls: int) -> None:
    """Turns of all surfaces until the time is over or the calls are made."""
    for name in cycle(names):
        turn = time.monotonic() + TURN
        while time.monotonic() < min(turn, end):
            told = f"{name}, seed {seeds[name]}\nnot over after {LONG:g} seconds\n"
            watch = Timer(LONG, print, (told,), {"flush": True})
            watch.daemon = True
            watch.start()
            found = tried(name, seeds[name], counts[name])
            watch.cancel()
            if found:
                print(f"{name}, seed {seeds[name]}\n{found}\n", flush=True)
            seeds[name] += TRIALS if name == STOPPED else 1
        if time.monotonic() >= end or 0 < calls <= sum(count.total() for count in counts.values()):
            break


def tried(name: str, seed: int, count: Counter[str]) -> str | None:
    """What is wrong with one call (or turn of commands), which is counted."""
    if name == STOPPED:
        words = [sys.executable, "-W", "ignore", "-m", "fuzz.faults", str(seed), str(TRIALS)]
        done = subprocess.run(words, cwd=TESTS, capture_output=True, text=True, check=False)
        *told, last = done.stdout.splitlines() or [done.stderr]
        if done.returncode and not told:
            count["faults"] += 1
            return done.stderr
        found = json.loads(last)
        count.update({f"by {kind}": number for kind, number in found["trials"].items()})
        count["faults"] += found["faults"]
        return "\n".join(told) or None
    if name == ARRAYS:
        text = fault(case(seed)) or ANSWERED
        count[text if text == ANSWERED else "faults"] += 1
        return None if text == ANSWERED else f"{case(seed)}\n{text}"
    text = outcome(name, seed)
    count[text if text in (ANSWERED, REFUSED) else "faults"] += 1
    return None if text in (ANSWERED, REFUSED) else text


if __name__ == "__main__":
    sys.exit(main())
