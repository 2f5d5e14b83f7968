"""The one resumable loop of every trainer, and what trains by it: classifiers here, encoders in `pretraining`."""
