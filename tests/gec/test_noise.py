"""Learner errors from clean sentences: what each table makes, how often, and that no pronoun changes."""

from __future__ import annotations

import gzip
import random
import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gec_fair.corpus.records import Pair
from gec_fair.edits import Edit, diff, edit_words
from gec_fair.english.lexicons.paradigms import all_paradigms
from gec_fair.errors import InputError
from gec_fair.evaluate.bias.corpus import Auditor
from gec_fair.gec.noise import Kind, Rate, Rates, add_errors, draw_mistakes, parse_rates, read_rates
from gec_fair.gec.noise.compiled import compile_rates
from gec_fair.gec.noise.draw import FAMILIES, Writer
from gec_fair.gec.noise.guarded import is_guarded, keeps_guarded_words
from gec_fair.gec.noise.words import CLOSED, text_of, word
from tests.cli.invoke import run
from tests.speed import measure_fastest

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "training" / "from-scratch" / "noise.toml"
sys.path.insert(0, str(SHIPPED.parent))

import noise_rates  # noqa: E402
from noise_cells import explain, lookalikes  # noqa: E402

PROBES = sorted((ROOT / "evalsets" / "they-probe").glob("*.tgt.txt"))


@cache
def read_shipped_rates():
    return read_rates(SHIPPED)


@cache
def writer():
    return Writer(compile_rates(read_shipped_rates()))


@pytest.fixture
def rates():
    return read_shipped_rates()


@pytest.fixture(scope="module")
def sentences():
    """A thousand clean sentences, full of pronouns."""
    texts = [line for path in PROBES for line in path.read_text().splitlines()]
    samples = (ROOT / "samples" / "learner-pairs.tsv").read_text().splitlines()
    return [tuple(text.split()) for text in (*texts, *(line.split("\t")[1] for line in samples))]


def at(rates, level):
    return Rates(level, rates.spread, rates.kinds, rates.tables)


def only(table, old, new):
    """Rates at which one slip is made wherever it can be."""
    return parse_rates({"errors": {"level": 1000}, table: {old: {new: 1}}})


