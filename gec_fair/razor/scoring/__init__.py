"""Shortcut scores: contrast of labels, the paper's and the published formula."""
