"""joint with pairs: two columns that say something only together may enter together.

A pair that the scan of `entropick.pairs` found significant is a block of the products of both columns' functions, given
both columns. Choosing it brings in both features, at

    value(i, j) = calibration · gain(i, j, products | S) / features that are new + 0.05 · worth

Only where the products say at least as much as the two columns do: among many classes every pair differs between some,
and such pairs would crowd out columns that say more. A column of such a pair is not noise, however little it says
alone, and its worth is at least half of what the pair says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..measure import Account, Scores
from .joint import Joint
from .terms import MEMORY

Floats = NDArray[np.float64]
SYNERGY = 1.0  # of what two columns say, that their products must say at least


class PairedJoint(Joint):
    """score = gate · calibration · ½ (log |T_jj·S| − log |W_jj·S| − m_j q / n) + 0.05 · worth.

    Joint Gaussian information: T and W are the covariances, total and given the target, of smooth functions of the
    columns; ·S is given the selected features. Sees curves, categories, redundancy of any order, and pairs that are
    informative only together (``interactions``). Explained in docs/joint.md. Sibling without lifting: `wilks`.

    ``pairs`` has the columns, p-value and adjusted p-value of each pair that the scan found, in the order of the
    products that `statistics.lifted.paired` has after all columns; ``room`` is how many features there are to choose.
    """

    statistics: Any  # `PairedStatistics`, or those of columns alone where there are no pairs

    def __init__(
        self,
        statistics: Any,
        *,
        interactions: bool = True,
        pairs: Sequence[tuple[tuple[int, int], float, float]] = (),
        room: int | None = None,
        **how: Any,
    ) -> None:
        super().__init__(statistics, **how)
        self.room = self.n_candidates if room is None else room
        self.pairs = tuple(pairs)
        self._live: dict[int, float] = {}  # pair -> calibration
        self._own: dict[int, tuple[NDArray[np.intp], Floats]] = {}
        self._best: dict[int, int] = {}  # candidate -> the pair it would enter by, in this step
        for e, (columns, p, _) in enumerate(self.pairs):
            self._own[e] = self._covariances(e)
            both, main = self._gain(e, columns), self._gain(e, columns, products=False)
            if both - main >= SYNERGY * max(main, 0.0) and both > 0:
                at = list(columns)
                self._live[e] = float(min(*self.calibration[at], 1.0))
                self.worth[at] = np.maximum(self.worth[at], both * self._live[e] / 2)
                self.p_alone[at] = np.minimum(self.p_alone[at], p)
        self._able = tuple(self._live)

    def _column(self, e: int) -> int:
        """The number of a pair's products among the columns of the statistics."""
        return int(self.statistics.lifting.n_columns) + e

    def _covariances(self, e: int) -> tuple[NDArray[np.intp], Floats]:
        """(m,) lifted columns of both columns and of their products, and (m, m) the covariances of these."""
        columns = [*(self.columns[j] for j in self.pairs[e][0]), (self._column(e),)]
        at = np.concatenate([self.statistics.lifted(one) for one in columns]).astype(np.intp)
        first, second = (self.columns[j][0] for j in self.pairs[e][0])
        return at, self.statistics.covariances(first, second, self._column(e))

    def _gain(self, e: int, columns: Sequence[int], products: bool = True) -> float:
        """½ (log |T·S| − log |W·S|) of some of a pair's columns and of its products, less chance; nats."""
        at, own = self._own[e]
        sizes = [len(self.blocks.lifted[j]) for j in self.pairs[e][0]]
        wanted = [np.full(m, j in columns) for m, j in zip(sizes, self.pairs[e][0], strict=True)]
        used = np.flatnonzero(np.concatenate([*wanted, np.full(len(at) - sum(sizes), products)]))
        at = at[used]
        total = own[np.ix_(used, used)] + np.diag(self.order.ridge[at])
        within = total - self.order.cross[:, at].T @ self.order.cross[:, at]
        logs = []
        for side, V in ((self.order.total, total), (self.order.within, within)):
            rows = side.rows[:, at]
            logs.append(np.linalg.slogdet(V - rows.T @ rows)[1])
        return 0.5 * float(logs[0] - logs[1]) - len(at) * self.q / (2.0 * self.n)

    # -- what a search asks ----------------------------------------------------------------------------

    def gains(self) -> Scores:
        scores = super().gains()
        self._best = {}
        for e, scale in self._live.items():
            new = [j for j in self.pairs[e][0] if j not in self.chosen]
            if len(new) > self.room - len(self.chosen):
                continue
            value = scale * self._gain(e, new) / len(new) + MEMORY * float(self.worth[new].max())
            first = max(new, key=lambda j: scores[j])  # of two new ones the better alone comes first
            for j in new:
                own = value if j == first else value * (1 - 1e-9)
                if own > scores[j]:
                    scores[j] = own
                    self._best[j] = e
        return scores

    def add(self, candidate: int) -> None:
        super().add(candidate)
        for e in [e for e in self._live if set(self.pairs[e][0]) <= set(self.chosen)]:
            column = self._column(e)
            self.order.add(self.statistics.lifted((column,)), self.rows((column,)))
            del self._live[e]

    def account(self, candidate: int) -> Account:
        account = super().account(candidate)
        e = self._best.get(candidate)
        if e is None:
            return account
        partner = next(j for j in self.pairs[e][0] if j != candidate)
        _, _, adjusted = self.pairs[e]
        return replace(account, extra={**account.extra, "pair_with": partner, "pair_p_adjusted": float(adjusted)})

    def p_values(self) -> Scores:
        """Of a column in a pair whose partner may still come, or has: at most the pair's, shared among candidates."""
        p = super().p_values()
        for e in self._live:
            columns, _, adjusted = self.pairs[e]
            for j in columns:
                p[j] = min(p[j], adjusted / self.n_candidates)
        return p

    @property
    def products(self) -> dict[int, tuple[int, int]]:
        """Columns of the statistics that are products of a pair which could enter, and that pair."""
        return {self._column(e): self.pairs[e][0] for e in self._able}

    def entering(self, level: float) -> tuple[int, ...]:
        """Places of those pairs among ``products`` that are found at this level: chance of any false one."""
        return tuple(place for place, e in enumerate(self._able) if self.pairs[e][2] <= level)

    def details(self) -> dict[str, Any]:
        """Which pairs could enter."""
        return {"pairs": [list(self.pairs[e][0]) for e in self._able]} if self._able else {}
