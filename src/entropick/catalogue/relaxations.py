"""Global selection: relaxations of a quadratic program over all features at once."""

from __future__ import annotations

from .method import (
    ESTIMATOR,
    PAIR,
    Method,
    Option,
    auto_or,
    count,
    flag,
    none_or,
    not_negative,
    number,
    one_of,
    positive,
    share,
)

VINH = "Vinh, Chan, Romano & Bailey, KDD 2014"
_SEES = frozenset(["nonlinear", *PAIR.split()])
_BALANCE = Option("auto", "'auto', or a number from 0 to 1", auto_or(share))
_MATRIX = {
    "nystrom": Option(None, "None, or the fraction of matrix rows to compute, between 0 and 1",
                      none_or(lambda value: number(value) and 0 < value < 1)),
    "restore_diagonal": Option(True, "True or False", flag),
    "improve": Option(None, "None or 'swap'", none_or(one_of("swap")), ("swap",)),
    "memory": Option(4.0, "GiB a matrix may take in memory before it goes to a temporary file, above 0", positive),
}  # fmt: skip
_RANK = {"rank": Option(None, "None, or how many eigenvalues of the matrix to keep, from 1 on", none_or(count(1)))}
_COMMON = {"estimator": ESTIMATOR, **_MATRIX}

QPFS = "Rodriguez-Lujan, Huerta, Elkan & Santa Cruz, JMLR 2010"

METHODS = (
    Method("qpfs", "quadratic.program:QPFS", "weights that trade relevance against redundancy", QPFS, "global",
           "levels", ("program", "exhaustive"), frozenset({"redundancy", "nonlinear"}),
           options={**_COMMON, **_RANK, "balance": _BALANCE},
           moved={"similarity": "for correlations use the method 'qpfs.correlation'"}),
    Method("qpfs.correlation", "quadratic.program:QPFS", "qpfs with correlations instead of mutual information", QPFS,
           "global", "rows", ("program", "exhaustive"), frozenset({"redundancy"}), invariant=("affine",),
           options={**_MATRIX, **_RANK, "balance": _BALANCE}),
    Method("eqpfs", "quadratic.program:EQPFS", "qpfs with class-conditional redundancy taken into account", VINH,
    "global", "levels",
           ("program", "exhaustive"), _SEES,
           options={**_COMMON,
                    "balance": Option("auto", "'auto', or a number of at least 0", auto_or(not_negative)),
                    "beta": Option(1.0, "a number of at least 0", not_negative),
                    "lambda_": Option("auto", "'auto', or a number", auto_or(number))}),
    Method("mrmr.set", "quadratic.mean_redundancy:MRMRSet",
           "mean relevance of a set less its mean redundancy, own included",
           "Peng, Long & Ding 2005", "global", "levels", ("forward", "exhaustive"),
           frozenset({"redundancy", "nonlinear"}),
           options={"estimator": ESTIMATOR, "memory": _MATRIX["memory"]}),
    Method("spec.cmi", "quadratic.information:ConditionalInformation",
           "dominant eigenvector of pairwise conditional information", VINH, "global", "levels",
           ("spectral", "exhaustive"), _SEES, options=_COMMON),
    Method("sdp.cmi", "quadratic.information:ConditionalInformation",
           "semidefinite relaxation of pairwise conditional information", VINH, "global", "levels",
           ("semidefinite", "exhaustive"), _SEES,
           options={**_COMMON,
                    "projections": Option(100, "an integer of at least 1", count(1)),
                    "solver": Option("auto", "'auto', 'interior' or 'low-rank'",
                                     one_of("auto", "interior", "low-rank")),
                    "tight": Option(True, "True or False", flag)}),
)  # fmt: skip
