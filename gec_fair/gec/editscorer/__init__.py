"""EditScorer (Sorokin 2022): rank elementary edits against doing nothing, apply the best, rank the others anew."""
