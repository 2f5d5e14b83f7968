"""What an experiment found: tables over checkpoints and seeds, and the HTML page."""
