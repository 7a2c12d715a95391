"""A one-hot encoded variable is one variable: as a group it is scored as a whole and enters as a whole."""

import numpy as np
import pandas as pd

import entropick as ep

random = np.random.RandomState(0)
town = random.choice(["Bath", "Leeds", "York", "Wells"], size=1000)
age = random.randint(18, 90, size=1000)
buys = (town == "York") | ((town == "Leeds") & (age > 50))
X = pd.concat([pd.get_dummies(town, prefix="town"), pd.DataFrame({"age": age})], axis=1)
X["noise"] = random.normal(size=1000)

groups = {"town": [name for name in X.columns if name.startswith("town_")]}
apart = ep.select(X, buys, method="jmi", k=3)
together = ep.select(X, buys, method="jmi", k=2, groups=groups)

print("column by column:", ", ".join(step.name for step in apart))
print("as one variable: ", ", ".join(step.name for step in together))
print("columns to keep: ", ", ".join(together.names))
