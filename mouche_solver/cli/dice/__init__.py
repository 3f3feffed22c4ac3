"""``mouche dice``."""
