"""Brown, Pocock, Zhao & Luján, JMLR 2012: stability, similarity, small samples and the trade-off of nine criteria.

Figures 3, 4, 5 and the trade-off are one experiment on each of fifteen data sets: 50 bootstraps, 10 features, 5
equal-width bins, 3 nearest neighbours tested on the rows that were not drawn. So they share their cells.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import entropick as ep

from .data import obtain
from .paper_table import Figure, Found, Means, Numbers, PaperTable, Settings

PAPER = "Brown et al., Conditional Likelihood Maximisation, JMLR 2012"
CRITERIA: dict[str, dict[str, Any]] = {
    "MIM": {"method": "mim"},
    "MIFS": {"method": "mifs", "beta": 1.0},
    "mRMR": {"method": "mrmr"},
    "JMI": {"method": "jmi"},
    "CMIM": {"method": "cmim"},
    "ICAP": {"method": "icap"},
    "CIFE": {"method": "cife"},
    "CondRed": {"method": "condred"},
    "DISR": {"method": "disr"},
}
BEST = {("JMI", "front"): 1.0}  # "the best tradeoff in terms of accuracy, stability and flexibility with small samples"
OUTLIERS = ("MIFS", "CIFE", "ICAP", "CondRed")  # "4 clear outliers", §5.2
SELECTED = 10

# name in the paper -> file
DATA = {
    "breast": "wdbc",
    "congress": "congress",
    "heart": "heart",
    "ionosphere": "ionosphere",
    "krvskp": "krvskp",
    "landsat": "satimage",
    "lungcancer": "lungcancer_uci",
    "parkinsons": "parkinsons",
    "semeion": "semeion",
    "sonar": "sonar",
    "soybeansmall": "soybean_small",
    "spect": "spect",
    "splice": "splice",
    "waveform": "waveform40",
    "wine": "wine",
}
QUICK = ("heart", "sonar", "wine")
ENOUGH_ROWS = tuple(name for name in DATA if name not in ("lungcancer", "parkinsons", "soybeansmall", "wine"))


def _cells(quick: bool) -> list[Settings]:
    return [{"data": name, "bootstraps": 5 if quick else 50} for name in (QUICK if quick else DATA)]


def _compute(settings: Settings, means: Means) -> Numbers:
    problem = obtain(DATA[settings["data"]], means.data_dir)
    found = ep.compare(
        problem.X, problem.y, CRITERIA, k=SELECTED, bootstraps=settings["bootstraps"], estimators="3-NN",
        task="classification", discretizer="uniform", n_jobs=means.n_jobs,
    )  # fmt: skip
    stable = found.stability(SELECTED).set_index("method")
    errors = found.curves().set_index("method")["mean"]
    return {
        "criteria": list(CRITERIA),
        "kuncheva": stable.loc[list(CRITERIA), "kuncheva"].tolist(),
        "consistency": stable.loc[list(CRITERIA), "consistency"].tolist(),
        "error": errors.loc[list(CRITERIA)].tolist(),
        "alike by Kuncheva": found.similarity(SELECTED).to_numpy().tolist(),
        "alike by information": found.similarity(SELECTED, index="consistency").to_numpy().tolist(),
    }


def _stacked(found: Found, what: str) -> NDArray[np.float64]:
    """(data sets, criteria …) of one of the numbers."""
    return np.array([numbers[what] for _, numbers in found], dtype=np.float64)


HOW = "50 bootstraps, k = 10, 5 equal-width bins; with --quick 5 bootstraps of heart, sonar and wine."
NOTHING_PRINTED = " The figure prints no numbers."


# -- figures 3 and 4 ----------------------------------------------------------------------------------------


MARKS = ("lowest", "quartile", "median", "upper quartile", "highest")


def _stability(found: Found) -> list[Figure]:
    out = []
    for index in ("kuncheva", "consistency"):
        values = _stacked(found, index)
        for j in np.argsort(-np.median(_stacked(found, "kuncheva"), axis=0), kind="stable"):
            marks = np.percentile(values[:, j], [0, 25, 50, 75, 100])
            out += [
                Figure({"index": index, "criterion": list(CRITERIA)[j], "over the sets": mark}, float(value))
                for mark, value in zip(MARKS, marks, strict=True)
            ]
    return out


STABILITY = PaperTable(
    "brown-stability",
    "Figures 3 and 4: stability over bootstraps, by Kuncheva's index and by information",
    PAPER,
    _cells,
    _compute,
    _stability,
    across="over the sets",
    kept_as="brown-bootstraps",
    how=HOW + " Criteria by their median of Kuncheva's index, as in the figure." + NOTHING_PRINTED,
)


# -- figure 5 -----------------------------------------------------------------------------------------------


def _similarity(found: Found) -> list[Figure]:
    from entropick.evaluation.similarity import classical_scaling

    names = list(CRITERIA)
    out = []
    for index in ("alike by Kuncheva", "alike by information"):
        alike = _stacked(found, index).mean(axis=0)
        points = classical_scaling(1.0 - alike)
        others = (alike.sum(axis=0) - np.diag(alike)) / (len(names) - 1)
        furthest = set(np.argsort(others, kind="stable")[: len(OUTLIERS)].tolist())
        for j, name in enumerate(names):
            labels = {"index": index, "criterion": name}
            out.append(Figure({**labels, "figure": "mean with the others"}, float(others[j])))
            out.append(Figure({**labels, "figure": "x"}, float(points[j, 0])))
            out.append(Figure({**labels, "figure": "y"}, float(points[j, 1])))
            outlier = Figure({**labels, "figure": "outlier"}, float(j in furthest), float(name in OUTLIERS))
            out.append(outlier)
    return out


SIMILARITY = PaperTable(
    "brown-similarity",
    "Figure 5: how alike the criteria choose, and a map of it",
    PAPER,
    _cells,
    _compute,
    _similarity,
    across="figure",
    kept_as="brown-bootstraps",
    how=HOW + " Outlier: 1 for the four that choose least like the others (ours), and for those the paper names.",
)


# -- accuracy against stability -----------------------------------------------------------------------------


def _tradeoff(found: Found) -> list[Figure]:
    from entropick.evaluation.pareto import fronts

    stable = {index: _stacked(found, index).mean(axis=0) for index in ("kuncheva", "consistency")}
    error = _stacked(found, "error").mean(axis=0)
    ranks = _ranks(_stacked(found, "error")).mean(axis=0)
    front = fronts(np.column_stack([ranks, -stable["kuncheva"]]))
    numbers = {
        "error, %": 100 * error,
        "mean rank of the error": ranks,
        "Kuncheva": stable["kuncheva"],
        "by information": stable["consistency"],
        "front": front.astype(float),
    }
    return [
        Figure({"criterion": name, "figure": what}, float(values[j]), BEST.get((name, what), float("nan")))
        for j, name in enumerate(CRITERIA)
        for what, values in numbers.items()
    ]


def _ranks(errors: NDArray[np.float64]) -> NDArray[np.float64]:
    """(…, criteria) the rank of each criterion among the others, 1 the lowest error, ties shared."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(errors, axis=-1), dtype=np.float64)


