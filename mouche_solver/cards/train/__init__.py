"""External-sampling MCCFR over declarations and play."""
