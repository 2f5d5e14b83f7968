"""A text with a word of the method that stays by choice is left, with a reason from a closed list and the word."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import gec_fair as gf
from gec_fair.augmentation.explain import WHY_LEFT, explain_pair
from gec_fair.augmentation.options import AugmentOptions, Options
from gec_fair.augmentation.parallel import Augmenter
from gec_fair.augmentation.run import augment_corpus, rewrite_corpus
from gec_fair.corpus.ledger import read_ledger
from gec_fair.corpus.outcome import Augmented, Discarded, Left, Unchanged
from gec_fair.corpus.records import Pair
from gec_fair.edits.m2 import parse
from tests.cli.invoke import run

PAGE = Path(__file__).parents[2] / "docs" / "concepts" / "outcomes.md"
STEPS = {
    "st": Augmenter(Options("st")),
    "none": Augmenter(Options("st", gate="none")),
    "animals": Augmenter(Options("st", gate="none", animals=True)),
    "xe": Augmenter(Options("neo", paradigm="xe")),
    "fm": Augmenter(Options("fm")),
    "keep": Augmenter(Options("fm", names="keep")),
    "m2f": Augmenter(Options("fm", direction="m2f")),
}


def outcome(step, source, target=None):
    (result,) = STEPS[step]([Pair("test", 1, source, source if target is None else target)])
    return result


STAYS = [
    ("st", "He loses it .", "gate", "He", "nothing shows that he is one person"),
    ("st", "We met on Sunday and she told him .", "gate", "she", "the first of two words that the gate refuses"),
    ("xe", "He loses it .", "gate", "He", "neopronouns have the same gate"),
    ("st", "Everyone can do his or her work .", "pair", "his", "his or her names both genders"),
    ("none", "( S ) he is late .", "pair", "he", "so does ( s ) he, and no gate is asked"),
    ("fm", "Dear Sir/ Madam ,", "pair", "Madam", "the counterpart is glued to the sign"),
    ("none", "He/she is late .", "pair", "He/she", "two pronouns in one token"),
    ("st", "(s)he is late .", "doubt", "(s)he", "a pronoun that signs hold to another letter"),
    ("xe", "-he is late .", "doubt", "-he", "or a sign alone"),
    ("fm", "The actor(ess) is late .", "doubt", "actor(ess)", "a noun, too"),
    ("none", "My dog lost his bone .", "thing", "his ~ dog", "an animal's pronoun"),
    ("fm", "The ship lost her mast .", "thing", "her ~ ship", "a ship's"),
    ("fm", "The USS Alabama left with her crew .", "thing", "her ~ USS", "a named ship's"),
    ("fm", "The ship Maria lost her mast .", "thing", "Maria ~ ship", "and its name"),
    ("fm", "She is a fine old ship .", "thing", "She ~ ship", "what she is"),
    ("fm", "God sent his son .", "thing", "God", "a god"),
    ("fm", 'Football is called " King Sport " .', "thing", "King", "part of the name of a thing"),
    ("fm", "I will go on Sunday .", "thing", "Sunday", "a name of the table that is a day here"),
    ("keep", "They had to man the desk .", "doubt", "man", "a noun of the table that is a verb here"),
    ("keep", "A man - made lake .", "doubt", "man", "a part of an adjective"),
    ("fm", "Zeus told Hera that she was wrong .", "thing", "Zeus", "deities"),
    ("fm", "Saint Peter was a fisherman .", "thing", "Peter", "a saint"),
    ("st", "Professor He met them .", "doubt", "He", "a surname, for singular they"),
    ("fm", "Fae ( they / them ) left with Emily .", "neutral", "Fae", "a name that is a neopronoun too"),
    ("fm", "Emily ( she/they ) left .", "neutral", "Emily", "both kinds of pronouns"),
    ("fm", "Professor He met them .", "doubt", "He", "a surname that is written like a pronoun"),
    ("fm", "He Jiankui edited genes .", "doubt", "He", "a surname before a first name"),
    ("fm", "They cooled it with liquid He .", "doubt", "He", "helium"),
    ("fm", "Maria ( they / them ) is late .", "neutral", "Maria", "somebody goes by they"),
    ("fm", "Maria is non - binary .", "neutral", "Maria", "neither man nor woman"),
    ("fm", "Maria lost xyr keys .", "neutral", "Maria", "neopronouns"),
    ("fm", "My friend Maria goes by they .", "neutral", "Maria", "pronouns that are named in words"),
    ("fm", "Maria said they love their job .", "neutral", "Maria", "a they that is nobody else's"),
    ("fm", "Maria went . They were glad that Maria went .", "neutral", "Maria", "wherever the name stands"),
    ("fm", "The Virgin Mary was his mother .", "thing", "Mary", "a saint by another title"),
    ("fm", "We saw Mother Teresa and a man .", "thing", "Teresa", "a saint by two words"),
    ("fm", "Joan of Arc was a brave woman .", "thing", "Arc", "and by three"),
    ("fm", "Saint Patrick was a man .", "thing", "Patrick", "a saint in a fixed expression"),
    ("fm", "My hamster Fernando lost his ball .", "thing", "Fernando ~ hamster", "an animal's name behind the animal"),
    ("fm", "My little dog Bella lost her ball .", "thing", "Bella ~ dog", "an adjective before it"),
    ("fm", "Every Tom , Dick or Harry knows it .", "doubt", "Tom", "anybody, by three names"),
    ("fm", "Bob 's your uncle !", "doubt", "Bob", "a phrase with a name and a noun"),
    ("fm", "Hey man , it is late .", "doubt", "man", "called without a comma"),
    ("fm", "Thanks man !", "doubt", "man", "thanked"),
    ("fm", "Come on , man !", "doubt", "man", "called out to anybody"),
    ("fm", "Man , it is late .", "doubt", "Man", "an exclamation"),
    ("m2f", "She told her mother .", "direction", "She", "one way only, the other gender"),
    ("st", "They are late .", "they", "They", "they, and no he or she"),
    ("none", "A student lost their keys .", "they", "their", "singular they"),
    ("st", "Xe lost xyr keys .", "neo", "Xe", "a neopronoun"),
    ("xe", "Xe lost their keys .", "neo", "Xe", "a neopronoun comes before they"),
]


@pytest.mark.parametrize(("step", "text", "reason", "word"), [row[:4] for row in STAYS], ids=[row[4] for row in STAYS])
def test_a_word_of_the_method_that_stays_is_named_with_the_reason(step, text, reason, word):
    assert outcome(step, text) == Left(reason, word)


NO_WORD = [
    ("st", "It rains .", "no person at all"),
    ("st", "Anna met my mother .", "names and nouns are no words of st"),
    ("fm", "They lost their keys .", "they has no gender"),
    ("fm", "Xe lost xyr keys .", "and neopronouns have none"),
    ("keep", "Anna came on Sunday .", "names are no words where they are kept"),
    ("st", "See http://he.com/his , @he and #he .", "an address is no text"),
    ("st", "Ten per cent , he-man and the .", "per is not a neopronoun, and a part of a word does not count"),
]


@pytest.mark.parametrize(("step", "text"), [row[:2] for row in NO_WORD], ids=[row[2] for row in NO_WORD])
def test_a_text_without_a_word_of_the_method_is_unchanged(step, text):
    assert outcome(step, text) == Unchanged()


def test_a_word_that_only_the_source_has_is_left_there():
    assert outcome("st", "He rains .", "It rains .") == Left("source", "He")
    assert outcome("st", "It 's his .", "It 's its .") == Left("source", "his")
    assert outcome("fm", "Juli is hot .", "July is hot .") == Left("source", "Juli")
    assert outcome("st", "They rains .", "It rains .") == Unchanged()


def test_a_pair_of_which_one_word_is_rewritten_is_augmented():
    assert isinstance(outcome("st", "My teacher lost his keys and she found it ."), Augmented)


def test_a_pair_is_left_if_every_annotators_target_is():
    lines = [
        "S He lose it",
        *(f"A 1 2|||R|||{word}|||REQUIRED|||-NONE-|||{who}" for who, word in enumerate(("loses", "lost"))),
    ]
    sentence = parse(lines)
    pair = Pair("m2", 1, sentence.source.text, "", corrections=sentence.annotators)
    assert STEPS["st"]([pair]) == [Left("gate", "He")]


def test_the_reasons_are_a_closed_list_with_an_explanation_and_a_line_on_the_page():
    assert list(WHY_LEFT) == sorted(WHY_LEFT)
    section = PAGE.read_text(encoding="utf-8").partition("## Why a pair is left")[2].partition("\n## ")[0]
    table = section.partition("| reason |")[2]
    assert sorted(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == list(WHY_LEFT)


def test_explain_names_the_word_the_reason_and_the_option_that_rewrites_it():
    text = explain_pair(Pair("pair", 1, "He lose it .", "He loses it ."), STEPS["st"])
    assert text.endswith(
        "outcome    left: gate He\n"
        "why        the text does not show that He is one person; --gate none rewrites every he and she\n"
    )
    assert isinstance(outcome("none", "He lose it .", "He lost it ."), Augmented), "the option that is named"
    assert isinstance(outcome("animals", "My dog lost his bone ."), Augmented), "the same of a thing"


PAIRS = (
    "".join(f"{text}\t{text}\n" for _, text, *_ in STAYS)
    + "It rains .\tIt rains .\na\tb\tc\nHe say no .\tHe says no .\n"
)


@pytest.mark.parametrize("method", ["st", "fm"])
def test_the_ledger_has_every_left_line_and_adds_up_to_the_input(tmp_path, method):
    (tmp_path / "c.tsv").write_text(PAIRS)
    done = augment_corpus([tmp_path / "c.tsv"], tmp_path / "out", AugmentOptions(method))
    counts = done.manifest.counts
    assert counts["lines"] == len(STAYS) + 3 == sum(number for name, number in counts.items() if name != "lines")
    assert counts["left"] == sum(done.manifest.reasons["left"].values()) > 0
    left = Counter(entry["reason"] for entry in read_ledger(tmp_path / "out") if entry["outcome"] == "left")
    assert left == done.manifest.reasons["left"]


def test_show_lists_what_the_gate_refused_and_by_default_what_was_rewritten(tmp_path):
    (tmp_path / "c.tsv").write_text("He loses it .\tHe loses it .\nMy boss lost his hat .\tMy boss lost his hat .\n")
    augment_corpus([tmp_path / "c.tsv"], tmp_path / "out", AugmentOptions("st"))
    assert "c.tsv:1  left  gate  He\n" in run("show", tmp_path / "out", "--plain", "--reason", "gate").stdout
    assert "c.tsv:1  left  gate  He\n" in run("show", tmp_path / "out", "--plain", "--outcome", "left").stdout
    plain = run("show", tmp_path / "out", "--plain").stdout
    assert "c.tsv:2  augmented" in plain
    assert "c.tsv:1" not in plain
    assert re.search(r"\| left \| gate \| 1 \| 50\.0", plain)


def test_plain_text_that_is_left_comes_back_and_is_counted(tmp_path):
    (tmp_path / "t.txt").write_text("He loses it.\nMy boss lost his hat.\nIt rains.\n")
    done = rewrite_corpus([tmp_path / "t.txt"], tmp_path / "out", Options("st"))
    assert (tmp_path / "out" / "rewritten.txt").read_text() == "He loses it.\nMy boss lost their hat.\nIt rains.\n"
    assert {name: done.manifest.counts[name] for name in ("augmented", "left", "unchanged")} == dict.fromkeys(
        ("augmented", "left", "unchanged"), 1
    )
    assert "My boss lost [-his-]{+their+} hat." in run("show", tmp_path / "out", "--plain").stdout


def test_the_results_in_python_have_outcome_reason_and_word():
    results = gf.augment([(text, text) for _, text, *_ in STAYS], "st")
    assert Counter(result.outcome for result in results) == {k: v for k, v in results.counts.items() if v}
    assert (results[0].outcome, results[0].reason, results[0].detail) == ("left", "gate", "He")


def test_rewrite_explains_each_line_and_a_hyphen_is_standard_input():
    done = run("rewrite", "st", "-", "--explain", stdin="Anna lost her keys.\nHe lost it.\nIt rains.\n")
    assert done.code == 0, done.stderr
    assert done.stdout.count("line  ") == 3
    assert "text       Anna lost [-her-] {+their+} keys .\noutcome    rewritten\n" in done.stdout
    assert "outcome    left: gate He\nwhy        the text does not show that He is one person;" in done.stdout
    assert run("rewrite", "fm", "-", stdin="He lost it.\n").stdout == "She lost it.\n"
    wrong = run("rewrite", "fm", "texts.txt", stdin="He lost it.\n")
    assert (wrong.code, "texts.txt: rewrite reads standard input; give gec-fair rewrite fm < FILE" in wrong.stderr) == (
        2,
        True,
    )


def test_rewriting_a_list_says_how_many_texts_look_like_another_language(capsys):
    texts = ["Il a perdu sa clé et il est triste avec he .", "He lost it."]
    assert gf.rewrite(texts, "st", gate="none") == [texts[0], "They lost it."]
    assert "1 of 2 texts with a word to rewrite (50.0 %) look like another language" in capsys.readouterr().err


@pytest.mark.parametrize("step", ["none", "fm", "xe"])
def test_what_would_become_him_s_or_them_s_is_discarded(step):
    result = outcome(step, "My boss say that is her's .", "My boss says that is her's .")
    assert (type(result), result.reason) == (Discarded, "counterpart_mismatch")
