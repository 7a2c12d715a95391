"""Times and memory for the benchmarks: best of several runs, and ratios taken in one process."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any


def best(function: Callable[[], Any], repeats: int = 5, at_most: float = 20.0) -> float:
    """Seconds of the fastest run: noise only ever adds."""
    found = float("inf")
    end = time.perf_counter() + at_most
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        found = min(found, time.perf_counter() - start)
        if time.perf_counter() > end:
            break
    return found


def resident() -> int:
    """Bytes of memory that the process holds now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def forget_peak() -> None:
    """Let `peak` speak of what comes from now on (Linux)."""
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def peak() -> int:
    """Bytes that it held at most, since the start or `forget_peak`."""
    with open("/proc/self/status") as file:
        line = next(line for line in file if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def in_child(code: str, *arguments: str) -> dict[str, Any]:
    """Run code in a process of its own, for its peak memory; it prints one line of JSON."""
    done = subprocess.run([sys.executable, "-c", code, *arguments], check=True, capture_output=True, text=True)
    return json.loads(done.stdout.strip().splitlines()[-1])


def machine() -> str:
    with open("/proc/cpuinfo") as file:
        names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    model = names[0] if names else platform.machine()
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}"


def table(head: list[str], rows: list[list[Any]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)
