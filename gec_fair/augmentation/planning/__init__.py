"""What is rewritten: feminine ⇄ masculine, singular *they*, neopronouns, with the words that agree."""
