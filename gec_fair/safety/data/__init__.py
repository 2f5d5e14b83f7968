"""Texts, groups, examples, scores, public data sets."""
