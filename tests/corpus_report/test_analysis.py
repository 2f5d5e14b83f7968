"""A corpus report: TextDescriptives' counts, closed forms of every share, the same samples however a text is cut, and
faults with their places."""

from __future__ import annotations

import gzip
import json
import lzma
import random
import re
import warnings
from itertools import pairwise

import numpy as np
import pytest
import spacy
import textdescriptives
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cosine

from gec_fair.classifiers import load, predictions
from gec_fair.classifiers.harm import Judges
from gec_fair.corpus_report import coherence, emotions
from gec_fair.corpus_report.chunks import chunks
from gec_fair.corpus_report.measure import AnalysisOptions, analyse
from gec_fair.corpus_report.profile import Profiler
from gec_fair.data.stream_sample import Sample, keys
from gec_fair.english.lexicons import topics
from gec_fair.english.lexicons.emotions import EKMAN, load_emotions
from gec_fair.english.lexicons.emotions import POLARITY as POLARITY_NAMES
from gec_fair.english.running_text.spacy_tokens import tokens
from gec_fair.errors import InputError, MissingResource, UsageError
from gec_fair.evaluate.evalsets.review.items import read_items, rows
from tests.cli.invoke import run

SENTENCES = [
    "See what Catherine's gonna wear?",
    "Look.",
    "She has a ladybug!",
    "The complicated organization reconsidered everything, didn't it?",
]
WORDS = (
    "the a dog women he she her people Christmas church synagogue cat's don't isn't complicated reconsidered "
    "happily sad Puerto Ricans of white and, or; (well) naïve co-operate 1984 gay"
).split()


TOKENIZER = spacy.blank("en").tokenizer


@pytest.fixture
def profiler():
    return Profiler(topics.read_shipped(), load_emotions(), coherence.overlap)


def theirs(sentences):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("textdescriptives/descriptive_stats")
    nlp.add_pipe("textdescriptives/readability")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return textdescriptives.extract_dict(nlp(" ".join(sentences)))[0]


NAMES = {
    "syllables per word": "syllables_per_token_mean",
    "word length": "token_length_mean",
    "sentence length": "sentence_length_mean",
    "FKGL": "flesch_kincaid_grade",
}


def test_readability_is_textdescriptives(profiler):
    profile = profiler(SENTENCES)
    expected = theirs(SENTENCES)
    assert (profile.words, profile.sentences) == (expected["n_tokens"], expected["n_sentences"])
    for ours, name in NAMES.items():
        assert profile.means[ours] == [pytest.approx(expected[name])], ours
    assert profile.means["FKGL"][0] == pytest.approx(5.17611, abs=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_readability_is_textdescriptives_on_any_sentences(profiler, seed):
    chance = random.Random(seed)
    plain = [word.strip(",;()") for word in WORDS]
    sentences = [" ".join(chance.choices(plain, k=chance.randint(2, 12))).capitalize() + " !" for _ in range(20)]
    profile, expected = profiler(sentences), theirs(sentences)
    assert profile.sentences == expected["n_sentences"]
    for ours, name in NAMES.items():
        assert profile.means[ours] == [pytest.approx(expected[name])], ours


@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))
def test_what_stands_between_spaces_is_cut_by_itself(text):
    assert tokens(text) == [token.text for token in TOKENIZER(text) if not token.is_space]


def test_topics_emotions_and_variety_have_their_closed_forms(profiler):
    sentences = [
        "He saw his mother and her aunt .",
        "The Puerto Ricans went to church , happy and sad .",
        "A gay African-American",
    ]
    profile = profiler(sentences)
    assert profile.tokens == 8 + 11 + 5
    assert profile.topics == {
        ("gender", "male"): 2,
        ("gender", "female"): 3,
        ("ethnicity", "hispanic"): 2,
        ("religion", "christian"): 1,
        ("lgbtq", "lgbtq"): 1,
        ("ethnicity", "black"): 2,
    }
    assert (profile.emotions["joy"], profile.emotions["sadness"], profile.expressive) == (1, 1, 2)
    assert profile.topical[("gender", "female")] == [0]
    assert profile.topical[("lgbtq", "lgbtq")] == [2]
    kinds = {word.lower() for sentence in sentences for word in tokens(sentence) if word not in ".,-"}
    assert profile.means["type-token ratio"] == [pytest.approx(len(kinds) / profile.words)]


