"""English: parser, agreement, inflection, names, coreference, lexicons."""
