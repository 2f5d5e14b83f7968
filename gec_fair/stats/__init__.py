"""Resampling, intervals, p-values and spreads over seeds: one module an idea, and one `Estimate` for all of them."""