TRADEOFF = PaperTable(
    "brown-tradeoff",
    "Stability against accuracy: means over the sets, and the non-dominated front",
    PAPER,
    _cells,
    _compute,
    _tradeoff,
    across="figure",
    kept_as="brown-bootstraps",
    how=HOW + " 3-NN on the rows not drawn. Front 1 is beaten by none in rank and stability. The figure "
    "prints no numbers; the paper finds the best trade-off in JMI.",
)


# -- small samples ------------------------------------------------------------------------------------------


def _cells_small(quick: bool) -> list[Settings]:
    if quick:
        return [{"data": name, "sizes": "20 80 140", "draws": 3} for name in ("heart", "sonar")]
    sizes = " ".join(str(size) for size in range(20, 141, 10))
    return [{"data": name, "sizes": sizes, "draws": 50} for name in ENOUGH_ROWS]


def _compute_small(settings: Settings, means: Means) -> Numbers:
    problem = obtain(DATA[settings["data"]], means.data_dir)
    sizes = [int(size) for size in settings["sizes"].split()]
    found = ep.small_samples(
        problem.X, problem.y, CRITERIA, k=SELECTED, sizes=sizes, draws=settings["draws"], estimators="3-NN",
        task="classification", discretizer="uniform", n_jobs=means.n_jobs,
    )  # fmt: skip
    return {"sizes": sizes, "errors": found.error().loc[list(CRITERIA), sizes].to_numpy().tolist()}