SLIPS = [
    ("a preposition for another", "confuse", "on", "in", "We met on Monday .", "We met in Monday ."),
    ("an article left out", "confuse", "the", "", "He saw the car .", "He saw car ."),
    ("the next word begins the sentence", "confuse", "the", "", "The car is new .", "Car is new ."),
    ("nothing would begin it", "confuse", "however", "", "However , it rains .", "However , it rains ."),
    ("capitals stay", "confuse", "in", "on", "In May it rains .", "On May it rains ."),
    ("an article put in", "extra", "noun", "the", "I like music .", "I like the music ."),
    ("put in before the first word", "extra", "noun", "the", "Music is fun .", "The music is fun ."),
    ("a name keeps its capital", "extra", "unknown", "the", "Kenzaburo reads .", "The Kenzaburo reads ."),
    ("a comma left out", "comma", "adverb", "", "Sadly , it rained .", "Sadly it rained ."),
    ("two sentences run on", "stop", ".", ",", "It rained . We left .", "It rained , we left ."),
    ("no full stop at the end", "confuse", ".", "", "It rained .", "It rained"),
    ("a phrase for a word", "phrase", "a lot of", "many", "It has a lot of cars .", "It has many cars ."),
    ("two words put in", "extra", "noun", "of the", "One city is far .", "One of the city is far ."),
    ("homophones", "real_word", "than", "then", "It is bigger than this .", "It is bigger then this ."),
    ("*their* may sound", "real_word", "their", "there", "It is their car .", "It is there car ."),
    ("*it 's* is two words", "real_word", "it 's", "its", "It 's late .", "Its late ."),
    ("and back", "real_word", "its", "it 's", "It ate its food .", "It ate it 's food ."),
    ("no row makes *themself* wrong", "confuse", "themself", "themselves", "It hurt themself .", "It hurt themself ."),
    ("nor *they*", "confuse", "they", "he", "So they left .", "So they left ."),
    ("nor puts one in", "extra", "verb-s", "she", "Anna often sees it .", "Anna often sees it ."),
    ("a man stays one", "form", "NN", "NNS", "Our man left .", "Our man left ."),
    ("verb number", "form", "VBZ", "VB", "Anna sees them .", "Anna see them ."),
    ("a noun or a verb, after a pronoun", "form", "VB", "VBZ", "They work here .", "They works here ."),
    ("a noun or a verb, after an article", "form", "VB", "VBZ", "The work is new .", "The work is new ."),
    ("noun number", "form", "NNS", "NN", "I have two cars .", "I have two car ."),
    ("a noun before a noun", "form", "NN noun", "NNS", "A city bus came .", "A cities bus came ."),
    ("tense", "form", "VBD", "VB", "We went home .", "We go home ."),
    ("*gone* is a participle", "form", "have VBN", "VBD", "We have gone home .", "We went home ."),
    ("an auxiliary put in", "form", "VBD", "have VBN", "I saw it yesterday .", "I have seen it yesterday ."),
    ("*to* with its verb", "form", "to VB", "VBG", "I want to go .", "I want going ."),
    ("*to* and the gerund", "form", "VBG/NN", "to VB", "I like swimming .", "I like to swim ."),
    ("a comparative", "form", "JJR", "more JJ", "It is bigger now .", "It is more big now ."),
    ("an adverb's ending", "ending", "ly", "", "He spoke slowly .", "He spoke slow ."),
    ("no ending without a word", "ending", "ly", "", "He is only a boy .", "He is only a boy ."),
    ("kin of adjectives", "ending", "ce", "t", "The importance is clear .", "The important is clear ."),
    ("another verb in the same form", "choice", "make V", "do V", "She makes it .", "She does it ."),
    ("another noun in the same form", "choice", "job N", "work N", "Two jobs are free .", "Two works are free ."),
    ("a small letter", "case", "start", "lower", "We left .", "we left ."),
    ("*i*", "case", "i", "lower", "Then I left .", "Then i left ."),
    ("a name", "case", "name", "lower", "We saw Kenzaburo .", "We saw kenzaburo ."),
    ("a noun's capital", "case", "noun", "capital", "He likes music .", "He likes Music ."),
    ("an adverb behind its verb", "order", "adverb", "verb", "Cats never go .", "Cats go never ."),
    ("no word crosses a pronoun", "order", "modal", "pronoun", "What can we do ?", "What can we do ?"),
    ("joined", "compound", "every day", "everyday", "It rains every day .", "It rains everyday ."),
    ("parted", "compound", "sometimes", "some times", "Sometimes it rains .", "Some times it rains ."),
]


@pytest.mark.parametrize(("why", "table", "old", "new", "clean", "expected"), SLIPS, ids=[row[0] for row in SLIPS])
def test_what_a_row_makes(why, table, old, new, clean, expected):
    assert " ".join(add_errors(clean.split(), only(table, old, new), random.Random(1))) == expected


MISSPELT = [
    ("letters exchanged", {"letters": {"ei": {"ie": 1}}}, "receive", {"recieve"}),
    ("at the word's border", {"letters": {"^wh": {"w": 1}}}, "which", {"wich"}),
    ("one letter of two", {"letters": {"ll": {"l": 1}}}, "allowed", {"alowed"}),
    ("left out", {"slips": {"omitted": {"anywhere": 1}}}, "tree", {"tee", "tre"}),
    ("doubled", {"slips": {"doubled": {"anywhere": 1}}}, "tree", {"trree", "treee"}),
    ("swapped", {"slips": {"swapped": {"anywhere": 1}}}, "house", {"huose", "hosue", "houes"}),
    ("a key beside", {"slips": {"neighbour": {"anywhere": 1}}}, "cat", {"cst", "car", "cay"}),
    ("a vowel", {"slips": {"vowel": {"anywhere": 1}}}, "bus", {"bas", "bes", "bis", "bos"}),
    ("no word that we know", {"letters": {"a": {"e": 1}}}, "Kenzaburo", {"Kenzaburo"}),
    ("a pronoun is spelt right", {"letters": {"h": {"": 1}}}, "their", {"their"}),
    ("a gendered noun is spelt right", {"letters": {"o": {"a": 1}}}, "mother", {"mother"}),
    ("no pronoun is written by mistake", {"letters": {"n$": {"m$": 1}}}, "then", {"then"}),
    ("no gendered noun either", {"letters": {"n": {"m": 1}}}, "non", {"non"}),
    ("capitals stay", {"letters": {"ei": {"ie": 1}}}, "Receive", {"Recieve"}),
]


