"""Generated problems with a known answer, each hard in one stated way.

    and_or                  redundancy: three features look better than the four true ones
    quad                    non-linear dependence, a continuous target
    xor                     interaction: neither true feature says anything alone
    three_way               interaction of three: no pair says anything either
    redundant_interaction   an interaction whose members have noisy copies
    smoking                 an exact table: the better feature has the higher entropy

The first three are §6.2 of Jitkrittum, Hachiya & Sugiyama, *Feature Selection via ℓ1-Penalized Squared-Loss
Mutual Information*, IEICE 2013; the last is Example 1 of Vinh, Chan, Romano & Bailey, *Effective Global
Approaches for Mutual Information Based Feature Selection*, KDD 2014.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidParameter
from .problem import Problem

MOST_ROWS = 10**9


def and_or(n: int = 400, random_state: Any = None) -> Problem:
    """Y = (X1 ∧ X2) ∨ (X3 ∧ X4); X8, X9, X10 are Y with 0.2 chance of a flip.

    X1 … X7 ~ Bernoulli(½). The true features are X1 … X4; each of the last three looks better alone.

    Examples
    --------
    >>> and_or(random_state=0).X.shape
    (400, 10)
    """
    random = _random(n, random_state)
    X = np.empty((n, 10), dtype=np.int64)
    X[:, :7] = _bits(random, (n, 7))
    y = (X[:, 0] & X[:, 1]) | (X[:, 2] & X[:, 3])
    X[:, 7:] = _flipped(random, np.repeat(y[:, None], 3, axis=1), 0.2)
    return Problem(X, y, (0, 1, 2, 3), _names(10), "and-or: redundancy and weak interaction")


def quad(n: int = 400, random_state: Any = None) -> Problem:
    """Y = (X1² + X2) / (0.5 + (X2 + 1.5)²) + 0.1 ε, all of X1 … X8, ε ~ N(0, 1).

    X9 = 0.5 X1 + U(−1, 1) and X10 = 0.5 X2 + U(−1, 1) are weak copies of the true features X1, X2.

    >>> from entropick.datasets import quad
    >>> quad(random_state=0).X.shape
    (400, 10)
    """
    random = _random(n, random_state)
    X = np.empty((n, 10))
    X[:, :8] = random.normal(size=(n, 8))
    X[:, 8:] = 0.5 * X[:, :2] + random.uniform(-1.0, 1.0, size=(n, 2))
    noise = random.normal(size=n)
    y = (X[:, 0] ** 2 + X[:, 1]) / (0.5 + (X[:, 1] + 1.5) ** 2) + 0.1 * noise
    return Problem(X, y, (0, 1), _names(10), "quad: non-linear dependence", task="regression")


def xor(n: int = 400, random_state: Any = None) -> Problem:
    """Y = X1 ⊕ X2; X1 … X5 ~ Bernoulli(½), X6 … X10 ~ Bernoulli(¾).

    I(X1;Y) = I(X2;Y) = 0 and I(X1;Y|X2) = log 2, up to sampling.

    >>> from entropick.datasets import xor
    >>> problem = xor(random_state=0)
    >>> bool((problem.y == problem.X[:, 0] ^ problem.X[:, 1]).all())
    True
    """
    random = _random(n, random_state)
    X = np.hstack([_bits(random, (n, 5)), _bits(random, (n, 5), 0.75)])
    return Problem(X, X[:, 0] ^ X[:, 1], (0, 1), _names(10), "xor: interaction of two")


def three_way(n: int = 400, random_state: Any = None) -> Problem:
    """Y = X1 ⊕ X2 ⊕ X3 among ten fair bits: every pairwise term is 0, only the three together tell.

    >>> from entropick.datasets import three_way
    >>> three_way(random_state=0).informative
    (0, 1, 2)
    """
    random = _random(n, random_state)
    X = _bits(random, (n, 10))
    return Problem(X, X[:, 0] ^ X[:, 1] ^ X[:, 2], (0, 1, 2), _names(10), "three-way: interaction of three")


def redundant_interaction(n: int = 400, flip: float = 0.1, random_state: Any = None) -> Problem:
    """Y = X1 ⊕ X2; X3, X4, X5 copy X1 and X6, X7, X8 copy X2, each bit flipped with chance ``flip``.

    X9 and X10 are fair bits. A copy interacts almost as strongly as its original, and is redundant with it.

    >>> from entropick.datasets import redundant_interaction
    >>> redundant_interaction(random_state=0).informative
    (0, 1)
    """
    if not 0 <= flip <= 0.5:
        raise InvalidParameter(f"flip: must be between 0 and 0.5, got {flip!r}")
    random = _random(n, random_state)
    pair = _bits(random, (n, 2))
    copies = _flipped(random, np.repeat(pair, 3, axis=1), flip)
    X = np.hstack([pair, copies, _bits(random, (n, 2))])
    return Problem(X, X[:, 0] ^ X[:, 1], (0, 1), _names(10), "interaction whose members have noisy copies")


def smoking() -> Problem:
    """80 rows whose frequencies are exactly P(S, G, C): smoking S (1 … 4), coughing G, lung cancer C = y.

    S is uniform and C = [S ≥ 3]; G equals C in 95 of 100 cases, whatever S. In bits: I(S;C) = 1,
    I(G;C) = I(S;G) = 0.7136, I(G;C|S) = 0, I(S;C|G) = 0.2864, H(S) = 2, H(G) = 1.

    >>> from entropick.datasets import smoking
    >>> smoking().X.shape
    (80, 2)
    """
    rows = [
        (s, g, cancer)
        for s in (1, 2, 3, 4)
        for cancer in [int(s >= 3)]
        for g, times in ((cancer, 19), (1 - cancer, 1))
        for _ in range(times)
    ]
    table = np.array(rows, dtype=np.int64)
    return Problem(table[:, :2], table[:, 2], (0,), ("S", "G"), "smoking: the better feature has more entropy")


def _random(n: int, random_state: Any) -> np.random.RandomState:
    from sklearn.utils import check_random_state

    if not isinstance(n, (int, np.integer)) or isinstance(n, bool) or not 1 <= n <= MOST_ROWS:
        raise InvalidParameter(f"n: must be an integer from 1 to {MOST_ROWS}, got {n!r}")
    try:
        out: np.random.RandomState = check_random_state(random_state)
        return out
    except ValueError as error:
        raise InvalidParameter(
            f"random_state: must be None, an integer or a RandomState, got {random_state!r}"
        ) from error


def _bits(random: np.random.RandomState, shape: tuple[int, ...], chance: float = 0.5) -> NDArray[np.int64]:
    return (random.random_sample(shape) < chance).astype(np.int64)


def _flipped(random: np.random.RandomState, bits: NDArray[np.int64], chance: float) -> NDArray[np.int64]:
    return bits ^ _bits(random, bits.shape, chance)


def _names(n_features: int) -> tuple[str, ...]:
    return tuple(f"x{i}" for i in range(1, n_features + 1))
