"""What one pick contributes to the score of every candidate, folded in: one pass over the candidates.

The twin is `measures.pairwise.pairwise.Pair` with `PairwiseMeasure.link`: the same formulas, operation by operation, so
that both give the same bits.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from .kernel import kernel

REDUNDANCY, BOTH, GIVEN, INFORMATION, OVERLAP, SHARE = range(6)
LINKS = {
    "redundancy": REDUNDANCY,
    "redundancy, complementarity": BOTH,
    "given": GIVEN,
    "information": INFORMATION,
    "overlap": OVERLAP,
    "share": SHARE,
}
LEFT = 0.25  # of its information, or less: the pick has made the candidate redundant
NOTABLE = 0.1  # of the pick's information; candidates that say less are not told of


@cache
def folding(link, least):
    """What folds the links of a pick in, compiled for this link alone; ``least``: the least is kept, not the sum.

    ``(feature, feature_class, entropy, entropy_class, pick, target, relevance, free, folded, lost)``: H(X_k X_j) is
    ``feature``, H(X_k X_j Y) ``feature_class``, H(X_k) ``entropy``, H(X_k Y) ``entropy_class``, H(Y) ``target``;
    ``folded`` (n_links, n). Without classes (``link`` REDUNDANCY) ``feature_class`` is not read. ``lost[k]`` says
    whether a free candidate became redundant: see `PairwiseMeasure.made_redundant`.
    """

    @kernel
    def fold_links(feature, feature_class, entropy, entropy_class, pick, target, relevance, free, folded, lost):
        own, own_class, notable = entropy[pick], entropy_class[pick], NOTABLE * relevance[pick]
        if link == REDUNDANCY:
            first = folded[0]
            for k in range(feature.size):
                redundancy = max(entropy[k] + own - feature[k], 0.0)
                first[k] += redundancy
                r = relevance[k]
                lost[k] = free[k] & (r >= notable) & (r > 0) & (redundancy >= r)
            return
        for k in range(feature.size):
            r, given = relevance[k], max(feature[k] + own_class - feature_class[k] - own, 0.0)
            lost[k] = free[k] & (r >= notable) & (r > 0) & (given <= LEFT * r)
        first = folded[0]
        if link == BOTH:
            second = folded[1]
            for k in range(feature.size):
                first[k] += max(entropy[k] + own - feature[k], 0.0)
                second[k] += max(entropy_class[k] + own_class - feature_class[k] - target, 0.0)
        elif link == GIVEN:
            for k in range(feature.size):
                value = max(feature[k] + own_class - feature_class[k] - own, 0.0)
                first[k] = min(first[k], value) if least else first[k] + value
        elif link == INFORMATION:
            for k in range(feature.size):
                value = max(feature[k] + target - feature_class[k], 0.0)
                first[k] = min(first[k], value) if least else first[k] + value
        elif link == OVERLAP:
            for k in range(feature.size):
                redundancy = max(entropy[k] + own - feature[k], 0.0)
                complementarity = max(entropy_class[k] + own_class - feature_class[k] - target, 0.0)
                first[k] += max(redundancy - complementarity, 0.0)
        else:
            for k in range(feature.size):
                information, together = max(feature[k] + target - feature_class[k], 0.0), feature_class[k]
                first[k] += information / together if together > 0 else 0.0

    return fold_links


@kernel
def nats(sums, full, scale, out):
    """out[k] = (full − sums[k]) / scale, never below 0: entropies from sums of φ in fixed point."""
    for k in range(sums.size):
        out[k] = np.float64(max(full - sums[k], 0)) / scale
