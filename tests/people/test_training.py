"""The reader of people while it is trained: windows, labels, losses, and the file that training writes."""

from __future__ import annotations

import sys
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

pytest.importorskip("torch")
sys.path.append(str(Path(__file__).parents[2] / "training/people"))  # last: others have a module "train" too
import documents
import model
import pronouns
import torch
import train_around
import train_reader
import windows
from ask_teacher import NEAREST, Answers, Teacher, corrected, pieces
from documents import NO_ANTECEDENT, NOBODY, SOMEBODY, Document
from torch import nn

from gec_fair.english import pipeline
from gec_fair.english.lexicons.paradigms import Form
from gec_fair.errors import MissingResource
from gec_fair.people import around, features, reader

WORDS = "Ada Lovelace wrote to Mr. Babbage . He liked her notes . Lincoln is a town .".split()
STARTS = [0, 7, 12]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
    from transformers import BertConfig, BertModel

    folder = tmp_path_factory.mktemp("encoder")
    letters = [chr(n) for n in range(ord("a"), ord("z") + 1)]
    signs = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", ".", *letters, *(f"##{letter}" for letter in letters)]
    vocabulary = {sign: n for n, sign in enumerate(signs)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizers.Lowercase(), pre_tokenizers.BertPreTokenizer()
    tokenizer.enable_padding(length=12)  # as sentence encoders have it
    tokenizer.save(str(folder / "tokenizer.json"))
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    torch.manual_seed(1)
    BertModel(BertConfig(vocab_size=len(signs), **sizes)).save_pretrained(folder)
    return folder


def document(**labels):
    return Document("one", "test", WORDS, STARTS, **labels)


def cut(encoder, longest=200, **labels):
    batcher = windows.Batcher(encoder / "tokenizer.json")
    parts = [model.Labelled(document(**labels), one) for one in batcher.windows(WORDS, STARTS, longest)]
    return batcher, parts


@pytest.mark.parametrize(
    ("longest", "expected", "why"),
    [
        (200, [(0, 17)], "all in one"),
        (50, [(0, 12), (12, 17)], "whole sentences"),
        (25, [(0, 5), (5, 12), (12, 17)], "a sentence that is longer is cut"),
    ],
)
def test_windows_are_whole_sentences_where_they_can_be(encoder, longest, expected, why):
    _, parts = cut(encoder, longest)
    assert [(one.window.start, one.window.end) for one in parts] == expected, why


def test_evidence_is_of_the_whole_text():
    rows = windows.evidence("Mr. Babbage left . Babbage was late .".split())
    assert rows[4][6] == 1.0, "elsewhere behind a title"
    assert rows[1][6] == 0.0
    assert [len(row) for row in rows] == [windows.EVIDENCE] * len(rows)


ENTITIES = [
    ("Ada Lovelace left", "B-PER I-PER O", {0: {"first name"}, 1: {"surname"}}, "of two words the first is given"),
    ("Mr. Babbage left", "B-PER I-PER O", {0: {"person"}, 1: SOMEBODY}, "a title is a person, one name may be both"),
    ("In Lincoln we met", "O B-LOC O O", {0: NOBODY, 1: {"place"}}, "outside all entities a capital is nobody"),
    ("Apple Apple", "B-ORG B-ORG", {0: {"group"}, 1: {"group"}}, "two entities side by side"),
]


@pytest.mark.parametrize(("text", "tags", "expected", "why"), ENTITIES, ids=[row[-1] for row in ENTITIES])
def test_entities_say_what_words_may_stand_for(text, tags, expected, why):
    assert documents.kinds_by_entities(text.split(), documents.spans_of(tags.split())) == expected


def test_a_loss_counts_all_labels_that_are_right(encoder):
    """With equal logits the loss of n right labels out of m is log m/n; a link out of the window counts as none."""
    either = frozenset({"first name", "surname"})
    links = {7: frozenset({5}), 0: frozenset({NO_ANTECEDENT})}
    _, parts = cut(encoder, kinds={0: either}, links=links)
    number = len(WORDS)
    outputs = [torch.zeros(1, number, len(values)) for values in (model.KINDS, model.FORMS, model.GENDERS)]
    order = torch.arange(number)
    scores = torch.zeros(1, number, number + 1)
    scores[0, :, :number] = scores[0, :, :number].masked_fill(order[None] >= order[:, None], float("-inf"))
    losses = model.loss_of((*outputs, scores), parts)
    assert losses["kinds"].item() == pytest.approx(np.log(len(model.KINDS) / 2))
    assert losses["links"].item() == pytest.approx((np.log(8) + np.log(1)) / 2), "eight candidates for He, one for Ada"
    assert set(losses) == {"kinds", "links"}


def test_the_file_says_what_the_network_says_for_texts_of_any_length(encoder, tmp_path):
    network = model.Reader(encoder).eval()
    batcher, parts = cut(encoder)
    model.export(network, batcher, parts[0], tmp_path)
    with torch.inference_mode():
        expected = [output.softmax(-1)[0].numpy() for output in network(model.tensors(batcher, parts))]
    teacher = Teacher(tmp_path)
    long, short = teacher.read(WORDS), teacher.read(WORDS[12:])
    for answer, wanted in zip((long.kinds, long.forms, long.genders), expected, strict=False):
        assert np.abs(answer - wanted).max() < 0.02
    assert long.places.shape == (len(WORDS), NEAREST)
    assert (long.places[7][long.likely[7] > 0] < 7).all(), "only words before it"
    assert long.likely[7].sum() + long.nobody[7] <= 1.001
    assert len(short.kinds) == 5


def test_annotation_decides_what_the_teacher_may_answer():
    uniform = np.full((2, len(model.KINDS)), 1 / len(model.KINDS), np.float32)
    thirds, places = np.full((2, 3), 1 / 3, np.float32), np.zeros((2, NEAREST))
    answers = Answers(uniform, thirds, thirds, places, places, np.ones(2))
    labelled = Document("one", "test", ["Ada", "her"], [0], {0: SOMEBODY}, {1: Form.DETERMINER}, {0: "feminine"})
    right = corrected(answers, labelled)
    assert right.kinds[0] == pytest.approx([1 / 3] * 3 + [0] * 4)
    assert right.kinds[1] == pytest.approx(uniform[1]), "a word without a label stays"
    assert right.forms[1].tolist() == [1, 0, 0]
    assert right.genders[0].tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("words", "expected", "why"),
    [
        (["a"] * 100 + ["."] + ["b"] * 100 + ["."], [101, 101], "whole sentences"),
        (["a", "."], [], "too short to say anything"),
        (["a", "b", "."] * 20, [60], "several sentences in one"),
    ],
)
def test_raw_text_is_read_in_whole_sentences(words, expected, why):
    assert [len(piece) for piece in pieces(words)] == expected, why


