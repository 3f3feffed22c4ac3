"""Bridges to OpenSpiel and Gambit."""
