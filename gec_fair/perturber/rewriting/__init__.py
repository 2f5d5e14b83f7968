"""Rules that rewrite a drawn word with its whole chain, and runs over corpora."""