PIECES = features.Pieces(["[UNK]", "ada", "saw", "##dam", "her", "friend", "came", "."], np.eye(8, dtype=np.float32))


@pytest.mark.parametrize(
    ("word", "expected", "why"),
    [
        ("ADA", [1], "lower case"),
        ("Ádá", [1], "without accents"),
        ("Adadam", [1, 3], "the longest first"),
        ("ada.ada", [1, 7, 1], "a sign parts words"),
        ("xyz", [0], "unknown"),
        ("adax", [0], "unknown in a part"),
    ],
)
def test_a_word_is_cut_into_the_sub_words_of_the_encoder(word, expected, why):
    assert PIECES.cut(word) == expected, why


def test_numpy_reads_what_was_trained(tmp_path):
    """The shipped network answers as the trained one, to half precision; distances count in it, and texts of two
    lengths are trained together."""
    nlp = pipeline.load_shared()
    texts = [["Ada", "saw", "her", "friend", "."], ["Ada", "came", "."]]
    parts = []
    for words in texts:
        [doc] = pipeline.tag(nlp, [words])
        number = len(words)
        answers = [np.ones((number, size)) / size for size in (len(model.KINDS), 3, 3, NEAREST, NEAREST)]
        answers[3] = np.zeros((number, NEAREST), int)
        parts.append(train_reader.Text(words, features.see(doc, PIECES), *answers, np.ones(number)))
    student = train_reader.train(parts, parts, train_reader.Options(epochs=2, width=16, layers=2, attention_heads=2))
    train_reader.save(student.eval(), PIECES, tmp_path / "reader.npz")
    with torch.inference_mode():
        outputs = student(*train_reader.inputs(parts))
    for number, part in enumerate(parts):
        network, pieces = reader.load(tmp_path / "reader.npz")
        assert pieces.names == PIECES.names
        reading = reader.Reading([(0, 0, network(part.seen))])
        size = len(part.words)
        answers = (reading.kinds, reading.forms, reading.genders)
        for answer, output in zip(answers, outputs, strict=False):
            assert answer == pytest.approx(output[number, :size].softmax(-1).numpy(), abs=0.01)
        likely = np.array([row for _, row in reading.links])
        assert likely[:, -1] == pytest.approx(outputs[3][number, :size].softmax(-1)[:, -1].numpy(), abs=0.01)


