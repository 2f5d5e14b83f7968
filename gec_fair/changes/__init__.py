"""What a rewriting changed, whatever made it: read from any run, summarised, shown on a page, undone."""
