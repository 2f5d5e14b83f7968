"""Pairs as numbers: both conventions as fairseq collates them, batches under a budget, limits that are counted."""

from __future__ import annotations

import json
from itertools import chain

import numpy as np
import pytest
import torch

from gec_fair.errors import InputError
from gec_fair.gec.bart import data
from gec_fair.gec.bart.checkpoint import Frame, load
from gec_fair.gec.bart.loss import IGNORED
from gec_fair.gec.bart.options import InputOptions
from gec_fair.models.batching import under_budget
from gec_fair.trainer.arrow_table import is_held_out
from gec_fair.trainer.sampler import Order
from tests.gec.bart.conftest import LEGACY


@pytest.fixture(scope="module")
def plain(models):
    return load(str(models / "bart"), requested=InputOptions(max_source=12, max_target=14))


@pytest.mark.parametrize(("convention", "bos"), [("prepend_bos_false", None), ("prepend_bos_true", 0)])
def test_a_batch_is_what_fairseq_collates_in_both_conventions(convention, bos):
    recorded = json.loads((LEGACY / "fairseq_tiny.json").read_text("utf-8"))[convention]
    inner = [
        {key: [n for n in row if n not in (0, 1, 2)] for key, row in zip(("source", "target"), pair, strict=True)}
        for pair in zip(recorded["src_tokens"], recorded["target"], strict=True)
    ]
    batch = data.collate(inner, frame=Frame(bos, eos=2, padding=1, start=2))
    target = torch.tensor(recorded["target"])
    assert batch["input_ids"].tolist() == recorded["src_tokens"]
    assert batch["attention_mask"].tolist() == (batch["input_ids"] != 1).long().tolist()
    assert batch["decoder_input_ids"].tolist() == recorded["prev_output_tokens"]
    assert torch.equal(batch["labels"], target.masked_fill(target == 1, IGNORED))


LIMITS = [
    ([5, 5, 5, 5], 10, 9, [[0, 1], [2, 3]], "two of five fit in ten"),
    ([5, 6, 1], 10, 9, [[0], [1], [2]], "the dearest counts for all, and a batch with it is full"),
    ([1, 1, 1], 10, 2, [[0, 1], [2]], "at most two"),
    ([20, 1], 10, 9, [[0], [1]], "dearer than the budget: alone"),
    ([], 10, 9, [], "nothing"),
]


@pytest.mark.parametrize(("cost", "tokens", "most", "batches", "why"), LIMITS, ids=[row[-1] for row in LIMITS])
def test_batches_come_under_the_budget(cost, tokens, most, batches, why):
    assert list(under_budget(range(len(cost)), cost, tokens, most=most)) == batches


ROWS = [
    ([5, 5, 5], [1, 1, 3], 15, [[0, 1], [2]], "three rows of one item count three times"),
    ([5, 4], [4, 1], 10, [[0], [1]], "an item that is too large by itself goes alone"),
    ([6, 5, 5], [1, 1, 1], 18, [[0, 1, 2]], "every row is as long as the longest"),
    ([6, 5, 5], [1, 1, 2], 18, [[0, 1], [2]], "one row more is too much"),
]


@pytest.mark.parametrize(("length", "rows", "tokens", "batches", "why"), ROWS, ids=[row[-1] for row in ROWS])
def test_items_of_several_rows_stay_together(length, rows, tokens, batches, why):
    assert list(under_budget(range(len(length)), length, tokens, rows=rows)) == batches


def test_every_process_gets_as_many_validation_batches():
    batches = [[0, 1, 2, 3], [4, 5], [6]]
    assert data.split_evenly(batches, 1) == batches
    assert data.split_evenly(batches, 4) == [[4, 5], [6], [0, 1], [2, 3]]
    assert data.split_evenly([[0]], 2) == [[0]]  # there are no more


def test_every_pass_has_each_pair_once_in_batches_of_like_length_and_another_order():
    cost = np.random.default_rng(0).integers(3, 60, 2000)
    batches = data.Batches(Order(2000, 10**9, 7), cost, tokens=400, most=64, count=10**6, seed=7)
    stream = iter(batches)
    passes = []
    for _ in range(2):
        seen = []
        while len(list(chain(*seen))) < 2000:
            seen.append(next(stream))
        passes.append(seen)
        assert sorted(chain(*seen)) == list(range(2000))
        padded = sum(max(cost[batch]) * len(batch) for batch in seen)
        assert padded / cost.sum() < 1.05  # a twentieth is padding at most
        assert all(max(cost[batch]) * len(batch) <= 400 for batch in seen)
    assert passes[0] != passes[1]
    again = iter(data.Batches(Order(2000, 10**9, 7), cost, tokens=400, most=64, count=5, seed=7))
    assert list(again) == passes[0][:5]