def test_coherence_is_the_mean_cosine_of_neighbours():
    documents = [["a", "b", "b"], ["b", "c"], ["c", "C"], ["d"]]
    counts = np.array([[1, 2, 0, 0], [0, 1, 1, 0], [0, 0, 2, 0], [0, 0, 0, 1]])
    wanted = np.mean([1 - cosine(one, second) for one, second in pairwise(counts)])
    assert coherence.overlap(documents) == pytest.approx(wanted)
    assert coherence.overlap([["a"]]) is None
    assert coherence.overlap([[], ["a"]]) is None


def test_coherence_by_vectors_is_of_means(tmp_path):
    nlp = spacy.blank("en")
    draw = np.random.default_rng(0)
    for word in "abcd":
        nlp.vocab.set_vector(word, draw.normal(size=6).astype("f"))
    nlp.to_disk(tmp_path / "vectors")
    measure = coherence.measure(f"spacy:{tmp_path / 'vectors'}")
    one, second = (np.mean([nlp.vocab.get_vector(word) for word in words], axis=0) for words in ("ab", "cdd"))
    assert measure([["a", "b"], ["c", "d", "d"]]) == pytest.approx(1 - cosine(one, second), abs=1e-6)
    spacy.blank("en").to_disk(tmp_path / "none")
    with pytest.raises(UsageError, match="no word vectors"):
        coherence.measure(f"spacy:{tmp_path / 'none'}")
    with pytest.raises(MissingResource, match="en_core_web_lg"):
        coherence.measure("spacy:en_core_web_lg")
    with pytest.raises(UsageError, match="choose from overlap, spacy:PIPELINE, glove:FILE"):
        coherence.measure("vectors")


ROWS = "a 1 0\nb 0 2\nc d 3 4\n"
FILES = [
    ("GloVe's text", ROWS, "txt"),
    ("with the header of word2vec and fastText", "3 2\n" + ROWS, "vec"),
    ("with CRLF and spaces at the end", ROWS.replace("\n", " \r\n"), "txt"),
    ("compressed", ROWS, "txt.gz"),
    ("with an empty line", ROWS + "\n", "txt"),
    ("a word twice: the first", ROWS + "a 9 9\n", "txt"),
]


@pytest.mark.parametrize(("why", "text", "ending"), FILES, ids=[row[0] for row in FILES])
def test_vectors_are_read_from_text(why, text, ending, tmp_path):
    file = tmp_path / f"vectors.{ending}"
    file.write_bytes(gzip.compress(text.encode()) if ending.endswith("gz") else text.encode())
    measure = coherence.measure(f"glove:{file}")
    assert measure([["A", "b"], ["c d", "unknown"]]) == pytest.approx(11 / 5 / 5**0.5)  # (1, 2) · (3, 4)
    assert measure([["unknown"], ["a"]]) == 0.0


BAD_VECTORS = [
    ("no such file", None, "cannot be read (No such file or directory)"),
    ("nothing", "\n", "holds no vectors"),
    ("words alone", "a\nb\n", ":1: expected a word and its numbers"),
    ("a row that is too short", "a 1 2\nb 1\n", ":2: expected a word and 2 numbers"),
    ("prose", "a word\nof prose\n", ":1: could not convert"),
    ("no number", "a nan 1\nb 1 2\n", ":1: expected a word and 2 numbers"),
]


