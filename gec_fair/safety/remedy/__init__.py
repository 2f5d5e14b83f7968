"""The remedy: balance, reweighting, two passes, search, training."""
