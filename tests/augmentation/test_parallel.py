"""Whole pairs through the augmenter, with the embedded pipeline: plain sentences that any decent parse gets right."""

import pytest

from gec_fair.augmentation.options import Options
from gec_fair.augmentation.parallel import REASONS, Augmenter
from gec_fair.augmentation.reannotate import Reannotated
from gec_fair.corpus.outcome import Augmented, Discarded, Left, Unchanged
from gec_fair.corpus.records import Pair
from gec_fair.edits import edit_words, split_spaces
from gec_fair.edits.m2 import parse, replacement_of
from gec_fair.errors import UsageError

STEPS = {
    "fm": Augmenter(Options("fm")),
    "keep": Augmenter(Options("fm", names="keep")),
    "m2f": Augmenter(Options("fm", names="keep", direction="m2f")),
    "st": Augmenter(Options("st")),
    "mirror": Augmenter(Options("st", mirror=True)),
    "none": Augmenter(Options("st", gate="none")),
    "xe": Augmenter(Options("neo", paradigm="xe", gate="none")),
}


def outcome(step, source, target=None):
    return STEPS[step]([Pair("test", 1, source, source if target is None else target)])[0]


REWRITINGS = [
    ("keep", "She saw him and his sister .", "He saw her and her brother .", "pronouns and nouns"),
    ("keep", "I saw her with her mother .", "I saw him with his father .", "her: object and possessive"),
    ("keep", "The book is his , not hers .", "The book is hers , not his .", "independent possessives"),
    ("keep", "Everyone has his or her own car .", "Everyone has her or his own car .", "his or her, one noun"),
    ("keep", "HE TOLD HER .", "SHE TOLD HIM .", "UPPER case"),
    ("keep", "Mr. Brown is an actor .", "Mrs. Brown is an actress .", "titles; an stays"),
    (
        "keep",
        "She is an heiress to the throne .",
        "He is an heir to the throne .",
        "an before a silent h on both sides",
    ),
    ("keep", "My mother - in - law is a policewoman .", "My father - in - law is a policeman .", "detached hyphens"),
    (
        "keep",
        "She is a girl scout and he is a boy scout .",
        "He is a boy scout and she is a girl scout .",
        "both terms",
    ),
    ("keep", "A man - made lake and a snowman .", None, "no person is meant"),
    ("keep", "I like Lady Gaga and Spider - Man .", None, "stage names and figures"),
    ("keep", "The hero was brave .", None, "a masculine word that is said of everybody"),
    ("keep", "A German is a human .", None, "look-alikes in -man are no compounds"),
    ("keep", "They had to man the desk .", None, "a verb is not a noun"),
    ("m2f", "He gave her the keys .", "She gave her the keys .", "one way only"),
    ("none", "She is late and she has a cold .", "They are late and they have a cold .", "two verbs"),
    ("none", "Does he know that she was here ?", "Do they know that they were here ?", "a question and a clause"),
    ("none", "He hurt himself .", "They hurt themself .", "the reflexive"),
    ("none", "He 's tired and he 's been ill .", "They 're tired and they 've been ill .", "'s is is or has"),
    ("none", "He 's just left and she 's never seen it .", "They 've just left and they 've never seen it .", "has"),
    ("none", "I like it and so does he .", "I like it and so do they .", "an inversion"),
    ("none", "She does n't like tea .", "They do n't like tea .", "a detached negation"),
    ("none", "She sings and dances well .", "They sing and dance well .", "coordinated verbs"),
    ("none", "He can swim and he went home .", "They can swim and they went home .", "forms that never agree"),
    ("st", "My teacher lost his keys .", "My teacher lost their keys .", "a singular antecedent"),
    ("st", "She is a linguist .", "They are a linguist .", "a singular noun predicate, no cluster needed"),
    ("st", "Everyone can do his or her work .", None, "he or she is left alone"),
    ("xe", "She knows her way .", "Xe knows xyr way .", "neopronouns keep singular verbs"),
]


@pytest.mark.parametrize(("step", "text", "expected"), [r[:3] for r in REWRITINGS], ids=[r[3] for r in REWRITINGS])
def test_a_correct_sentence_is_rewritten_alike_on_both_sides(step, text, expected):
    got = outcome(step, text)
    if expected is None:
        assert isinstance(got, Left | Unchanged)
    else:
        assert isinstance(got, Augmented)
        assert (got.pair.source, got.pair.target) == (expected, expected)


