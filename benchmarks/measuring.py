"""Times and memory for the benchmarks: best of several runs, and ratios taken in one process."""

from __future__ import annotations

import ctypes
import json
import multiprocessing
import os
import platform
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from types import TracebackType
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
    """Let `peak` speak of what comes from now on (Linux), and give back what was freed: it would be used unseen."""
    ctypes.CDLL(None).malloc_trim(0)
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


class Caller:
    """A process of its own that makes the call ``make(*arguments)``, each time within ``limit`` seconds.

    Its memory is not mixed with that of other calls, and a call that takes too long is a `TimeoutError`, after which
    the process is gone. ``make`` must be of a module; an ImportError in it is raised here, any other as RuntimeError.
    """

    def __init__(self, make: Callable[..., Callable[[], Any]], limit: float) -> None:
        context = multiprocessing.get_context("spawn")
        self._here, there = context.Pipe()
        self._limit = limit
        self._process = context.Process(target=_serve, args=(there, make))
        self._process.start()
        there.close()

    def prepare(self, *arguments: Any) -> None:
        """Make the call that is meant from now on."""
        self._ask("prepare", arguments)

    def seconds(self, repeats: int = 1) -> float:
        """Of the fastest of some runs."""
        return self._ask("seconds", repeats)

    def once(self) -> tuple[Any, int]:
        """What the call gives, and the bytes that it held at most beyond what was there before."""
        return self._ask("once", None)

    def _ask(self, what: str, value: Any) -> Any:
        self._here.send((what, value))
        if not self._here.poll(self._limit):
            self._end()
            raise TimeoutError(f"did not finish in {self._limit:.0f} s")
        fine, answer = self._here.recv()
        if not fine:
            raise answer
        return answer

    def __enter__(self) -> Caller:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._here.close()
        self._process.join(10.0)  # it sees that, and lets its libraries clean up
        self._end()

    def _end(self) -> None:
        """The process, and those that its libraries may have started, which are of its session."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()  # where it had no session yet
        self._process.join()


def _serve(there: Connection, make: Callable[..., Callable[[], Any]]) -> None:
    """The other end of a `Caller`; ends when that is closed."""
    os.setsid()
    warnings.simplefilter("ignore")
    call: Callable[[], Any] | None = None
    while True:
        try:
            what, value = there.recv()
        except EOFError:
            return
        try:
            if what == "prepare":
                call = None  # the old table goes before the new one comes
                call = make(*value)
                there.send((True, None))
            elif what == "seconds":
                there.send((True, best(call, value)))
            else:
                forget_peak()
                before = resident()
                found = call()
                there.send((True, (found, max(0, peak() - before))))
        except ImportError as error:
            there.send((False, ImportError(str(error))))
        except Exception as error:  # a peer's fault is told, and the other pairs go on
            there.send((False, RuntimeError(f"failed: {type(error).__name__}: {error}")))


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
