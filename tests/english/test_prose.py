"""Prose in, tokens out: unchanged words return as they were, and new words are cut by rule."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gec_fair.english.running_text.prose import count_attached, tokenise, write

CASES = [
    ("He go home .", "He goes home.", "He goes home .", "a full stop"),
    ("I do n't know .", "I don't know.", "I do n't know .", "a contraction"),
    ("I do n't know .", "I don’t know.", "I do n't know .", "a curly apostrophe is the source's straight one"),
    ("He ca n't go .", "He cannot go.", "He can not go .", "cannot, cut as BEA-2019 cuts it"),
    ("I can not go .", "I cannot go.", "I can not go .", "cannot, unchanged"),
    ("I wan na go .", "I wanna go.", "I wan na go .", "two tokens in one word"),
    ("any one here ?", "Anyone here?", "Anyone here ?", "two words made one"),
    ("I have alot .", "I have a lot.", "I have a lot .", "one word made two"),
    ("I see alot .", "I saw alot.", "I saw alot .", "a word that spaCy would not cut"),
    ("we're late .", "we're too late.", "we're too late .", "what the source has whole stays whole"),
    ("Anna 's brother come .", "Anna's brother comes.", "Anna 's brother comes .", "a possessive"),
    ('He say " hi " .', "He says “hi”.", 'He says " hi " .', "curly quotes are the source's straight ones"),
    ("He say hi .", "He says “hi”.", 'He says " hi " .', "new quotes are straight"),
    ("He say “ hi ” .", "He says “hi there”.", "He says “ hi there ” .", "unless the source has curly ones"),
    ("He said `` hi '' .", 'He said "hi there".', "He said `` hi there '' .", "Treebank quotes"),
    ("a well - known man", "a very well-known man", "a very well - known man", "a hyphenated word of the source"),
    ("a known man", "a well-known man", "a well - known man", "a new hyphenated word"),
    ("a 100-metre race", "a 100-metre-long race", "a 100-metre - long race", "a number with its unit"),
    ("yes - no", "yes—no", "yes - no", "a dash of another length"),
    ("It cost $ 5 ( 10 % ) .", "It costs $5 (10%).", "It costs $ 5 ( 10 % ) .", "money, per cent, brackets"),
    ("It cost $ 5 .", "It cost $5.50!", "It cost $ 5.50 !", "a decimal"),
    ("So ...", "So…", "So ...", "an ellipsis"),
    ("So . . .", "So...", "So . . .", "an ellipsis in three tokens"),
    ("see www.a.com/b or me@x.org .", "See www.a.com/b or me@x.org.", "See www.a.com/b or me@x.org .", "addresses"),
    ("Hi mrs .", "Hi Mrs.", "Hi Mrs .", "the sentence's full stop behind an abbreviation"),
    ("He live in the U.S. .", "He lives in the U.S.", "He lives in the U.S.", "one stop for two of the source"),
    ("at 5 p.m. we go .", "At 5 p.m. we went.", "At 5 p.m. we went .", "an abbreviation of the source"),
    ("he go", "He goes.", "He goes .", "a full stop that the source does not have"),
    ("he  go", "He  goes .", "He goes .", "two spaces"),
    ("he go .", "", "", "nothing"),
    ("", "He goes.", "He goes .", "of nothing"),
    ("He goes , she too .", "He goes, she does too.", "He goes , she does too .", "a comma"),
    ("user'opinions", "users' opinions", "users ' opinions", "an odd token that the system has mended"),
    ("He do n't go .", "He doesn＇t go＂.", "He does n't go \" .", "full-width signs are those of the keyboard"),
    ("a known man", "a well‑known man", "a well - known man", "a hyphen that does not break"),
    ("He go .", "\ufeffHe\u200b go\u00ades\u00a0home.", "He goes home .", "signs that nobody sees"),
    ("caf\u0065\u0301 go", "café goes", "caf\u0065\u0301 goes", "a separate accent is the same letter"),
]


@pytest.mark.parametrize(("source", "prose", "expected", "why"), CASES, ids=[case[-1] for case in CASES])
def test_prose_is_cut_like_its_source(source, prose, expected, why):
    assert " ".join(tokenise(source.split(), prose)) == expected


WORDS = ["he", "do", "n't", "can", "not", "'s", "s'", "any", "one", "gon", "na", ".", "..", "...", ",", "(", ")", '"']
WORDS += ["``", "''", "'", "-", "—", "well-known", "$", "5", "5.50", "%", "a.m.", "p.m", "we're", "…", "“", "é"]


@settings(deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=9))
def test_what_is_written_and_read_again_is_the_same(words):
    assert tokenise(words, write(words)) == tuple(words)


@settings(deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=6), st.lists(st.sampled_from(WORDS), max_size=6))
def test_no_letter_is_lost_or_made(source, written):
    prose = " ".join(written)
    assert _letters("".join(tokenise(source, prose))) == _letters(prose)


def _letters(text):
    return [letter for letter in text if letter.isalnum()]


@pytest.mark.parametrize(
    ("words", "prose", "why"),
    [
        ('he said " hi " .', 'he said "hi".', "quotes beside what they enclose"),
        ('" hi " , he said', '"hi", he said', "quotes at the beginning"),
        ("I do n't ( really ) know !", "I don't (really) know!", "clitics, brackets, signs"),
    ],
    ids=lambda value: value if " " in value else None,
)
def test_tokens_are_written_as_a_person_would(words, prose, why):
    assert write(words.split()) == prose


COUNTED = [
    ("He go .", "He goes.", (1, 0), "a full stop"),
    ("He go .", "He goes .", (0, 1), "a full stop alone"),
    ("see e.g. this", "See e.g. this", (0, 0), "a word of the source"),
    ("He is n't here", "He’s not here!!", (2, 0), "a clitic, and two signs"),
    ('he say " go " ( twice )', 'He says "go" (twice)', (2, 0), "quotation marks and brackets"),
    ('he say " go " ( twice )', 'He says " go " ( twice )', (0, 4), "the same alone"),
    ("5 $ or 5 %", "€5 or 5%", (2, 0), "money and per cent"),
    ('betray his friend . "', 'Betray his friend."', (1, 0), "a quotation mark behind the full stop"),
    ("to the breach ! ) .", "To the breach!).", (1, 0), "three signs"),
]


@pytest.mark.parametrize(("source", "text", "counts"), [row[:3] for row in COUNTED], ids=[row[3] for row in COUNTED])
def test_attached_signs_are_counted(source, text, counts):
    assert count_attached(source.split(), text.split()) == counts
