"""Choose the criterion and the number of features by cross-validation, selection inside each fold."""

from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

import entropick as ep
from entropick.datasets import load_demo

X, y = load_demo()
pipeline = Pipeline(
    [
        ("pick", ep.Selector()),
        ("scale", StandardScaler()),
        ("classify", LogisticRegression(max_iter=1000)),
    ]
).set_output(transform="pandas")
search = GridSearchCV(pipeline, {"pick__method": ["mim", "mrmr", "jmi"], "pick__k": [3, 10]}, cv=3).fit(X, y)

print(f"best: {search.best_params_}, accuracy {search.best_score_:.3f}")
print("features:", ", ".join(search.best_estimator_["pick"].get_feature_names_out()))