def test_names_swap_alike_wherever_they_stand_and_keep_their_slips():
    got = outcome("fm", "Michael told Sarah that Micheal is ill .", "Michael told Sarah that Michael is ill .")
    assert isinstance(got, Augmented)
    source, target = got.pair.source.split(), got.pair.target.split()
    assert source[0] == target[0] == target[4]
    assert source[4] != target[4]
    assert sorted(source[4].lower()) == sorted(target[4].lower()), "the same slip: two letters swapped"
    assert "Michael" not in target
    assert "Sarah" not in target


@pytest.mark.parametrize(
    ("text", "stays", "goes"),
    [
        ("We met Dwayne Johnson .", "Johnson", "Dwayne"),
        ("I apply to the Summer Camp .", "Summer", None),
        ("A girl called Penny came . One day , Penny slept .", None, "Penny"),
    ],
    ids=["a surname behind a first name", "a season", "a word that is a name once in the text"],
)
def test_what_counts_as_a_first_name(text, stays, goes):
    got = outcome("fm", text)
    target = got.pair.target if isinstance(got, Augmented) else text
    assert stays is None or stays in target
    assert goes is None or goes not in target


def test_hyphens_that_only_one_side_detaches_do_not_matter_to_the_noun():
    got = outcome("keep", "My mother in - law is nice .", "My mother - in - law is nice .")
    assert isinstance(got, Augmented)
    assert (got.pair.source, got.pair.target) == ("My father in - law is nice .", "My father - in - law is nice .")


def test_a_discard_names_the_verb():
    got = outcome("none", "He frobnicates it .")
    assert got == Discarded("agreement_unsure", "He … frobnicates")


def test_drawn_names_depend_on_the_seed_and_the_line_only():
    drawn = [
        Augmenter(Options("fm", names="draw", seed=seed))([Pair("f", line, "Anna met Tom .", "Anna met Tom .")])[0]
        for seed, line in [(0, 1), (0, 1), (1, 1), (0, 2), (2, 3), (5, 8)]
    ]
    targets = [d.pair.target for d in drawn if isinstance(d, Augmented)]
    assert targets[0] == targets[1]
    assert len(set(targets)) > 2


def test_white_space_stays_byte_for_byte():
    got = outcome("keep", "She  is  here . ", "She  is here  .")
    assert isinstance(got, Augmented)
    assert (got.pair.source, got.pair.target) == ("He  is  here . ", "He  is here  .")


def test_an_agreement_error_is_discarded_or_mirrored():
    lost = outcome("none", "He say no .", "He says no .")
    assert lost == Discarded("correction_lost", "says")
    mirrored = STEPS["mirror"]([Pair("t", 1, "My boss say he like tea .", "My boss says he likes tea .")])[0]
    assert isinstance(mirrored, Augmented)
    assert mirrored.pair.source == "My boss say they likes tea ."


def test_every_reason_is_on_the_list():
    pairs = [
        ("He say no .", "He says no ."),
        ("Ana she is said no to my boss .", "Ana said no to my boss ."),
        ("he forgot her hat", "he forgot his hat"),
    ]
    for source, target in pairs:
        got = outcome("none", source, target)
        if isinstance(got, Discarded):
            assert got.reason in REASONS


def test_m2_spans_and_types_survive():
    edits = ["1 2|||R:VERB:SVA|||goes|||{}|||0", "6 6|||M:ADV|||today|||{}|||0", "1 2|||R:VERB|||went|||{}|||1"]
    read = parse(["S He go home with her dog .", *("A " + e.format("REQUIRED|||-NONE-") for e in edits)])
    target = edit_words(read.annotators[0][1], read.source.words)
    pair = Pair("x.m2", 1, read.source.text, " ".join(target), read.annotators)
    got = STEPS["keep"]([pair])[0]
    assert isinstance(got, Augmented)
    assert got.pair.source == "She go home with his dog ."
    kinds = [[(e.start, e.end, e.kind) for e in their] for _, their in got.pair.corrections]
    assert kinds == [[(1, 2, "R:VERB:SVA"), (6, 6, "M:ADV")], [(1, 2, "R:VERB")]]
    assert (
        edit_words(got.pair.corrections[0][1], split_spaces(got.pair.source).words)
        == split_spaces(got.pair.target).words
    )


