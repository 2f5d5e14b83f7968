"""Correction systems by name, behind one protocol: texts in, corrected texts out."""
