"""The meeting table as pairs: what the source becomes where a swap falls inside a correction.

Plans are made without a parse here: every he/she of the target becomes *they*, and the verbs named agree.
"""

import pytest

import gec_fair as gf
from gec_fair.augmentation.conflicts import Decider
from gec_fair.augmentation.planning.swap import AgreementChange, PronounChange, Swap, plan_edits
from gec_fair.edits import Conflict, carry, diff
from gec_fair.english import inflect
from gec_fair.english.lexicons.lexicon import load
from gec_fair.english.lexicons.paradigms import forms_of, paradigm
from gec_fair.english.pronouns import likely_form


def swaps(words, verbs, kept_words=()):
    """Swaps of all pronouns but those of the words in `kept`."""
    edits = []
    for i, word in enumerate(words):
        if forms_of(word.lower()) and word not in kept_words:
            change = PronounChange(likely_form(word, words[i + 1 :]), paradigm("they"))
            edits.append(Swap(i, i + 1, (change.realise(word),), change))
        elif word in verbs:
            change = AgreementChange(inflect.verb_lemma(word))
            new = change.realise(word)
            edits.append(Swap(i, i + 1, (new,), change, silent=new == word))
    return tuple(edits)


def carried(source, target, verbs=(), kept_words=(), **options):
    a, b = source.split(), target.split()
    planned = swaps(b, verbs, kept_words)
    decider = Decider(planned, tuple(a), tuple(b), load(), nominals=False, **options)
    square = carry(plan_edits(planned, b), diff(a, b), a, conflicts=decider)
    if isinstance(square, Conflict):
        return square.reason
    return "correction_lost" if square.lost else " ".join(square.source)


TABLE = [
    ("outside every correction", "he lost his the hat", "he lost his hat", [], "they lost their the hat"),
    ("the case of the source stays", "ok , he left .", "ok . He left .", [], "ok , they left ."),
    ("another form keeps its case error", "I saw he .", "I saw him .", [], "I saw they ."),
    ("a missing pronoun is not added", "I saw but works .", "I saw him but he works .", ["works"], "I saw but work ."),
    (
        "an inversion that the correction undoes",
        "he lies and rarely is he late .",
        "he lies and he is rarely late .",
        ["lies", "is"],
        "they lie and rarely are they late .",
    ),
    ("the source's tense stays", "he is late .", "he was late .", ["was"], "they are late ."),
    ("the copula for a verb", "he is go out .", "he goes out .", ["goes"], "they are go out ."),
    ("a verb that shows nothing on the target", "he likes tea .", "he liked tea .", ["liked"], "they like tea ."),
    ("a modal on the target", "he makes tea .", "he will make tea .", ["will"], "they make tea ."),
    ("has for is, one verb each", "he has ten .", "he is ten .", ["is"], "they have ten ."),
    ("a past tense needs nothing", "he went now .", "he goes now .", ["goes"], "they went now ."),
    ("an agreement error would vanish", "he say no .", "he says no .", ["says"], "correction_lost"),
    ("… inside a larger correction too", "he dance too .", "he also dances too .", ["dances"], "correction_lost"),
    ("… and were for was", "he were here .", "he was here .", ["was"], "correction_lost"),
    (
        "a deleted pronoun, all others swapped",
        "my boss he is late but he came .",
        "my boss is late but he came .",
        [],
        "my boss they is late but they came .",
    ),
    ("a deleted pronoun with its verb", "Ana she is said he left .", "Ana said he left .", [], "source_only_gendered"),
    (
        "nobody of that gender on the target",
        "she the boss left .",
        "the boss left but he came .",
        [],
        "source_only_gendered",
    ),
    ("a gender error is the correction", "he forgot her hat", "he forgot his hat", [], "correction_lost"),
    ("a pronoun glued to a full stop", "a cat .She left .", "a cat . She left .", [], "a cat .They left ."),
    ("a misspelt pronoun, misspelt again", "I saw hime .", "I saw him .", [], "I saw theme ."),
    ("a real word that may be meant for it", "I saw this .", "I saw his .", [], "counterpart_mismatch"),
    ("another word in its place", "I saw Tom .", "I saw him .", [], "I saw Tom ."),
    ("a pronoun with its verb glued on", "Hes late .", "He is late .", ["is"], "counterpart_mismatch"),
    ("a plain form after a modal", "he can swim .", "he swims .", ["swims"], "they can swim ."),
]


@pytest.mark.parametrize(("source", "target", "verbs", "expected"), [t[1:] for t in TABLE], ids=[t[0] for t in TABLE])
def test_the_source_side(source, target, verbs, expected):
    assert carried(source, target, verbs) == expected


def test_mirroring_makes_the_agreement_error_anew():
    assert carried("he say no .", "he says no .", ["says"], mirror=True) == "they says no ."
    assert carried("he were here .", "he was here .", ["was"], mirror=True) == "they was here ."


def test_strict_spelling_refuses_a_misspelt_noun_of_the_tables_too():
    pairs = [("My girlfreind left .", "My girlfriend left .")]
    assert [result.reason for result in gf.augment(pairs, "fm", strict_spelling=True)] == ["counterpart_mismatch"]
    assert [result.source for result in gf.augment(pairs, "fm")] == ["My boyfreind left ."]


def test_strict_spelling_refuses_the_misspelt_word():
    assert carried("I saw hime .", "I saw him .", strict=True) == "counterpart_mismatch"


def test_a_pronoun_that_the_plan_keeps_is_kept_on_the_source():
    assert carried("he told she .", "he told her .", kept_words=["her"]) == "they told she ."
