"""The remedied ensemble: search, reweighting, two passes, training, export."""
