"""The sample corpus holds every phenomenon of the method, several times."""

import re
from pathlib import Path

import pytest

LINES = (Path(__file__).parents[2] / "samples" / "learner-pairs.tsv").read_text(encoding="utf-8").splitlines()
PAIRS = [line.split("\t") for line in LINES]
TARGETS = [target for _, target in PAIRS]

# (phenomenon, pattern over the target, at least so many targets)
PHENOMENA = [
    ("her as object", r"\b(saw|gave|asked|told|hugged|about|without|chose) her\b", 5),
    ("her as possessive", r"\b[Hh]er (mother|father|brother|sister|work|story|boss|parents|husband)\b", 10),
    ("independent possessives", r"\b(hers|is his|of his) (and|at|works|,|\.)", 4),
    ("reflexives", r"\b(him|her)self\b", 2),
    ("kinship", r"\b(mother|father|brother|sister|son|daughter|uncle|aunt|grandmother|nephew|niece)\b", 40),
    ("detached hyphens", r"mother - in - law|ex - wife|half - brother|stay - at - home", 4),
    ("titles", r"\b(Mr\.|Mrs\.|Miss|Sir|Madam)", 5),
    ("royalty", r"\b(queen|prince|king|girl)\b", 4),
    ("professions", r"\b(actress|actor|waitress|hostess|landlord|steward|salesman|fisherman|fireman)\b", 8),
    ("look-alikes in -man", r"\b(German|human)\b", 2),
    ("nouns as verbs", r"\bto man\b|\bmothers her\b", 2),
    ("a/an before a gendered noun", r"\ban? (actor|heir|actress|hostess)\b", 2),
    ("multi-word terms", r"maid of honour|stay - at - home mom|Ladies and gentlemen", 3),
    ("first names", r"\b(Michael|Sarah|Tom|Anna|Emma|Lucy|Daniel|Laura|Peter|Charles|Diana)\b", 12),
    ("names that are words or places", r"\b(Will|Grace|Jordan|Paris|Victoria|April|Mark)\b", 5),
    ("UPPER case", r"\bHE NEVER\b|\bHER FATHER\b", 2),
    ("a singular antecedent", r"\b([Ee]ach|[Aa]ny|[Aa]|[Tt]he|[Nn]o) \w+ .*\bhis\b", 15),
    ("a singular noun predicate", r"\b([Hh]e|[Ss]he) (is|was) an? ", 8),
    ("he or she", r"\b(he or she|his or her)\b", 2),
    ("plural they", r"\b(children|parents)\b.*\bthey\b", 2),
    ("contracted is and has", r"\b[Hh]e ['’]s|\b[Ss]he ['’]s", 5),
    ("a question", r"\b(Does|Is) (he|she)\b", 2),
    ("a relative clause on the pronoun", r"\b([Ss]he|him ,) who\b", 2),
    ("coordinated verbs", r"\b[Ss]he sings , dances\b|forgives .* and|lives .* and", 1),
    ("modals", r"\b([Hh]e|[Ss]he) (can|must|should|will|could)\b", 4),
    ("double spaces", r"  ", 1),
    ("curly apostrophes", r"’", 2),
]
# (what is wrong on the source, pattern over source and target with a tab between, at least so many)
ERRORS = [
    ("an agreement error after he or she", r"\b([Hh]e|[Ss]he) (do|have|like|say|are|were|listen)\b.*\t", 5),
    ("a plain verb after a noun", r"\b(in - law|teacher|grandmother) (live|make|explain)\b", 2),
    ("a case error", r"\b(saw he|asked she|Him and I|Him brother|friend of him)\b", 4),
    ("a gender error", r"\bhe would call .*\t.*\bshe would call|\bcar was his\b", 2),
    ("a doubled pronoun", r"\b(He he|grandfather he|lawyer , she|Ana she)\b", 4),
    ("a missing pronoun", r"because (is|has) .*\t", 1),
    ("a tense error", r"\b([Hh]e|[Ss]he) (is|was|likes) .*\t.*\b([Hh]e|[Ss]he) (was|has been|liked)", 3),
    ("a misspelt gendered word", r"\b(brohter|Micheal|girfriend|hime|Sher|grandmther|gril|wief|dauther)\b", 8),
    ("a split compound", r"\bsport man\b", 1),
    ("a pronoun glued to a full stop", r"\.He .*\t", 1),
]


def test_three_hundred_pairs_and_more_without_repeats():
    assert len(LINES) >= 300
    assert len(set(LINES)) == len(LINES)
    assert all(len(pair) == 2 and all(pair) for pair in PAIRS)


def test_a_third_has_no_gendered_word_and_some_need_no_correction():
    gendered = re.compile(r"\b(he|she|his|her|him|hers|himself|herself)\b", re.IGNORECASE)
    assert sum(gendered.search(target) is None for target in TARGETS) >= len(TARGETS) / 3
    assert sum(source == target for source, target in PAIRS) >= 5


@pytest.mark.parametrize(("pattern", "least"), [p[1:] for p in PHENOMENA], ids=[p[0] for p in PHENOMENA])
def test_the_targets_hold(pattern, least):
    assert sum(re.search(pattern, target) is not None for target in TARGETS) >= least


@pytest.mark.parametrize(("pattern", "least"), [e[1:] for e in ERRORS], ids=[e[0] for e in ERRORS])
def test_the_sources_hold(pattern, least):
    assert sum(re.search(pattern, line) is not None for line in LINES) >= least
