"""Counterfactual augmentation and fairness measurement for grammatical error correction."""

__version__ = "0.1.0"
