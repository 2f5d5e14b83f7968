"""The tables of `lexicons/`: nouns, first names, closed word lists, emotions; typed readers and checks."""
