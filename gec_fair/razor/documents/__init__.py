"""Labelled documents: reading, words, languages, truncation."""