@pytest.mark.parametrize(("why", "tables", "right", "expected"), MISSPELT, ids=[row[0] for row in MISSPELT])
def test_how_a_word_is_misspelt(why, tables, right, expected):
    length = {row: {str(n): 1 for n in range(2, 13)} for row in ("open", "closed")}
    given_rates = parse_rates({"errors": {"level": 1000}, "length": length, **tables})
    misspellings = {add_errors(("A", right), given_rates, random.Random(seed))[1] for seed in range(60)}
    assert misspellings <= expected
    assert misspellings & expected


POSSIBLE = [
    ("She goes to school on Monday .", Kind.AGREEMENT, "She go to school on Monday ."),
    ("She goes to school on Monday .", Kind.TENSE, "She went to school on Monday ."),
    ("She goes to school on Monday .", Kind.PREPOSITION, "She goes to school in Monday ."),
    ("She goes to school on Monday .", Kind.PREPOSITION, "She goes to school Monday ."),
    ("She goes to school on Monday .", Kind.ARTICLE, "She goes to the school on Monday ."),
    ("She goes to school on Monday .", Kind.CASE, "She goes to school on monday ."),
    ("He was interested in old cars .", Kind.NUMBER, "He was interested in old car ."),
    ("He was interested in old cars .", Kind.AUXILIARY, "He interested in old cars ."),
    ("He was interested in old cars .", Kind.SPELLING, "He was intrested in old cars ."),
    ("Many people have to travel far .", Kind.DETERMINER, "Much people have to travel far ."),
    ("I hope to hear from you .", Kind.VERB_FORM, "I hope hearing from you ."),
    ("It has never been so quiet .", Kind.ORDER, "It never has been so quiet ."),
    ("It has never been so quiet .", Kind.REAL_WORD, "It has never been so quite ."),
    ("It has never been so quiet .", Kind.PUNCTUATION, "It has never been so quiet"),
    ("We decided to stay because of the rain .", Kind.PREPOSITION, "We decided stay because of the rain ."),
    ("He always speaks very quickly .", Kind.DERIVATION, "He always speaks very quick ."),
    ("She said that it was important .", Kind.CONNECTIVE, "She said it was important ."),
    ("It is easier than before .", Kind.COMPARISON, "It is more easy than before ."),
]


@pytest.mark.parametrize(("clean", "kind", "expected"), POSSIBLE)
def test_learners_errors_are_among_those_that_can_be_made(clean, kind, expected):
    assert expected in {text for its, text in possible(clean.split()) if its is kind}


NEVER = [
    ("a noun takes no verb's ending", "The work is new .", "working"),
    ("*time* is not a verb in running text", "Time is short .", "timed"),
    ("a verb takes no noun's article", "They often go home .", "a go"),
    ("*whose* is nobody", "The man whose car is here left .", "his"),
    ("a man stays one man", "The man saw a woman .", "men"),
]


@pytest.mark.parametrize(("why", "clean", "never"), NEVER, ids=[row[0] for row in NEVER])
def test_what_is_never_written(why, clean, never):
    assert not [
        text
        for kind, text in possible(clean.split())
        if kind is not Kind.SPELLING and f" {never} " in f" {text.lower()} "
    ]


