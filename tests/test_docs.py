"""Documentation runs: doctests, examples, and every block of README and docs.

In a Markdown page, ``python`` blocks run in order in one namespace; a ``text`` block that follows one is what
it printed. In a ``console`` block every line that begins with ``$ entropick`` is run at 80 columns, in the
same folder, and must print what the block shows. ``<!-- needs NAME -->`` above a block names a library or a program
without which the rest of the page is skipped.
"""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import redirect_stdout
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

import pytest

import entropick

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
MODULES = [
    module.name
    for module in pkgutil.walk_packages(entropick.__path__, "entropick.")
    if not module.name.endswith("__main__")  # importing it runs the command
]
BLOCK = re.compile(r"^(?:<!-- needs ([\w ]+) -->\n)?```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?://|#)([^)#]+)")


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_blocks_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = page.read_text("utf-8")
    namespace = {"__name__": page.stem}
    printed = ""
    for match in BLOCK.finditer(text):
        needs, kind, body = match.groups()
        absent = [name for name in (needs or "").split() if find_spec(name) is None and shutil.which(name) is None]
        if absent:
            pytest.skip(f"{page.name} needs {absent[0]}, which is not installed")
        where = f"{page.name}:{text.count(chr(10), 0, match.start()) + 2}"
        if kind == "python":
            stdout = StringIO()
            with redirect_stdout(stdout):
                exec(compile(body, where, "exec"), namespace)
            printed = stdout.getvalue()
        elif kind == "text" and printed:
            assert trimmed(printed) == trimmed(body), where
        elif kind == "console":
            for command, shown in commands(body):
                assert trimmed(run(command, tmp_path)) == trimmed(shown), f"{where}: {command}"


def commands(body: str) -> list[tuple[str, str]]:
    """(command, output) pairs of a console block."""
    pairs = re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]
    split = [pair.partition("\n") for pair in pairs]
    return [(command, shown) for command, _, shown in split if command.startswith("entropick")]


def run(command: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "entropick.cli", *shlex.split(command)[1:]],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        cwd=folder,
        env={**os.environ, "COLUMNS": "80"},
    )
    return done.stdout


def trimmed(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "ARCHITECTURE.md"], ids=named)
def test_links_lead_somewhere(page):
    for target in LINK.findall(page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("name", MODULES)
def test_doctests(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    assert doctest.testmod(importlib.import_module(name), optionflags=flags).failed == 0


@pytest.mark.parametrize("example", EXAMPLES, ids=named)
def test_examples_run(example, tmp_path):
    done = subprocess.run([sys.executable, example], capture_output=True, encoding="utf-8", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert not list(tmp_path.iterdir())


def test_nothing_is_skipped():
    skip = "+" + "SKIP"
    for path in [*PAGES, *EXAMPLES, *(ROOT / "src").rglob("*.py")]:
        assert skip not in path.read_text("utf-8"), path


def test_there_is_something_to_run():
    assert len(PAGES) >= 7
    assert len(EXAMPLES) >= 3
    assert "```python" in (ROOT / "README.md").read_text("utf-8")
