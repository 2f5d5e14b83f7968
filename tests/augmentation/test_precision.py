"""Constructed cases for the kinds of faults that reading found, each with a reason; half of them are traps."""

from __future__ import annotations

import csv
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from gec_fair.augmentation.options import Options
from gec_fair.augmentation.parallel import Augmenter
from gec_fair.augmentation.planning import st
from gec_fair.augmentation.rewriter import Rewriter
from gec_fair.corpus.outcome import Augmented, Discarded
from gec_fair.corpus.records import Pair
from gec_fair.edits import Edit, Edits, diff, edit_words
from gec_fair.english.lexicons.lexicon import load
from tests.english.docs import doc as hand_made

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

from quality import is_exact, read_prose  # noqa: E402

FOLDER = Path(__file__).parent / "precision"
OPTIONS = {"fm": Options("fm"), "st": Options("st"), "none": Options("st", gate="none")}
PROSE = Rewriter(OPTIONS["fm"])
AUGMENTER = Augmenter(OPTIONS["fm"])
REWRITERS = {name: Rewriter(options, tokenised=True) for name, options in OPTIONS.items()}


def rows(name):
    with (FOLDER / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        lines = [line for line in file if not line.startswith("#")]
    return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def rewrite(text, method, rewriters=REWRITERS):
    """The new text; the old one if it is left or unchanged; None if it is discarded."""
    (outcome,) = rewriters[method].step([Pair("", 1, text, "")])
    if isinstance(outcome, Discarded):
        return None
    return outcome.pair.source if isinstance(outcome, Augmented) else text


def cases(name):
    return pytest.mark.parametrize("row", rows(name), ids=lambda row: row.get("text") or row["source"])


@cases("names")
def test_a_name_is_a_first_name_of_a_person(row):
    old, new = row["text"].split(), rewrite(row["text"], "fm").split()
    changed = [one for one, two in zip(old, new, strict=True) if one != two and one[0].isupper() and len(one) > 2]
    assert " ".join(word for word in changed if word not in NOT_NAMES) == row["swapped"].replace("-", "")


NOT_NAMES = {"Queen", "Uncle", "She", "Mr."}


@cases("agreement")
def test_a_verb_far_from_its_subject_agrees_or_the_text_is_discarded(row):
    new = rewrite(row["text"], "none")
    assert new == row["they"] or (new is None and not row["why"].startswith("trap"))


@cases("gates")
def test_the_gate_asks_for_one_person(row):
    expected = row["text"] if row["they"] == "-" else row["they"]
    assert rewrite(row["text"], "st") == expected


FULL_WIDTH = {sign: sign + 0xFEE0 for sign in (0x27, *range(0x41, 0x5B), *range(0x61, 0x7B))}
WAYS = {
    "glued": lambda text: text.replace(" n't", "n't").replace(" '", "'"),
    "apart": lambda text: text.replace(" n't", "n 't"),
    "wide": lambda text: text.replace(" n't", "n ' t").replace(" '", " ' "),
    "curly": lambda text: text.replace("'", "’"),
    "curly and glued": lambda text: text.replace(" n't", "n’t").replace(" '", "’"),
    "a modifier letter": lambda text: text.replace(" n't", "nʼt").replace(" '", "ʼ"),
    "a grave accent": lambda text: text.replace(" n't", "n`t").replace(" '", "`"),
    "an acute accent": lambda text: text.replace(" n't", "n´t").replace(" '", "´"),
    "an opening quotation mark": lambda text: text.replace(" n't", "n‘t").replace(" '", "‘"),
    "a number of HTML": lambda text: text.replace(" n't", "n&#39;t").replace(" '", "&#39;"),
    "a name of HTML": lambda text: text.replace(" n't", "n&apos;t").replace(" '", "&apos;"),
    "a name of HTML, apart": lambda text: text.replace("n't", "n&rsquo;t").replace("'", "&rsquo;"),
    "full width": lambda text: text.replace(" n't", "n't").replace(" '", "'").translate(FULL_WIDTH),
    "no-break spaces": lambda text: text.replace(" ", "\N{NO-BREAK SPACE}"),
}


@pytest.mark.parametrize("way", WAYS)
@cases("contractions")
def test_every_way_of_writing_a_contraction_is_rewritten_alike(row, way):
    write = WAYS[way]
    for method, column in (("fm", "fm"), ("none", "they")):
        assert rewrite(row["text"], method) == row[column]
        assert rewrite(write(row["text"]), method) == write(row[column])


POSSESSIVES = {
    "tokenised": lambda text: text,
    "glued": lambda text: text.replace(" '", "'"),
    "curly": lambda text: text.replace("'", "’"),
    "glued and curly": lambda text: text.replace(" '", "’"),
    "a name of HTML": lambda text: text.replace("'", "&apos;"),
}


@pytest.mark.parametrize("way", POSSESSIVES)
@cases("possessives")
def test_a_possessive_follows_its_word(row, way):
    old, new = POSSESSIVES[way](row["text"]), POSSESSIVES[way](row["fm"])
    assert rewrite(old, "fm") == new
    assert list(PROSE([old])) == [new]
    (outcome,) = AUGMENTER([Pair("test", 1, old.replace(" is ", " be "), old)])
    assert isinstance(outcome, Augmented)
    assert (outcome.pair.source, outcome.pair.target) == (new.replace(" is ", " be "), new)


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("He called her 'the actress' .", "She called him 'the actor' ."),
        ("He is an 'actor' .", "She is an 'actress' ."),
        ("'The actress' dress is red' , he said .", "'The actor's dress is red' , she said ."),
        ("‘the actress’ and ‘the actress’ dress’ .", "‘the actor’ and ‘the actor’s dress’ ."),
    ],
)
def test_a_closing_quotation_mark_is_no_possessive(text, new):
    assert rewrite(text, "fm") == new
    assert list(PROSE([text])) == [new]


