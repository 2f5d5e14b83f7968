"""What was measured, to look at and to paste: tables, plots, every case, in one file."""
