"""Typed readers of the tables in `lexicons/` that several rooms use: closed word lists, emotions."""
