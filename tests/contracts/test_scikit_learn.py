"""scikit-learn's own checks on every public estimator."""

from __future__ import annotations

from sklearn.utils.estimator_checks import parametrize_with_checks

import entropick as ep

EXPECTED_FAILURES: dict[str, str] = {}


@parametrize_with_checks(
    [
        ep.Selector(),
        ep.Selector(method="cmim", k=0.5, discretizer="mdl"),
        ep.Selector(method="gc.mi", k=1, missing="error"),
        ep.Selector(method="spec.cmi", k=1),
        ep.Selector(method="fisher", k=1, missing="error"),
    ],
    expected_failed_checks=lambda estimator: EXPECTED_FAILURES,
)
def test_estimator(estimator, check):
    check(estimator)
