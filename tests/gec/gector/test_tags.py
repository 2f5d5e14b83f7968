"""Tags say what becomes of each word; from a pair to tags and back."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gec_fair.edits import edit_words
from gec_fair.errors import InputError
from gec_fair.gec.gector.tagging import operations, tag_sentence
from gec_fair.gec.gector.tags import KEEP, SINGULAR, TRANSFORMS, apply_tags, edits_of, transform, transformation
from gec_fair.gec.gector.verbs import VerbForms, verb_forms

VERBS = verb_forms()

PAIRS = [
    ("he go home", "he goes home", "- $TRANSFORM_VERB_VB_VBZ -", "a verb form"),
    ("I has walk", "I have walked", "- $REPLACE_have $TRANSFORM_VERB_VB_VBN", "be, have, do have no verb tags"),
    ("two teacher", "two teachers", "- $TRANSFORM_AGREEMENT_PLURAL", "number of a noun"),
    ("a teachers", "a teacher", "- $TRANSFORM_AGREEMENT_SINGULAR", "and back"),
    ("i am", "I am", "$TRANSFORM_CASE_CAPITAL -", "case before verb and number"),
    ("the usa", "the USA", "- $TRANSFORM_CASE_UPPER", "upper case"),
    ("a iPHONE", "a iPhone", "- $TRANSFORM_CASE_CAPITAL_1", "the first letter stays"),
    ("the the cat", "the cat", "$DELETE - -|- $DELETE -", "either of two may go"),
    ("any one", "anyone", "$MERGE_SPACE -", "two words are one"),
    ("well known man", "well-known man", "$MERGE_HYPHEN - -", "with a hyphen"),
    ("well-known man", "well known man", "$TRANSFORM_SPLIT_HYPHEN -", "or without"),
    ("he alot likes", "he a lot likes", "$APPEND_a $REPLACE_lot -", "a split without a hyphen takes two rounds"),
    ("likes tea .", "He likes tea .", "- - -", "a word before the first is $START's to append"),
    ("teh cat sat", "the cat sat", "$REPLACE_the - -", "spelling is a replacement"),
    ("he beleive in fairy", "he believes in fairies", "- $REPLACE_believes - $REPLACE_fairies", "like goes to like"),
    ("good bye every body", "goodbye everybody", "$MERGE_SPACE - $MERGE_SPACE -", "two merges side by side"),
]


@pytest.mark.parametrize(("source", "target", "expected", "why"), PAIRS, ids=[row[3] for row in PAIRS])
def test_a_pair_gets_the_tags_that_a_linguist_expects(source, target, expected, why):
    tags = " ".join("-" if tag == KEEP else tag for tag in tag_sentence(source.split(), target.split(), VERBS)[1:])
    assert tags in expected.split("|")


def test_what_stands_before_the_first_word_is_appended_to_start():
    assert tag_sentence("likes tea".split(), "He likes tea".split(), VERBS) == ["$APPEND_He", KEEP, KEEP]


APPLIED = [
    ("go home", "$DELETE - -", "go home", "a deleted $START is not the last word"),
    ("go home", "$REPLACE_x - -", "go home", "nor a replaced one"),
    ("go home", "$TRANSFORM_CASE_UPPER - -", "go home", "nor a transformed one"),
    ("go home", "- - $MERGE_SPACE", "go home", "a merge on the last word has nothing to join"),
    ("go home", "- - $MERGE_HYPHEN", "go home", "and leaves no literal text"),
    ("go home", "- $TRANSFORM_VERB_VBG_VBD -", "go home", "a form that the word has not changes nothing"),
    ("go zzz", "- - $TRANSFORM_VERB_VB_VBZ", "go zzz", "nor an unknown verb"),
    ("x well-known y", "- - $TRANSFORM_SPLIT_HYPHEN -", "x well known y", "split words are two words"),
    ("a b c", "- $MERGE_SPACE $MERGE_SPACE -", "abc", "merges in a row join all"),
    ("a b c", "- $MERGE_SPACE $DELETE -", "a c", "a merge with a deleted word does nothing"),
    ("a b c", "- $MERGE_HYPHEN $REPLACE_x -", "a-x c", "the neighbour is changed first, then joined"),
    ("a", "$APPEND_x $REPLACE_$APPEND_ -"[:-2], "x $APPEND_", "a word that looks like a tag stays a word"),
    ("a b", "- $REPLACE_$REPLACE_ -", "$REPLACE_ b", "tag names inside words are left alone"),
    ("- b", "- $TRANSFORM_SPLIT_HYPHEN -", "- b", "a lone hyphen is not split to nothing"),
    ("s b", "- $TRANSFORM_AGREEMENT_SINGULAR -", "s b", "a letter does not vanish"),
    ("a b", "- @@UNKNOWN@@ @@PADDING@@", "a b", "padding rows are never made"),
]


@pytest.mark.parametrize(("words", "tags", "expected", "why"), APPLIED, ids=[row[3] for row in APPLIED])
def test_tags_that_cannot_be_done_change_nothing(words, tags, expected, why):
    tags = [KEEP if tag == "-" else tag for tag in tags.split()]
    assert " ".join(apply_tags(words.split(), tags, VERBS)) == expected


def test_tags_are_edits_over_the_words():
    words = "he go well-known any one".split()
    tags = [KEEP, KEEP, "$TRANSFORM_VERB_VB_VBZ", "$TRANSFORM_SPLIT_HYPHEN", "$MERGE_SPACE", "$APPEND_!"]
    edits = edits_of(words, tags, VERBS)
    rows = [(edit.start, edit.end, " ".join(edit.replacement)) for edit in edits]
    assert rows == [(1, 2, "goes"), (2, 3, "well known"), (3, 5, "anyone !")]
    assert edit_words(edits, words) == tuple("he goes well known anyone !".split())


def test_another_number_of_tags_is_refused():
    with pytest.raises(ValueError, match="2 words want 3 tags"):
        edits_of(["a", "b"], [KEEP], VERBS)


def noisy(words: list[str], chance: random.Random) -> list[str]:
    """A text that differs in up to six places, in the ways that people's texts differ."""
    words = list(words)
    for _ in range(chance.randint(0, 6)):
        at = chance.randrange(len(words)) if words else 0
        kind = chance.randrange(6)
        if kind == 0 and words:
            del words[at]
        elif kind == 1:
            words.insert(at, chance.choice(["the", "of", ",", "very", "is"]))
        elif kind == 2 and words:
            words[at] = chance.choice([words[at].upper(), words[at] + "s", words[at][::-1], "on"])
        elif kind == 3 and at + 1 < len(words):
            words[at], words[at + 1] = words[at + 1], words[at]
        elif kind == 4 and at + 1 < len(words):
            words[at : at + 2] = [words[at] + chance.choice(["", "-"]) + words[at + 1]]
        elif words and len(words[at]) > 3:
            words[at : at + 1] = [words[at][:2], words[at][2:]]
    return words


