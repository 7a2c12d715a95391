"""Every display, drawn from one table: `python examples/gallery.py FOLDER` writes the pictures of the gallery.

Without a folder the pictures are drawn and thrown away, and only their numbers are printed.
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import entropick as ep
from entropick import displays
from entropick.datasets import load_demo

METHODS = ["jmi", "mrmr", "cmim", "gc.mi", "relieff", "mim"]
GRID = [0, 0.25, 0.5, 0.75, 1]

X, y = load_demo()
selection = ep.select(X, y, method="jmi", k=8)
comparison = ep.compare(X, y, METHODS, k=[1, 2, 3, 4, 6, 8, 12], repeats=1)
space = ep.criterion_space(X, y, k=6, beta=GRID, gamma=GRID)

drawn = {
    "path": displays.SelectionPathDisplay.from_data(selection, X, y),
    "redundancy": displays.RedundancyDisplay.from_selection(selection),
    "feature": displays.FeatureDisplay.from_data(X, y, "worst texture"),
    "frequency": displays.FrequencyDisplay.from_comparison(comparison, k=6),
    "credible": displays.CredibleSetDisplay.from_selection(ep.select(X, y)),
    "accuracy": displays.AccuracyDisplay.from_comparison(comparison),
    "stability": displays.StabilityDisplay.from_comparison(comparison),
    "pareto": displays.ParetoDisplay.from_comparison(comparison),
    "map": displays.MethodMapDisplay.from_comparison(comparison),
    "space": displays.CriterionSpaceDisplay.from_space(space),
}
for name, display in drawn.items():
    print(f"\n{name}\n{display.frame().head(4).round(3).to_string()}")
    display.plot()
    if len(sys.argv) > 1:
        folder = Path(sys.argv[1])
        folder.mkdir(parents=True, exist_ok=True)
        display.figure_.savefig(folder / f"{name}.png", dpi=100)
