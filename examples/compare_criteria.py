"""Ten criteria on a problem with a known answer: y = (x1 and x2) or (x3 and x4); x8 … x10 are y with noise.

Alone, each noisy copy of y looks better than any true feature. Which criteria fall for it?
"""

import numpy as np

import entropick as ep
from entropick.datasets import and_or

CRITERIA = ["mim", "mifs", "mrmr", "jmi", "jmim", "cmim", "icap", "cife", "disr", "cmi"]
problems = [and_or(n=400, random_state=seed) for seed in range(5)]

print("criterion   F-measure   first choice of its kind")
for method in CRITERIA:
    selections = [ep.select(p.X, p.y, method=method, k=4, discretizer=None) for p in problems]
    f = np.mean([p.f_measure(s.indices) for p, s in zip(problems, selections, strict=True)])
    names = ", ".join(problems[0].names[i] for i in selections[0].indices)
    print(f"{method:<11} {f:9.2f}   {names}")
