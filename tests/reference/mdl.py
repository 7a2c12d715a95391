"""Fayyad & Irani's MDL partition, written down from the paper: pure Python, every cut tried from scratch."""

from math import log2


def entropy(counts):
    total = sum(counts.values())
    return -sum(c / total * log2(c / total) for c in counts.values() if c > 0)


def tally(rows):
    counts = {}
    for _, label, weight in rows:
        counts[label] = counts.get(label, 0) + weight
    return counts


def cuts(values, labels, weights=None):
    """Ascending cut points."""
    weights = [1] * len(values) if weights is None else list(weights)
    rows = sorted(zip(values, labels, weights, strict=True), key=lambda row: row[0])
    return sorted(_cut([row for row in rows if row[2] > 0]))


def _cut(rows):
    best = None
    total = sum(weight for _, _, weight in rows)
    for i in range(1, len(rows)):
        low, high = rows[i - 1][0], rows[i][0]
        if low == high:
            continue
        left, right = tally(rows[:i]), tally(rows[i:])
        n_left, n_right = sum(left.values()), sum(right.values())
        cost = (n_left * entropy(left) + n_right * entropy(right)) / total
        if best is None or cost < best[0] - 1e-11:
            best = cost, i, left, right
    if best is None or total <= 1:
        return []
    cost, i, left, right = best
    whole = tally(rows)
    k, k1, k2 = len(whole), len(left), len(right)
    if k < 2:
        return []
    gain = entropy(whole) - cost
    delta = log2(3**k - 2) - (k * entropy(whole) - k1 * entropy(left) - k2 * entropy(right))
    if gain <= (log2(total - 1) + delta) / total:
        return []
    middle = rows[i - 1][0] / 2 + rows[i][0] / 2
    return [*_cut(rows[:i]), middle, *_cut(rows[i:])]