def possible(words):
    """Every single error that can be made in a sentence."""
    text = text_of(words)
    for place in range(len(words)):
        for slip in writer().slips(text, place):
            if slip.rate and keeps_guarded_words(words[slip.start : slip.end], slip.words):
                yield slip.kind, " ".join((*words[: slip.start], *slip.words, *words[slip.end :]))


# -- laws

WORDS = (
    "the a of to in on is are was were has have do does did can will would he she it they we I you him her his their "
    "its them there themselves themself hers theirs xe xem xyr fae ze hir man woman men women aunt boys policeman car "
    "cars work works worked walking big bigger best quickly quick always not n't 's 're ' , . ! ? - ( \" ; Anna Paris "
    "English Monday children people person than then too every day sometimes website receive because and but that "
    "which who if importance important more most one ones 12 3rd £5 éclair ﬁne İstanbul ß ŉ don't a_b …"
).split()
tokens = st.one_of(
    st.sampled_from(WORDS),
    st.sampled_from(WORDS).map(str.capitalize),
    st.sampled_from(WORDS).map(str.upper),
    st.text(min_size=1, max_size=8).filter(lambda text: not any(char.isspace() for char in text)),
)
texts = st.lists(tokens, max_size=25).map(tuple)

# An own list, apart from the package's: person and number, and gender where there is one.
FAMILIES_OF = {
    "1s": "i me my mine myself",
    "2": "you your yours yourself yourselves",
    "1p": "we us our ours ourselves",
    "m": "he him his himself",
    "f": "she her hers herself",
    "n": "it its itself",
    "they": "they them their theirs themself themselves there",
}
PERSON = {form: name for name, forms in FAMILIES_OF.items() for form in forms.split()}
PERSON |= {w: name for name, paradigm in all_paradigms().items() for w, _ in paradigm.readings() if w not in PERSON}


def persons(words):
    return [PERSON[w.lower()] for w in words if w.lower() in PERSON]


@pytest.mark.slow
@given(texts, st.integers(0, 99), st.sampled_from([0, 1, 4, 50]))
@settings(max_examples=150, deadline=None)
@example(("They", "love", "their", "children", "."), 3, 50)
@example((), 0, 50)
@example(("a",), 0, 50)
def test_the_laws_of_noise(words, seed, level):
    loud = at(read_shipped_rates(), level)
    edits = draw_mistakes(words, loud, random.Random(seed))
    source = add_errors(words, loud, random.Random(seed))
    assert source == (edit_words(edits, words) or words)  # said and done are one
    assert source == add_errors(list(words), loud, random.Random(seed))  # same input, same output
    assert bool(source) == bool(words)
    assert not any(char.isspace() for w in source for char in w)
    assert all(w for w in source) or not all(words)
    assert persons(source) == persons(words)
    assert {edit.kind for edit in edits} <= {kind.value for kind in Kind}
    assert level or source == words


@given(texts)
@settings(max_examples=60, deadline=None)
def test_no_word_errs_more_often_than_its_ceiling_says(words):
    text = text_of(words)
    for place, word_at in enumerate(words):
        ceilings = writer().ceilings(word_at)
        later = 0.0
        for family, ceiling in zip(reversed(FAMILIES), reversed(ceilings), strict=True):
            later += sum(slip.rate for slip in family.slips(writer().tables, text, place))
            assert later <= ceiling + 1e-9


# -- pronouns


@pytest.mark.parametrize("level", [1, 6])
def test_no_pair_of_much_text_changes_a_pronoun(rates, sentences, level):
    loud, chance = at(rates, level * rates.level), random.Random(level)
    pairs = []
    for n, clean in enumerate(sentences * 3):
        source = add_errors(clean, loud, chance)
        assert persons(source) == persons(clean)
        assert [w.lower() for w in source if w.lower() in ("themself", "themselves")] == [
            w.lower() for w in clean if w.lower() in ("themself", "themselves")
        ]
        pairs.append(Pair("noise", n, " ".join(source), " ".join(clean)))
    assert sum(pair.source != pair.target for pair in pairs) > len(pairs) / 3
    exposed: Counter = Counter()
    cases = [case for cases in Auditor()(pairs, exposed) for case in cases]
    assert min(exposed.values()) > 50  # every kind of bias could have been there
    assert cases == []


