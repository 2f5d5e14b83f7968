"""Counterfactual training data: plan a rewriting of the target, carry it to the source, check, mix."""
