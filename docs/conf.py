"""Sphinx settings; the documentation builds with warnings as errors."""

from mouche_solver import __version__

project = "mouche_solver"
release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"mouche_solver {release}"

autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
numpydoc_show_class_members = False
myst_heading_anchors = 3
# Decision notes are written in fewer words than a tutorial and may skip a level.
suppress_warnings = ["myst.header"]
