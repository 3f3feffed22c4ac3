"""Files: solutions, checkpoints, tables, rules."""