@pytest.mark.slow
def test_no_pair_of_novels_changes_a_pronoun(rates, data):
    from gec_fair.english.running_text.sentences import all_sentences, is_clean, read_paragraphs

    novels = all_sentences(read_paragraphs(data / "babylm" / "gutenberg100.txt.xz"))
    chance, pairs = random.Random(2), []
    for n, clean in enumerate(sentence for sentence in novels if is_clean(sentence)):
        pairs.append(Pair("novels", n, " ".join(add_errors(clean, rates, chance)), " ".join(clean)))
        if n == 3000:
            break
    assert [case for cases in Auditor()(pairs, Counter()) for case in cases] == []


def test_no_row_names_a_guarded_word(rates):
    sounds = {"their", "its", "it 's", "your", "you 're", "there"}
    for table in ("confuse", "extra", "real_word", "compound", "choice"):
        for old, row in rates.tables[table].items():
            for new in row:
                for words in (old, new):
                    guarded = [text for text in words.split() if is_guarded(text)]
                    assert not guarded or words in sounds, (table, old, new)


TWINS = [
    ("He gave his friend a book , and she thanked him .", "She gave her friend a book , and he thanked her ."),
    ("They told her that the house was his .", "They told him that the house was hers ."),
    ("I saw him in town with his old dogs himself .", "I saw her in town with her old dogs herself ."),
    ("My mother likes his new work because she is kind .", "My father likes her new work because he is kind ."),
]


@pytest.mark.parametrize(("his", "hers"), TWINS)
def test_errors_around_he_are_those_around_she(his, hers):
    """Else the noise would say which of the two writes badly."""
    twins = [tuple(text.split()) for text in (his, hers)]
    slips = [[[slip[:4] for slip in writer().slips(text_of(words), at)] for at in range(len(words))] for words in twins]
    assert slips[0] == slips[1]


def test_where_they_stand_no_noun_changes_its_number():
    loud = only("form", "NNS", "NN")
    assert add_errors("Two cars came .".split(), loud, random.Random(1)) == ("Two", "car", "came", ".")
    clean = tuple("Two cars hit them .".split())
    assert add_errors(clean, loud, random.Random(1)) == clean


# -- rates


def test_as_many_errors_as_learners_make(rates, sentences):
    chance = random.Random(5)
    errors = [draw_mistakes(clean, rates, chance) for clean in sentences * 3]
    words = sum(map(len, sentences)) * 3
    assert 0.06 < sum(map(len, errors)) / words < 0.13  # W&I: 0.096 errors a word
    assert 0.5 < sum(map(bool, errors)) / len(errors) < 0.8  # W&I: 0.66 of sentences


def test_each_kind_is_made_and_can_be_switched_off(rates, sentences):
    loud, chance = at(rates, 3), random.Random(8)
    counts = Counter(edit.kind for clean in sentences * 3 for edit in draw_mistakes(clean, loud, chance))
    assert {kind.value for kind in Kind} - set(counts) <= {"comparison"}  # few adjectives are compared there
    none = Rates(3, rates.spread, dict.fromkeys(Kind, 0.0) | {Kind.SPELLING: 1.0}, rates.tables)
    chance = random.Random(8)
    assert {edit.kind for clean in sentences for edit in draw_mistakes(clean, none, chance)} == {"spelling"}


@pytest.mark.parametrize(
    ("table", "old", "new"),
    [("phrase", "", "x"), ("extra", "plural", ""), ("confuse", "on", "in\tx"), ("confuse", "on", " ")],
)
def test_words_that_cannot_be_written_are_refused(table, old, new):
    with pytest.raises(InputError, match=rf"{table}\..* is not valid here; write words, with one space between two"):
        only(table, old, new)


