"""Inputs by format: what a file holds, read row by row, and what is wrong with a row."""
