"""Settings shared by all tests."""

from hypothesis import HealthCheck, settings

# Compiled kernels load in the first example: its time says nothing about the next ones.
settings.register_profile("entropick", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("entropick")
