"""Bias of a system: explicit cases, and unequal treatment of texts that differ in gender alone."""