CORRECTED = [
    (
        "The actress dress is red .",
        "The actress ' dress is red .",
        "The actor dress is red .",
        "The actor 's dress is red .",
        "a mark that is missing",
    ),
    (
        "The gentleman ' room .",
        "The gentlemen 's room .",
        "The lady ' room .",
        "The ladies ' room .",
        "a noun and its mark",
    ),
    (
        "I like waitres ' dress .",
        "I like the waitress ' dress .",
        "I like waite 's dress .",
        "I like the waiter 's dress .",
        "a noun that is misspelt",
    ),
    (
        "It is James ' .",
        "It is James .",
        "It is Jennifer 's .",
        "It is Jennifer .",
        "a mark that the correction removes",
    ),
    (
        "The gentlemen 's hats .",
        "The gentlemen hats .",
        "The ladies ' hats .",
        "The ladies hats .",
        "the same behind a plural",
    ),
    ("I like jame ' car .", "I like James ' car .", "I like jennife 's car .", "I like Jennifer 's car .", "a name"),
    (
        "My brother he`s tired .",
        "My brother he's tired .",
        "My sister she`s tired .",
        "My sister she's tired .",
        "signs",
    ),
]


@pytest.mark.parametrize(("source", "target", "new_source", "new_target"), [row[:4] for row in CORRECTED])
def test_a_mark_inside_a_correction_follows_its_own_word(source, target, new_source, new_target):
    (outcome,) = AUGMENTER([Pair("test", 1, source, target)])
    assert isinstance(outcome, Augmented), outcome
    assert (outcome.pair.source, outcome.pair.target) == (new_source, new_target)


@pytest.mark.parametrize(
    ("source", "target"), [("The ladies 's room .", "The ladies ' room ."), ("James 's car .", "James ' car .")]
)
def test_a_correction_of_the_mark_alone_would_be_lost(source, target):
    (outcome,) = AUGMENTER([Pair("test", 1, source, target)])
    assert isinstance(outcome, Discarded)
    assert outcome.reason == "correction_lost"


