"""Grammatical error correction systems."""
