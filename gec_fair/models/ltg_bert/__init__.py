"""LTG-BERT (Samuel et al. 2023): configuration, layers, model."""
