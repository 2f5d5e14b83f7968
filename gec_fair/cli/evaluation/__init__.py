"""Commands that judge: `score`, `gap`, `compare`, `show`, `evalset`, `review` and their like."""
