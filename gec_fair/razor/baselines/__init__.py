"""Ways to train on data with shortcuts: backbones and debiasing methods."""