def rounds(source, target, verbs):
    """The text after each round of the tags that lead to the target, five at most."""
    words = tuple(source)
    for _ in range(5):
        if words == tuple(target):
            return
        words = apply_tags(words, tag_sentence(words, target, verbs), verbs)
        yield words


def test_rounds_of_tags_lead_to_the_target_for_99_of_100_pairs():
    chance = random.Random(5)
    base = "she often walks to the well-known park near her house , where people play football every sunday".split()
    reached = 0
    for _ in range(1000):
        source = noisy(chance.sample(base, len(base)), chance)
        target = noisy(source, chance)
        last = [tuple(source), *rounds(source, target, VERBS)][-1]
        reached += last == tuple(target)
    assert reached >= 990


def test_rounds_of_tags_lead_to_the_target_on_learners_pairs(data):
    levels = (data / f"gec/wi_train/{level}.train.tsv" for level in "ABC")
    lines = [line for path in levels for line in path.read_text(encoding="utf-8").splitlines()[:1500]]
    pairs = [tuple(side.split() for side in line.split("\t")) for line in lines]
    assert len(pairs) == 4500
    assert [(a, b) for a, b in pairs if [tuple(a), *rounds(a, b, VERBS)][-1] != tuple(b)] == []


@pytest.mark.parametrize(("before", "after"), [(900, 800), (800, 900)], ids=["to fewer words", "to more"])
def test_texts_with_nothing_in_common_go_word_for_word(before, after):
    source, target = [f"a{n}" for n in range(before)], [f"b{n}" for n in range(after)]
    first, last = (path := [*rounds(source, target, VERBS)])[0], path[-1]
    both = min(before, after)
    assert first[:both] == tuple(target[:both])
    assert last == tuple(target[: len(last)])  # a place takes one tag a round: not all that is behind comes in five
    assert len(last) >= both