@pytest.mark.parametrize(
    "text",
    [
        "“He’s my son,” she said .",
        "My brother saw the boy,the girl .",
        "My son,” he said .",
        "“Do,he,” she said .",
        "The ‘‘actress lost her keys .",
        "_She_ lost her keys .",
        "The actress² lost her keys .",
    ],
)
def test_a_word_of_the_method_that_is_glued_to_another_does_not_stay(text):
    (outcome,) = AUGMENTER([Pair("test", 1, text, text)])
    assert isinstance(outcome, Discarded)
    assert outcome.reason == "counterpart_mismatch"


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("She sent it to him@girls.com .", "He sent it to him@girls.com ."),
        ("His man-made lake .", "Her man-made lake ."),
        ("He helps men/women .", "She helps men/women ."),
        ("''Mum , he said .", "''Mum , she said ."),
        ("He is user_she here .", "She is user_she here ."),
    ],
)
def test_an_address_a_compound_and_a_pair_are_not_glued_words(text, new):
    assert rewrite(text, "fm") == new


HALVES = [
    ("My nephew Will is tall .", "nephew Will", "a first name that stays behind its noun"),
    ("I met his aunt May .", "aunt May", "the same"),
    ("Mother Nature gives us her gifts .", "Mother Nature", "a name that stays, and its pronoun"),
    ("Uncle Sam wants his money .", "Uncle Sam", "the same of a he"),
    ("Santa Claus lost his hat .", "Santa Claus", "without a noun"),
    ("King Lear lost his crown .", "King Lear", "a figure of a work"),
    ("Miss World wore her sash .", "Miss World", "who won a contest"),
    ("Superman hid his face .", "Superman", "a compound with man that is a name"),
]


@pytest.mark.parametrize(("text", "detail"), [row[:2] for row in HALVES], ids=[row[2] for row in HALVES])
def test_what_would_come_out_half_swapped_is_discarded(text, detail):
    (outcome,) = AUGMENTER([Pair("test", 1, text, text)])
    assert outcome == Discarded("counterpart_mismatch", detail)


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("Mother Nature is kind and he knows it .", "Mother Nature is kind and she knows it ."),
        ("My brother Mark lost his hat .", "My sister Melissa lost her hat ."),
        ("The actor Depp left .", "The actress Depp left ."),
        ("The actress will come .", "The actor will come ."),
    ],
)
def test_a_name_that_nothing_is_missing_of_is_no_half(text, new):
    assert rewrite(text, "fm") == new


HAS = [
    ("She 's left .", "They 've left .", "a person who leaves"),
    ("She 's left the house .", "They 've left the house .", "with an object"),
    ("She 's left alone .", "They 're left alone .", "a passive"),
    ("He 's just died .", "They 've just died .", "no passive"),
    ("He 's agreed to help .", "They 've agreed to help .", "nobody is agreed"),
    ("He 's won !", "They 've won !", "without an object"),
    ("He 's moved by it .", "They 're moved by it .", "a passive"),
    ("She 's tired .", "They 're tired .", "an adjective"),
    ("She 's married and he 's worried .", "They 're married and they 're worried .", "two more"),
    ("He 's called Tom .", "They 're called Tom .", "a name"),
    ("He 's finished .", "They 're finished .", "both, read as an adjective"),
    ("He 's finished his homework .", "They 've finished their homework .", "an object"),
]


@pytest.mark.parametrize(("text", "they"), [row[:2] for row in HAS], ids=[row[2] for row in HAS])
def test_a_contracted_verb_is_has_before_a_perfect_participle(text, they):
    assert rewrite(text, "none") == they


