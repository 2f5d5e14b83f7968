"""Prediction: words in, words out; what is not to be changed is not."""

from __future__ import annotations

import shutil

import pytest
import torch

from gec_fair.gec.bart.checkpoint import Corrector, load
from gec_fair.gec.bart.options import Decoding, InputOptions
from gec_fair.gec.bart.predict import Predictor
from gec_fair.gec.systems.trained import Bart
from tests.gec.bart import tiny
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
    corrected = predictor.correct(sources, Decoding())
    assert sum(a == b for a, b in zip(corrected.texts, targets, strict=True)) >= 57
    assert sum(a != b for a, b in zip(sources, targets, strict=True)) > 20
    assert (corrected.too_long, corrected.unanswered) == (0, 0)


def test_answers_do_not_depend_on_the_batch(predictor, corrector, toy):
    sources, _ = toy
    odd = [*sources[:20], "sing " * 9 + "people", "x"]
    one_by_one = Predictor(corrector, device="cpu", tokens=1)
    assert one_by_one.correct(odd, Decoding()).texts == predictor.correct(odd, Decoding()).texts


def test_each_distinct_text_is_written_once_longest_first(predictor, monkeypatch):
    batches, reports = [], []
    write = predictor._write
    monkeypatch.setattr(predictor, "_write", lambda rows, decoding: batches.append(rows) or write(rows, decoding))
    texts = ["he goes home .", "we walk to the well-known park .", "he goes home ."]
    predictor.correct(texts, Decoding(), progress=lambda n, total: reports.append((n, total)))
    ((first, second),) = batches
    assert len(first) > len(second)
    assert reports == [(2, 2)]


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
    corrected = Predictor(short, device="cpu").correct(["he go home .", long, long], Decoding())
    assert (corrected.texts, corrected.too_long) == (["he goes home .", long, long], 2)


def test_a_text_for_which_nothing_is_written_stays_and_is_counted(predictor, monkeypatch):
    monkeypatch.setattr(predictor, "_write", lambda rows, _: ["" for _ in rows])
    corrected = predictor.correct(["he go home .", ""], Decoding())
    assert (corrected.texts, corrected.unanswered) == (["he go home .", ""], 1)


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
        read.append(int(next_rows(corrector, source, read, first).argmax()))
    assert generate(corrector, source, Decoding(beam=1)) == read


def next_rows(corrector, source, read, first):
    """Log-probabilities of what is written after `read`, which begins with `first` rows that are given."""
    with torch.no_grad():
        output = corrector.model(input_ids=torch.tensor([source]), decoder_input_ids=torch.tensor([read]))
    chances = output.logits[0, -1].log_softmax(-1)
    chances[[1, corrector.tokenizer.mask_token_id]] = -torch.inf
    if len(read) == first:
        chances[2] = -torch.inf  # one sub-word is written at least
    return chances


def generate(corrector, source, decoding):
    """The rows that the model generates, padding left out."""
    seen, generate = [], corrector.model.generate
    corrector.model.generate = lambda **named: seen.append(generate(**named)) or seen[-1]
    try:
        Predictor(corrector, device="cpu")._write([source], decoding)
    finally:
        del corrector.model.generate
    return [row for row in seen[0][0].tolist() if row != 1]


def search(corrector, source, first, beam, most, penalty):
    """fairseq's beam search in a straight line: of the 2 × beam likeliest ways on, those among the first `beam` that
    end are finished, the best `beam` that do not end go on; it is over when `beam` sentences are finished."""
    open_ways, finished = [(0.0, [2, *first])], []
    while len(finished) < beam and len(open_ways[0][1]) <= most:
        ways = []
        for score, read in open_ways:
            chances = next_rows(corrector, source, read, 1 + len(first))
            ways += [(score + float(chance), [*read, row]) for row, chance in enumerate(chances)]
        ways = sorted(ways, key=lambda way: -way[0])[: 2 * beam]
        ended = [way for way in ways[:beam] if way[1][-1] == 2 or len(way[1]) > most]
        finished += [(score / (len(read) - 1) ** penalty, read) for score, read in ended]
        open_ways = [way for way in ways if way[1][-1] != 2][:beam]
    return max(finished, key=lambda way: way[0])[1]


