"""Compiled code that cards are dealt, played and looked up with; imports nothing but other kernels."""
