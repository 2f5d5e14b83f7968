"""The English pipeline: loads fast, keeps the words it is given, and says nothing that ERRANT cannot read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import spacy

from gec_fair.english import pipeline
from gec_fair.english.lexicons.paradigms import Form
from gec_fair.errors import MissingResource
from gec_fair.people.forms import form_of
from tests.speed import measure_fastest

ROOT = Path(__file__).parents[2]
TEXTS = [
    "She did n't know whether her friend liked him .",
    "he go to school every day and his sister wait for her there",
    "THE MANAGER SAID THAT SHE WAS LATE !",
    "I have recieved you're letter , thank you very much",
    "They 're here .",
]


@pytest.fixture(scope="module")
def nlp():
    return pipeline.load()


def columns(doc) -> list[tuple]:
    return [(t.text, t.tag_, t.pos_, str(t.morph), t.lemma_, t.dep_, t.head.i, t.is_sent_start) for t in doc]


def parse(nlp, *texts: str):
    return list(pipeline.parse(nlp, [text.split(" ") for text in texts]))


@pytest.mark.parametrize("run", ["--", "---", "!--", "?!", "**", "__", "==", "~~", "##", "<<"])
@pytest.mark.parametrize("word", ["brother", "Henry", "her", "wait", "Slate"])
def test_raw_words_around_a_run_of_marks_stay_whole(nlp, word, run):
    for text, expected in ((f"{word}{run}clear", [word, "clear"]), (f"{run}{word}", [word]), (f"{word}{run}", [word])):
        assert [token.text for token in nlp.make_doc(text) if token.is_alpha] == expected


# --- loading -------------------------------------------------------------------------------------------------------


def test_it_loads_in_half_a_second():
    assert measure_fastest(pipeline.load, runs=4) <= 0.5


@pytest.mark.parametrize("name", ["en_no_such_model", "no/such/folder"], ids=["a package", "a path"])
def test_a_missing_pipeline_says_how_to_get_it(name):
    with pytest.raises(MissingResource, match=f"download {name}"):
        pipeline.load(name)


def test_a_path_is_loaded_like_the_embedded_one(nlp):
    copy = pipeline.load(str(pipeline.MODEL))
    assert [columns(d) for d in parse(copy, *TEXTS)] == [columns(d) for d in parse(nlp, *TEXTS)]


def test_the_version_names_the_weights(nlp):
    assert pipeline.version(nlp).startswith("en_gec_fair-")
    assert len(pipeline.version(nlp).split("sha256:")[1]) == 16
    assert pipeline.version(nlp) == pipeline.version(pipeline.load()) == pipeline.version_of()


# --- words in, words out -------------------------------------------------------------------------------------------


def test_the_words_come_back_as_they_went_in(nlp):
    words = ["do", "n't", "", "e-mail", "'", "…", "a b", "x" * 200]
    tokens = [word for word in words if word]
    assert [t.text for t in next(pipeline.parse(nlp, [tokens]))] == tokens


def test_spaces_are_kept(nlp):
    (doc,) = pipeline.parse(nlp, [["did", "n't", "."]], [[False, False, False]])
    assert doc.text == "didn't."


def test_as_many_docs_as_sentences_also_empty_ones(nlp):
    docs = list(pipeline.parse(nlp, [["Yes", "."], [], ["No", "."]]))
    assert [len(doc) for doc in docs] == [2, 0, 2]


def test_too_few_spaces_are_refused(nlp):
    with pytest.raises(ValueError, match="zip"):
        list(pipeline.parse(nlp, [["a"], ["b"]], [[True]]))


def test_the_parse_does_not_depend_on_the_batch(nlp):
    sentences = [text.split(" ") for text in TEXTS * 7]
    together = [columns(doc) for doc in pipeline.parse(nlp, sentences)]
    alone = [columns(doc) for doc in pipeline.parse(nlp, sentences, batch_size=1)]
    assert together == alone


def test_two_runs_give_the_same(nlp):
    assert [columns(d) for d in parse(nlp, *TEXTS)] == [columns(d) for d in parse(nlp, *TEXTS)]


def test_tagging_alone_gives_the_same_tags(nlp):
    sentences = [text.split(" ") for text in TEXTS]
    tagged = [[t.tag_ for t in doc] for doc in pipeline.tag(nlp, sentences)]
    assert tagged == [[t.tag_ for t in doc] for doc in pipeline.parse(nlp, sentences)]
    assert not any(doc.has_annotation("DEP") for doc in pipeline.tag(nlp, sentences))


# --- what it says --------------------------------------------------------------------------------------------------


def test_errant_knows_every_tag(nlp):
    errant = pytest.importorskip("errant.en.classifier")
    assert set(nlp.get_pipe("tagger").labels) <= set(errant.pos_map)


def test_did_nt_stays_two_tokens(nlp):
    (doc,) = parse(nlp, "She did n't know .")
    assert [(t.text, t.tag_, t.lemma_) for t in doc[1:4]] == [
        ("did", "VBD", "do"),
        ("n't", "RB", "not"),
        ("know", "VB", "know"),
    ]


def test_white_space_is_never_a_head(nlp):
    sentences = [["He", " ", "sees", "\n", "her", "  ", "friend", "\t", ".", "\n\n"], ["\n", "She", "was", " ", "late"]]
    for doc in pipeline.parse(nlp, sentences):
        assert not any(t.head.is_space for t in doc if not t.is_space)
        assert all(t.tag_ == "_SP" for t in doc if t.is_space)


HER = [
    ("I saw her yesterday .", 2, False, "object"),
    ("Her brother likes the book .", 0, True, "before a noun at the start"),
    ("He gave her a book .", 2, False, "indirect object before a noun phrase"),
    ("We went to her new house .", 3, True, "with an adjective between"),
    ("They told her that it was late .", 2, False, "before a clause"),
    ("I talked to her and her mother .", 3, False, "first of two"),
    ("I talked to her and her mother .", 5, True, "second of two"),
]


@pytest.mark.parametrize(("text", "at", "possessive", "why"), HER, ids=[row[3] for row in HER])
def test_her_is_told_apart(nlp, text, at, possessive, why):
    (doc,) = parse(nlp, text)
    assert (form_of(doc[at]) is Form.DETERMINER) is possessive


def test_a_subject_is_found_in_learners_text(nlp):
    (doc,) = parse(nlp, "she have two brother and he is student")
    assert [(t.text, t.head.text) for t in doc if t.dep_ == "nsubj"] == [("she", "have"), ("he", "student")]


# --- what is shipped -----------------------------------------------------------------------------------------------


def model_files() -> list[Path]:
    return [path for path in pipeline.MODEL.rglob("*") if path.is_file()]


def test_it_takes_nine_megabytes_at_most():
    assert sum(path.stat().st_size for path in model_files()) <= 9_000_000


def test_no_address_of_the_training_text_is_shipped():
    strings = json.loads((pipeline.MODEL / "vocab" / "strings.json").read_text(encoding="utf-8"))
    assert not [text for text in strings if "@" in text or "http" in text.lower() or "www." in text.lower()]


def test_licence_and_sources_are_beside_the_weights():
    meta = json.loads((pipeline.MODEL / "meta.json").read_text(encoding="utf-8"))
    attribution = (pipeline.MODEL / "ATTRIBUTION.md").read_text(encoding="utf-8")
    assert meta["license"] == "CC BY-SA 4.0"
    assert all(source["url"] in attribution for source in meta["sources"])


def test_it_is_fast_enough_to_be_used(nlp):
    sentences = [text.split() for text in TEXTS] * 120
    words = sum(map(len, sentences))
    assert words / measure_fastest(lambda: list(pipeline.parse(nlp, sentences)), runs=2) >= 2_000


# --- with the treebanks --------------------------------------------------------------------------------------------


def test_most_tags_of_the_held_out_treebank_are_right(nlp, data):
    rows = _rows(data / "ud" / "en_ewt-ud-test.conllu")[:500]
    docs = pipeline.parse(nlp, [[word for word, _ in row] for row in rows])
    pairs = [(t.tag_, tag) for doc, row in zip(docs, rows, strict=True) for t, (_, tag) in zip(doc, row, strict=True)]
    assert sum(a == b for a, b in pairs) / len(pairs) >= 0.92


def _rows(path: Path) -> list[list[tuple[str, str]]]:
    sentences = path.read_text(encoding="utf-8").strip().split("\n\n")
    lines = [[line.split("\t") for line in s.split("\n") if line[:1].isdigit()] for s in sentences]
    return [[(row[1], row[4]) for row in rows if row[0].isdigit()] for rows in lines]


TORCH = """
import types
class cuda:
    device_count = staticmethod(lambda: 0)
    amp = types.SimpleNamespace(common=types.SimpleNamespace(amp_definitely_not_available=lambda: True))
