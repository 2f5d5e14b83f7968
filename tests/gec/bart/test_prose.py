"""The way to prose and back: what was not changed keeps its words."""

from __future__ import annotations

from pathlib import Path

import pytest

from gec_fair.edits import edit_words
from gec_fair.english.running_text.prose import tokenise
from gec_fair.english.running_text.spacy_tokens import tokens
from gec_fair.evaluate.scoring.texts import read_reference
from gec_fair.gec.bart.data import show

# (source, what a model writes, what comes of it, why)
WAYS = [
    ("He go home .", "He goes home.", "He goes home .", "a word is changed"),
    ("I do n't knows !  !", "I don't know!!", "I do n't know ! !", "what is not changed stays as it is cut"),
    ("hasn't they gone", "hasn't he gone", "hasn't he gone", "odd words of the source stay beside a change"),
    ("It is well - known", "It is well-known", "It is well - known", "white space alone is not a change"),
    ("I can not", "I cannot", "I can not", "nor where the tokenizer cuts one word in two"),
    ("every one knows", "everyone knows", "everyone knows", "two words become one"),
    ("Mr Smith .", "Mr. Smith.", "Mr. Smith .", "an abbreviation keeps its stop"),
    ("He said `` Helo '' .", 'He said "Hello".', "He said `` Hello '' .", "quotes stay the source's"),
    ("a", "", "", "nothing is written"),
    ("He go home .", "He goes home. \n\tHe", "He goes home . He", "no white space but spaces comes out"),
]


@pytest.mark.parametrize(("source", "written", "expected", "why"), WAYS, ids=[row[-1] for row in WAYS])
def test_prose_comes_back_as_words(source, written, expected, why):
    words = source.split()
    assert " ".join(tokenise(words, written)) == expected


def test_the_way_to_prose_and_back_on_bea_dev_is_what_the_documentation_says(data):
    """A model that wrote every correction as prose; beside it, all that it writes tokenised anew."""
    read = read_reference(data / "bea/bea-dev.first2192.m2")
    right = anew = changed = 0
    for words, annotators in zip(read.sources, read.annotators, strict=True):
        target = edit_words(annotators[0], words)
        prose, written = show(words, "raw"), show(target, "raw")
        right += tokenise(words, written) == target
        anew += tuple(tokens(written)) == target
        changed += tuple(tokens(prose)) != words
    said = " ".join((Path(__file__).parents[3] / "docs/how-to/bart.md").read_text(encoding="utf-8").split())
    assert f"right in {right:,} of {len(read):,} sentences so" in said
    assert f"(all tokenised anew: {anew:,}; and {changed:,} sources would be changed before any correction)" in said


def test_a_model_of_tokenised_text_reads_the_words_themselves():
    assert show("I do n't know !".split(), "tokenised") == "I do n't know !"
    assert show("I do n't know !".split(), "raw") == "I don't know!"
