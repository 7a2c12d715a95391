"""Cut points by definition: pure Python, exact fractions."""

from fractions import Fraction


def quantile_edges(values, bins, weights=None):
    """Smallest value whose cumulative weight is at least k/B of the total; one at the maximum moves down."""
    weights = [1] * len(values) if weights is None else list(weights)
    rows = sorted((v, Fraction(w)) for v, w in zip(values, weights, strict=True) if w > 0)
    total = sum(w for _, w in rows)
    edges = set()
    for k in range(1, bins):
        so_far = Fraction(0)
        for value, weight in rows:
            so_far += weight
            if so_far >= Fraction(k, bins) * total:
                edges.add(value)
                break
    top = rows[-1][0]
    if top in edges:
        edges.remove(top)
        below = [v for v, _ in rows if v < top]
        if below:
            edges.add(below[-1])
    return sorted(edges)


def even_edges(values, bins, weights=None):
    """For each step of equal width between the first and the last hundredth the largest hundredth not beyond it."""
    hundredths = quantile_edges(values, 100, weights)
    low, high = hundredths[0], hundredths[-1]
    steps = [low + k / bins * (high - low) for k in range(1, bins)]
    return sorted({max(edge for edge in hundredths if edge <= step) for step in steps})


def levels(values, edges, missing=None):
    """Number of edges strictly below each value; NaN -> missing."""
    return [missing if v != v else sum(edge < v for edge in edges) for v in values]


def as_is(values):
    """Position of each value among the sorted distinct ones; None and NaN -> one more."""
    known = sorted({v for v in values if v is not None and v == v})
    return [known.index(v) if v is not None and v == v else len(known) for v in values]