def test_rates_go_by_the_neighbour():
    read = parse_rates({"errors": {}, "confuse": {"is": {"are": {"*": 0.1, "plural": 0.4}}}}).tables["confuse"]
    assert read["is"]["are"] == Rate(0.1, {"plural": 0.4})
    assert [read["is"]["are"].near(group) for group in ("plural", "noun")] == [0.4, 0.1]
    subject = parse_rates({"errors": {"level": 1000}, "confuse": {"is": {"are": {"plural": 1}}}})
    assert add_errors(("Cars", "is"), subject, random.Random(1)) == ("Cars", "are")
    assert add_errors(("Music", "is"), subject, random.Random(1)) == ("Music", "is")


BAD = [
    ("no TOML", "[errors", "is not a TOML file"),
    ("an unknown table", "[errors]\n[confus]", "confus: no such table; known are errors, kinds, confuse"),
    ("no [errors]", "[kinds]\nspelling = 1", "errors is missing or not a table; write [errors]"),
    ("an unknown key", "[errors]\nlevels = 1", "errors.levels: no such key; known are level and spread"),
    ("no number", "[errors]\nlevel = 'high'", "errors.level is 'high'; give a number"),
    ("a negative level", "[errors]\nlevel = -1", "errors.level is -1.0; give a positive number"),
    ("a spread of nothing", "[errors]\nspread = 0", "errors.spread is 0.0; give a positive number"),
    ("not a number", "[errors]\nlevel = nan", "errors.level is nan"),
    ("an unknown kind", "[errors]\n[kinds]\nspeling = 1", "kinds.speling: no such kind; known are spelling"),
    ("a negative weight", "[errors]\n[kinds]\ncase = -1", "kinds.case is -1.0; give 0 for none"),
    ("no chance", "[errors]\n[confuse]\non.in = 3", "confuse.on.in is 3.0; a rate is a chance between 0 and 1"),
    ("a wrong group", "[errors]\n[confuse]\non.in = {nouns = 0.1}", "confuse.on.in.nouns: 'nouns' is not valid here"),
    ("a row of no group", "[errors]\n[extra]\nnouns.the = 0.1", "extra.nouns: 'nouns' is not valid here"),
    ("a form of no tag", "[errors]\n[form]\nVB.'to VP' = 0.1", "form.VB.to VP: 'VP' is not valid here"),
    ("a reading of no tag", "[errors]\n[form]\n'NN/VP'.NNS = 0.1", "form.NN/VP: 'VP' is not valid here"),
    ("a slip of no name", "[errors]\n[slips]\nmissed.anywhere = 0.1", "slips.missed: 'missed' is not valid here"),
    ("no table of rates", "[errors]\n[confuse]\non = 0.1", "confuse.on is missing or not a table"),
]


@pytest.mark.parametrize(("why", "text", "message"), BAD, ids=[row[0] for row in BAD])
def test_bad_files_are_told_with_key_and_remedy(tmp_path, why, text, message):
    path = tmp_path / "noise.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=re.escape(message)) as error:
        read_rates(path)
    assert str(path) in str(error.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match=r"none.toml: cannot be read .*begin with training.from-scratch.noise.toml"):
        read_rates(tmp_path / "none.toml")


# -- estimation

EXPLAINED = [
    ("agreement", "He goes to school .", (1, 2, "go"), ("form", "VBZ", "VB", "third")),
    ("a preposition", "He goes on Monday .", (2, 3, "in"), ("confuse", "on", "in", "name")),
    ("an article put in", "He likes music .", (2, 2, "the"), ("extra", "noun", "the", "verb-s")),
    ("an article left out", "The car is new .", (0, 2, "Car"), ("confuse", "the", "", "noun")),
    ("run on", "It rained . We left .", (2, 4, ", we"), ("stop", ".", ",", "pronoun")),
    ("misspelt", "They receive it .", (1, 2, "recieve"), ("letters", "receive", "recieve", "*")),
    ("kin", "He spoke slowly .", (2, 3, "slow"), ("ending", "ly", "", "slowly")),
    ("another verb", "She makes it .", (1, 2, "does"), ("choice", "make V", "do V", "*")),
    ("homophones", "It is their car .", (2, 3, "there"), ("real_word", "their", "there", "*")),
]


