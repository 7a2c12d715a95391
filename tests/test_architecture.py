"""ARCHITECTURE.md, checked on the syntax tree."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "entropick"
FILES = sorted(PACKAGE.rglob("*.py"))

STAGES = {"sources": 1, "coding": 2, "statistics": 3, "measures": 4, "search": 5, "selection": 6}
ABOVE = {"pairs": 6.5, "selectors": 7, "evaluation": 8, "displays": 9, "report": 10, "cli": 11}
HELPERS = {"errors", "files", "plain", "kernels", "catalogue", "methods", "version", "progress", "threads", "looks"}
ORDER = STAGES | ABOVE

# An optional library may be imported at the head of a file only below these paths.
OPTIONAL = {
    "typer": ("cli/",),
    "rich": ("cli/",),
    "matplotlib": (),
    "duckdb": (),
    "dask": (),
    "distributed": (),
    "pyspark": (),
    "polars": (),
    "pyarrow": (),
}


def relative(path):
    return path.relative_to(PACKAGE).as_posix()


def part(path):
    """The stage or helper that a file belongs to."""
    return relative(path).split("/")[0].removesuffix(".py")


def nodes(tree, inside=False, typing=False):
    """(node, in a function?, for type checkers only?) of every import."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node, inside, typing
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            for child in node.body:
                yield from nodes(ast.Module([child], []), inside, True)
            for child in node.orelse:
                yield from nodes(ast.Module([child], []), inside, typing)
        else:
            function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
            yield from nodes(node, inside or function, typing)


def imports(path):
    """(dotted absolute name, in a function?, type checkers only?) of every import of the file."""
    place = ("entropick", *path.relative_to(PACKAGE).parts[:-1])
    for node, inside, typing in nodes(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, inside, typing
        else:
            base = place[: len(place) - node.level + 1] if node.level else ()
            module = [*base, *((node.module or "").split(".") if node.module else [])]
            for alias in node.names:
                yield ".".join([*module, alias.name]), inside, typing


def parts_imported(path):
    for name, _, _ in imports(path):
        pieces = name.split(".")
        if pieces[0] == "entropick" and len(pieces) > 1:
            yield pieces[1], name


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_a_stage_imports_only_lower_stages(path):
    mine = part(path)
    if mine == "__init__":
        return
    for other, name in parts_imported(path):
        if other == mine or other in HELPERS:
            continue
        if mine in HELPERS:
            assert other not in ORDER, f"the helper {mine} imports {name}"
        elif mine in ORDER and other in ORDER:
            assert ORDER[other] < ORDER[mine], f"{mine} imports {name}"
        elif mine in STAGES:
            pytest.fail(f"{mine} imports {name}, which is neither a stage below nor a helper")


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_no_measure_sees_rows_and_no_search_opens_statistics(path):
    closed = {
        "measures": {"sources", "coding"},
        "search": {"sources", "coding", "statistics", "kernels"},
        "selection": {"sources", "coding", "statistics", "kernels", "measures", "search"},
        "report": {"selectors"},
    }
    for other, name in parts_imported(path):
        assert other not in closed.get(part(path), ()), f"{part(path)} imports {name}"


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_kernels_import_no_part_of_the_package(path):
    if part(path) == "kernels":
        assert {other for other, _ in parts_imported(path)} <= {"kernels"}


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_optional_libraries_stay_where_they_belong(path):
    for name, inside, typing in imports(path):
        homes = OPTIONAL.get(name.split(".")[0])
        if homes is not None and not inside and not typing:
            assert relative(path).startswith(homes), f"{name} is imported at the head of {relative(path)}"


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_estimators_are_known_to_selectors_only(path):
    if part(path) in STAGES or part(path) in HELPERS:
        bases = {name.rpartition(".")[2] for name, _, _ in imports(path)}
        assert bases.isdisjoint({"BaseEstimator", "SelectorMixin", "TransformerMixin"})


def test_every_folder_is_known():
    known = set(ORDER) | HELPERS | {"__init__", "__main__", "datasets"}
    assert {part(path) for path in FILES} <= known


def test_file_names():
    names = {path.name for path in FILES}
    assert names.isdisjoint({"utils.py", "util.py", "helpers.py", "misc.py", "common.py"})


def functions(tree):
    """(name, lines without the docstring) of every function."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            words = node.body[0] if ast.get_docstring(node) is not None else None
            told = words.end_lineno - words.lineno + 1 if words is not None else 0
            yield node.name, node.end_lineno - node.lineno + 1 - told


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_no_function_is_longer_than_eighty_lines(path):
    """Docstrings apart: `select` has some thirty parameters, and each is described. Kernels are loops in loops."""
    if part(path) != "kernels":
        longest = max(functions(ast.parse(path.read_text(encoding="utf-8"))), key=lambda one: one[1], default=("", 0))
        assert longest[1] <= 80, f"{relative(path)}: {longest[0]} has {longest[1]} lines"


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_nothing_is_left_undone(path):
    text = path.read_text(encoding="utf-8")
    for mark in (
        "TODO",
        "FIXME",
        "XXX",
        "NotImplementedError",
        "pragma: no cover",
        "except Exception",
        "except:",
    ):
        assert mark not in text, f"{relative(path)} has {mark}"


def test_the_checks_see_what_they_should():
    """A twin of each rule on made-up source, so that a blind walker cannot pass."""
    tree = ast.parse(
        "import typer\n"
        "from ..search import forward\n"
        "if TYPE_CHECKING:\n    import polars\n"
        "def f():\n    import duckdb\n"
        "try:\n    import rich\nexcept ImportError:\n    pass\n"
    )
    assert list(functions(ast.parse('def f():\n    """One.\n\n    Two.\n    """\n    return 1\n'))) == [("f", 2)]
    seen = [(ast.unparse(node), inside, typing) for node, inside, typing in nodes(tree)]
    assert seen == [
        ("import typer", False, False),
        ("from ..search import forward", False, False),
        ("import polars", False, True),
        ("import duckdb", True, False),
        ("import rich", False, False),
    ]
