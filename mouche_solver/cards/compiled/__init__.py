"""Rules and hands as the flat arrays that kernels read."""
