"""Kernels that deal, play and look up cards; they import nothing but other kernels."""
