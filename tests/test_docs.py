"""Documentation runs: doctests, examples, and every block of README and docs.

In a Markdown page, ``python`` blocks run in order in one namespace; a ``text`` block is what the one before it
printed. In a ``console`` block every command is run at 80 columns, in the same folder, and must print what the block
shows. In a ``sh`` block ``entropick`` is run as well, on the file ``data.csv`` where it asks for that; what is
installed, made or measured must exist. There are no other blocks. ``<!-- needs NAME -->`` above a block names a library
or a program without which the rest of the page is skipped.
"""

from __future__ import annotations

import doctest
import importlib
import inspect
import os
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from contextlib import redirect_stdout
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

import pytest

import entropick
from entropick import displays
from entropick.methods import BUILT_IN, REGISTRY

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FAMILIES = ("discrete", "gaussian", "global", "kernel", "baselines")
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
        elif kind == "text":
            assert printed, f"{where}: nothing was printed"
            assert trimmed(printed) == trimmed(body), where
        elif kind == "console":
            for command, shown in commands(body):
                assert trimmed(run(command, tmp_path).stdout) == trimmed(shown), f"{where}: {command}"
        else:
            assert kind == "sh", where
            for line in body.splitlines():
                check_shell(shlex.split(line, comments=True), tmp_path, f"{where}: {line}")


def commands(body: str) -> list[tuple[str, str]]:
    """(command, output) pairs of a console block."""
    pairs = re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]
    assert pairs
    return [(command, shown) for command, _, shown in (pair.partition("\n") for pair in pairs)]


def check_shell(words: list[str], folder: Path, where: str) -> None:
    """A line for a shell: `entropick` must succeed; what pip, make and python are asked for must be there."""
    if words[0] == "entropick":
        if "data.csv" in words:
            X, y = entropick.datasets.load_demo()
            X.iloc[::3, :12].assign(label=y[::3]).to_csv(folder / "data.csv", index=False)
        done = run(shlex.join(words), folder)
        assert done.returncode == 0, f"{where}\n{done.stdout}"
    elif words[:2] == ["pip", "install"]:
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
        assert re.fullmatch(r"entropick\[(\w+)\]", words[2])[1] in extras, where
    elif words[0] == "make":
        assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE), where
    else:
        assert words[0] == "python", where
        script = (ROOT / words[1]).read_text("utf-8")
        assert all(f'"{word}"' in script for word in words if word.startswith("--")), where


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    assert command.startswith("entropick "), command
    return subprocess.run(
        [sys.executable, "-m", "entropick.cli", *shlex.split(command)[1:]],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        cwd=folder,
        env={**os.environ, "COLUMNS": "80"},
    )


def trimmed(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_block_is_of_a_kind_that_runs(page):
    text = page.read_text("utf-8")
    fences = re.findall(r"^\s*(?:```|~~~).*$", text, re.MULTILINE)
    assert len(fences) == 2 * len(BLOCK.findall(text)), fences


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "ARCHITECTURE.md"], ids=named)
def test_links_lead_somewhere(page):
    for target in LINK.findall(page.read_text("utf-8")):
        made = re.sub(r"^(gallery/.*)\.html$", r"\1.json", target)  # by docs/.site/gallery_pages.py
        assert (page.parent / made).exists(), target


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


def test_the_decision_table_follows_from_the_measured_one(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    choosing = importlib.import_module("choosing")
    docs = ROOT / "docs"
    ranks = choosing.read_table(docs / "choosing.md", "| method | few rows")
    sight = choosing.read_table(docs / "sight.md", "| method | linear")
    text = (docs / "choosing.md").read_text("utf-8")
    for kind, methods in choosing.starts(ranks, sight):
        assert f"| {kind} | {methods} |" in text


def test_every_method_is_on_the_page_of_a_family():
    """Each page has formulas, assumptions, cost and pitfalls."""
    pages = {name: (ROOT / "docs" / f"{name}.md").read_text("utf-8") for name in FAMILIES}
    for name, text in pages.items():
        headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
        assert {"Assumptions", "Cost", "Pitfalls"} <= set(headings), name
    missing = [name for name in BUILT_IN if not any(f"`{name}`" in text for text in pages.values())]
    # what no page has yet is told by `entropick methods NAME`, which shows what the measure says of itself
    silent = [name for name in missing if len(inspect.getdoc(REGISTRY[name].measure_class()) or "") < 100]
    assert not silent


def test_every_public_name_is_in_the_reference():
    shown = re.findall(r"^::: entropick\.([\w.]+)", (ROOT / "docs" / "api.md").read_text("utf-8"), re.MULTILINE)
    parts = {"methods": "methods.methods", **dict.fromkeys(dir(importlib.import_module("entropick.errors")), "errors")}
    known = {*shown, *(name.split(".")[0] for name in shown)}
    missing = [name for name in entropick.__all__ if parts.get(name, name) not in known]
    missing += [name for name in displays.__all__ if f"displays.{name}" not in shown]
    assert missing == ["__version__"]


def test_there_is_something_to_run():
    assert len(PAGES) >= 7
    assert len(EXAMPLES) >= 3
    assert "```python" in (ROOT / "README.md").read_text("utf-8")
