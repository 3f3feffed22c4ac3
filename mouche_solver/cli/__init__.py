"""The command line, ``mouche``."""

from mouche_solver.cli.app import main

__all__ = ["main"]
