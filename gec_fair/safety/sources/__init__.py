"""Scores of unsafe text from elsewhere: services, classifiers, words, embedded views."""
