"""The report: tables, figures, examples, the page."""
