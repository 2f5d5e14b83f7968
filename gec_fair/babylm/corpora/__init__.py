"""Corpora to pretrain on: interventions that swap, drop or reword text, one folder each."""
