"""The documentation as a site: it builds, without a warning, from the pages that are tested elsewhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def test_the_site_builds_without_warnings(tmp_path):
    pytest.importorskip("mkdocs", reason="mkdocs is not installed: pip install 'entropick[docs]'")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", tmp_path / "site"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    pages = {path.relative_to(tmp_path / "site").parts[0] for path in (tmp_path / "site").rglob("index.html")}
    missing = {page.stem for page in (ROOT / "docs").glob("*.md")} - pages - {"index"}
    assert not missing
    for made in (ROOT / "docs" / "gallery").glob("*.json"):
        assert 'id="data"' in (tmp_path / "site" / "gallery" / f"{made.stem}.html").read_text("utf-8")
    home = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert "fonts.googleapis" not in home  # nothing is fetched from another host to read it
