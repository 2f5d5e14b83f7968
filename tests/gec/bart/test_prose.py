"""The way to prose and back: what was not changed keeps its words."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gec_fair.edits import rewritten
from gec_fair.evaluate.scoring.texts import read_reference
from gec_fair.gec.bart.prose import render, retokenise, spacy_words

WORDS = [
    "I",
    "'ve",
    "n't",
    "do",
    ",",
    ".",
    "!",
    "``",
    "''",
    '"',
    "(",
    ")",
    "$",
    "3.5",
    "well-known",
    "e",
    "-",
    "mail",
    "…",
    "ca",
    "can",
    "not",
    "gon",
    "na",
    "%",
    "'",
    "’s",
    "--",
    "planes",
    ".some",
    "naïve",
    "日本",
]


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(WORDS) | st.text(st.characters(exclude_characters=" "), min_size=1), max_size=12),
    st.sampled_from(["raw", "tokenised"]),
)
def test_what_is_written_as_it_was_shown_has_the_words_that_it_had(words, text):
    prose = render(words, text)
    assert retokenise(words, prose, prose.text, lambda _: ["must not be asked"]) == tuple(words)


# (source, what a model writes, what comes of it, why)
WAYS = [
    ("He go home .", "He goes home.", "He goes home .", "a word is changed"),
    ("I do n't knows !  !", "I don't know!!", "I do n't know !!", "changed up to its white space, a chunk is cut anew"),
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
    assert " ".join(retokenise(words, render(words, "raw"), written, spacy_words)) == expected


def test_the_way_to_prose_and_back_on_bea_dev_is_what_the_documentation_says(data):
    """A model that wrote every correction as prose; beside it, all that it writes tokenised anew."""
    read = read_reference(data / "bea/bea-dev.first2192.m2")
    right = anew = changed = 0
    for words, annotators in zip(read.sources, read.annotators, strict=True):
        target = rewritten(annotators[0], words)
        prose, written = render(words, "raw"), render(target, "raw").text
        right += retokenise(words, prose, written, spacy_words) == target
        anew += tuple(spacy_words(written)) == target
        changed += tuple(spacy_words(prose.text)) != words
    said = " ".join((Path(__file__).parents[3] / "docs/how-to/bart.md").read_text(encoding="utf-8").split())
    assert f"right in {right:,} of {len(read):,} sentences so" in said
    assert f"(all tokenised anew: {anew:,}; and {changed:,} sources would be changed before any correction)" in said


def test_a_model_of_tokenised_text_reads_and_writes_the_words_themselves():
    words = "I do n't know !".split()
    prose = render(words, "tokenised")
    assert prose.text == "I do n't know !"
    assert retokenise(words, prose, "I did n't know !", str.split) == ("I", "did", "n't", "know", "!")