@pytest.mark.parametrize(("why", "text", "message"), BAD_VECTORS, ids=[row[0] for row in BAD_VECTORS])
def test_files_without_vectors_are_refused_with_their_line(why, text, message, tmp_path):
    file = tmp_path / "vectors.txt"
    if text is not None:
        file.write_text(text)
    with pytest.raises(InputError, match=re.escape(message)):
        coherence.measure(f"glove:{file}")


ALIKE, APART = ([["The", "cat", "slept"], words] for words in (["a", "dog", "sleeps"], ["tax", "law", "1994"]))


@pytest.mark.slow(4)
def test_real_vectors_say_that_related_sentences_cohere(weights):
    measure = coherence.measure(f"spacy:{weights('spacy-md')}")
    assert measure(ALIKE) > 0.6 > 0.5 > measure(APART)


@pytest.mark.slow(4)
def test_real_vectors_of_a_file_say_so_too(weights, tmp_path):
    from pyarrow import parquet

    [index] = weights("glove").glob("*_index.parquet")
    [rows] = weights("glove").glob("*_emb.npy")
    places = {word: place for place, word in enumerate(parquet.read_table(index).column(0).to_pylist())}
    vectors = np.load(rows, mmap_mode="r", allow_pickle=False)
    words = [word.lower() for sentence in ALIKE + APART for word in sentence]
    lines = (f"{word} {' '.join(map(str, vectors[places[word]]))}\n" for word in words)
    (tmp_path / "glove.txt").write_text("".join(lines))
    measure = coherence.measure(f"glove:{tmp_path / 'glove.txt'}")
    assert measure(ALIKE) > 0.6 > 0.5 > measure(APART)


TEXT = "".join(
    f"Sentence {n} is here. {'She' if n % 3 else 'He'} saw it, and was {'happy' if n % 2 else 'sad'}.\n"
    for n in range(400)
)


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(TEXT)
    return path


def test_chunks_are_whole_sentences_of_about_one_length(text):
    cut = list(chunks([text], 100))
    assert [sentence for chunk in cut for sentence in chunk.sentences] == [
        part.strip() for line in TEXT.splitlines() for part in line.replace(". ", ".\n").split("\n")
    ]
    assert [chunk.first for chunk in cut] == np.cumsum([0, *(len(chunk.sentences) for chunk in cut[:-1])]).tolist()
    assert all(chunk.is_complete for chunk in cut[:-1])


def test_a_sample_is_the_same_however_the_stream_is_cut():
    full: Sample[int] = Sample(50)
    full.offer(keys(0, 5000, 3), range(5000))
    cut: Sample[int] = Sample(50)
    for first in range(0, 5000, 37):
        size = min(37, 5000 - first)
        cut.offer(keys(first, size, 3), range(first, first + size))
    assert cut.items() == full.items()
    assert (len(set(cut.items())), cut.is_complete) == (50, False)
    second: Sample[int] = Sample(50)
    second.offer(keys(0, 5000, 4), range(5000))
    assert len(set(second.items()) & set(full.items())) < 5
    hits = np.zeros(200)
    for seed in range(400):
        one: Sample[int] = Sample(20)
        one.offer(keys(0, 200, seed), range(200))
        hits[one.items()] += 1
    assert hits.mean() == 40
    assert hits.std() == pytest.approx((400 * 0.1 * 0.9) ** 0.5, rel=0.25)  # each item as often as chance has it


