"""Shared by the adapters' tests."""

import mouche_solver.adapters.openspiel  # noqa: F401  registers the games
