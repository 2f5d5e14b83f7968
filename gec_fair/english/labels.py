"""Sets of dependency labels (UD and ClearNLP, whichever a parser uses) and of Penn Treebank tags, by what they mark."""

from __future__ import annotations

SUBJECTS = frozenset({"nsubj", "nsubj:pass", "nsubjpass", "nsubj:outer"})
"""Nominal subjects: of an active verb, of a passive, and of a clause whose predicate is a clause."""
OBJECTS = frozenset({"obj", "dobj"})
POSSESSIVES = frozenset({"nmod:poss", "poss"})
RELATIVE_CLAUSES = frozenset({"acl:relcl", "relcl"})
NOUN_MODIFIERS = frozenset({"amod", "compound", "nmod", "nmod:npmod"})
"""What stands before a noun and describes it: *black cat, police officer*."""
PREDICATES = frozenset({"attr", "acomp"})
"""ClearNLP's labels of what follows a copula."""

COMMON_NOUNS = frozenset({"NN", "NNS"})
PROPER_NOUNS = frozenset({"NNP", "NNPS"})
NOUNS = COMMON_NOUNS | PROPER_NOUNS
SINGULAR_NOUNS = frozenset({"NN", "NNP"})
PLURAL_NOUNS = frozenset({"NNS", "NNPS"})
ADJECTIVES = frozenset({"JJ", "JJR", "JJS"})
PAST_FORMS = frozenset({"VBN", "VBD"})
FINITE_VERBS = frozenset({"VBZ", "VBP", "VBD", "MD"})