@pytest.mark.slow
def test_the_same_figures_by_any_number_of_workers_and_packed(text, tmp_path):
    packed = tmp_path / "text.txt.xz"
    packed.write_bytes(lzma.compress(TEXT.encode()))
    options = AnalysisOptions(tokens=200, sentences=100, topical=30, pos=2)
    one = analyse("x", [text], options)
    two = analyse("x", [packed], options, workers=2)
    assert [getattr(one, name) for name in ("topics", "means", "harm", "stances", "pos", "sentiment")] == [
        getattr(two, name) for name in ("topics", "means", "harm", "stances", "pos", "sentiment")
    ]
    assert one.chunks == two.chunks > 10
    assert one.sentiment["neutral"].n == 100
    assert one.sentiment["neutral"].se > 0
    every = analyse("x", [text], AnalysisOptions(tokens=200, sentences=0, topical=0))
    assert {rate.se for rate in (*every.sentiment.values(), *every.stances.values())} == {0.0}
    assert every.harm["toxic"].n == every.sentences
    one_by_one = analyse("x", [text], AnalysisOptions(tokens=200, sentences=10**9, topical=10**9))
    assert (every.sentiment, every.stances, every.harm) == (one_by_one.sentiment, one_by_one.stances, one_by_one.harm)
    assert every.sentiment["positive"].value == pytest.approx(25.0)  # a quarter: half of the second sentences
    assert every.stances[("gender", "male")].value == pytest.approx(0.0, abs=1)
    assert abs(one.sentiment["positive"].value - 25) < 4 * one.sentiment["positive"].se


def test_the_last_short_chunk_lifts_no_mean(text, profiler):
    cut = list(chunks([text], 900))
    assert not cut[-1].is_complete
    ratios = [profiler(chunk.sentences).means["type-token ratio"][0] for chunk in cut]
    analysis = analyse("x", [text], AnalysisOptions(tokens=900))
    assert analysis.means["type-token ratio"] == pytest.approx(np.mean(ratios[:-1]))
    assert ratios[-1] > analysis.means["type-token ratio"]
    alone = analyse("x", [text], AnalysisOptions(tokens=10**6))  # without other chunks
    assert (alone.chunks, alone.means["type-token ratio"] > 0) == (1, True)


POLARITY = [
    ("It was a wonderful day.", "positive", "a good word"),
    ("It was not a wonderful day.", "negative", "a negation turns it"),
    ("They did n't hurt anybody.", "positive", "a contracted one too"),
    ("He was happy and sad.", "neutral", "one of each"),
    ("The table is brown.", "neutral", "no such word"),
    ("No one came, and the evening in the garden was good.", "positive", "a negation far before it does not"),
]


@pytest.mark.parametrize(("text", "wanted", "why"), POLARITY, ids=[row[2] for row in POLARITY])
def test_the_embedded_sentiment(text, wanted, why):
    classifier = load("polarity", ("negative", "neutral", "positive"))
    assert predictions(classifier, [(text,)]) == [wanted]
    assert classifier.scores([(text,)]).sum() == pytest.approx(1)


def test_nrcs_lexicon_is_read_from_its_file(tmp_path):
    path = tmp_path / "nrc.txt"
    path.write_text(
        "abacus\tjoy\t0\nabandon\tfear\t1\nabandon\tsadness\t1\nabandon\ttrust\t0\nsunny\tanticipation\t1\n"
        "sunny\tjoy\t1\n"
    )
    assert emotions.read(path) == {"abacus": set(), "abandon": {"fear", "sadness"}, "sunny": {"joy"}}
    path.write_text("abacus\tjoy\t0\nabandon,fear,1\n")
    with pytest.raises(InputError, match=r"nrc\.txt:2: expected word, emotion and 0 or 1"):
        emotions.read(path)
    path.write_text("abacus\tjoy\t0\n")
    with pytest.raises(InputError, match="no word in it expresses"):
        emotions.read(path)


def test_no_word_of_the_tables_stands_twice_or_in_upper_case():
    for table in (load_emotions(), topics.read_shipped().single):
        assert all(word == word.lower() for word in table)
    known = set(EKMAN) | set(POLARITY_NAMES)
    assert all(emotions <= known for emotions in load_emotions().values())
    assert not [word for word, emotions in load_emotions().items() if {"positive", "negative"} <= emotions]


STORY = "He went {} miles, and she saw him. You are a stupid idiot. So he said to his brother.\n"
ARTICLE = (
    "The municipal administration reconstructed {} considerable industrial buildings in the capital. "
    "Its architect and his associates received international recognition.\n"
)


