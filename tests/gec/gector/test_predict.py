"""Prediction: equal to a slow loop that does one sentence at a time, and what it leaves alone."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import numpy as np
import pytest
import torch

from gec_fair.errors import InputError, MissingResource
from gec_fair.evaluate.scoring.errant import Annotator
from gec_fair.evaluate.scoring.scores import score
from gec_fair.evaluate.scoring.texts import read_reference
from gec_fair.gec.gector import checkpoint
from gec_fair.gec.gector.labels import read_labels
from gec_fair.gec.gector.options import Decoding, InputOptions
from gec_fair.gec.gector.predict import Opinion, Predictor, in_place
from gec_fair.gec.gector.tags import DELETE, KEEP, apply_tags
from gec_fair.gec.gector.tune import load_decoding, save, tune
from gec_fair.gec.gector.verbs import verb_forms
from gec_fair.gec.systems.registry import load
from gec_fair.gec.systems.run import correct
from gec_fair.models.weights import load_encoder_tokenizer
from tests.cli.invoke import run
from tests.gec.gector import tiny


@pytest.fixture(scope="module")
def tagger(models):
    """Random heads, made bold: they edit in every round."""
    return as_sure(models, 40)


def as_sure(models, factor):
    """Random heads, the surer of their tags the higher the factor."""
    torch.manual_seed(3)
    tagger = checkpoint.new(str(models / "encoder"), read_labels(models), InputOptions(), verb_forms(), dropout=0.0)
    with torch.no_grad():
        tagger.model.tags_head.weight *= factor
        tagger.model.detection_head.weight *= 40
    return tagger


@pytest.fixture(scope="module")
def saved_model(tagger, tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    tagger.save(folder)
    return folder


def texts(number: int, seed: int = 0) -> list[tuple[str, ...]]:
    chance = random.Random(seed)
    words = [word for pair in tiny.pairs(50) for word in pair[0].split()]
    return [tuple(chance.choices(words, k=chance.randint(1, 20))) for _ in range(number)]


@torch.inference_mode()
def one_at_a_time(tagger, words, decoding):
    """The original's loop for one text, as docs/how-to/gector.md describes it, without batches or a table of words."""
    if len(words) < decoding.min_words:
        return tuple(words)
    text, seen = tuple(words), {tuple(words)}
    for _ in range(decoding.iterations):
        pieces = [
            tagger.pieces.tokenizer([[w]], is_split_into_words=True, add_special_tokens=False)["input_ids"][0][:5]
            for w in text
        ]
        pieces = [[tagger.pieces.tokenizer.convert_tokens_to_ids("$START")], *pieces]
        starts = np.cumsum([0] + [len(p) for p in pieces[:-1]])
        ids = torch.tensor([[number for p in pieces for number in p]])
        out = tagger.model(ids, torch.ones_like(ids), torch.tensor(starts)[None])
        chances = out.tags[0].softmax(-1).clone()
        chances[:, tagger.labels.number[KEEP]] += decoding.confidence
        chances[:, tagger.labels.number[DELETE]] += decoding.delete_confidence
        if out.detection[0].softmax(-1)[:, 1].max() < decoding.min_error_probability:
            return text
        best, numbers = chances.max(-1)
        tags = [
            tagger.labels.tags[n] if p >= decoding.min_error_probability else KEEP
            for p, n in zip(best.tolist(), numbers.tolist(), strict=True)
        ]
        new = apply_tags(text, tags, tagger.verbs)
        if new == text:
            return text
        text = new
        if text in seen or len(text) < decoding.min_words:
            return text
        seen.add(text)
    return text


SETTINGS = [
    Decoding(confidence=0.0, min_error_probability=0.0),
    Decoding(),
    Decoding(confidence=0.1, min_error_probability=0.6, delete_confidence=0.3),
    Decoding(iterations=1, confidence=0.0, min_error_probability=0.0),
    Decoding(confidence=-0.4, min_error_probability=0.0, iterations=8),
]


@pytest.mark.parametrize("decoding", SETTINGS)
def test_batches_give_what_one_text_at_a_time_gives(tagger, decoding):
    tagger.model.eval()
    sentences = texts(60)
    corrected = Predictor(tagger, device="cpu", pieces=300).correct(sentences, decoding).texts
    assert corrected == [one_at_a_time(tagger, words, decoding) for words in sentences]
    assert any(a != b for a, b in zip(corrected, sentences, strict=True)) or decoding == Decoding()


