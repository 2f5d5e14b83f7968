"""The audit: measures, their intervals, the largest changes, the judge of a remedy."""
