"""Which method, and how many features? Cross-validation chooses, and a pipeline takes its answer.

Features are chosen within each training fold. The answer is that of the one-standard-error rule: the fewest features
whose error cannot be told from the lowest.
"""

from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import entropick as ep

X, y = load_wine(return_X_y=True, as_frame=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, stratify=y, random_state=0)

found = ep.compare(X_train, y_train, ["jmi", "mrmr", "gc.mi", "relieff"], k=[2, 4, 6], estimators="RBF SVM", repeats=1)
print(found.best().words)

model = make_pipeline(found.selector(), StandardScaler(), SVC()).fit(X_train, y_train)
print("features:", ", ".join(model[0].get_feature_names_out()))
print(f"on rows that took no part: {1 - model.score(X_test, y_test):.1%} wrong")

print("\nmethod    error  stability  front")
for row in found.pareto().itertuples():
    print(f"{row.method:<8}{row.error:7.1%}{row.stability:11.2f}{row.front:7d}")
