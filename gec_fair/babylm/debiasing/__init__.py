"""Debiasing a pretrained model: methods, their experiment, agreement between bias and performance."""
