"""A finished strategy: levels, tables, answers, charts."""
