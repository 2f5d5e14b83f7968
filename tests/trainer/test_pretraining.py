"""Pretraining: vocabulary, packed text, hidden words, and an encoder that a GECToR can be built on."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoModelForMaskedLM

from gec_fair.errors import InputError, ResumeError, UsageError
from gec_fair.gec.gector import checkpoint
from gec_fair.lmbias.scoring.load import load
from gec_fair.lmbias.scoring.masked import Cloze
from gec_fair.models import architectures as shapes
from gec_fair.trainer.loop import share_of_rate
from gec_fair.trainer.options import EncoderOptions, PretrainOptions, TrainingOptions
from gec_fair.trainer.pretraining import encoder
from gec_fair.trainer.pretraining.masked import IGNORED, HybridBatches, MaskedBatches, MaskedTrainer, begin_words, spans
from gec_fair.trainer.pretraining.packed import Packed, pack, split
from gec_fair.trainer.sampler import Order
from gec_fair.trainer.vocabulary import learn
from tests.cli.invoke import run
from tests.gec.gector import tiny
from tests.trainer.killing import killed_after

TEXT = [target for _, target in tiny.pairs(400)]


@pytest.fixture(scope="module")
def tokenizer():
    return learn(TEXT, 400)


@pytest.fixture(scope="module")
def options(tmp_path_factory):
    path = tmp_path_factory.mktemp("text") / "text.txt"
    path.write_text("\n\n".join(text.capitalize() for text in TEXT))
    return PretrainOptions(
        texts=(str(path),),
        vocabulary=400,
        block=16,
        validation=0.1,
        encoder=EncoderOptions(hidden=32, layers=2, heads=2, intermediate=48),
        training=TrainingOptions(
            steps=30, batch=8, learning_rate=3e-3, eval_every=15, save_every=5, device="cpu", precision="fp32"
        ),
    )


@pytest.fixture(scope="module")
def finished(options, tmp_path_factory):
    return encoder.pretrain(options, tmp_path_factory.mktemp("finished"))


def test_a_vocabulary_has_robertas_rows_and_takes_words_with_their_space(tokenizer):
    assert tokenizer.convert_tokens_to_ids(["<s>", "<pad>", "</s>", "<unk>"]) == [0, 1, 2, 3]
    assert tokenizer.mask_token_id == len(tokenizer) - 1
    ids = tokenizer("she writes", add_special_tokens=False)["input_ids"]
    assert tokenizer.convert_ids_to_tokens(ids) == ["Ġshe", "Ġwrites"]
    assert tokenizer.decode(tokenizer("☃ naïve", add_special_tokens=False)["input_ids"]).strip() == "☃ naïve"
    assert learn(TEXT, 400).get_vocab() == tokenizer.get_vocab()


def test_a_vocabulary_of_raw_text_is_read_as_robertas_is():
    raw = learn(TEXT, 400, raw=True)
    spaced = raw("she writes she <mask>.")
    assert raw.decode(spaced["input_ids"]) == "<s>she writes she<mask>.</s>"  # no space is added
    assert raw("she", "writes")["input_ids"] == [
        0,
        *raw("she")["input_ids"][1:-1],
        2,
        2,
        *raw("writes")["input_ids"][1:],
    ]
    ids = np.arange(10, 24)
    visible, labels = MaskedBatches(raw, 0.5, 0, unit="pieces").block(ids, 0)
    assert (visible[0], visible[-1], labels[0], labels[-1]) == (0, 2, IGNORED, IGNORED)  # a border is never guessed
    assert (len(visible), set(labels[1:-1]) <= {IGNORED, *ids.tolist()}) == (16, True)


def test_packed_text_is_the_text_with_borders(tokenizer, tmp_path):
    path = pack(["she writes", "", "people sing"], tokenizer, tmp_path / "x.arrow")
    assert tokenizer.decode(Packed(path).between(0, len(Packed(path)))) == " she writes</s> people sing"


def test_blocks_are_split_once_and_for_all(tokenizer, tmp_path):
    path = pack(TEXT, tokenizer, tmp_path / "x.arrow")
    train, held = split(path, 16, 0.1, 0)
    assert not set(train.part) & set(held.part)
    assert len(held) == round(0.1 * (len(train) + len(held)))
    assert held.part.tolist() == split(path, 16, 0.1, 0)[1].part.tolist() != split(path, 16, 0.1, 1)[1].part.tolist()
    with pytest.raises(InputError, match="too few to train on"):
        split(path, 100_000, 0.1, 0)


def test_whole_words_are_hidden_in_the_published_shares(tokenizer):
    text = tokenizer(" ".join(TEXT), add_special_tokens=False)["input_ids"]
    ids = torch.tensor(text[: len(text) // 16 * 16]).view(-1, 16)
    batches = MaskedBatches(tokenizer, 0.15, 0, unit="words")
    batch = batches([{"input_ids": row, "draw": number} for number, row in enumerate(ids)])
    hidden = batch["labels"] != IGNORED
    assert torch.equal(batch["labels"][hidden], ids[hidden])
    assert 0.12 < hidden.float().mean() < 0.18
    masked = batch["input_ids"][hidden] == tokenizer.mask_token_id
    assert 0.72 < masked.float().mean() < 0.88
    assert torch.equal(batch["input_ids"][~hidden], ids[~hidden])
    word = torch.from_numpy(batches.begins[ids].cumsum(1))
    for row in range(len(ids)):
        for number in word[row].unique():
            assert hidden[row, word[row] == number].unique().numel() == 1  # a word is hidden whole or not at all


MARKS = [
    (["<s>", "Ġthe", "re", "Ġ", "##"], [1, 3], "byte-level: Ġ begins a word"),
    (["<s>", "▁the", "re", "▁"], [1, 3], "SentencePiece: ▁ does"),
    (["[CLS]", "the", "##re", "##s", "Ġ"], [0, 1, 4], "WordPiece: ## continues one, whatever letters there are"),
]


@pytest.mark.parametrize(("pieces", "begin", "why"), MARKS, ids=[row[2] for row in MARKS])
def test_where_words_begin_is_read_from_the_vocabularys_marks(pieces, begin, why):
    assert np.flatnonzero(begin_words(pieces)).tolist() == begin


def test_a_vocabulary_without_marks_is_hidden_by_pieces():
    with pytest.raises(InputError, match="does not say where words begin; set unit: pieces"):
        begin_words(["<s>", "the", "re"])


def test_what_is_hidden_of_a_block_is_a_function_of_seed_and_draw(tokenizer):
    ids = np.arange(5, 105)
    blocks = {
        (seed, draw): MaskedBatches(tokenizer, 0.15, seed, unit="pieces").block(ids, draw)[0].tolist()
        for seed in (0, 1)
        for draw in (7, 107)
    }
    assert len({tuple(text) for text in blocks.values()}) == 4
    assert MaskedBatches(tokenizer, 0.15, 1, unit="pieces").block(ids, 7)[0].tolist() == blocks[1, 7]


def test_the_loss_at_hidden_places_is_the_models_own_loss(tokenizer, options, tmp_path):
    from transformers import ModernBertForMaskedLM

    torch.manual_seed(0)
    model = ModernBertForMaskedLM(shapes.configuration(options.encoder, tokenizer))
    trainer = MaskedTrainer(model=model, args=encoder.loop.arguments(TrainingOptions(steps=1), tmp_path, 0))
    ids = torch.randint(5, 300, (4, 12))
    labels = torch.where(torch.rand(4, 12) < 0.3, ids, IGNORED)
    model.eval()
    with torch.inference_mode():
        ours = trainer.compute_loss(model, {"input_ids": ids, "labels": labels})
        theirs = model(input_ids=ids, labels=labels).loss
        assert float(ours) == pytest.approx(float(theirs), abs=1e-5)
        assert model(input_ids=ids).logits.shape == (4, 12, len(tokenizer))  # nothing is left behind in the model


def test_an_encoder_is_learned_and_a_gector_can_be_built_on_it(options, finished):
    assert finished.steps == 30
    assert finished.result["loss"] < np.log(400)
    labels = checkpoint.Labels(("$KEEP", "$DELETE"))
    tagger = checkpoint.new(
        str(finished.directory), labels, checkpoint.InputOptions(), checkpoint.verb_forms(), dropout=None
    )
    assert tagger.pieces.sentence(["she", "writes"])[0][0] == len(tagger.pieces.tokenizer) - 1  # $START
    assert encoder.pretrain(options, finished.directory.parent) == finished


def test_the_same_texts_and_seed_give_the_same_encoder(options, finished, tmp_path):
    again = encoder.pretrain(options, tmp_path)
    weights = [(done.directory / "model.safetensors").read_bytes() for done in (finished, again)]
    assert weights[0] == weights[1]
    with pytest.raises(ResumeError, match="seed"):
        encoder.pretrain(replace(options, seed=1), finished.directory.parent)


@pytest.mark.slow
@pytest.mark.parametrize("step", [4, 13, 29], ids=["before a checkpoint", "between two", "at the last update"])
def test_a_killed_pretraining_ends_as_one_that_was_not(options, tmp_path, step):
    options = replace(options, encoder=replace(options.encoder, dropout=0.1))
    reference = encoder.pretrain(options, tmp_path / "whole")
    with killed_after(step):
        encoder.pretrain(options, tmp_path / "killed")
    again = encoder.pretrain(options, tmp_path / "killed")
    assert again.result == reference.result
    weights = [(run.directory / "model.safetensors").read_bytes() for run in (again, reference)]
    assert weights[0] == weights[1]
    logs = [[json.loads(line) for line in (run.directory.parent / "log.jsonl").open()] for run in (again, reference)]
    assert [line.get("eval_loss") for line in logs[0]] == [line.get("eval_loss") for line in logs[1]]


def test_parts_of_an_update_are_averaged(options, tmp_path):
    shapes = {"whole": (8, 1), "parts": (2, 4)}
    first = {}
    for name, (batch, accumulation) in shapes.items():
        training = replace(options.training, steps=1, batch=batch, accumulation=accumulation, log_every=1)
        encoder.pretrain(replace(options, training=training), tmp_path / name)
        first[name] = json.loads((tmp_path / name / "log.jsonl").open().readline())
    # nearly: a part is the mean over its own hidden places, and parts have more or fewer of them
    for key in ("loss", "grad_norm"):
        assert first["parts"][key] == pytest.approx(first["whole"][key], rel=0.1)


def test_the_command_reads_yaml_and_names_missing_texts(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_text("texts: [absent.txt]\ntraining: {steps: 1}\n")
    done = run("pretrain", "mlm", path, "-o", tmp_path / "out")
    assert done.code == 2
    assert "absent.txt: no such file" in done.stderr


@given(items=st.integers(1, 40), total=st.integers(1, 200), seed=st.integers(0, 5), batch=st.integers(1, 7))
def test_every_pass_over_the_data_takes_each_item_once(items, total, seed, batch):
    lengths = np.arange(items) % 5
    for order in (Order(items, total, seed), Order(items, total, seed, batch=batch, lengths=lengths)):
        numbers = list(order)
        assert len(numbers) == len(order) == total
        for first in range(0, total - items + 1, items):
            assert sorted(numbers[first : first + items]) == list(range(items))
        assert numbers == list(order)


def test_batches_hold_items_of_like_length_in_every_pass():
    items, passes = 6400 + 17, 3  # no number of whole batches
    lengths = np.random.default_rng(0).integers(1, 60, items)
    numbers = np.array(list(Order(items, passes * items, 0, batch=32, lengths=lengths)))
    spread = np.array([np.ptp(lengths[numbers[at : at + 32]]) for at in range(0, len(numbers) - 31, 32)])
    for number in range(passes):
        assert np.median(spread[200 * number + 1 : 200 * number + 199]) < 3
    assert (spread > 20).sum() <= passes  # the batches in which two passes meet
    assert list(Order(items, items, 1, batch=32, lengths=lengths)) != numbers[:items].tolist()


def test_a_numbered_order_says_which_pass_it_is():
    numbers = list(Order(5, 12, 0, numbered=True))
    assert [number // 5 for number in numbers] == [0] * 5 + [1] * 5 + [2] * 2
    assert [number % 5 for number in numbers] == list(Order(5, 12, 0))


RATES = [
    ("constant", 0, 0.0),
    ("constant", 5, 0.5),
    ("constant", 10, 1.0),
    ("constant", 99, 1.0),
    ("linear", 10, 1.0),
    ("linear", 55, 0.5),
    ("linear", 100, 0.0),
    ("cosine", 55, 0.5),
    ("cosine", 10, 1.0),
]


@pytest.mark.parametrize(("schedule", "step", "share"), RATES)
def test_schedules(schedule, step, share):
    options = TrainingOptions(steps=100, warmup=10, schedule=schedule)
    assert share_of_rate(options, step, 100) == pytest.approx(share)


def test_robertas_architecture_is_trained_and_judged_at_every_look(options, tmp_path):
    shape = replace(options.encoder, architecture="roberta", positions=16)
    calls = []

    def judge(model, tokenizer):
        assert model.config.model_type == "roberta"
        model.eval()
        calls.append(len(tokenizer))
        return {"figures": {"n": len(calls)}}

    done = encoder.pretrain(replace(options, encoder=shape), tmp_path / "out", judge=judge)
    lines = [json.loads(line) for line in (tmp_path / "out/judged.jsonl").read_text().splitlines()]
    assert lines == [{"step": 15, "figures": {"n": 1}}, {"step": 30, "figures": {"n": 2}}]
    assert json.loads((done.directory / "config.json").read_text())["max_position_embeddings"] == 18
    assert done.losses[-1] < done.losses[0]


def test_sinusoids_turn_by_the_same_angle_wherever_a_word_stands():
    rows = torch.nn.Embedding(40, 8)
    shapes.begin_as_sinusoids(rows, 0.1)
    table = rows.weight.detach().double()
    assert table[0].tolist() == pytest.approx([0, 0.1] * 4)
    angles = [3 / 10_000 ** (pair / 4) for pair in range(4)]
    assert table[3].tolist() == pytest.approx([0.1 * wave(angle) for angle in angles for wave in (math.sin, math.cos)])
    alike = table @ table.T
    assert torch.allclose(alike[:-5, 5:].diagonal(), alike[0, 5].expand(35), atol=1e-6)
    assert rows.weight.requires_grad


def test_sinusoids_are_what_position_rows_begin_as(options, tmp_path):
    rows = {}
    for height in (0.0, 0.1):
        shape = replace(options.encoder, architecture="roberta", positions=16, sinusoids=height)
        still = replace(options.training, steps=1, eval_every=0, learning_rate=0.0)
        trained = encoder.pretrain(replace(options, encoder=shape, training=still), tmp_path / str(height))
        model = AutoModelForMaskedLM.from_pretrained(trained.directory)
        rows[height] = model.base_model.embeddings.position_embeddings.weight
    assert rows[0.1].norm(dim=1).tolist() == pytest.approx([0.1 * 16**0.5] * 18, abs=1e-5)  # 16 pairs, sin² + cos² = 1
    assert not torch.equal(rows[0.0], rows[0.1])
    with pytest.raises(UsageError, match="no position rows"):
        replace(options.encoder, sinusoids=0.1)


@pytest.mark.slow
def test_what_was_judged_after_the_last_checkpoint_is_judged_anew(options, tmp_path):
    def judge(model, tokenizer):
        return {"figures": {}}

    with killed_after(17):
        encoder.pretrain(options, tmp_path / "out", judge=judge)
    encoder.pretrain(options, tmp_path / "out", judge=judge)
    steps = [json.loads(line)["step"] for line in (tmp_path / "out/judged.jsonl").read_text().splitlines()]
    assert steps == [15, 30]


def test_spans_are_hidden_in_the_published_shares_and_each_in_one_way():
    free = np.ones(128, dtype=bool)
    free[[0, 64, 127]] = False
    drawn = [spans(free, 0.15, np.random.default_rng(seed)) for seed in range(2000)]
    hidden = np.array([treatments >= 0 for treatments in drawn])
    assert not hidden[:, ~free].any()
    assert 0.15 < hidden[:, free].mean() < 0.17  # the last span of a block reaches its end
    masked, random, unchanged = ((np.array(drawn) == treatment).sum() / hidden.sum() for treatment in (0, 1, 2))
    assert (round(masked, 1), round(random, 1), round(unchanged, 1)) == (0.8, 0.1, 0.1)
    long = np.ones(2048, dtype=bool)
    assert 0.14 < np.mean([spans(long, 0.15, np.random.default_rng(seed)) >= 0 for seed in range(50)]) < 0.16
    edge, middle = hidden[:, 1:4].mean(), hidden[:, 30:60].mean()
    assert edge == pytest.approx(middle, rel=0.15)  # spans begin before the block, too
    runs = [len(run) for row in hidden for run in "".join("x" if one else " " for one in row).split()]
    assert 2.5 < np.mean(runs) < 4  # geometric: 3, less what modulo and edges take, more where spans meet


def test_a_span_is_shown_as_its_lot_says(tokenizer):
    ids = np.arange(5, 105)
    batches = MaskedBatches(tokenizer, 0.3, 0, unit="spans")
    for draw in range(20):
        visible, labels = batches.block(ids, draw)
        hidden = labels != IGNORED
        assert np.array_equal(labels[hidden], ids[hidden])
        assert np.array_equal(visible[~hidden], ids[~hidden])
        assert not batches.special[visible[hidden & (visible != batches.mask)]].any()
    assert not spans(np.zeros(8, dtype=bool), 0.15, np.random.default_rng(0)).max() > -1  # nothing but borders


def test_the_hybrid_objective_scores_each_place_one_before_it(tokenizer):
    masked = MaskedBatches(tokenizer, 0.15, 0, unit="pieces")
    rows = [{"input_ids": torch.arange(5, 25), "draw": draw} for draw in range(40)]
    batch = HybridBatches(masked, 0.25)(rows)
    causal = ~batch["attention_mask"].all(dim=(1, 2))
    assert 4 <= causal.sum() <= 16
    ids = torch.arange(5, 25)
    for row, is_causal in enumerate(causal):
        guessed = batch["labels"][row, :-1] != IGNORED
        assert torch.equal(batch["labels"][row, :-1][guessed], ids[1:][guessed])
        assert batch["labels"][row, -1] == IGNORED
        if is_causal:  # reads to the left alone, guesses everything
            assert torch.equal(batch["attention_mask"][row], torch.ones(20, 20, dtype=torch.bool).tril())
            assert torch.equal(batch["input_ids"][row], ids)
            assert guessed.all()
    weights = batch["weights"]
    assert weights.sum() == pytest.approx(1)
    assert weights[causal].sum() == pytest.approx(float(causal.float().mean()))
    assert not weights[batch["labels"] == IGNORED].any()


@pytest.fixture(scope="module")
def ltg(options):
    return replace(options, words="raw", encoder=replace(options.encoder, architecture="ltg-bert", positions=32))


@pytest.fixture(scope="module")
def first(ltg, tmp_path_factory):
    return encoder.pretrain(ltg, tmp_path_factory.mktemp("first"))


def test_ltg_bert_is_trained_on_spans_and_kept_early(ltg, tmp_path):
    done = encoder.pretrain(replace(ltg, unit="spans", keep_at=(0, 2), keep_every=20), tmp_path / "out")
    assert done.losses[-1] < done.losses[0]
    steps = sorted((tmp_path / "out/steps").iterdir(), key=lambda path: int(path.name))
    assert [path.name for path in steps] == ["0", "2", "20"]
    models = [load(str(path)) for path in steps]
    assert len({model.digest() for model in models}) == 3


@pytest.mark.slow
def test_what_is_kept_early_is_the_same_in_a_run_that_was_killed(ltg, tmp_path):
    early = replace(ltg, unit="spans", keep_at=(0, 2), keep_every=20)
    encoder.pretrain(early, tmp_path / "whole")
    with killed_after(22):
        encoder.pretrain(early, tmp_path / "killed")
    encoder.pretrain(early, tmp_path / "killed")
    for name in ("0", "2", "20"):
        weights = [(tmp_path / run / "steps" / name / "model.safetensors").read_bytes() for run in ("whole", "killed")]
        assert weights[0] == weights[1]


def test_a_hybrid_model_is_scored_one_place_before(ltg, tmp_path):
    brief = replace(ltg.training, steps=2, eval_every=0)
    done = encoder.pretrain(replace(ltg, causal=0.25, training=brief), tmp_path / "out")
    model = load(str(done.directory))
    assert model.ahead == 1
    ids = tuple(model.tokenizer(TEXT[0])["input_ids"])
    hidden = (*ids[:3], model.mask, *ids[4:])
    with torch.inference_mode():
        scores = model.model(torch.tensor([hidden])).logits[0, 2].double().log_softmax(-1)
    assert model.log_probs([Cloze(hidden, 3, ids[3])])[0] == pytest.approx(float(scores[ids[3]]), abs=1e-5)
    with pytest.raises(InputError, match="guesses the next place; set causal"):
        encoder.pretrain(replace(ltg, start=str(done.directory)), tmp_path / "on")
    with pytest.raises(UsageError, match="causal is for ltg-bert"):
        replace(ltg, causal=0.1, encoder=EncoderOptions())


def test_a_model_is_gone_on_from_with_its_vocabulary_and_other_dropout(ltg, first, tmp_path):
    on = replace(ltg, start=str(first.directory), dropout=0.2, attention_dropout=0.15)
    more = encoder.pretrain(on, tmp_path / "more")
    config = json.loads((more.directory / "config.json").read_text())
    assert (config["hidden_dropout_prob"], config["attention_probs_dropout_prob"]) == (0.2, 0.15)
    assert more.losses[-1] < first.losses[0]
    still = replace(on, training=replace(on.training, steps=2, learning_rate=0.0))
    same = encoder.pretrain(still, tmp_path / "still")
    before, after = (load(str(run.directory)).model.state_dict() for run in (first, same))
    assert all(torch.equal(before[name], after[name]) for name in before)
    with pytest.raises(InputError, match="reads 32 sub-words at most"):
        encoder.pretrain(replace(on, block=40), tmp_path / "long")
    with pytest.raises(UsageError, match="dropout is for a model that is gone on from"):
        replace(ltg, dropout=0.1)


@pytest.mark.slow(3)
def test_an_encoder_without_a_head_gets_one(options, tmp_path, capsys):
    start = str(tiny.encoder(tmp_path / "encoder"))
    options = replace(options, start=start, training=replace(options.training, steps=1))
    done = encoder.pretrain(options, tmp_path / "run")
    assert f"note: {start} has no head for masked words; it gets a new one" in capsys.readouterr().err
    assert load(str(done.directory)).kind == "masked"


def test_models_that_are_compared_have_one_vocabulary(ltg, first, tmp_path):
    second_text = tmp_path / "other.txt"
    second_text.write_text("Something else is said here.\n" * 200)
    done = encoder.pretrain(
        replace(ltg, texts=(str(second_text),), tokenizer=str(first.directory)), tmp_path / "second"
    )
    assert load(str(done.directory)).tokenizer.get_vocab() == load(str(first.directory)).tokenizer.get_vocab()
    with pytest.raises(ResumeError, match="tokenizer"):
        encoder.pretrain(replace(ltg, texts=(str(second_text),), tokenizer=str(done.directory)), tmp_path / "second")


def test_word_pieces_take_digits_apart_and_lose_nothing():
    tokenizer = learn(TEXT, 400, raw=True, kind="wordpiece")
    text = "she writes 1984 letters, naïve ☃."
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    assert tokenizer.decode(ids) == text
    assert tokenizer.convert_ids_to_tokens(tokenizer("1984", add_special_tokens=False)["input_ids"]) == list("1984")
    assert learn(TEXT, 400, raw=True, kind="wordpiece").get_vocab() == tokenizer.get_vocab()


def test_a_packed_file_is_read_across_its_parts(tokenizer, tmp_path, monkeypatch):
    reference = Packed(pack(TEXT, tokenizer, tmp_path / "whole.arrow"))
    monkeypatch.setattr("gec_fair.trainer.pretraining.packed._PART", 7)
    parts = Packed(pack(TEXT, tokenizer, tmp_path / "parts.arrow"))
    assert len(parts) == len(reference) > 100
    for first, last in ((0, 3), (5, 9), (6, 30), (0, len(reference))):
        assert np.array_equal(parts.between(first, last), reference.between(first, last))