ODD = [
    ("h\N{SOFT HYPHEN}e lost his key .", "she lost her key .", "a soft hyphen"),
    (
        "\N{ZERO WIDTH NO-BREAK SPACE}He\N{ZERO WIDTH SPACE} lost his key .",
        "\N{ZERO WIDTH NO-BREAK SPACE}She\N{ZERO WIDTH SPACE} lost her key .",
        "around a word they stay",
    ),
    ("My \N{LATIN SMALL LIGATURE FI}ancée lost her key .", "My fiancé lost his key .", "a ligature"),
    ("S&shy;he lost h&#173;er key .", "He lost his key .", "a soft hyphen as an entity"),
    (
        "\N{GREEK CAPITAL LETTER ETA}e\N{HEAVY SINGLE COMMA QUOTATION MARK ORNAMENT}s lost his key .",
        "She\N{HEAVY SINGLE COMMA QUOTATION MARK ORNAMENT}s lost her key .",
        "a Greek letter, and an ornament for an apostrophe",
    ),
    (
        "My fiancé\N{CYRILLIC SMALL LETTER IE} lost her key .",
        "My fiancé lost his key .",
        "a letter of another script behind an accent",
    ),
    ("My fiance\u0301e lost her key .", "My fiance\u0301 lost his key .", "an accent as a separate character"),
    ("Jose\u0301 lost his cafe\u0301 .", "Jacinda lost her cafe\u0301 .", "what stays is not composed"),
    ("My fiancée &amp; her mother &lt;3 .", "My fiancé &amp; his father &lt;3 .", "other entities stay"),
    (
        "👩\N{ZERO WIDTH JOINER}🚀 she &quot; flew &quot; .",
        "👩\N{ZERO WIDTH JOINER}🚀 he &quot; flew &quot; .",
        "emoji stay",
    ),
    ("She wrote ` x ` … ½ her ﬁle .", "He wrote ` x ` … ½ his ﬁle .", "signs and words that are not changed stay"),
]


@pytest.mark.parametrize(("text", "new"), [row[:2] for row in ODD], ids=[row[2] for row in ODD])
def test_a_word_is_read_however_its_letters_are_written(text, new):
    assert rewrite(text, "fm") == new
    assert list(PROSE([text])) == [new]


@pytest.mark.parametrize("way", WAYS)
def test_both_sides_of_a_pair_are_written_as_they_were(way):
    write = WAYS[way]
    pair = Pair("pairs", 1, write("He does n't likes it ."), write("He does n't like it ."))
    (outcome,) = Augmenter(OPTIONS["none"])([pair])
    assert isinstance(outcome, Augmented)
    assert (outcome.pair.source, outcome.pair.target) == (
        write("They do n't likes it ."),
        write("They do n't like it ."),
    )


@pytest.mark.parametrize("way", WAYS)
def test_an_annotators_edits_are_carried_however_contractions_are_written(way):
    source, target = (tuple(WAYS[way](text).split()) for text in ("He does n't likes it .", "He does n't like it ."))
    annotation = diff(source, target)
    pair = Pair("m2", 1, " ".join(source), " ".join(target), corrections=(("0", annotation),))
    (outcome,) = Augmenter(OPTIONS["none"])([pair])
    assert isinstance(outcome, Augmented)
    ((who, correction),) = outcome.pair.corrections
    new = outcome.pair.source.split()
    assert (who, new) == ("0", WAYS[way]("They do n't likes it .").split())
    assert list(edit_words(correction, new)) == WAYS[way]("They do n't like it .").split()
    assert [edit.replacement for edit in correction] == [edit.replacement for edit in annotation]


@pytest.mark.parametrize(
    ("source", "edit", "new_source", "new_edit"),
    [
        ("He do n ' t know him", Edit(1, 2, ("did",)), "They do n ' t know them", Edit(1, 2, ("did",))),
        ("He don ' t know him", Edit(1, 2, ("didn",)), "They don ' t know them", Edit(1, 2, ("didn",))),
        ("He does n ' t see him", Edit(2, 6, ("not", "see")), "They do n ' t see them", Edit(2, 6, ("not", "see"))),
        ("He sees it and it ' s big", Edit(5, 7, ("is",)), "They see it and it ' s big", Edit(5, 7, ("is",))),
    ],
)
def test_an_edit_inside_a_contraction_is_carried(source, edit, new_source, new_edit):
    annotation = Edits((edit,), len(source.split()))
    target = " ".join(edit_words(annotation, source.split()))
    (outcome,) = Augmenter(OPTIONS["none"])([Pair("m2", 1, source, target, corrections=(("0", annotation),))])
    assert isinstance(outcome, Augmented)
    assert outcome.pair.source == new_source
    assert outcome.pair.corrections == (("0", Edits((new_edit,), len(new_source.split()))),)


