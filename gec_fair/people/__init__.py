"""Who is meant: what each word of a text stands for, read by one model, and decided here alone."""
