"""``mouche cards``."""
