"""Evaluation sets: catalogue, fetching, building, review."""
