"""``entropick`` as a process: exit codes, streams, pipes, signals, terminals, and how soon help is there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

COMMAND = [sys.executable, "-m", "entropick.cli"]
HEAVY = {"numpy.linalg", "numba", "pandas", "pyarrow", "scipy", "sklearn", "polars", "matplotlib"}


@pytest.mark.parametrize("words", [["--help"], ["select", "--help"], ["--version"]])
def test_help_loads_nothing_heavy(environment, words):
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "entropick.cli", *words],
        capture_output=True,
        encoding="utf-8",
        env=environment,
    )
    assert "entropick" in done.stdout
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "typer" in loaded
    assert not loaded & HEAVY


ROLES = "target: label (classes)\nnumbers: left, right, hint, noise\ncategories: colour\n"


def test_select_and_mistake(run, table):
    done = run("select", table, "--target", "label", "--method", "jmi", "-k", "2", "--output", "json")
    assert json.loads(done.stdout)["method"] == "jmi"
    assert done.stderr == f"{table}: 300 rows, 6 columns\n" + ROLES
    done = run("select", table, "--target", "nothing", code=1)
    assert done.stdout == ""
    assert done.stderr.startswith("error: --target: no column 'nothing'")
    assert done.stderr.count("\n") == 1


def test_piped_table_is_not_cut(run, tmp_path, frame):
    path = tmp_path / "long.csv"
    name = "a column name that is much longer than any terminal would like to show in one of its columns"
    frame.rename(columns={"hint": name}).to_csv(path, index=False)
    text = run("select", path, "-t", "label", "-k", "1", COLUMNS="").stdout
    assert name in text
    assert "\x1b" not in text


@pytest.mark.parametrize("form", ["table", "json"])
def test_closed_pipe_is_quiet(environment, form):
    process = subprocess.Popen(
        [*COMMAND, "methods", "--output", form],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(30) == 141


SLOW = """
import sys, time
import entropick
def slow(*args, **kwargs):
    print("started", file=sys.stderr, flush=True)
    time.sleep(60)
entropick.select = slow
from entropick.cli import main
main()
"""


def test_interrupt(environment, table, tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, "select", table, "-t", "label", "-q", "--save", tmp_path / "out.json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )
    assert process.stderr.readline() == b"started\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, b"", b"")
    assert [p.name for p in tmp_path.iterdir()] == ["data.csv"]


FAULTY = """
import entropick
def faulty(*args, **kwargs):
    raise ZeroDivisionError("a\\nb")
entropick.select = faulty
from entropick.cli import main
main()
"""


def test_a_fault_is_one_line_too(environment, table):
    words = [sys.executable, "-c", FAULTY, "select", table, "-t", "label", "-q"]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", env=environment)
    assert done.returncode == 1
    assert done.stderr.startswith("error: this is a bug in entropick")
    assert done.stderr.endswith("ZeroDivisionError: a b\n")
    assert done.stderr.count("\n") == 1
    done = subprocess.run([*words, "--debug"], capture_output=True, encoding="utf-8", env=environment)
    assert "Traceback" in done.stderr


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_without_the_extra(environment, missing):
    code = f"import sys; sys.modules[{missing!r}] = None; from entropick.cli import main; main()"
    words = [sys.executable, "-c", code, "methods"]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", env=environment)
    assert done.returncode == 1
    assert done.stderr == (f"error: the command line needs {missing}: install with  pip install 'entropick[cli]'\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_on_a_terminal(environment, table):
    import pty

    environment.pop("NO_COLOR")

    def seen(*words):
        ours, theirs = pty.openpty()
        process = subprocess.Popen([*COMMAND, *map(str, words)], stdout=theirs, stderr=theirs, env=environment)
        os.close(theirs)
        received = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # how Linux says that the other side is closed
                break
            if not part:
                break
            received += part
        os.close(ours)
        process.wait(60)
        return received.decode()

    assert seen("methods", "nope").startswith("\x1b[31merror: method: no method 'nope'")
    assert "\x1b[" in seen("select", table, "-t", "label", "-k", "2")


def test_a_folder_that_was_deleted(tmp_path):
    import os
    import subprocess
    import sys

    rows = tmp_path / "rows.csv"
    rows.write_text("a,b,y\n" + "1,0,0\n0,1,1\n" * 20)
    gone = tmp_path / "gone"
    gone.mkdir()
    code = f"import os, sys; os.rmdir({str(gone)!r}); from entropick.cli import main; main()"
    words = ["compare", str(rows), "-t", "y", "-m", "mim", "-k", "1", "--jobs", "1", "--resamples", "2x1", "--quiet",
             "--estimators", "3-NN", "--resume", "kept"]  # fmt: skip
    path = os.pathsep.join([os.path.abspath("src"), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=gone,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr.count("\n") == 1
    assert "kept" in done.stderr or "current folder was deleted" in done.stderr
