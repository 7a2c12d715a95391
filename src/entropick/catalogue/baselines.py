"""What the papers compare with."""

from __future__ import annotations

from typing import Any

from .method import (
    CLASSES,
    COLUMNS,
    ESTIMATOR,
    INVARIANCES,
    Method,
    Option,
    count,
    flag,
    none_or,
    number,
    one_of,
    positive,
    share,
)


def _neighbours(default: int) -> Option:
    return Option(default, "an integer of at least 1", count(1))


def _baseline(name: str, summary: str, paper: str, family: str, measure: str, statistics: str, search: str,
              sees: str = "", **extra: Any) -> Method:  # fmt: skip
    extra.setdefault("invariant", ("affine",) if statistics == "rows" else None)
    return Method(name, measure, summary, paper, family, statistics, tuple(search.split()), frozenset(sees.split()),
                  **extra)  # fmt: skip


METHODS = (
    _baseline("fisher", "between-class over within-class variance", "Duda, Hart & Stork 2001", "ranking",
              "baselines.variance:Fisher", "marginals", "ranking", tasks=CLASSES),
    _baseline("anova", "F statistic of one-way analysis of variance", "Fisher 1925", "ranking",
            "baselines.variance:Anova",
              "marginals", "ranking", tasks=CLASSES),
    _baseline("ttest", "Welch's t statistic, each class against the rest", "Welch 1947", "ranking",
            "baselines.ttest:TTest",
              "marginals", "ranking", tasks=CLASSES),
    _baseline("pearson", "absolute correlation with the target", "Hall 2000", "ranking",
              "baselines.correlation:Pearson", "marginals", "ranking"),
    _baseline("chi2", "χ² statistic of feature and class", "Pearson 1900", "ranking", "baselines.chi2:ChiSquared",
            "levels",
              "ranking", "nonlinear", options={"estimator": ESTIMATOR}),
    _baseline("infogain", "relevance only (same as mim)", "Quinlan 1986", "ranking", "pairwise.linear:MIM", "levels",
              "ranking", "nonlinear", options={"estimator": ESTIMATOR}),
    _baseline("infogain.knn", "relevance only, estimated from nearest neighbours instead of bins", "Ross 2014",
            "ranking",
              "baselines.continuous:NeighbourGain", "rows", "ranking", "nonlinear", weights="importance",
              options={"n_neighbors": _neighbours(3)}),
    _baseline("relieff", "differs between neighbouring rows of different classes", "Robnik-Šikonja & Kononenko 2003",
              "neighbours", "baselines.relief:ReliefF", "rows", "given", "interaction nonlinear", columns=COLUMNS,
              options={"n_neighbors": _neighbours(10),
                       "samples": Option(None, "an integer of at least 1, or None for all", none_or(count(1))),
                       "sigma": Option(None, "a number above 0, or None", none_or(positive))}),
    _baseline("fcbf", "closer to the class than to any better feature", "Yu & Liu 2004", "discrete",
              "baselines.predominant:FCBF", "levels", "forward", "redundancy nonlinear",
              options={"estimator": ESTIMATOR, "delta": Option(0.0, "a number between 0 and 1", share)}),
    _baseline("cfs", "high correlation with the class, low correlation among features", "Hall 2000", "discrete",
            "baselines.merit:CFS",
              "levels", "best_first forward", "redundancy nonlinear", options={"estimator": ESTIMATOR}),
    _baseline("lasso", "weights of an ℓ1-penalised linear or logistic model",
              "Tibshirani 1996", "model", "baselines.lasso:Lasso", "rows", "given", "redundancy", nested=False,
              options={"l1_ratio": Option(1.0, "a number above 0 and at most 1", lambda v: number(v) and 0 < v <= 1),
                       "loss": Option("auto", "'auto' (logistic for classes) or 'squares'",
                                      one_of("auto", "squares"))}),
    _baseline("sbmlr", "sparse logistic regression without a penalty to tune", "Cawley, Talbot & Girolami 2006",
            "model",
              "baselines.sparse_logistic:SBMLR", "rows", "given", "redundancy", tasks=CLASSES, tolerance=1e-3),
    _baseline("cmtf", "linear models, one per class, that share features", "Argyriou, Evgeniou & Pontil 2008", "model",
              "baselines.multitask:CMTF", "rows", "given", "redundancy",
              options={"gamma": Option(0.1, "a number above 0", positive)}),
    _baseline("qalpha", "how well the features cluster the rows", "Wolf & Shashua 2005", "spectral",
              "baselines.spectral_relevance:QAlpha", "rows", "given", tasks=CLASSES, weights="importance", draws=True,
              options={"supervised": Option(False, "True or False", flag),
                       "clusters": Option(None, "an integer of at least 1, or None", none_or(count(1)))}),
    _baseline("spec", "varies smoothly within classes (or among neighbouring rows)", "Zhao & Liu 2007", "spectral",
              "baselines.spectral_graph:Spec", "rows", "given", tasks=CLASSES,
              options={"graph": Option("class", "'class', 'rbf' or 'knn'", one_of("class", "rbf", "knn")),
                       "score": Option("phi2", "'phi1' or 'phi2'", one_of("phi1", "phi2")),
                       "n_neighbors": _neighbours(5)}),
    _baseline("laplacian", "varies smoothly among neighbouring rows; ignores the target", "He, Cai & Niyogi 2005",
              "spectral", "baselines.spectral_graph:Laplacian", "rows", "given",
              options={"graph": Option("knn", "'class', 'rbf' or 'knn'", one_of("class", "rbf", "knn")),
                       "n_neighbors": _neighbours(5)}),
    _baseline("mrmr.gaussian", "mrmr with Gaussian mutual information", "Peng, Long & Ding 2005", "continuous",
              "baselines.continuous:GaussianMRMR", "rows", "forward", "redundancy"),
    _baseline("mrmr.knn", "mrmr with nearest-neighbour mutual information",
            "Kraskov, Stögbauer & Grassberger 2004", "continuous",
              "baselines.continuous:NeighbourMRMR", "rows", "forward", "redundancy nonlinear", weights="importance",
              options={"n_neighbors": _neighbours(3)}),
    _baseline("mrmr.parzen", "mrmr with Parzen-window mutual information", "Peng, Long & Ding 2005", "continuous",
              "baselines.parzen:ParzenMRMR", "rows", "forward", "redundancy nonlinear",
              options={"bandwidth": Option(None, "a number above 0, or None", none_or(positive))}),
    _baseline("rfe.svm", "recursive elimination with a linear support vector machine", "Guyon et al. 2002", "wrapper",
              "baselines.wrappers:RFE", "rows", "given", "redundancy",
              options={"step": Option(0.1, "a number above 0 and below 1", lambda v: number(v) and 0 < v < 1),
                       "C": Option(1.0, "a number above 0", positive)}),
    _baseline("stumps", "features that boosted decision stumps split on", "Freund & Schapire 1997", "wrapper",
              "baselines.wrappers:Stumps", "rows", "given", "redundancy nonlinear", weights="importance", draws=True,
              options={"rounds": _neighbours(100)}),
    _baseline("random", "random order, as a baseline", "entropick", "ranking", "baselines.random:Random", "rows",
            "ranking",
              columns=COLUMNS, invariant=INVARIANCES, draws=True),
)  # fmt: skip
