"""How kernels are compiled: once, kept on disk, without the interpreter's lock, and lightly.

``error_model="numpy"`` leaves out Python's tests for division by zero. Kernels make no arrays, or few: what they fill
is passed in. Both keep the first call after an installation short.
"""

from numba import njit

kernel = njit(nogil=True, cache=True, error_model="numpy")