def test_only_changed_texts_are_read_again_and_equal_texts_once(tagger):
    sentences = texts(40)
    predictor = Predictor(tagger, device="cpu")
    done = predictor.correct(
        [*sentences, *sentences], Decoding(iterations=1, confidence=0.0, min_error_probability=0.0)
    )
    assert done.passes == len({text for text in sentences if len(text) >= 3})
    assert done.texts[: len(sentences)] == done.texts[len(sentences) :]


def test_a_text_over_the_limit_passes_through_and_is_counted_or_its_beginning_is_corrected(tagger):
    long = (*texts(1, 5)[0],) * 30
    bold = Decoding(confidence=0.0, min_error_probability=0.0)
    predictor = Predictor(tagger, device="cpu")
    corrected = predictor.correct([long], bold)
    assert (corrected.texts, corrected.too_long) == ([long], 1)
    part = predictor.correct([long], Decoding(confidence=0.0, min_error_probability=0.0, long="beginning"))
    assert part.texts[0][-1] == long[-1]
    assert part.texts[0] == (*predictor.correct([long[:50]], bold).texts[0], *long[50:])


def test_empty_and_short_texts_are_left_alone(tagger):
    bold = Decoding(confidence=0.0, min_error_probability=0.0)
    sentences = [(), ("he",), ("he", "go")]
    assert Predictor(tagger, device="cpu").correct(sentences, bold).texts == sentences
    assert Predictor(tagger, device="cpu").correct([], bold).texts == []


def narrow(tagger, positions):
    """The same tagger over an encoder of fewer positions."""
    return replace(tagger, pieces=checkpoint.Pieces(tagger.pieces.tokenizer, InputOptions(), positions=positions))


def pieces_of(tagger, words):
    return len(tagger.pieces.sentence(words)[0])


def test_a_text_that_outgrows_the_encoder_keeps_what_it_has_and_stops(tagger):
    growing = Decoding(confidence=-0.4, min_error_probability=0.0, iterations=8)
    text = next(
        text
        for text in texts(60)
        if pieces_of(tagger, one_at_a_time(tagger, text, growing)) > max(len(text), pieces_of(tagger, text)) + 4
    )
    small = narrow(tagger, pieces_of(tagger, text) + 1)
    stages = [text]
    while pieces_of(tagger, stages[-1]) <= small.pieces.positions:
        stages.append(one_at_a_time(tagger, stages[-1], replace(growing, iterations=1)))
    done = Predictor(small, device="cpu").correct([text], growing)
    assert (done.texts, done.too_long) == ([stages[-1]], 0)


def test_a_file_of_texts_at_the_encoders_limit_is_corrected_to_the_end(models, tagger):
    # 128 positions and random heads that append in every round: without a look at the sub-words, an IndexError
    assert tagger.pieces.positions == 128
    tagger.model.eval()
    sentences = [("students",) * 50, ("internationalisation",) * 45, *texts(10)]
    done = Predictor(tagger, device="cpu").correct(sentences, Decoding(confidence=-0.9, min_error_probability=0.0))
    assert len(done.texts) == len(sentences)
    assert done.too_long == sum(pieces_of(tagger, text) > 128 for text in sentences) > 0


def test_of_a_text_with_too_many_sub_words_the_beginning_that_fits_is_corrected(tagger):
    text = next(text for text in texts(60) if len(text) > 15)
    small = narrow(tagger, 12)
    room = small.pieces.room(text)
    assert pieces_of(tagger, text[:room]) <= 12 < pieces_of(tagger, text[: room + 1])
    once = Decoding(confidence=0.0, min_error_probability=0.0, iterations=1)
    corrected = Predictor(small, device="cpu").correct([text], once)
    assert (corrected.texts, corrected.too_long) == ([text], 1)
    part = Predictor(small, device="cpu").correct([text], replace(once, long="beginning"))
    assert part.texts == [(*one_at_a_time(tagger, text[:room], once), *text[room:])]


WHITE = [
    ("  he  go\thome . ", "he goes home .", "  he  goes\thome . ", "a word replaced"),
    ("a\u00a0b  c", "a b c", "a\u00a0b  c", "nothing changed: the text as it was, byte for byte"),
    ("he  go  home", "he go home now", "he  go  home now", "a word at the end"),
    ("he  go  to  home", "he go home", "he  go  home", "a word deleted"),
    ("well -  known  man", "well-known man", "well-known  man", "words joined"),
    ("  ", "", "  ", "white space alone"),
]


