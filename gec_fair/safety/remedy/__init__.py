"""The remedy: balance, reweighting, two passes, search, training; beside it Fairlearn's."""
