"""How large the report of a wide table is, and how soon it opens: `python benchmarks/report.py [FILE]`.

A comparison of 5 000 columns, of which 200 are recommended, with facts about every column; Chromium opens the page from
disk, five times. Time ends when the page has drawn its first frame after all scripts have run. With FILE the report is
kept there; if it is there already, it is only opened.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

import entropick as ep
from entropick.report import write_report

COLUMNS, ROWS, KEPT = 5000, 300, 200
DRAWN = """async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return performance.now();
}"""


def made() -> ep.Comparison:
    random = np.random.default_rng(0)
    y = random.integers(0, 2, ROWS)
    X = random.normal(size=(ROWS, COLUMNS))
    X[:, :40] += 0.8 * y[:, None]
    frame = pd.DataFrame(X, columns=[f"measurement {i} of the sensor" for i in range(COLUMNS)])
    return ep.compare(frame, y, ["mim", "fisher"], k=[5, KEPT], estimators="nearest mean", cv=3, repeats=1, n_jobs=1)


def opened(path: Path) -> list[float]:
    """Milliseconds of each opening."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        took = []
        for _ in range(5):
            page = browser.new_page()
            page.goto(path.as_uri())
            took.append(page.evaluate(DRAWN))
            page.close()
        browser.close()
    return took


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(sys.argv[1] if len(sys.argv) > 1 else f"{folder}/wide.html").resolve()
        if not path.exists():
            write_report(made(), path)
        took = opened(path)
        print(f"{COLUMNS} columns: {path.stat().st_size / 1e6:.2f} MB, opens in {statistics.median(took) / 1000:.2f} s")
        print("each:", ", ".join(f"{one:.0f} ms" for one in took))


if __name__ == "__main__":
    main()
