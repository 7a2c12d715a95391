"""Compiled loops: arrays in, arrays out."""

from . import cache as cache  # before any kernel is made: where what is compiled is kept
