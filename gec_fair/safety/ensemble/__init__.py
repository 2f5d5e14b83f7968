"""An ensemble of source scores: the model, its files, its probabilities for new rows."""