def test_her_and_his_have_the_form_that_the_words_around_ask_for():
    """The table is hard on purpose, and a statistical reader decides: 88 % must be right."""
    wrong = []
    table = rows("her")
    for row in table:
        old, new = row["text"].split(), rewrite(row["text"], "fm").split()
        becomes = [two.lower() for one, two in zip(old, new, strict=True) if one.lower() in ("her", "his")]
        if becomes != row["becomes"].split():
            wrong.append(row["text"])
    assert len(wrong) <= 0.12 * len(table), wrong


@cases("nouns")
def test_a_noun_is_swapped_where_it_has_a_gender(row):
    old, new = row["text"].split(), rewrite(row["text"], "fm").split()
    changed = [two for one, two in zip(old, new, strict=True) if one != two and two not in ARTICLES]
    assert changed == (row["swapped"].split() if row["swapped"] != "-" else [])


ARTICLES = {"a", "an"}


@cases("others")
def test_what_belongs_to_an_animal_or_a_ship_stays(row):
    new = rewrite(row["text"], "fm")
    assert new == (row["text"] if row["becomes"] == "-" else row["becomes"])


def test_animals_are_rewritten_when_asked_for():
    (new,) = Rewriter(Options("fm", animals=True), tokenised=True)(["I have a dog . He is very old ."])
    assert new == "I have a dog . She is very old ."


RAW = {name: Rewriter(options) for name, options in OPTIONS.items()}


@cases("pairs")
def test_forms_that_name_both_genders_are_rewritten_whole_or_left(row):
    for method, column in (("fm", "fm"), ("none", "they")):
        (new,) = RAW[method]([row["text"]])
        assert new == (row["text"] if row[column] == "-" else row[column])


@cases("sources")
def test_the_source_of_a_pair_keeps_its_own_error(row):
    for method, column in (("fm", "fm"), ("none", "they")):
        (outcome,) = Augmenter(OPTIONS[method])([Pair("pairs", 1, row["source"], row["target"])])
        pair = outcome.pair if isinstance(outcome, Augmented) else Pair("pairs", 1, row["source"], row["target"])
        result = outcome.reason if isinstance(outcome, Discarded) else f"{pair.source} ⇒ {pair.target}"
        assert result == row[column]


@pytest.mark.parametrize("method", ["fm", "none"])
@pytest.mark.parametrize("amount", ["€9", "$ 2 million", "£ 300", "#1", "21"])
def test_a_possessive_before_money_or_a_number_stays_a_possessive(method, amount):
    for owner, whose in (("He", "his"), ("She", "her")):
        becomes = {"none": "their", "fm": "her" if whose == "his" else "his"}[method]
        assert f" {becomes} {amount} fee" in rewrite(f"{owner} paid {whose} {amount} fee yesterday .", method)


BEFORE_A_NUMBER = [
    ("She is back from her 3 day trip to Rome .", "a number and a measure"),
    ("After her 5 years in Paris she came home .", "a number behind a preposition"),
    ("She lives with her 2 sons .", "children behind a preposition"),
    ("He paid for her 3 month course .", "a measure before what is paid"),
    ("She left her 3 cats with me .", "an object, then a preposition"),
    ("She gave her 3 children a bike .", "receivers with a number"),
]


@pytest.mark.parametrize("text", [row[0] for row in BEFORE_A_NUMBER], ids=[row[1] for row in BEFORE_A_NUMBER])
def test_her_before_a_number_says_whose(text):
    assert " their " in rewrite(text, "none")


@pytest.mark.parametrize(
    "text", ["He visited his , grandmother .", "She lives with his , grandmother .", "He met * his * grandmother ."]
)
def test_his_before_a_stray_sign_says_whose(text):
    assert " her " in rewrite(text, "fm")


