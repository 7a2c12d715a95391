"""What a column is lifted into, plainly: the twin of `kernels.lifted.lift_columns`."""

from __future__ import annotations

import numpy as np

LARGEST, ENOUGH = 127, 5


def polynomials(mass, means=None) -> tuple[np.ndarray, np.ndarray]:
    """(3, D, G) Legendre polynomials of mid-ranks from (D, G) weights of ascending groups, and (D, G) the mid-ranks.

    With the (D, G) mean value of every group (4, D, G): the column itself after them. Orthogonal on the rows, scaled to
    whole numbers of at most 127. Groups of no weight get 0; so does a function that the groups cannot tell from those
    before it.
    """
    total = np.maximum(mass.sum(axis=1, keepdims=True), 1e-300)
    share = mass / total
    ranks = np.cumsum(share, axis=1) - 0.5 * share
    t = 2.0 * ranks - 1.0
    found: list[np.ndarray] = []
    wanted = [t, 1.5 * t**2 - 0.5, 2.5 * t**3 - 1.5 * t, *([] if means is None else [means])]
    out = np.zeros((len(wanted), *mass.shape), np.int8)
    for degree, p in enumerate(wanted):
        p = p - (share * p).sum(axis=1, keepdims=True)
        size = np.abs(p).max(axis=1, keepdims=True)  # values may be of any scale
        p = np.where(size > 1e-12 * np.abs(wanted[degree]).max(axis=1, keepdims=True), p / np.maximum(size, 1e-300), 0)
        p = p / np.maximum(np.sqrt((share * p**2).sum(axis=1, keepdims=True)), 1e-9)
        for before in found:
            p = p - before * (share * before * p).sum(axis=1, keepdims=True)
        spread = np.sqrt((share * p**2).sum(axis=1, keepdims=True))
        p = np.where(spread > 1e-6, p / np.maximum(spread, 1e-6), 0.0) * (mass > 0)
        found.append(p)
        out[degree] = np.rint(LARGEST * p / np.maximum(np.abs(p).max(axis=1, keepdims=True), 1e-300))
    return out, ranks


def indicators(mass) -> tuple[np.ndarray, np.ndarray]:
    """(m, G) indicators of the levels that are told apart, and (G,) the level of every group.

    The most frequent level is the reference. Levels of fewer than five rows are one level together; where that has
    fewer as well it joins the reference, unless no other level is left.
    """
    groups = len(mass)
    most = int(np.argmax(mass))
    level = np.arange(groups, dtype=np.uint8)
    rare = np.flatnonzero((mass < ENOUGH) & (mass > 0) & (level != most))
    together = mass[rare].sum() >= ENOUGH or (np.count_nonzero(mass) == len(rare) + 1)
    if len(rare):
        level[rare] = rare[0] if together else most
    level[mass == 0] = most
    own = [g for g in np.unique(level) if g != most]
    return np.array([np.where(level == g, LARGEST, 0) for g in own], np.int8).reshape(len(own), groups), level
