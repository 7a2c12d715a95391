"""Variants that tell cases from controls, alone and in pairs. `python examples/genotypes.py FILE.png` draws them.

A PLINK file is written first: 2 000 people, 600 variants, neighbours alike. Variants 100 and 350 raise the risk, and
so do 200 and 480, but only together.
"""

import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from bed_reader import to_bed
from matplotlib.figure import Figure

import entropick as ep

warnings.filterwarnings("ignore")
PEOPLE, VARIANTS = 2000, 600
random = np.random.default_rng(0)


def chromosomes() -> np.ndarray:
    """(people, variants) 0 or 1; a variant is a copy of its left neighbour in four people of five."""
    alleles = random.random((PEOPLE, VARIANTS)) < random.uniform(0.2, 0.5, VARIANTS)
    for j in range(1, VARIANTS):
        copied = random.random(PEOPLE) < 0.8 * (j % 10 > 0)
        alleles[copied, j] = alleles[copied, j - 1]
    return alleles


calls = (chromosomes().astype(int) + chromosomes()).astype(np.float32)
risk = 0.6 * calls[:, 100] + 0.6 * calls[:, 350] + 1.6 * (calls[:, 200] == 1) * (calls[:, 480] == 1)
case = random.random(PEOPLE) < 1 / (1 + np.exp(1.8 - risk))
calls[random.random(calls.shape) < 0.01] = np.nan

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "cohort.bed"
    to_bed(
        path, calls, properties={"sid": [f"rs{j}" for j in range(VARIANTS)], "pheno": [str(1 + one) for one in case]}
    )
    selection = ep.select(path, "phenotype", k="auto")
    pairs = ep.interactions(path, "phenotype").to_frame()
print(selection.explain(), pairs.head(3).to_string(), sep="\n\n")

alone = 2 * PEOPLE * ep.mutual_information(pd.DataFrame(calls), case)
figure = Figure(figsize=(9, 3.6), layout="constrained")
ax = figure.subplots()
ax.scatter(range(VARIANTS), alone, s=7, color="#59626f", label="by itself")
ax.scatter(selection.indices, alone[selection.indices], s=70, facecolor="none", edgecolor="#c4520c", label="selected")
first, second = (int(name.removeprefix("rs")) for name in pairs[["feature_1", "feature_2"]].iloc[0])
ax.plot([first, second], [alone.max() / 2] * 2, "o-", color="#0b63a5", label="best pair")
ax.set(xlabel="variant", ylabel="2 n I(variant; case)")
ax.legend(frameon=False)
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=90)
