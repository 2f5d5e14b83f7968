"""Experiments: data mixes × seeds of one model, each cell a folder, one table in the end (Lund et al. 2023, §4.4)."""
