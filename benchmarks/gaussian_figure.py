"""Figure 1 of Lefakis & Fleuret (2014): entropy of a mixture of two normal laws, and what stands in for it.

    python benchmarks/gaussian_figure.py docs/gaussian-compromise.svg

Needs matplotlib. The compromise is computed by the library's own measure, the entropy of the mixture by quadrature.
"""

from __future__ import annotations

import sys

import numpy as np
from scipy.integrate import quad

from entropick.measures.gaussian.compromise import GCMI
from entropick.statistics.moments.moments import Moments

HALF_LOG_2PIE = 0.5 * np.log(2 * np.pi * np.e)


def mixture_entropy(gap: float) -> float:
    """−∫ f log f for f = ½ N(−gap/2, 1) + ½ N(gap/2, 1), nats."""

    def integrand(x: float) -> float:
        a, b = (-0.5 * (x - s * gap / 2) ** 2 - 0.5 * np.log(2 * np.pi) for s in (-1, 1))
        log_f = np.logaddexp(a, b) - np.log(2)
        return -np.exp(log_f) * log_f

    reach = gap / 2 + 10
    return 2 * quad(integrand, 0, reach, limit=200)[0]


def compromise(gap: float) -> float:
    """gc.mi of two classes of variance 1 plus the entropy within the classes, nats."""
    memory = Moments(1, 2)
    memory.counts = np.full(2, 1e6)
    memory.shifts = np.array([[-gap / 2], [gap / 2]])
    memory.scatter = [np.full((1, 1), 1e6, order="F") for _ in range(2)]
    return float(GCMI(memory).gains()[0]) + HALF_LOG_2PIE


def main() -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams["svg.hashsalt"] = "entropick"
    gaps = np.linspace(0.0, 8.0, 161)
    mixture = [mixture_entropy(g) for g in gaps]
    fitted = HALF_LOG_2PIE + 0.5 * np.log1p(gaps**2 / 4)
    limit = np.full_like(gaps, HALF_LOG_2PIE + np.log(2))
    figure, axes = plt.subplots(figsize=(6.4, 3.8))
    axes.plot(gaps, fitted, color="tab:blue", label="Gaussian fitted to the mixture")
    axes.plot(gaps, limit, color="black", label="limit: components far apart")
    axes.plot(gaps, [compromise(g) for g in gaps], color="tab:red", lw=2.5, label="Gaussian compromise")
    axes.plot(gaps, mixture, color="tab:green", label="mixture, by quadrature")
    axes.set_xlabel("difference of the means")
    axes.set_ylabel("entropy, nats")
    axes.set_ylim(1.35, 2.9)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="upper left")
    figure.tight_layout()
    figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "gaussian-compromise.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
