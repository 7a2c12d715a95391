"""A panel of genes, scored: which cell types it tells apart. `python examples/panel.py FILE.png` draws it.

With scanpy installed on its 700 blood cells, otherwise on generated ones.
"""

import sys
import warnings
from importlib.util import find_spec

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import entropick as ep

warnings.filterwarnings("ignore")
if find_spec("scanpy"):
    import scanpy

    blood = scanpy.datasets.pbmc68k_reduced()
    genes = pd.DataFrame(blood.raw.X.toarray(), columns=list(blood.raw.var_names))
    types = blood.obs["bulk_labels"].astype(str).to_numpy()
else:
    random = np.random.default_rng(0)
    types = random.choice(["B", "NK", "T", "monocyte", "plasma"], 500, p=[0.4, 0.3, 0.2, 0.07, 0.03])
    values = random.poisson(0.4, (500, 40))
    for gene, name in enumerate(["B", "NK", "T", "monocyte"]):
        values[types == name, gene] += random.poisson(2, (types == name).sum())
    genes = pd.DataFrame(values, columns=[f"gene{j}" for j in range(40)])

chosen = ep.select(genes, types, k=20, class_weight="balanced", exclude="MT-*" if "MT-CO1" in genes else ())
figure = Figure(figsize=(13, 5), layout="constrained")
axes = figure.subplots(1, 2)
for k, ax in zip((5, 20), axes, strict=True):
    scored = ep.panel(genes, types, chosen.names[:k])
    print(scored.explain(), end="\n\n")
    ep.displays.PanelDisplay.from_panel(scored).plot(ax)
    ax.set_title(f"{k} genes")
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=90)
