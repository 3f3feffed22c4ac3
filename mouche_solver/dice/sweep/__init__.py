"""The round as flat arrays, and the sweeps over them."""
