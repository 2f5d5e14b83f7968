"""Judging: how good a system's corrections are, and whether they are as good for *they* as for *he*."""
