"""Which words tell the documentation of one library from another's. `python examples/words.py FILE.png` draws it.

Every public function and class of NumPy, SciPy, pandas and scikit-learn that is described in words is a row.
"""

import importlib
import inspect
import sys
import warnings

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import entropick as ep

warnings.filterwarnings("ignore")
MODULES = {
    "NumPy": ["numpy", "numpy.linalg", "numpy.random", "numpy.ma"],
    "SciPy": ["scipy.stats", "scipy.signal", "scipy.special", "scipy.optimize", "scipy.sparse"],
    "pandas": ["pandas", "pandas.api.types", "pandas.DataFrame", "pandas.Series"],
    "scikit-learn": ["sklearn.metrics", "sklearn.linear_model", "sklearn.ensemble", "sklearn.preprocessing"],
}


def described(name: str) -> set[str]:
    """What the public names of a module or class say of themselves."""
    module, _, last = name.rpartition(".")
    try:
        where = importlib.import_module(name)
    except ModuleNotFoundError:
        where = getattr(importlib.import_module(module), last)
    texts = (inspect.getdoc(getattr(where, one)) for one in dir(where) if not one.startswith("_"))
    return {text for text in texts if text and len(text) > 300}


rows = [(library, text) for library, names in MODULES.items() for text in sorted(set().union(*map(described, names)))]
pages = pd.DataFrame(rows, columns=["library", "page"])
print(pages["library"].value_counts().to_string())

selection = ep.select(pages, "library", method="jmi", k=20, text="page")
words = [name.removeprefix("page: ") for name in selection.names]
print(", ".join(words))

libraries = list(MODULES)
shares = np.array(
    [[pages["page"][pages["library"] == one].str.contains(rf"\b{word}\b", case=False).mean() for word in words]
     for one in libraries]
)  # fmt: skip
figure = Figure(figsize=(11, 3), layout="constrained")
ax = figure.subplots()
image = ax.imshow(shares, cmap="Blues", vmin=0, vmax=1, aspect="auto")
ax.set_xticks(range(len(words)), words, rotation=45, ha="right")
ax.set_yticks(range(len(libraries)), libraries)
ax.set_title("Twenty words, in the order chosen, and the share of pages that have them")
figure.colorbar(image, ax=ax)
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=90)
