"""Several vectors times the rows of a wide table, in one pass over the table.

By BLAS, a product with all rows and one with the rows of each class read the table twice, and memory is what they wait
for. Here a tile stays in cache until every vector has had it. A column's sum does not depend on how columns are shared
out to threads, as long as each share begins at a multiple of STRIP.
"""

from __future__ import annotations

import numba as nb

STRIP = 2048  # columns of a tile: one sum is 16 KB
TALL = 16  # rows of a tile: 256 KB


@nb.njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def row_products(rows, left, starts, stops, unit, first, last, out):
    """out[m, j] = unit_j Σ_i left[m, i] rows[i, j], starts_m ≤ i < stops_m, for first ≤ j < last.

    rows (n, ≥ D); left (M, n); unit (D,); out (M, D), left alone where starts_m = stops_m.
    """
    for a in range(first, last, STRIP):
        b = min(a + STRIP, last)
        for top in range(0, rows.shape[0], TALL):
            for m in range(left.shape[0]):
                i, end = max(top, starts[m]), min(top + TALL, stops[m])
                total = out[m, a:b]
                if i == starts[m] and i < end:
                    total[:] = 0.0
                while i + 8 <= end:  # eight rows at once: an eighth of the traffic to and from the sums
                    w0, w1, w2, w3 = left[m, i], left[m, i + 1], left[m, i + 2], left[m, i + 3]
                    w4, w5, w6, w7 = left[m, i + 4], left[m, i + 5], left[m, i + 6], left[m, i + 7]
                    x0, x1, x2, x3 = rows[i, a:b], rows[i + 1, a:b], rows[i + 2, a:b], rows[i + 3, a:b]
                    x4, x5, x6, x7 = rows[i + 4, a:b], rows[i + 5, a:b], rows[i + 6, a:b], rows[i + 7, a:b]
                    for j in range(total.size):
                        half = w0 * x0[j] + w1 * x1[j] + w2 * x2[j] + w3 * x3[j]
                        total[j] += half + (w4 * x4[j] + w5 * x5[j] + w6 * x6[j] + w7 * x7[j])
                    i += 8
                while i < end:
                    w, x = left[m, i], rows[i, a:b]
                    for j in range(total.size):
                        total[j] += w * x[j]
                    i += 1
        for m in range(left.shape[0]):
            if starts[m] < stops[m]:
                total, scale = out[m, a:b], unit[a:b]
                for j in range(total.size):
                    total[j] *= scale[j]
