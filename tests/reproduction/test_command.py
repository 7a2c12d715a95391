"""`python -m reproduction` and `entropick reproduce`: the list, one table, its forms, and what is refused."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from entropick.cli.app import app
from reproduction.tables import TABLES

ROOT = Path(__file__).parents[2]
run = CliRunner()


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cells")


@pytest.fixture
def invoke(cache):
    return lambda *words: run.invoke(app, ["reproduce", *words, "--cache-dir", str(cache)])


def test_the_list():
    shown = run.invoke(app, ["reproduce"]).stdout
    assert all(name in shown for name in TABLES)


def test_a_table_beside_the_papers(invoke):
    """Table 5 of Jitkrittum et al.: 35 subsets, the true one first, near the printed 0.496."""
    rows = json.loads(invoke("lsmi-table5", "--output", "json", "--quiet").stdout)
    assert len(rows) == 35
    assert rows[0]["features"] == "1 2 3 4"
    assert abs(rows[0]["ours"] - 0.496) < 0.05
    assert rows[0]["difference"] == pytest.approx(rows[0]["ours"] - 0.496, abs=1e-6)
    assert rows[0]["ours"] > rows[1]["ours"] + 0.02


@pytest.mark.parametrize(("ending", "begins"), [("md", "# "), ("csv", "features,ours")])
def test_files(invoke, tmp_path, ending, begins):
    path = tmp_path / f"page.{ending}"
    done = invoke("lsmi-table5", "--output", str(path))
    assert done.exit_code == 0
    assert path.read_text("utf-8").startswith(begins)
    assert done.stdout == ""
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_kept_tables_only(invoke, tmp_path):
    assert invoke("lsmi-table5", "--quiet").exit_code == 0
    path = tmp_path / "page.md"
    assert invoke("--all", "--kept", "--output", str(path)).exit_code == 0
    text = path.read_text("utf-8")
    assert "| 1 2 3 4 | 0.4" in text
    assert "| vinh-table5 | not made |" in text
    assert "## vinh-table5" not in text
    assert "what-each-sees" not in text  # no paper has it


def test_a_page_is_updated(invoke, tmp_path):
    """One table is put in, the others stay to the letter; twice is as good as once."""
    path = tmp_path / "page.md"
    other = "| [vinh-table5](#vinh-table5) | full | 7 figures |"
    section = "## vinh-table5\n\nError.\n\n| a |\n|---|\n| 1 |"
    path.write_text(
        f"# Old\n\n| table | made |\n|---|---|\n{other}\n| lsmi-table5 | not made |\n\n{section}\n", "utf-8"
    )
    assert invoke("lsmi-table5", "--quiet", "--update", str(path)).exit_code == 0
    text = path.read_text("utf-8")
    lines = text.splitlines()
    assert lines.count(other) == 1
    assert section in text
    assert "| 1 2 3 4 | 0.4" in text
    assert "lsmi-table5 | not made" not in text
    assert lines.index(other) < next(i for i, line in enumerate(lines) if line.startswith("| [lsmi-table5]"))
    assert text.index("## vinh-table5") < text.index("## lsmi-table5")
    assert invoke("lsmi-table5", "--quiet", "--update", str(path)).exit_code == 0
    assert path.read_text("utf-8") == text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["lsmi-table9"], "lsmi-table5"),
        (["lsmi-table5", "--output", "page.html"], "--output"),
        (["lsmi-table5", "--output", "no/such/folder/page.md"], "existing folder"),
        (["lsmi-table5", "--fresh", "--kept"], "--kept"),
        (["lsmi-table5", "--update", "no/such/page.md"], "--update"),
        (["lsmi-table5", "--update", "page.html"], "--update"),
        (["lsmi-table5", "--update", "page.md", "--output", "json"], "--output"),
    ],
)
def test_refused(invoke, words, said):
    done = invoke(*words)
    assert done.exit_code == 1
    assert said in done.stderr
    assert done.stdout == ""


def test_outside_a_checkout(tmp_path, monkeypatch):
    """What a user of the wheel sees: one line that says where the tables are."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("entropick.cli.app.__file__", str(tmp_path / "site-packages/entropick/cli/app.py"))
    done = run.invoke(app, ["reproduce"])
    assert done.exit_code == 1
    assert done.stderr.count("\n") == 1
    assert "clone of the repository" in done.stderr


def test_as_a_module():
    """From the root of the repository, where the folder lies."""
    done = subprocess.run([sys.executable, "-m", "reproduction"], capture_output=True, text=True, cwd=ROOT, check=True)
    assert all(name in done.stdout for name in TABLES)


def test_the_library_does_not_need_it():
    """The wheel has src/entropick alone, and nothing there imports this folder but the command that looks for it."""
    own = [
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "src").rglob("*.py")
        if re.search(r"^\s*(from|import) reproduction", path.read_text("utf-8"), re.MULTILINE)
    ]
    assert own == ["src/entropick/cli/app.py"]
    built = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert built == {"packages": ["src/entropick"]}
