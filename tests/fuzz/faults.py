"""Commands that are interrupted, killed, or run out of memory or disk: one line or none, nothing half-written.

python -m fuzz.faults START COUNT      (from tests/) prints every fault, then how many trials of each kind there were

Everything is loaded once, and every trial is a fork: hundreds of them cost what ten processes of their own would.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd

COMMANDS = (
    ["select", "t.csv", "-t", "y", "-m", "gc.mi", "-k", "5", "--save", "out/a.html",
     "--save-statistics", "out/a.stats"],
    ["select", "t.csv", "-t", "y", "-k", "auto", "--save", "out/a.json", "--memory", "1MB"],
    ["compare", "t.csv", "-t", "y", "-m", "jmi,mrmr", "-k", "2,4", "--estimators", "3-NN", "--resamples", "3x1",
     "-o", "out/a.html", "--resume", "out/trials"],
    ["compare", "t.csv", "-t", "y", "-m", "mim", "-k", "2", "--estimators", "3-NN", "--resamples", "2x1",
     "-o", "out/a.json"],
    ["merge", "a.stats", "a.stats", "-o", "out/b.stats"],
)  # fmt: skip
KINDS = ("interrupt", "memory", "disk", "kill")
# LLVM, the C loader and Arrow end the process where they have no memory, and nobody can stop them; files must be whole
# still
ENDED = ("LLVM ERROR", "cannot allocate memory for thread-local data: ABORT", "what():  std::bad_alloc")


def run(words: list[str], kind: str, size: float) -> tuple[int, str, float]:
    """The exit code (negative: by a signal), the standard error and the seconds of one command under one fault."""
    start = time.monotonic()
    reading, writing = os.pipe()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # until the command sets its own: no process hears earlier
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.dup2(writing, 2)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
            if kind == "memory":
                used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
                resource.setrlimit(resource.RLIMIT_AS, (used + int(size), used + int(size)))
            elif kind == "disk":
                resource.setrlimit(resource.RLIMIT_FSIZE, (int(size), int(size)))
            sys.argv = ["entropick", *words, "--quiet", *([] if words[0] == "merge" else ["--jobs", "1"])]
            from entropick.cli import main

            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(code)
    signal.signal(signal.SIGINT, before)
    if kind in ("interrupt", "kill"):
        time.sleep(size)
        os.kill(pid, signal.SIGINT if kind == "interrupt" else signal.SIGKILL)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8", errors="replace") as told:
        text = told.read()
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), text, time.monotonic() - start


def broken(kind: str, code: int, told: str, out: Path) -> str | None:
    """What is wrong with how a command ended."""
    allowed = {"interrupt": (0, 130), "kill": (0, -signal.SIGKILL)}.get(kind, (0, 1))
    if code not in allowed and not (kind == "memory" and any(words in told for words in ENDED)):
        return f"exit code {code}: {told}"
    lines = told.splitlines()
    if code == 1 and (len(lines) != 1 or not lines[0].startswith("error: ") or "bug in entropick" in told):
        return f"not one clear line: {told}"
    if code == 130 and lines:
        return f"more than a word after an interrupt: {told}"
    for path in sorted(out.rglob("*")):
        if path.is_dir():
            continue
        text = path.read_bytes()
        if path.suffix == ".json":
            json.loads(text)
        elif path.suffix == ".html" and not text.rstrip().endswith(b"</html>"):
            return f"half a page: {path.name}"
        elif path.suffix == ".stats":
            import entropick as ep

            ep.Statistics.load(path)
        elif path.suffix not in (".json", ".html", ".stats") and not (kind == "kill" and path.suffix == ".part"):
            return f"left behind: {path.name}"
    return None


def prepared(folder: Path) -> None:
    """The table and its statistics; most of what is loaded and compiled is so from here on."""
    from typer.testing import CliRunner

    from entropick.cli.app import app

    os.chdir(folder)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(300, 12)).round(4)).add_prefix("f")
    frame["y"] = (frame["f0"] + frame["f1"] > 0).astype(int)
    frame.to_csv("t.csv", index=False)
    Path("out").mkdir()
    CliRunner().invoke(app, ["select", "t.csv", "-t", "y", "-k", "1", "--save-statistics", "a.stats", "--jobs", "1"])


def main(start: int, count: int) -> int:
    trials: Counter[str] = Counter()
    endings: Counter[int] = Counter()
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        prepared(Path(folder))
        whole = [run(words, "", 0)[2] for words in COMMANDS]
        for seed in range(start, start + count):
            rng = np.random.default_rng(seed)
            which, kind = int(rng.integers(len(COMMANDS))), KINDS[int(rng.integers(len(KINDS)))]
            size = {
                "interrupt": whole[which] * rng.random(),
                "kill": whole[which] * rng.random(),
                "memory": 10 ** rng.uniform(5, 8.5),
                "disk": 10 ** rng.uniform(0, 5),
            }[kind]
            for path in sorted(Path("out").rglob("*"), reverse=True):
                path.rmdir() if path.is_dir() else path.unlink()
            code, told, _ = run(COMMANDS[which], kind, size)
            trials[kind] += 1
            endings[code] += 1
            try:
                found = broken(kind, code, told, Path("out"))
                if kind == "kill" and not found:  # the same command again goes on, and clears up
                    code, told, _ = run(COMMANDS[which], "", 0)
                    found = broken("", code, told, Path("out")) or (f"again: {told}" if code else None)
            except Exception as error:
                found = repr(error)
            if found:
                faults += 1
                print(f"seed {seed}: {kind} {size:.3g} in {' '.join(COMMANDS[which])}\n  {found}", flush=True)
        os.chdir("/")
    print(json.dumps({"trials": trials, "endings": endings, "faults": faults}))
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