@pytest.fixture
def corpora(tmp_path):
    """Stories and articles, packed."""
    for name, line in (("stories", STORY), ("wiki", ARTICLE)):
        text = "".join(line.format(n) for n in range(90))
        (tmp_path / f"{name}.txt.xz").write_bytes(lzma.compress(text.encode()))
    return [f"{name}={tmp_path / name}.txt.xz" for name in ("stories", "wiki")]


@pytest.mark.slow
def test_a_report_of_two_corpora_with_an_audit(corpora, tmp_path):
    done = run(
        "corpus",
        "report",
        *corpora,
        "--pos",
        "2",
        "--audit",
        "5",
        "--workers",
        "2",
        "-o",
        tmp_path / "out",
    )
    assert done.code == 0, done.stderr
    assert "| stories " in done.stdout
    report = json.loads((tmp_path / "out/report.json").read_text())
    one, second = report["corpora"]
    assert one["topics"]["gender/male"] > second["topics"]["gender/male"] > second["topics"]["gender/female"]
    assert one["means"]["FKGL"] < second["means"]["FKGL"]
    assert one["pos"]["PRON"] > 2 * second["pos"]["PRON"]
    items = read_items(tmp_path / "out/audit/stories")
    assert len(items) == min(5, one["flagged"]) > 0
    ((label, line),) = rows(items[0], {})
    assert (label, items[0].group) == ("the text", "toxic")
    assert not any(token.change for token in line)
    assert (tmp_path / "out/figures/topics.png").stat().st_size > 10_000
    page = (tmp_path / "out/report.html").read_text()
    assert 'id="readability"' in page
    assert "Positive and negative sentences balance for every topic." in page  # instead of a chart without bars
    assert not (tmp_path / "out/figures/stances.png").exists()
    again = run("corpus", "report", corpora[1], "--json")
    assert json.loads(again.stdout)["corpora"][0]["topics"] == second["topics"]


FAULTS = [
    (("absent.txt",), "absent.txt: no such file", "no file"),
    (("EMPTY",), "no word is in it", "an empty one"),
    (("BINARY",), "holds a NUL byte", "a program"),
    (("TEXT", "--toxic", "toxicity"), "write CLASSIFIER=LABEL", "a classifier without its label"),
    (("TEXT", "--toxic", "toxicity=rude"), "gives non-toxic, toxic", "another label"),
    (("TEXT", "--audit", "5"), "give -o DIR", "an audit without a folder"),
    (("a=TEXT", "a=TEXT"), "two corpora are called a; name them", "a name twice"),
    (("category=TEXT",), "category means something else in the tables; name the corpus: corpus=", "a column's name"),
    (("share_low=TEXT",), "share_low means something else in the tables", "the name of an end of an interval"),
    (("TEXT", "--vectors", "spacy"), "vectors 'spacy' needs an argument; write spacy:PIPELINE", "vectors"),
    (("TEXT", "--sentiment", "polarty"), "polarity", "sentiment"),
    (("TEXT", "--toxic", "detoxify:orginal=toxicity"), "original", "a model of Detoxify"),
]


@pytest.mark.parametrize(("options", "message", "why"), FAULTS, ids=[row[2] for row in FAULTS])
def test_faults_of_a_report(options, message, why, text, tmp_path):
    (tmp_path / "empty.txt").write_text("\n \n")
    (tmp_path / "binary.txt").write_bytes(b"a\0b")
    paths = {"EMPTY": tmp_path / "empty.txt", "BINARY": tmp_path / "binary.txt", "TEXT": text}
    words = [
        next((word.replace(name, str(path)) for name, path in paths.items() if name in word), word) for word in options
    ]
    done = run("corpus", "report", *words)
    assert (done.code, message in done.stderr) == (2, True), done.stderr


def test_options_that_cannot_be_meant():
    for wrong in ({"pos": -1}, {"tokens": 0}, {"judges": Judges(), "sentences": -5}):
        with pytest.raises(UsageError):
            AnalysisOptions(**wrong)