@pytest.mark.parametrize(
    "text",
    [
        "Her 2 sons live here .",
        "I met her 2 sons .",
        "He slept through her three-hour lecture .",
        "It was her 5 year plan .",
    ],
)
def test_her_before_a_number_says_whose_already_here(text):
    assert rewrite(text, "none").lower().count("their ") == 1


GOLD = read_prose(BENCHMARKS / "prose-gold.tsv")
NAMES = load(None).names


@pytest.mark.parametrize(("method", "column", "least"), [("fm", "fm", 90), ("none", "they", 93)])
def test_prose_is_rewritten_as_the_gold_is(method, column, least):
    """Jokes, quotations, news, forum posts and tweets. A better product raises the bar; the gold stays."""
    new = RAW[method](row["text"] for row in GOLD)
    wrong = [(text, row[column]) for row, text in zip(GOLD, new, strict=True) if not is_exact(row[column], text, NAMES)]
    print(*(f"ours {text}\ngold {gold}" for text, gold in wrong), sep="\n")
    assert len(GOLD) - len(wrong) >= least


def test_the_gold_has_twenty_texts_of_each_kind():
    kinds = [row["kind"] for row in GOLD]
    assert {kind: kinds.count(kind) for kind in kinds} == dict.fromkeys(
        ("joke", "quotation", "news", "forum", "tweet"), 20
    )


@pytest.mark.parametrize(
    ("gold", "text", "expected"),
    [
        ("{F} met {M}.", "Ann met Bob.", True),
        ("{F} met {M}.", "Bob met Ann.", False),
        ("{F} met {M}.", "Table met Bob.", False),
        ("{F} saw {F}'s hat.", "Ann saw Ann's hat.", True),
        ("{F} saw {F}'s hat.", "Ann saw Mary's hat.", False),
        ("my {mom|mum} (her).", "my mum (her).", True),
        ("my {mom|mum} (her).", "my mama (her).", False),
        ("Her hat.", "Her hat!", False),
    ],
)
def test_the_gold_leaves_open_which_name_is_chosen(gold, text, expected):
    assert is_exact(gold, text, NAMES) is expected


CAPITALS = [
    ("st", "HES LATE AND HE KNOWS IT .", "THEYRE LATE AND THEY KNOW IT ."),
    ("fm", "SHES LATE AND SHE KNOWS IT .", "HES LATE AND HE KNOWS IT ."),
    ("st", "Hes late and he doesnt know .", "Theyre late and they dont know ."),
    ("st", "The HES data show that he left .", "The HES data show that he left ."),
    ("fm", "SHES late .", "SHES late ."),
]


@pytest.mark.parametrize("tokenised", [False, True])
@pytest.mark.parametrize(("method", "text", "expected"), CAPITALS)
def test_a_contraction_without_an_apostrophe_is_read_in_capitals_too(method, text, expected, tokenised):
    gate = {"gate": "none"} if method == "st" else {}
    assert list(Rewriter(Options(method, **gate), tokenised=tokenised)([text])) == [expected]


@pytest.mark.parametrize(
    "table",
    [
        "Max NNP nsubj 1\nwhispered VBD ROOT 1\nto IN case 3\nhimself PRP obl 1",
        "Max NNP nsubj 1\nwhispered VBD ROOT 1\nto IN prep 1\nhimself PRP pobj 2",
        "Max NNP nsubj 1\nlooked VBD ROOT 1\nout IN prep 1\nfor IN prep 2\nhimself PRP pobj 3",
    ],
    ids=["UD", "ClearNLP", "ClearNLP, two prepositions"],
)
def test_the_subject_binds_a_reflexive_behind_a_preposition(table):
    doc = hand_made(table)
    assert [st.shows_one_person(group) for group in st.groups(doc, ())] == [True]


@pytest.mark.slow
def test_the_gate_is_the_same_by_spacys_own_parser(weights):
    rewriters = {"st": Rewriter(replace(OPTIONS["st"], english=str(weights("spacy-sm"))), tokenised=True)}
    for row in rows("gates"):
        expected = row["text"] if row["they"] == "-" else row["they"]
        assert rewrite(row["text"], "st", rewriters) == expected, row["why"]
