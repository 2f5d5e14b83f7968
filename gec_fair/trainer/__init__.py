"""Models from scratch: a vocabulary, packed text, the masked objective, and the one resumable loop of every trainer."""
