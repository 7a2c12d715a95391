"""Counts of neighbours on the line and in the plane, for estimates of information without bins."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def count_within(ordered, value, radius):
    """How many of the sorted values are at most ``radius`` from ``value``."""
    low = np.searchsorted(ordered, value - radius, side="left")
    high = np.searchsorted(ordered, value + radius, side="right")
    # value ± radius is rounded, the differences that made the radius were not: the ends are looked at again
    while low > 0 and value - ordered[low - 1] <= radius:
        low -= 1
    while low < high and value - ordered[low] > radius:
        low += 1
    while high < ordered.size and ordered[high] - value <= radius:
        high += 1
    while high > low and ordered[high - 1] - value > radius:
        high -= 1
    return high - low


@njit(nogil=True, cache=True)
def class_counts(values, order, classes, sizes, k, radius_counts, used):
    """Ross's counts for one column against classes: of each row, k' = used neighbours in its class reach as far
    as radius_counts rows (itself included) of any class. Rows of a class of one are left out (used = 0)."""
    n = values.size
    ordered = values[order]
    n_classes = sizes.size
    for c in range(n_classes):
        if sizes[c] < 2:
            continue
        own = np.empty(sizes[c], np.int64)
        m = 0
        for t in range(n):
            if classes[order[t]] == c:
                own[m] = order[t]
                m += 1
        near = min(k, m - 1)
        for t in range(m):
            i = own[t]
            left, right = t - 1, t + 1
            radius = 0.0
            for _ in range(near):
                below = values[i] - values[own[left]] if left >= 0 else np.inf
                above = values[own[right]] - values[i] if right < m else np.inf
                if below <= above:
                    radius = below
                    left -= 1
                else:
                    radius = above
                    right += 1
            radius = np.nextafter(radius, 0.0)
            radius_counts[i] = count_within(ordered, values[i], radius)
            used[i] = near


@njit(nogil=True, cache=True)
def plane_counts(x, order_x, z, sorted_z, k, count_x, count_z):
    """Kraskov's counts for two columns: within the k-th neighbour's distance (largest of |dx|, |dz|) of each row,
    how many rows are near in x alone and in z alone, itself included.

    Walks outward from the row in the order of x until |dx| is beyond the k-th distance so far.
    """
    n = x.size
    sorted_x = x[order_x]
    far = np.empty(k)
    for t in range(n):
        i = order_x[t]
        far[:] = np.inf
        left, right = t - 1, t + 1
        while True:
            below = x[i] - sorted_x[left] if left >= 0 else np.inf
            above = sorted_x[right] - x[i] if right < n else np.inf
            if min(below, above) >= far[k - 1]:
                break
            if below <= above:
                j = order_x[left]
                gap = below
                left -= 1
            else:
                j = order_x[right]
                gap = above
                right += 1
            distance = max(gap, abs(z[i] - z[j]))
            if distance < far[k - 1]:
                at = k - 1
                while at > 0 and far[at - 1] > distance:
                    far[at] = far[at - 1]
                    at -= 1
                far[at] = distance
        radius = np.nextafter(far[k - 1], 0.0)
        count_x[i] = count_within(sorted_x, x[i], radius)
        count_z[i] = count_within(sorted_z, z[i], radius)


@njit(nogil=True, cache=True, error_model="numpy")
def window_information(x, z, v, width, correlation):
    """Σ_i v_i log( p(x_i, z_i) / (p(x_i) p(z_i)) ) with Gaussian windows; v (n,) sums to 1, x and z have variance 1.

    The window of a pair has its own covariance Σ = [[1, correlation], [correlation, 1]]: exp(−½ dᵀΣ⁻¹d / width²).
    """
    n = x.size
    left = 1.0 - correlation * correlation  # |Σ|
    single_x, single_z, joint = v.copy(), v.copy(), v.copy()  # the window at the row itself is 1
    for i in range(n):
        for j in range(i):
            dx, dz = (x[i] - x[j]) / width, (z[i] - z[j]) / width
            a, b = np.exp(-0.5 * dx * dx), np.exp(-0.5 * dz * dz)
            both = np.exp(-0.5 * (dx * dx - 2.0 * correlation * dx * dz + dz * dz) / left)
            single_x[i] += v[j] * a
            single_x[j] += v[i] * a
            single_z[i] += v[j] * b
            single_z[j] += v[i] * b
            joint[i] += v[j] * both
            joint[j] += v[i] * both
    total = -0.5 * np.log(left)
    for i in range(n):
        total += v[i] * np.log(joint[i] / (single_x[i] * single_z[i]))
    return total


@njit(nogil=True, cache=True)
def window_classes(x, v, classes, n_classes, width):
    """Σ_i v_i Σ_c p(c | x_i) log p(c | x_i), the class's share of the Gaussian windows at x_i: −H(Y | X)."""
    n = x.size
    mass = np.zeros((n, n_classes))
    for i in range(n):
        mass[i, classes[i]] += v[i]
        for j in range(i):
            a = np.exp(-0.5 * ((x[i] - x[j]) / width) ** 2)
            mass[i, classes[j]] += v[j] * a
            mass[j, classes[i]] += v[i] * a
    total = 0.0
    for i in range(n):
        whole = mass[i].sum()
        for c in range(n_classes):
            if mass[i, c] > 0.0:
                p = mass[i, c] / whole
                total += v[i] * p * np.log(p)
    return total
