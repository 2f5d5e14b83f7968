"""spaCy's English tokenizer, brought nearer to the treebanks' tokens, for the texts that do not come tokenised.

Runs of marks (`!!!`, `?!`, `*****`) are one token, words with a hyphenated prefix (*e-mail*, *anti-American*) and
telephone numbers and dates are one, a minus before a price or before the number of *COVID-19* is its own.
"""

from __future__ import annotations

import re

from spacy.language import Language
from spacy.symbols import ORTH
from spacy.util import compile_infix_regex, compile_prefix_regex, compile_suffix_regex

PREFIXES = "anti|co|counter|cross|e|ex|inter|micro|mid|mini|multi|non|post|pre|pro|re|semi|sub|super|ultra|un"
RUNS = r"[!?][!?.]+|\.[!?]+|\*\*+|__+|==+|~~+|##+|--+|<<+|>>+"
UNSPLIT = (
    rf"(?:{PREFIXES})-[A-Za-z]{{2,}}(?:-[A-Za-z]+)?",
    r"(?:\d{3}-)?\d{3}-\d{4}",
    r"\d{1,2}-[A-Za-z]{3}-\d{2,4}",
    r"(?:[A-Z]\.){2,}",
    r"b/c|w/o|w/|24/7",
)
BEFORE_DASH = r"""[!?,;:)"”](?=[!?,;:)"”]*--)|(?<=[a-z]{4})\.(?=--)"""  # *her!--and, her."--She*, not *Mr.--*
SPLIT = {"and/or": "and / or", "wanna": "wan na", "outta": "out ta", "alot": "a lot", "cannot": "can not"}


def set_rules(nlp: Language) -> None:
    """The rules above, and no norms (*n't* -> *not*) in the exceptions: words that come tokenised have none, and the
    network should see the same features either way."""
    tokenizer, defaults = nlp.tokenizer, nlp.Defaults
    tokenizer.prefix_search = compile_prefix_regex([f"(?:{RUNS})", r"-(?=\$)", *defaults.prefixes]).search
    tokenizer.suffix_search = compile_suffix_regex([f"(?:{RUNS})", *defaults.suffixes]).search
    tokenizer.infix_finditer = compile_infix_regex(
        [RUNS, BEFORE_DASH, r"(?<=[A-Za-z])-(?=\d)", *defaults.infixes]
    ).finditer
    tokenizer.token_match = re.compile(f"(?:{'|'.join(UNSPLIT)})$", re.IGNORECASE).match
    tokenizer.rules = {text: [{ORTH: piece[ORTH]} for piece in pieces] for text, pieces in tokenizer.rules.items()}
    for word, parts in SPLIT.items():
        for case in (word, word.capitalize()):
            words = parts.split() if case == word else parts.capitalize().split()
            tokenizer.add_special_case(case, [{ORTH: word} for word in words])