backends = types.SimpleNamespace(mps=types.SimpleNamespace(is_built=lambda: False))
__version__ = "2.0.0"
"""
SCRIPT = """
import sys
from importlib.util import find_spec
from gec_fair.english.spacy_import import import_spacy
import_spacy()
import thinc.compat, thinc.shims.pytorch, thinc.util
assert "torch" not in sys.modules and not thinc.util.has_torch
assert find_spec("torch") and "torch" not in sys.modules
import torch
assert thinc.util.has_torch and thinc.compat.has_torch and thinc.shims.pytorch.torch is torch
import_spacy()
"""


def test_spacy_comes_without_torch_and_thinc_gets_it_from_whoever_imports_it_later(tmp_path):
    (tmp_path / "torch" / "utils").mkdir(parents=True)
    (tmp_path / "torch" / "__init__.py").write_text(TORCH)
    for name in ("__init__.py", "dlpack.py"):
        (tmp_path / "torch" / "utils" / name).write_text("")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("text", "words", "why"),
    [
        ("a 👩🏽‍⚕️ waved", ["a", "👩🏽‍⚕️", "waved"], "joined, and with a colour of skin"),
        ("home👨‍👩‍👧‍👦.", ["home", "👨‍👩‍👧‍👦", "."], "a family between a word and a sign"),
        ("🇩🇪🇫🇷!", ["🇩🇪", "🇫🇷", "!"], "two flags"),
        ("🏴󠁧󠁢󠁳󠁣󠁴󠁿 ,", ["🏴󠁧󠁢󠁳󠁣󠁴󠁿", ","], "the flag of a region"),
        ("press 1️⃣ or #️⃣", ["press", "1️⃣", "or", "#️⃣"], "keycaps"),
        ("❤️‍🔥😀😀", ["❤️‍🔥", "😀", "😀"], "a joined emoji before two simple ones"),
    ],
    ids=lambda value: value if isinstance(value, str) and " " in value and value.isascii() else None,
)
def test_an_emoji_is_one_token(text, words, why):
    assert pipeline.tokenize(pipeline.load_shared(), text) == words


def test_vectors_of_another_pipeline_are_not_read(nlp):
    doc = spacy.blank("en").make_doc("She saw her friend .")
    doc.tensor = np.zeros((len(doc), pipeline.WIDTH), dtype=np.float32)
    assert not pipeline.has_our_vectors(doc)
    assert pipeline.likelihood(doc[1], "VBD") is None
    [ours] = pipeline.tag(nlp, [["She", "saw", "her", "friend", "."]])
    assert pipeline.has_our_vectors(ours)
    assert pipeline.likelihood(ours[1], "VBD") > 0.9
