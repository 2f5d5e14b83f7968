"""Precision, recall and F0.5 from ERRANT edits; other metrics beside them."""