@pytest.mark.parametrize(("text", "words", "expected", "why"), WHITE, ids=[row[3] for row in WHITE])
def test_white_space_stays_where_words_do(text, words, expected, why):
    assert in_place(text, tuple(words.split())) == expected


def opinion(rows, wrong=1.0):
    keep, delete, best, tag = zip(*rows, strict=True)
    return Opinion(*(np.array(column, dtype=np.float32) for column in (keep, delete, best)), np.array(tag), wrong)


def test_thresholds_choose_as_the_paper_says(tagger):
    number = tagger.labels.number
    predictor = Predictor(tagger, device="cpu")
    tag = "$TRANSFORM_VERB_VB_VBZ"
    view = opinion(
        [
            (0.9, 0.0, 0.1, number[tag]),  # kept
            (0.2, 0.1, 0.7, number[tag]),  # done
            (0.2, 0.7, 0.1, number[tag]),  # deleted
            (0.4, 0.0, 0.55, number[tag]),  # not enough above $KEEP + 0.2
            (0.1, 0.1, 0.45, number[tag]),  # less likely than the least
            (0.1, 0.1, 0.8, number["@@UNKNOWN@@"]),  # wrong, and no tag for it
        ]
    )
    assert predictor.choose_tags(view, Decoding()) == [KEEP, tag, DELETE, KEEP, KEEP, KEEP]
    assert predictor.choose_tags(opinion([(0.0, 0.0, 1.0, number[tag])], wrong=0.49), Decoding()) == [KEEP]


def test_a_model_survives_saving_and_loading(tagger, saved_model):
    again = checkpoint.load(str(saved_model))
    assert again.digest() == tagger.digest()
    sentences, bold = texts(20, 9), Decoding(confidence=0.0, min_error_probability=0.0)
    assert (
        Predictor(again, device="cpu").correct(sentences, bold).texts
        == Predictor(tagger).correct(sentences, bold).texts
    )


def test_words_are_cut_as_the_whole_sentence_is(tagger):
    text = "she writes , does n't she ? well-known naïve ☃ people"
    ids, starts = checkpoint.Pieces(tagger.pieces.tokenizer, InputOptions(max_pieces=50)).sentence(text.split())
    pieces = tagger.pieces.tokenizer("$START " + text, add_special_tokens=False, split_special_tokens=False)[
        "input_ids"
    ]
    assert ids == pieces
    assert len(starts) == len(text.split()) + 1


def test_a_word_that_is_spelt_like_a_special_row_is_a_word(tagger):
    tokenizer = tagger.pieces.tokenizer
    ids, _ = checkpoint.Pieces(tokenizer, InputOptions(max_pieces=50)).sentence(["x", *tokenizer.all_special_tokens])
    assert not set(ids[1:]) & set(tokenizer.all_special_ids)


def test_words_are_cut_as_the_whole_sentence_is_by_roberta(data):
    tokenizer = load_encoder_tokenizer(str(data / "roberta_bpe/hf"))
    tokenizer.add_tokens(["$START"], special_tokens=True)
    pieces = checkpoint.Pieces(tokenizer, InputOptions(max_pieces=50))
    for line in (data / "bea/bea-dev.first2192.src.txt").read_text(encoding="utf-8").splitlines()[:500]:
        ids, _ = pieces.sentence(line.split())
        assert ids == tokenizer("$START " + line, add_special_tokens=False, split_special_tokens=False)["input_ids"], (
            line
        )


GOLD = """S he go home .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

S they goes in the town .
A 1 2|||R:VERB:SVA|||go|||REQUIRED|||-NONE-|||0

S we sing at school .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

"""


