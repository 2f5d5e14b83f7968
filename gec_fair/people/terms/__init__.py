"""Words that say a person's race, age or gender: the tables, whether a word is about a person, who is one person."""