def test_pairs_that_cannot_train_are_left_out_and_counted(plain, tmp_path):
    lines = [
        "he go home .\the goes home .",
        "one column",
        "\tnothing before",
        "nothing after\t",
        "he " * 30 + "\the",
        "he\t" + "he " * 30,
        "she walk .\tshe walks .",
    ]
    (tmp_path / "p.tsv").write_text("".join(line + "\n" for line in lines))
    prepared = data.prepare(tmp_path / "p.tsv", plain, cache=tmp_path)
    numbers = [prepared.counts[name] for name in ("lines", "malformed", "empty", "too_long")]
    assert [*numbers, len(prepared.table)] == [5, 2, 1, 2, 2]
    assert plain.text(prepared.table[0]["target"]) == "he goes home."  # prose
    (tmp_path / "long.tsv").write_text("he " * 30 + "\the\n")
    with pytest.raises(InputError, match="none of its 1 pairs can train: 1 are longer than 12 and 14"):
        data.prepare(tmp_path / "long.tsv", plain, cache=tmp_path)


def test_a_pair_of_exactly_the_limits_trains(plain, tmp_path):
    source = "h" * 10  # and <s> </s>: 12; the vocabulary has no piece of two of them
    assert len(plain.pieces([source])[0]) == 10
    (tmp_path / "p.tsv").write_text(f"{source}\t{source}hh\n{source}h\t{source}\n{source}\t{source}hhh\n")
    assert data.prepare(tmp_path / "p.tsv", plain, cache=tmp_path).counts["too_long"] == 2


def test_pairs_are_cut_once_for_all_seeds_and_limits(plain, models, tmp_path, monkeypatch):
    first = data.prepare(models / "dev.tsv", plain, cache=tmp_path)
    monkeypatch.setattr(data.PairRows, "__call__", None)
    again = data.prepare(models / "dev.tsv", plain, cache=tmp_path)
    assert again.table.to_list() == first.table.to_list()
    wide = data.prepare(models / "dev.tsv", load(str(models / "bart")), cache=tmp_path)
    assert first.counts["too_long"] > wide.counts["too_long"] == 0


def test_a_sentence_is_cut_once_however_often_it_stands_there(plain, tmp_path, monkeypatch):
    seen = []
    cut = data.PairRows._cut
    monkeypatch.setattr(data.PairRows, "_cut", lambda self, sides: seen.extend(sides) or cut(self, sides))
    (tmp_path / "p.tsv").write_text("he go .\the goes .\nhe goes .\the goes .\nhe go .\tthey go .\n")
    table = data.prepare(tmp_path / "p.tsv", plain, cache=tmp_path).table
    assert seen == ["he go .", "he goes .", "they go ."]
    assert [plain.text(row["source"]) for row in table] == ["he go.", "he goes.", "he go."]
    assert [plain.text(row["target"]) for row in table] == ["he goes.", "he goes.", "they go."]


def test_white_space_does_not_decide_which_sentences_are_held_out(plain, tmp_path):
    words = next(sentence for sentence in (f"he goes {n} ." for n in range(1000)) if is_held_out(sentence)).split()
    lines = [" ".join(words), "  ".join(words), " " + " ".join(words) + " "]
    (tmp_path / "p.tsv").write_text("".join(f"{line}\the goes .\n" for line in lines))
    assert data.prepare(tmp_path / "p.tsv", plain, cache=tmp_path).table["held"][:] == [True] * 3


def test_several_workers_make_the_same_table(plain, models, tmp_path):
    one = data.prepare(models / "train.tsv", plain, cache=tmp_path / "1").table
    two = data.prepare(models / "train.tsv", plain, cache=tmp_path / "2", workers=2).table
    assert two.to_list() == one.to_list()


def test_names_of_rows_in_a_text_are_letters(plain):
    text = "he </s> <mask> <s> <pad>"
    (pieces,) = plain.pieces([text])
    assert not set(plain.tokenizer.all_special_ids) & set(pieces)
    assert plain.text(pieces) == text
