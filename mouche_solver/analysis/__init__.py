"""Tables and charts for notebooks."""