def _figures_small(found: Found) -> list[Figure]:
    errors = _stacked(found, "errors")  # data sets, criteria, sizes
    ranks = _ranks(errors.swapaxes(1, 2)).mean(axis=0)  # sizes, criteria
    sizes = found[0][1]["sizes"]
    return [
        Figure({"criterion": name, "training rows": size}, float(ranks[i, j]))
        for j, name in enumerate(CRITERIA)
        for i, size in enumerate(sizes)
    ]


SMALL = PaperTable(
    "brown-small-samples",
    "Small samples: mean rank of the test error, by the rows to learn from",
    PAPER,
    _cells_small,
    _compute_small,
    _figures_small,
    across="training rows",
    how="20, 30 … 140 rows, 50 draws, 10 features, 3-NN on all other rows, the eleven sets with at least 200 rows; "
    "ranks 1 to 9 are averaged over the sets." + NOTHING_PRINTED,
)


# -- extreme small samples ----------------------------------------------------------------------------------

EXTREME = {
    "Colon": "colon_disc",
    "Leukemia": "leukemia_disc",
    "Lung": "lung_disc",
    "Lymph": "lymphoma_disc",
    "NCI9": "nci9_disc",
}
SIZES = (1, 2, 5, 10, 20, 30, 40, 50)


def _cells_extreme(quick: bool) -> list[Settings]:
    return [{"data": name, "criterion": c} for name in (("Lung",) if quick else EXTREME) for c in CRITERIA]


def _compute_extreme(settings: Settings, means: Means) -> Numbers:
    """Leave-one-out errors of 3-NN on the first features, chosen anew without each row."""
    from sklearn.neighbors import KNeighborsClassifier

    problem = obtain(EXTREME[settings["data"]], means.data_dir)
    X, y = np.asarray(problem.X), np.asarray(problem.y)
    wrong = np.zeros(len(SIZES))
    for row in range(len(y)):
        rest = np.arange(len(y)) != row
        options = CRITERIA[settings["criterion"]]
        chosen = ep.select(
            X[rest], y[rest], k=min(SIZES[-1], X.shape[1]), task="classification", discretizer=None,
            n_jobs=means.n_jobs, **options,
        ).indices  # fmt: skip
        for i, size in enumerate(SIZES):
            columns = chosen[:size]
            model = KNeighborsClassifier(3).fit(X[np.ix_(rest, columns)], y[rest])
            wrong[i] += model.predict(X[[row]][:, columns])[0] != y[row]
    return {"errors": (100 * wrong / len(y)).tolist()}


def _figures_extreme(found: Found) -> list[Figure]:
    return [
        Figure({"data": settings["data"], "criterion": settings["criterion"], "features": size}, error)
        for settings, numbers in found
        for size, error in zip(SIZES, numbers["errors"], strict=True)
    ]


EXTREMES = PaperTable(
    "brown-extreme-samples",
    "Extreme small samples: leave-one-out error in % on five gene expression sets",
    PAPER,
    _cells_extreme,
    _compute_extreme,
    _figures_extreme,
    across="features",
    unit="%",
    digits=1,
    how="3-NN on the first features, chosen without the row that is left out; sets as discretised by Peng et al."
    + NOTHING_PRINTED,
)