def test_of_several_readers_training_starts_at_the_mean(tmp_path):
    options = train_reader.Options(epochs=0, width=16, layers=1, attention_heads=2)
    files = [tmp_path / f"{share}.npz" for share in (1, 3)]
    [doc] = pipeline.tag(pipeline.load_shared(), [WORDS[:3]])
    zeros = [np.zeros((3, size)) for size in (len(model.KINDS), 3, 3, NEAREST, NEAREST)]
    text = train_reader.Text(WORDS[:3], features.see(doc, PIECES), *zeros, np.zeros(3))
    for share, file in zip((1.0, 3.0), files, strict=True):
        student = train_reader.Student(options, text.seen.rows.shape[1])
        for weight in student.parameters():
            nn.init.constant_(weight, share)
        train_reader.save(student, PIECES, file)
    student = train_reader.train([text], [text], options, files)
    assert all(bool((weight == 2).all()) for weight in student.parameters())


def test_what_reads_the_words_right_around_is_read_as_it_was_trained(tmp_path):
    """Patterns that decide are learned, and the file has the layers and their table."""
    texts = [("saw her cat .", Form.DETERMINER), ("saw her .", Form.ACCUSATIVE)]
    examples = [pronouns.Example((f"{n}", *text.split()), 2, form, "raw") for n in range(40) for text, form in texts]
    options = train_around.Options(epochs=30, hidden=8, batch=16, dropout=0.0)
    rows, targets, table = train_around.rows_of(pipeline.load(), examples)
    train_around.save(train_around.fit(rows, targets, options), table, tmp_path / "around.npz")
    patterns, layers = around.load(tmp_path / "around.npz")
    assert layers["hidden"].shape == (rows.shape[1], 8)
    assert patterns.codes.tolist() == sorted(patterns.codes.tolist())
    with patch.object(around, "load", lambda: (patterns, layers)):
        docs = pipeline.tag(pipeline.load(), [example.words for example in examples[:2]])
        likely = [around.read(doc, 2) for doc in docs]
    assert [max(one, key=one.__getitem__) for one in likely] == [Form.DETERMINER, Form.ACCUSATIVE]


def test_a_damaged_file_of_weights_says_what_to_do(tmp_path):
    (tmp_path / "around.npz").write_bytes(b"PK")
    with pytest.raises(MissingResource, match=r"around.npz cannot be loaded .*; reinstall gec-fair"):
        around.load(tmp_path / "around.npz")