WORDS = st.lists(st.sampled_from("a b c go goes Go GO well-known well known ab a-b the thes".split()), max_size=8)


@given(WORDS, WORDS)
def test_a_round_of_tags_never_raises_and_equal_texts_are_kept(source, target):
    tags = tag_sentence(source, target, VERBS)
    assert len(tags) == len(source) + 1
    apply_tags(source, tags, VERBS)
    assert (set(tags) == {KEEP}) == (source == target)


@given(WORDS, WORDS)
def test_the_first_round_does_what_the_operations_say_when_no_place_has_two(source, target):
    ops = operations(source, target, VERBS)
    if all(len(op) <= 1 for op in ops):
        assert apply_tags(source, tag_sentence(source, target, VERBS), VERBS) == tuple(target)


@given(st.sampled_from("Go goes gone walked runs run a I USA iPhone well-known".split()), st.sampled_from(TRANSFORMS))
def test_a_transformation_that_is_found_makes_the_word_that_it_was_found_for(word, tag):
    words = transform(word, tag, VERBS)
    if tag == SINGULAR and not word.endswith("s"):
        return  # drops any last letter, and is found for an s alone
    if words is not None and len(words) == 1 and words[0] != word:
        again = transformation(word, words[0], VERBS)
        assert again is not None
        assert transform(word, again, VERBS) == words


def test_lemminflects_forms_are_read_once_however_they_are_asked_for():
    assert verb_forms(None) is verb_forms() is verb_forms(path=None)


def test_verb_forms_come_from_the_official_file_if_given(tmp_path):
    path = tmp_path / "verb-form-vocab.txt"
    path.write_text("go_goes:VB_VBZ\nwalk_walked:VB_VBD\nwalk_walked:VB_VBN\n", encoding="utf-8")
    forms = verb_forms(path)
    assert forms.become("go", "VB_VBZ") == "goes"
    assert forms.between("walk", "walked") == "VB_VBN"  # the last line decides what a pair is
    assert list(forms.lines()) == ["go_goes:VB_VBZ", "walk_walked:VB_VBD", "walk_walked:VB_VBN"]


def test_the_first_line_decides_what_a_word_becomes():
    forms = VerbForms([("dream", "dreamed", "VB", "VBD"), ("dream", "dreamt", "VB", "VBD")])
    assert forms.become("dream", "VB_VBD") == "dreamed"


def test_lemminflect_forms_have_no_be_have_do_and_read_ambiguous_pairs_as_participles():
    assert VERBS.between("is", "was") is None
    assert VERBS.between("has", "had") is None
    assert VERBS.between("walk", "walked") == "VB_VBN"
    assert VERBS.between("go", "went") == "VB_VBD"
    assert len(VERBS) > 100_000


def test_a_wrong_verb_file_is_told_with_its_line(tmp_path):
    path = tmp_path / "verbs.txt"
    path.write_text("go_goes:VB_VBZ\ngo went\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"verbs\.txt:2: expected a line such as go_goes:VB_VBZ"):
        verb_forms(path)
