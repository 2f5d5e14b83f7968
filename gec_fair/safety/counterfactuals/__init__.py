"""Counterfactuals: identities, rules, a chat model, templates, generation."""