def test_tuning_scores_every_setting_as_a_prediction_of_its_own_with_one_pass_a_text(models, tmp_path):
    (tmp_path / "dev.m2").write_text(GOLD)
    gold = read_reference(tmp_path / "dev.m2")
    requests = []
    tagger = as_sure(models, 5)  # so unsure that thresholds decide
    predictor = Predictor(tagger, device="cpu", remember=True)
    ask = predictor._ask
    predictor._ask = lambda texts: [
        *(requests.append(text) or answer for text, answer in zip(texts, ask(texts), strict=True))
    ]
    tuned = tune(predictor, gold, Decoding(), Annotator(), confidences=(0.0, 0.2), probabilities=(0.0, 0.5))
    grid = [(0.0, 0.0), (0.0, 0.5), (0.2, 0.0), (0.2, 0.5)]
    assert [(s.decoding.confidence, s.decoding.min_error_probability) for s in tuned.settings] == grid
    # each text once, whatever settings come by it
    assert len(requests) == len(set(requests)) == tuned.passes
    alone = [Predictor(tagger, device="cpu").correct(gold.sources, setting.decoding) for setting in tuned.settings]
    assert tuned.naive == sum(done.passes for done in alone) > tuned.passes
    for setting, done in zip(tuned.settings, alone, strict=True):
        hypotheses = list(Annotator()(list(zip(gold.sources, done.texts, strict=True))))
        assert setting.counts == score(hypotheses, gold.annotators).counts, setting
    assert len({setting.counts for setting in tuned.settings}) > 1  # or equal counts would say nothing
    assert tuned.best.counts.f() == max(s.counts.f() for s in tuned.settings)


def test_what_was_tuned_is_kept_beside_the_model(saved_model, tmp_path):
    assert load_decoding(tmp_path) == Decoding()
    save(Decoding(confidence=0.3, min_error_probability=0.7), tmp_path)
    assert load_decoding(tmp_path) == Decoding(confidence=0.3, min_error_probability=0.7)


def test_the_command_corrects_counts_long_texts_and_tunes(saved_model, tmp_path):
    source = tmp_path / "in.txt"
    source.write_text("he go home .\n\n" + " ".join(["go"] * 60) + "\nhe\u2003 go\n")
    done = run("gector", "predict", saved_model, source, "--confidence", 0, "-o", tmp_path / "out.txt")
    assert done.code == 0, done.stderr
    assert (tmp_path / "out.txt").read_text().split("\n")[1:] == ["", " ".join(["go"] * 60), "he\u2003 go", ""]
    assert "note: 1 texts of more than 50 words or 128 sub-words were passed through unchanged" in done.stderr
    (tmp_path / "dev.m2").write_text(GOLD)
    done = run("gector", "predict", saved_model, "--tune", tmp_path / "dev.m2", "--no-cache", "--save", "--json")
    best = json.loads(done.stdout)["best"]
    assert load_decoding(saved_model).confidence == best["confidence"]
    assert run("gector", "predict", saved_model, source, "--tune", tmp_path / "dev.m2").code == 2
    for idle in (("--json",), ("--table", "csv"), ("--workers", "2"), ("--english", "x"), ("--no-cache",)):
        refused = run("gector", "predict", saved_model, source, *idle)
        assert (refused.code, f"{idle[0]} is for --tune; leave it out" in refused.stderr) == (2, True)
    assert "give both" in run("gector", "predict", saved_model, source, "--save").stderr


def test_a_gector_is_one_of_the_systems(saved_model, tmp_path):
    (saved_model / "decoding.yaml").unlink(missing_ok=True)
    system = load(f"gector:{saved_model}")
    lines = [" ".join(words) for words in texts(10, 4)] + ["  spaces   stay  "]
    assert correct(system, lines, cache=tmp_path / "x.sqlite") == system(lines)
    assert system(lines)[-1] == "  spaces   stay  "


def test_other_models_are_told(models, tmp_path):
    with pytest.raises(InputError, match="is a roberta, no GECToR of ours; convert an official checkpoint with"):
        checkpoint.load(str(models / "encoder"))
    with pytest.raises(InputError, match=r"is a folder, but no model can be read from it \(it holds no config\.json\)"):
        checkpoint.load(str(tmp_path))
    with pytest.raises(MissingResource, match="no model folder"):
        checkpoint.load(str(tmp_path / "nowhere"))


def test_weights_that_do_not_fit_are_told(saved_model, tmp_path):
    import shutil

    shutil.copytree(saved_model, tmp_path / "model")
    config = json.loads((tmp_path / "model/config.json").read_text())
    config["tags"].append("$REPLACE_x")
    (tmp_path / "model/config.json").write_text(json.dumps(config))
    with pytest.raises(InputError, match="its weights do not fit its configuration"):
        checkpoint.load(str(tmp_path / "model"))
