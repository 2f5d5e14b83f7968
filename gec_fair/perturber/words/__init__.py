"""Perturbable words: lexicon, readings, chains of mentions, names, ages."""
