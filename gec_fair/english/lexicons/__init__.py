"""The tables of `lexicons/`: gendered nouns, first names, closed word lists, emotions, with typed readers and checks."""
