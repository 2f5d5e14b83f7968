"""The gap between the two sides of an evaluation set, its interval, twins, comparison of systems."""
