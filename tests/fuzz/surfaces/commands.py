"""Every command with any words and files."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import numpy as np

import entropick as ep

from .surface import damaged, surface, task

VALUES = (
    "", "0", "-1", "2", "0.5", "nan", "inf", "1e999", "all", "auto", "jmi", "a,b", "c0", "label", "x=1", "beta=[1]",
    "1GB", "-1GB", "GB", "none", "mdl", "json", "csv", "table", "3-NN", "2x1", "1x", "x", "utf-9", "latin-1",
    "classification", "é", "\x1b[31m", "a\nb", "nowhere/out.json", "out.json", "out.html", "out.csv", "out.stats",
    ".", "/", "*", "[", "-", "SELECT * FROM data", "DROP TABLE data", "SELECT 1", "’", "9" * 400,
)  # fmt: skip
COMMANDS = {
    "select": ["-k", "-m", "-o", "-t", "--save", "--save-statistics", "--include", "--exclude", "--drop", "--id",
               "--task", "--missing", "--sql", "--categorical", "--numeric", "--na", "--encoding", "--discretizer",
               "--search", "--option", "--alpha", "--test", "--memory", "--coding", "--seed", "--jobs", "--explain"],
    "compare": ["-m", "-k", "-o", "--drop", "--id", "--task", "--missing", "--sql", "--na", "--encoding",
                "--discretizer", "--estimators", "--resamples", "--bootstrap", "--resume", "--seed"],
    "merge": ["-o"],
    "methods": ["-o"],
    "reproduce": ["-o", "--cache-dir", "--data-dir", "--quick", "--fresh"],
    "demo": [],
    "nonsense": [],
}  # fmt: skip


@surface
def command(rng: np.random.Generator, folder: Path) -> None:
    """Any words: code 0 and an answer, or code 1 and one line; files that were to be written are whole or not there."""
    from typer.testing import CliRunner

    from entropick.cli.app import app

    name = str(rng.choice(list(COMMANDS), p=[0.5, 0.12, 0.08, 0.1, 0.1, 0.02, 0.08]))
    words = [name]
    if name in ("select", "compare", "merge"):
        X, y = task(rng)
        with contextlib.suppress(Exception):  # what the writer cannot write is not there to be read
            X.assign(label=y).to_csv(folder / "t.csv", index=False)
        if rng.random() < 0.2 and (folder / "t.csv").exists():
            (folder / "t.csv").write_bytes(damaged(rng, (folder / "t.csv").read_bytes()))
        words += ["t.csv"] if rng.random() < 0.95 else [str(rng.choice(VALUES))]
        words += [] if name == "merge" else ["-t", "label", "--quiet"]
        words += (
            ["-m", "jmi,mim", "-k", "1", "--estimators", "3-NN", "--resamples", "2x1", "--jobs", "1"]
            if name == "compare"
            else []
        )
    if name == "reproduce":
        words += [
            str(rng.choice(["what-each-sees", "vinh-table4", "brown.nothing", ""])),
            "--kept",
            "--cache-dir",
            "cache",
        ]
    if name == "demo":
        words += ["--folder", "t.csv/x", "-k", str(rng.choice(VALUES))]
    for flag in rng.choice(COMMANDS[name], int(rng.integers(0, 4))) if COMMANDS[name] else []:
        words += [str(flag)] if flag in ("--explain", "--quick", "--fresh") else [str(flag), str(rng.choice(VALUES))]
    if rng.random() < 0.05:
        words.append(str(rng.choice(VALUES)))
    before = {path.name for path in folder.iterdir()}
    with contextlib.chdir(folder):
        done = CliRunner().invoke(app, words)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise AssertionError(f"entropick {words}") from done.exception
    told = done.stderr.strip().splitlines()
    assert done.exit_code in (0, 1), (words, done.exit_code, told)
    if done.exit_code == 1:
        assert len(told) == 1, (words, told)
        assert told[0].startswith("error: "), (words, told)
        assert "bug in entropick" not in told[0], (words, told)
    for path in folder.iterdir():
        if path.name not in before and path.is_file():
            whole(path, words)


def whole(path: Path, words: Any) -> None:
    """The file is one that was asked for, and complete."""
    assert not path.name.startswith("."), (words, path.name)
    assert path.suffix not in (".tmp", ".part"), (words, path.name)
    if path.read_bytes()[:2] == b"PK":  # statistics may have any name
        ep.Statistics.load(path)
    elif path.suffix == ".json":
        json.loads(path.read_text("utf-8"))
    elif path.suffix == ".html":
        assert path.read_text("utf-8").rstrip().endswith("</html>"), (words, path.name)
    elif path.suffix == ".stats":
        ep.Statistics.load(path)
