"""SBMLR: sparse multinomial logistic regression that needs no penalty to be chosen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..measure import Scores
from .ordering import SparseWeighing
from .softmax import Softmax, SoftmaxFit

ROUNDS = 60
SETTLED = 1e-5  # relative change of α that ends the iteration


class SBMLR(SparseWeighing):
    """Σ_c |w_jc| where  min E(W) + N log Σ|w|,  E = −Σ_i log softmax(x_iᵀW + b)[y_i]  (Cawley, Talbot & Girolami 2006).

    The ℓ1 parameter α with prior 1/α is integrated out, which leaves N log Σ|w| for N weights that are not zero. Its
    linear bound at the current weights is α Σ|w| with α = N / Σ|w|: an ℓ1 problem, solved by `Softmax`, and so on
    until α rests. For fixed N no full step raises the objective; once N stays, α follows by secants; where a weight
    comes and goes for ever, steps are halved, and α rests where it does. ``details`` has α, N / Σ|w|, the optimality
    violation (in units of α) and the trace (N, objective before, objective after) of the full steps. Features without
    weight follow by |gradient| / α − 1 ≤ 0, how near they are to entering. ``k="auto"`` takes the features with a
    weight. Sees redundancy; linear only.
    """

    def weigh(self, columns: NDArray[np.intp]) -> Scores:
        own = self.statistics
        loss = Softmax(own.standardised[:, columns], own.codes, own.n_classes, own.weights)
        n = loss.total
        top = float(np.abs(loss.zero.gradient).max())
        if top <= 1e-12:
            return np.full(columns.size, -1.0)
        alpha = 0.05 * top * n
        trace: list[tuple[int, float, float]] = []
        damping, last, tol = 1.0, (0, 0.0, 0.0), 1e-2
        fit = loss.fit(alpha / n, tol=tol)
        for _ in range(ROUNDS):
            count, size = int(np.count_nonzero(fit.weights)), float(np.abs(fit.weights).sum())
            if count == 0:
                break
            change = float(np.log(count / size / alpha))
            if abs(change) * damping <= SETTLED and (tol <= SETTLED or abs(change) > 1e-3):
                break
            step = _step(count, change, *last)
            if step is None:
                if change * last[1] < 0:
                    damping *= 0.5  # a weight comes and goes: the rest point is where it does
                step = damping * change
            last = (count, change, step)
            begin = _objective(fit, n, alpha, count)
            alpha *= float(np.exp(step))
            tol = 1e-3 if abs(change) > 1e-3 else SETTLED
            fit = loss.fit(alpha / n, start=fit, tol=tol)
            if step == change and np.count_nonzero(fit.weights):
                trace.append((count, begin, _objective(fit, n, alpha, count)))
        fit = loss.fit(alpha / n, start=fit, tol=1e-6)
        count = int(np.count_nonzero(fit.weights))
        self._details = {
            "alpha": alpha,
            "alpha_of_weights": count / float(np.abs(fit.weights).sum()) if count else 0.0,
            "weights_not_zero": count,
            "optimality_violation": fit.violation,
            "objective_trace": trace,
        }
        sizes = np.abs(fit.weights).sum(axis=1)
        near = np.minimum(np.abs(fit.gradient).max(axis=1) * n / alpha - 1.0, 0.0)
        out: Scores = np.where(sizes > 0, sizes, near)
        return out


def _step(count: int, change: float, count_before: int, change_before: float, step_before: float) -> float | None:
    """Of log α to where the line through the last two changes is 0; None where it would be no help.

    As long as the same number of weights is not zero, changes fall by much the same factor from step to step, often ⅔.
    """
    slope = (change - change_before) / step_before if count == count_before else 0.0
    return -change / slope if slope < -0.1 and abs(change) < 0.1 else None


def _objective(fit: SoftmaxFit, n: float, alpha: float, count: int) -> float:
    """E + count · log Σ|w|; E from the fit's objective at the penalty ``alpha`` it was solved with."""
    size = float(np.abs(fit.weights).sum())
    return n * fit.objective - alpha * size + count * float(np.log(size))