@pytest.fixture(scope="module", params=[(False, 1.0), (True, 0.5)], ids=["without <s>", "with <s>"])
def loud(request):
    """A BART with random weights that make for close races, and now and then an end."""
    bos, eager_to_end = request.param
    words = tiny.tokenizer()
    model = tiny.model(len(words)).eval()
    with torch.no_grad():
        for weights in model.parameters():
            weights.mul_(10 if weights.ndim > 1 else 1)
        model.model.shared.weight.mul_(0.2)
        model.final_logits_bias[0, 2] = eager_to_end
    return Corrector(model, words, InputOptions(text="tokenised", bos=bos, max_target=9))


@pytest.mark.parametrize("penalty", [1.0, 0.3])
def test_a_beam_of_two_is_the_straight_search_in_both_conventions(loud, penalty):
    decoding, draw = Decoding(beam=2, length_penalty=penalty), torch.Generator().manual_seed(0)
    prefix = [0] if loud.options.bos else []
    answers = []
    for _ in range(12):
        source = loud.frame.around(torch.randint(4, 40, (6,), generator=draw).tolist())
        expected = search(loud, source, prefix, 2, loud.options.max_target, penalty)
        assert generate(loud, source, decoding) == expected
        answers.append((expected, generate(loud, source, Decoding(beam=1))))
    assert sum(beam != greedy for beam, greedy in answers) > 2
    assert sum(beam[-1] == 2 for beam, _ in answers) > 2


def test_a_text_whose_answer_has_no_end_passes_through_and_is_counted(corrector, models):
    """Half a sentence is not a correction: everything after max_target would be deleted."""
    short = Corrector(corrector.model, corrector.tokenizer, InputOptions(max_target=10))
    long = "he go to the well-known park every day ."
    corrected = Predictor(short, device="cpu").correct(["he go home .", long, long, ""], Decoding())
    assert (corrected.texts, corrected.cut_off, corrected.unanswered) == (["he goes home .", long, long, ""], 2, 0)


def test_an_answer_of_exactly_max_target_is_an_answer(corrector):
    (row,) = corrector.pieces(["he goes home."])
    exact = Corrector(corrector.model, corrector.tokenizer, InputOptions(max_target=len(corrector.frame.around(row))))
    corrected = Predictor(exact, device="cpu").correct(["he go home ."], Decoding())
    assert (corrected.texts, corrected.cut_off) == (["he goes home ."], 0)


def test_white_space_stays_where_no_word_changed(predictor):
    corrected = predictor.correct(["he  go   home .  ", " they sings  at school ."], Decoding())
    assert corrected.texts == ["he  goes   home .  ", " they sing  at school ."]


def test_a_plain_bart_is_not_held_back_by_its_own_generation_settings(models, tmp_path):
    from transformers import GenerationConfig

    shutil.copytree(models / "bart", tmp_path / "bart")
    GenerationConfig(no_repeat_ngram_size=3, min_length=20).save_pretrained(tmp_path / "bart")
    generation_config = load(str(tmp_path / "bart")).model.generation_config
    assert not generation_config.no_repeat_ngram_size
    assert not generation_config.min_length
    assert (generation_config.num_beams, generation_config.forced_bos_token_id, generation_config.max_new_tokens) == (
        2,
        0,
        85,
    )


def test_it_is_a_system_with_a_version_of_its_weights_and_conventions(trained, models):
    system = Bart(str(trained.directory))
    assert system(["he go home .", "", "they sing every day ."]) == ["he goes home .", "", "they sing every day ."]
    assert system.version == Bart(str(trained.directory)).version
    assert system.version != Bart(str(models / "bart")).version
    plain = load(str(models / "bart"))
    without_bos = Corrector(plain.model, plain.tokenizer, InputOptions(bos=False))
    assert plain.digest() != without_bos.digest()


def test_a_model_that_is_saved_and_read_again_is_the_same(corrector, tmp_path):
    corrector.save(tmp_path / "again")
    assert load(str(tmp_path / "again")).digest() == corrector.digest()
    assert "`<s> X </s>`" in (tmp_path / "again" / "README.md").read_text()
