"""Judging: how good a system's corrections are, and whether they are as good for *they* as for *he*."""

RESULTS = "results.json"
"""The file of a comparison: reports are made from it, and its cases of explicit bias can be reviewed."""
