"""Prediction: words in, words out; what is not to be changed is not."""

from __future__ import annotations

import shutil

import pytest
import torch

from gec_fair.gec.bart.checkpoint import Corrector, load
from gec_fair.gec.bart.options import Decoding, InputOptions
from gec_fair.gec.bart.predict import Predictor
from gec_fair.gec.bart.system import Bart
from tests.gec.gector.tiny import pairs


@pytest.fixture(scope="module")
def predictor(corrector):
    return Predictor(corrector, device="cpu")


@pytest.fixture(scope="module")
def toy():
    sources, targets = zip(*pairs(60, seed=9), strict=True)
    return list(sources), list(targets)


def test_what_was_learned_is_corrected_and_words_are_those_of_the_source(predictor, toy):
    sources, targets = toy
    found = predictor.correct(sources, Decoding())
    assert sum(a == b for a, b in zip(found.texts, targets, strict=True)) >= 57
    assert sum(a != b for a, b in zip(sources, targets, strict=True)) > 20
    assert (found.too_long, found.unanswered) == (0, 0)


def test_answers_do_not_depend_on_the_batch(predictor, corrector, toy):
    sources, _ = toy
    odd = [*sources[:20], "sing " * 9 + "people", "x"]
    one_by_one = Predictor(corrector, device="cpu", tokens=1)
    assert one_by_one.correct(odd, Decoding()).texts == predictor.correct(odd, Decoding()).texts


def test_each_distinct_text_is_written_once_longest_first(predictor, monkeypatch):
    asked, told = [], []
    write = predictor._write
    monkeypatch.setattr(predictor, "_write", lambda rows, decoding: asked.append(rows) or write(rows, decoding))
    texts = ["he goes home .", "we walk to the well-known park .", "he goes home ."]
    predictor.correct(texts, Decoding(), progress=lambda n, of: told.append((n, of)))
    ((first, second),) = asked
    assert len(first) > len(second)
    assert told == [(2, 2)]


PASSED = ["", "   ", "he  goes home .", " they sing every day . ", "she\u00a0goes home ."]


@pytest.mark.parametrize("text", PASSED, ids=["empty", "blank", "two spaces", "spaces around", "a hard space"])
def test_what_is_not_changed_comes_back_byte_for_byte(predictor, text, monkeypatch):
    copy = [predictor.corrector.text(predictor.corrector.pieces(["he goes home."])[0])]
    monkeypatch.setattr(predictor, "_write", lambda rows, _: [predictor.corrector.text(row) for row in rows])
    assert copy == ["he goes home."]  # sub-words spell what they were cut from
    assert predictor.correct([text], Decoding()).texts == [text]


def test_long_texts_pass_through_and_are_counted(corrector):
    short = Corrector(corrector.model, corrector.tokenizer, InputOptions(max_source=10))
    long = "he go to the well-known park every day ."
    found = Predictor(short, device="cpu").correct(["he go home .", long, long], Decoding())
    assert (found.texts, found.too_long) == (["he goes home .", long, long], 2)


def test_a_text_for_which_nothing_is_written_stays_and_is_counted(predictor, monkeypatch):
    monkeypatch.setattr(predictor, "_write", lambda rows, _: ["" for _ in rows])
    found = predictor.correct(["he go home .", ""], Decoding())
    assert (found.texts, found.unanswered) == (["he go home .", ""], 1)


@pytest.mark.parametrize("bos", [False, True], ids=["without <s>", "with <s>"])
def test_greedy_search_is_the_straight_loop_in_both_conventions(imported, bos):
    model, most = imported[0].model, 9
    corrector = Corrector(model, imported[0].tokenizer, InputOptions(text="tokenised", bos=bos, max_target=most))
    frame = corrector.frame
    source = frame.around([4, 32, 7, 29, 16])
    assert (source[0] == 0) is bos
    read = [2, *([0] if bos else [])]
    first = len(read)
    while len(read) <= most and (len(read) == first or read[-1] != 2):
        with torch.no_grad():
            logits = model(input_ids=torch.tensor([source]), decoder_input_ids=torch.tensor([read])).logits[0, -1]
        logits[[1, imported[0].tokenizer.mask_token_id]] = -torch.inf
        if len(read) == first:
            logits[2] = -torch.inf  # one sub-word is written at least
        read.append(2 if len(read) == most else int(logits.argmax()))
    seen = []
    predictor = Predictor(corrector, device="cpu")
    generate = model.generate
    model.generate = lambda **named: seen.append(generate(**named)) or seen[-1]
    try:
        predictor._write([source], Decoding(beam=1))
    finally:
        del model.generate
    assert seen[0][0].tolist() == read


def test_a_plain_bart_is_not_held_back_by_its_own_generation_settings(models, tmp_path):
    from transformers import GenerationConfig

    shutil.copytree(models / "bart", tmp_path / "bart")
    GenerationConfig(no_repeat_ngram_size=3, min_length=20).save_pretrained(tmp_path / "bart")
    found = load(str(tmp_path / "bart")).model.generation_config
    assert not found.no_repeat_ngram_size
    assert not found.min_length
    assert (found.num_beams, found.forced_bos_token_id, found.max_new_tokens) == (2, 0, 85)


def test_it_is_a_system_with_a_version_of_its_weights_and_conventions(trained, models):
    system = Bart(str(trained.directory))
    assert system(["he go home .", "", "they sing every day ."]) == ["he goes home .", "", "they sing every day ."]
    assert system.version == Bart(str(trained.directory)).version
    assert system.version != Bart(str(models / "bart")).version
    plain = load(str(models / "bart"))
    other = Corrector(plain.model, plain.tokenizer, InputOptions(bos=False))
    assert plain.digest() != other.digest()


def test_a_model_that_is_saved_and_read_again_is_the_same(corrector, tmp_path):
    corrector.save(tmp_path / "again")
    assert load(str(tmp_path / "again")).digest() == corrector.digest()
    assert "`<s> X </s>`" in (tmp_path / "again" / "README.md").read_text()
