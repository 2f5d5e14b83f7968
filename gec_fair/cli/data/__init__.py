"""Commands for data: `data`, `lexicon`, `sentences`."""