@pytest.mark.parametrize(("why", "clean", "edit", "cell"), EXPLAINED, ids=[row[0] for row in EXPLAINED])
def test_an_error_is_traced_to_the_cell_that_makes_it(why, clean, edit, cell):
    start, end, new = edit
    assert [tuple(row) for row in explain(text_of(clean.split()), Edit(start, end, tuple(new.split())))] == [cell]


def test_what_the_families_make_they_explain(rates, sentences):
    loud, chance, count, traced = at(rates, 3), random.Random(3), 0, 0
    for clean in sentences:
        for edit in draw_mistakes(clean, loud, chance):
            count += 1
            traced += bool(explain(text_of(clean), edit))
    assert traced / count > 0.95


def test_rates_are_estimated_from_pairs_and_can_be_read_back(tmp_path):
    path = tmp_path / "pairs.tsv"
    drops, keeps = "He saw car .\tHe saw the car .\n", "He saw the car .\tHe saw the car .\n"
    path.write_text(drops * 40 + keeps * 60 + "She lost his hat .\tShe lost her hat .\n" * 9)
    pairs = noise_rates.read([path])
    counts = noise_rates.count(pairs, [diff(*pair) for pair in pairs])
    tables = noise_rates.rates_of(counts)
    sums = noise_rates.sums_of([target for _, target in pairs], tables)
    weights = noise_rates.weights_of(counts, sums)
    lines = noise_rates.toml(tables, noise_rates.errors_of(counts, sums, weights), weights, counts)
    (tmp_path / "noise.toml").write_text("\n".join(lines))
    read = read_rates(tmp_path / "noise.toml")
    assert (counts.used, counts.unlawful) == (100, 9)  # his → her is not counted
    assert read.tables["confuse"]["the"][""].default == pytest.approx(0.4, abs=0.01)
    assert set(read.tables["confuse"]) == {"the"}


def test_the_table_of_lookalikes_is_sound():
    for (old, new), table in lookalikes().items():
        assert keeps_guarded_words(old.split(), new.split()), (old, new)
        assert table == "real_word" or old.count(" ") != new.count(" ") or "'" in old


def test_a_word_is_in_one_closed_group():
    listed = Counter(text for words in CLOSED.values() for text in words)
    assert [text for text, n in listed.items() if n > 1] == []
    assert word("the").group == "article"


def test_the_command_reads_what_is_compressed_and_draws_by_text_alone(tmp_path):
    lines = [b"She goes to school every day .\n", b"\n", b"They have been here for years .\n"] * 20
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"".join(lines)))
    (tmp_path / "b.txt").write_bytes(lines[2])
    done = run("noise", tmp_path / "a.txt.gz", "--copies", 3, "-o", tmp_path / "a.tsv")
    assert "120 pairs" in done.stdout, done.stderr
    run("noise", tmp_path / "b.txt", "--copies", 3, "-o", tmp_path / "b.tsv")
    pairs = (tmp_path / "a.tsv").read_text().splitlines()
    assert pairs[3:6] == (tmp_path / "b.tsv").read_text().splitlines()
    assert {line.split("\t")[1] for line in pairs} == {line.decode().strip() for line in lines} - {""}


def test_pairs_are_no_sentences(tmp_path):
    (tmp_path / "p.tsv").write_text("He goes .\nhe go .\tHe goes .\n")
    done = run("noise", tmp_path / "p.tsv", "-o", tmp_path / "a.tsv")
    assert (done.code, f"{tmp_path}/p.tsv:2: holds a tab, so these are pairs" in done.stderr) == (2, True)
    assert not (tmp_path / "a.tsv").exists()


def test_speed(rates, sentences):
    """Three thousand sentences a second on a free core; a tenth of it on one that others use as well."""
    chance = random.Random(0)
    seconds = measure_fastest(lambda: [add_errors(clean, rates, chance) for clean in sentences])
    assert len(sentences) / seconds > 300
