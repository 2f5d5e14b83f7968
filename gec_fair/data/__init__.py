"""Files from anywhere: downloads, compression, text, user tables, other programs, secrets."""