def test_the_company_of_a_pair_does_not_change_its_outcome():
    lines = [r[1] for r in REWRITINGS]
    pairs = [Pair("t", n, line, line) for n, line in enumerate(lines)]
    assert [STEPS["st"]([p])[0] for p in pairs] == STEPS["st"](pairs)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"method": "xx"}, "method is fm, st or neo"),
        ({"method": "neo"}, "--paradigm xe"),
        ({"method": "st", "paradigm": "xe"}, "st has no use for paradigm"),
        ({"method": "fm", "gate": "none"}, "fm has no use for gate"),
        ({"method": "neo", "paradigm": "She"}, "is not a neopronoun"),
        ({"method": "fm", "direction": "up"}, "direction is both, m2f or f2m"),
        ({"method": "neo", "paradigm": "zz"}, "zz"),
        ({"method": "st", "min_sure": 1.5}, "min_sure is 1.5; it must be at least 0 and at most 1"),
        ({"method": "fm", "min_sure": -0.1}, "min_sure is -0.1; it must be at least 0"),
        ({"method": "fm", "min_sure": float("nan")}, "min_sure is nan; it must be a number"),
        ({"method": "fm", "min_sure": "0.9"}, "min_sure is '0.9'; it must be a number"),
    ],
)
def test_options_that_cannot_be_meant(options, complaint):
    with pytest.raises(UsageError, match=complaint):
        Options(**options)


ALTERNATIVES = [
    ("st", "goes||went", "is||was", "goes||went", "are||were", "each is rewritten for they"),
    ("none", "goes||went", "is||'s", "goes||went", "are||'re", "a contraction"),
    ("keep", "goes||went", "is||was", "goes||went", "is||was", "she: nothing changes in them"),
    ("none", "goes||-NONE-", "is||is||was", "goes||-NONE-", "are||were", "one that deletes, one there twice"),
]


@pytest.mark.parametrize(
    ("step", "one", "two", "new_one", "new_two", "why"), ALTERNATIVES, ids=[a[-1] for a in ALTERNATIVES]
)
def test_every_alternative_of_an_edit_is_rewritten(step, one, two, new_one, new_two, why):
    block = [
        "S My teacher go home because he be tired .",
        f"A 2 3|||R|||{one}|||REQUIRED|||-NONE-|||0",
        f"A 6 7|||R|||{two}|||REQUIRED|||-NONE-|||0",
        "A 6 7|||R|||is|||REQUIRED|||-NONE-|||1",
    ]
    annotated = parse(block)
    target = " ".join(edit_words(annotated.annotators[0][1], annotated.source.words))
    result = STEPS[step]([Pair("test", 1, annotated.source.text, target, annotated.annotators)])[0]
    assert isinstance(result, Augmented)
    first, second = (their for _, their in result.pair.corrections)
    assert [replacement_of(edit) for edit in first] == [new_one, new_two]
    assert len(second) == 1
    assert result.pair.target == " ".join(edit_words(first, split_spaces(result.pair.source).words))


def test_an_alternative_with_words_of_its_own_is_rewritten_too():
    annotated = parse(["S Anna meet the man .", "A 1 2|||R|||meets||and her mother met|||REQUIRED|||-NONE-|||0"])
    result = STEPS["fm"]([Pair("t", 1, annotated.source.text, "Anna meets the man .", annotated.annotators)])[0]
    assert [replacement_of(edit) for edit in result.pair.corrections[0][1]] == ["meets||and his father met"]


def test_a_no_break_space_stays_in_a_word_that_is_reannotated():
    pytest.importorskip("errant")
    target = "He always\u00a0goes home with her dog ."
    annotated = parse(["S He go home with her dog .", "A 1 2|||R|||always\u00a0goes|||REQUIRED|||-NONE-|||0"])
    pair = Pair("x.m2", 1, annotated.source.text, target, annotated.annotators)
    new = Reannotated(STEPS["keep"])([pair])[0].pair
    assert edit_words(new.corrections[0][1], split_spaces(new.source).words) == split_spaces(new.target).words
