"""Debiasing a trained model by every method, and whether models agree: closed forms of the loss, what a method must and
must not change, a run from YAML to Table 6."""

from __future__ import annotations

import gzip
import json
import lzma
from dataclasses import replace
from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from transformers import BertConfig, BertForMaskedLM, GPT2Config, GPT2LMHeadModel

import gec_fair as gf
from gec_fair.babylm import api
from gec_fair.babylm.corpora import build
from gec_fair.babylm.corpora.build import Original
from gec_fair.babylm.corpora.cda import Cda, CdaRace, CdaReligion
from gec_fair.babylm.corpora.cds import Cds
from gec_fair.babylm.corpora.perturbation import Perturbation
from gec_fair.babylm.debiasing import experiment, projection_data
from gec_fair.babylm.debiasing.agreement import Shifted, pairs, read, tables
from gec_fair.babylm.debiasing.debiasing_loss import (
    Batches,
    DebiasingTrainer,
    Examples,
    example,
    fisher,
    gender_direction,
)
from gec_fair.babylm.debiasing.debiasing_options import LossTraining, LossWeights
from gec_fair.babylm.debiasing.methods import METHODS, PAPER_METHODS, DebiasExperiment, Inlp, Rescaling, SentDebias
from gec_fair.babylm.debiasing.pronouns import read as read_pronouns
from gec_fair.config.settings import read_settings
from gec_fair.english.lexicons import topics
from gec_fair.errors import InputError, MissingResource, ResumeError, UsageError
from gec_fair.lmbias.scoring.load import load, load_for_vectors
from gec_fair.models.ltg_bert.config import LtgBertConfig
from gec_fair.models.ltg_bert.model import LtgBertForMaskedLM
from gec_fair.runs.grid import CellsFailed
from gec_fair.trainer import loop
from gec_fair.trainer.options import TrainingOptions
from gec_fair.trainer.vocabulary import learn
from tests.cli.invoke import run as command
from tests.gec.gector import tiny as tiny_models

WINO = """\
1 [The mechanic] baked the clerk a cake because [she] had the time.
2 The mechanic baked [the clerk] a cake because it was [his] feast.
3 [The clerk] waited for the construction worker because [he] was kind.
4 The clerk saw [the construction worker], gave [her] a nod and took [her] hand.
"""


@pytest.fixture
def wino(tmp_path):
    path = tmp_path / "wino.txt"
    path.write_text(WINO)
    return path


def describe(one):
    return [one.text[slice(*span)] for span in one.occupations]


def test_winobias_is_read_with_its_pronouns_and_occupations(wino):
    resolutions = read_pronouns([wino])
    assert [one.words for one in resolutions] == [("she",), ("his",), ("he",), ("her", "her")]
    assert resolutions[0].text == "The mechanic baked the clerk a cake because she had the time."
    both = [["mechanic", "clerk"], ["clerk", "construction worker"]]
    assert [describe(one) for one in resolutions] == [both[0], both[0], both[1], both[1]]
    assert (
        resolutions[2].with_pronouns(["she"]).text
        == "The clerk waited for the construction worker because she was kind."
    )
    wino.write_text(WINO + "5 The clerk gave [the mechanic] a hug.\n")
    with pytest.raises(InputError, match=r"wino\.txt:5: expected a pronoun in brackets"):
        read_pronouns([wino])


def test_all_of_winobias_is_read(data):
    paths = sorted((data / "rewrite/winobias").glob("*stereotyped*"))
    resolutions = read_pronouns(paths)
    assert len(resolutions) == sum(bool(line.strip()) for path in paths for line in path.read_text().splitlines())
    assert sum(len(one.occupations) >= 2 for one in resolutions) / len(resolutions) > 0.97
    assert all(one.occupations for one in resolutions)
    assert {word.lower() for one in resolutions for word in one.words} <= {
        "he",
        "him",
        "his",
        "she",
        "her",
        "hers",
        "himself",
        "herself",
    }


@pytest.fixture
def tiny(wino):
    tokenizer = learn([one.text for one in read_pronouns([wino])], 320, raw=True)
    torch.manual_seed(0)
    model = BertForMaskedLM(
        BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=16,
            num_hidden_layers=1,
            hidden_dropout_prob=0.0,
            num_attention_heads=2,
            intermediate_size=24,
            attention_probs_dropout_prob=0.0,
        )
    )
    return model.eval(), tokenizer, read_pronouns([wino])


def test_of_a_sentence_the_pronoun_is_hidden_and_occupations_are_found(tiny):
    _, tokenizer, resolutions = tiny
    encoded = example(resolutions[0], tokenizer)
    assert tokenizer.decode(list(encoded.pieces)).strip() == "she"
    assert [encoded.ids[at] for at in encoded.at] == [tokenizer.mask_token_id] * len(encoded.at)
    words = tokenizer.convert_ids_to_tokens([encoded.ids[at] for at in encoded.occupations])
    assert "".join(words).replace("Ġ", " ").split() == ["mechanic", "clerk"]


def test_the_direction_is_he_minus_she_wherever_they_stand(tiny):
    model, tokenizer, resolutions = tiny
    found_one = gender_direction(model, resolutions, tokenizer)
    assert float(found_one.norm()) == pytest.approx(1)
    ((first, _),) = resolutions[2].pronouns

    def state(text, word):
        spans = tokenizer(text, return_offsets_mapping=True)
        at = [n for n, (a, b) in enumerate(spans["offset_mapping"]) if a < first + len(word) and b > first and b > a]
        return model.base_model(torch.tensor([spans["input_ids"]])).last_hidden_state[0, at].mean(0)

    with torch.no_grad():
        his = state(resolutions[2].text, "he") - state(resolutions[2].text.replace("because he", "because she"), "she")
    alone = gender_direction(model, resolutions[2:3], tokenizer)
    assert torch.allclose(alone, his / his.norm(), atol=1e-5)
    assert torch.allclose(gender_direction(model, [resolutions[2].with_pronouns(["she"])], tokenizer), alone, atol=1e-5)
    with pytest.raises(InputError, match="no sentence has he, him, his or she"):
        gender_direction(model, resolutions[3:], tokenizer)  # her: him or his


def trainer(tiny, tmp_path, weights, **settings):
    model, tokenizer, resolutions = tiny
    options = TrainingOptions(steps=30, batch=4, learning_rate=5e-3, device="cpu", precision="fp32", **settings)
    return DebiasingTrainer(
        model=model,
        args=loop.arguments(options, tmp_path, 0),
        data_collator=Batches(1),
        weights=weights,
        train_dataset=Examples([example(one, tokenizer) for one in resolutions]),
        direction=gender_direction(model, resolutions, tokenizer),
        importance=fisher(model, resolutions, tokenizer),
    )


def test_the_loss_is_its_three_parts(tiny, tmp_path):
    model, tokenizer, resolutions = tiny
    trainer_ = trainer(tiny, tmp_path, LossWeights(2.0, 3.0))
    batch = Batches(1)([{"example": example(one, tokenizer)} for one in resolutions])
    with torch.no_grad():
        for value in model.parameters():
            value.add_(0.01)
        loss = trainer_.compute_loss(model, dict(batch))
        outputs = model(batch["input_ids"], attention_mask=batch["attention_mask"], output_hidden_states=True)
        places = batch["labels"] != -100
        pronoun = torch.nn.functional.cross_entropy(outputs.logits[places], batch["labels"][places])
        heights = outputs.hidden_states[-1][batch["occupations"]] @ trainer_.direction
        elastic = sum((trainer_.importance[name] * 0.01**2).sum() for name, _ in model.named_parameters())
    wanted = pronoun + 2 * (heights**2).mean() + 3 * elastic
    assert float(loss) == pytest.approx(float(wanted), rel=1e-4)
    assert float(trainer_.parts["elastic"]) == pytest.approx(float(elastic), rel=1e-3)


def test_fisher_is_the_mean_of_squared_gradients(tiny):
    model, tokenizer, resolutions = tiny
    importance = fisher(model, resolutions, tokenizer, seed=3)
    squares = {name: torch.zeros_like(value) for name, value in model.named_parameters()}
    for number, one in enumerate(resolutions):
        ids = torch.tensor([tokenizer(one.text)["input_ids"]])
        free = np.arange(1, ids.shape[1] - 1)  # between <s> and </s>
        hidden = np.random.Generator(np.random.PCG64([3, number])).permutation(free)[: max(1, round(0.15 * len(free)))]
        masked_ids = ids.clone()
        masked_ids[0, hidden.tolist()] = tokenizer.mask_token_id
        model.zero_grad()
        torch.nn.functional.cross_entropy(
            model(masked_ids).logits[0, hidden.tolist()], ids[0, hidden.tolist()]
        ).backward()
        for name, value in model.named_parameters():
            if value.grad is not None:
                squares[name] += value.grad**2 / len(resolutions)
    for name, value in squares.items():
        assert torch.allclose(importance[name], value, atol=1e-7), name
    assert max(float(value.max()) for value in importance.values()) > 1e-4


def test_a_hybrid_model_is_asked_one_place_before(tiny, tmp_path):
    _, tokenizer, resolutions = tiny
    torch.manual_seed(1)
    config = LtgBertConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=24,
        position_layout="split",
        predicts_next=True,
    )
    trainer_ = trainer((LtgBertForMaskedLM(config).eval(), tokenizer, resolutions), tmp_path, LossWeights(0.0, 0.0))
    batch = Batches(1)([{"example": example(one, tokenizer)} for one in resolutions])
    with torch.no_grad():
        loss = trainer_.compute_loss(trainer_.model.eval(), dict(batch))
        logits = trainer_.model(batch["input_ids"], attention_mask=batch["attention_mask"]).logits
    rows, places = (batch["labels"] != -100).nonzero(as_tuple=True)
    wanted = torch.nn.functional.cross_entropy(logits[rows, places - 1], batch["labels"][rows, places])
    assert float(loss) == pytest.approx(float(wanted), rel=1e-5)


@pytest.mark.parametrize(("strong", "less"), [(LossWeights(50.0, 0.0), "neutral"), (LossWeights(0.0, 5e4), "elastic")])
def test_each_part_of_the_loss_does_what_it_is_for(tiny, tmp_path, strong, less):
    model, tokenizer, resolutions = tiny
    batch = Batches(1)([{"example": example(one, tokenizer)} for one in resolutions])
    before = {name: value.clone() for name, value in model.state_dict().items()}
    ends = {}
    for name, loss_weights in (("plain", LossWeights(0.0, 0.0)), (less, strong)):
        model.load_state_dict(before)
        trainer_ = trainer(tiny, tmp_path / name, loss_weights)
        trainer_.train()
        with torch.no_grad():
            trainer_.compute_loss(model.eval(), dict(batch))
        ends[name] = float(trainer_.parts[less])
    assert ends[less] < 0.5 * ends["plain"]


TEXT = (
    "\n".join(
        [
            f"He said that his brother number {n} would come to see him in the town. It was raining hard on day {n}."
            for n in range(60)
        ]
        + [
            f"She told her sister number {n} that the queen had come to see her. "
            f"The house number {n} was empty and cold."
            for n in range(60)
        ]
        + [
            f"An Asian woman and a black man bought {n} books in the shop. Nobody of them had read number {n} before."
            for n in range(40)
        ]
    )
    + "\n"
)


@pytest.fixture
def original(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(TEXT)
    return build.original(Original((str(path),)), tmp_path / "corpora")


def test_cda_of_race_swaps_race_alone(original, tmp_path):
    corpus = build.make(CdaRace(), tmp_path / "corpora", {"original": original})
    copies = corpus.corpus.read_text()[len(TEXT) :].split("\n")
    copies = [line for line in copies if line]
    assert corpus.counts["copies"] == len(copies) == 40
    table = topics.read_shipped()
    for line in copies:
        assert "bought" in line
        assert ("gender", "female") in table.find(line.lower().replace(".", "").split())


def test_cda_of_religion_swaps_religion_alone(tmp_path):
    text = tmp_path / "religions.txt"
    text.write_text("A Muslim neighbour and her sister left. It rained on the church.\nMany Hindus met a black man.\n")
    original = build.original(Original((str(text),)), tmp_path / "corpora")
    corpus = build.make(CdaReligion(seed=1), tmp_path / "corpora", {"original": original})
    copies = corpus.corpus.read_text()[len(text.read_text()) :].split("\n")
    assert corpus.counts["copies"] == 2
    first, second = (line.split() for line in copies if line)
    assert (first[2:], second[2:]) == ("neighbour and her sister left.".split(), "met a black man.".split())
    assert first[1] in ("Christian", "Jewish", "Hindu", "Buddhist", "atheist")
    assert second[1] in ("Christians", "Jews", "Muslims", "Buddhists", "atheists")
    assert CdaReligion().versions()["lexicon"] != CdaRace().versions()["lexicon"]


@pytest.mark.parametrize("kind", [Cda, CdaRace, CdaReligion, Perturbation])
def test_min_sure_is_a_probability(kind):
    with pytest.raises(UsageError, match=r"min_sure is 1.5; it must be at least 0 and at most 1"):
        kind(min_sure=1.5)


def test_cda_leaves_what_is_less_sure_than_min_sure(original, tmp_path):
    copies = [
        build.make(Cda(min_sure=least), tmp_path / f"{least}", {"original": original}).counts["copies"]
        for least in (0.0, 1.0)
    ]
    assert copies[0] > copies[1] == 0


def test_cds_replaces_what_gap_says_and_reads_its_table(original, tmp_path):
    table = tmp_path / "gap.tsv.gz"
    rows = "ID\tText\tPronoun\nd-1\tZoe said that she saw her brother .\ther\nd-2\tHe was an actor .\tHe\n"
    table.write_bytes(gzip.compress(rows.encode()))
    corpus = build.make(Cds((str(table),)), tmp_path / "corpora", {"original": original})
    assert corpus.corpus.read_text() == "Zoe said that he saw his sister .\nShe was an actress .\n"
    assert corpus.counts == {"texts": 2, "swapped": 2}
    (tmp_path / "short.tsv").write_text("ID\tPronoun\tText\nx-1\the\tHe ran .\nx-2\n")
    with pytest.raises(InputError, match=r"short\.tsv:3: has no Text; mend the row"):
        build.make(Cds((str(tmp_path / "short.tsv"),)), tmp_path / "short", {"original": original})
    (tmp_path / "other.tsv").write_text("a\tb\n1\t2\n")
    with pytest.raises(InputError, match="has no column Text"):
        build.make(Cds((str(tmp_path / "other.tsv"),)), tmp_path / "other", {"original": original})
    with pytest.raises(UsageError, match=r"cds\.texts names no file"):
        build.make(Cds(), tmp_path / "other", {"original": original})


KINDS = [
    ("she told her mother", projection_data.gender, "female", "one gender"),
    ("he told her", projection_data.gender, None, "both"),
    ("it rains", projection_data.gender, "neutral", "none"),
    ("an asian man", projection_data.race, "with", "a word of ethnicity"),
    ("the jewish man", projection_data.race, "without", "another topic"),
    ("the jewish man", projection_data.religion, "with", "a word of religion"),
    ("an asian man", projection_data.religion, "without", "no word of religion"),
]


@pytest.mark.parametrize(("text", "kind", "wanted", "why"), KINDS, ids=[row[3] for row in KINDS])
def test_what_a_sentence_is_for_inlp(text, kind, wanted, why):
    assert kind(topics.read_shipped().find(text.split())) == wanted


def test_projections_are_found_in_a_text_and_tell_what_is_left(original, masked):
    model = load(str(masked))
    matrix = projection_data.direction(model, original.corpus, SentDebias(), seed=0)
    assert np.linalg.matrix_rank(matrix) == 31
    space = projection_data.nullspace(model, original.corpus, projection_data.gender, Inlp(50, 3), seed=0)
    assert 3 <= space.rank <= 9
    assert len(space.accuracy) == 3
    again = projection_data.nullspace(model, original.corpus, projection_data.gender, Inlp(50, 3), seed=0)
    assert np.array_equal(again.matrix, space.matrix)
    short = SimpleNamespace(tokenizer=model.tokenizer, longest=2, vectors=model.vectors)
    with pytest.raises(InputError, match="are longer than the model's 2 pieces"):
        projection_data.direction(short, original.corpus, SentDebias(), seed=0)
    with pytest.raises(InputError, match=r"too few sentences of each kind .* that the model reads whole"):
        projection_data.nullspace(short, original.corpus, projection_data.gender, Inlp(50, 3), seed=0)
    dry = _written(original.corpus.parent / "x.txt", "It rains.\n" * 50)
    with pytest.raises(InputError, match="too few sentences of each kind"):
        projection_data.nullspace(model, dry, projection_data.gender, Inlp(50, 3), seed=0)
    with pytest.raises(InputError, match="no sentence in it has a gendered word"):
        projection_data.direction(model, dry, SentDebias(), seed=0)


def _written(path, text):
    path.write_text(text)
    return path


GROUP_TEXT = "\n".join(
    [
        f"The rabbi of town number {n} met an Asian woman. A Muslim family and the church had {n} guests."
        for n in range(30)
    ]
    + [f"It was raining hard on day number {n} of the year. The houses of street {n} were empty." for n in range(30)]
)


@pytest.mark.slow
def test_religion_is_debiased_as_gender_is(options, tmp_path, monkeypatch):
    monkeypatch.setattr(experiment, "run_isolated", lambda call: call())
    methods = ("inlp-religion", "cda-religion")
    text = _written(tmp_path / "groups.txt", GROUP_TEXT)
    options = replace(options, texts=(str(text),), methods=methods)
    shifts = experiment.run(options, tmp_path / "out", say=lambda message: None)
    assert tuple(shift["method"] for shift in shifts) == methods
    base = load(options.model).model.state_dict()
    for method in methods:
        state = load(str(tmp_path / "out" / method / "0/best")).model.state_dict()
        inner = {name.removeprefix("model."): value for name, value in state.items()}
        assert all(torch.equal(inner[name], value) for name, value in base.items()) == (method != "cda-religion")
        assert ("projection" in state) == (method == "inlp-religion")


@pytest.mark.parametrize("kind", ["masked", "causal"])
def test_self_debias_makes_no_model_and_needs_no_text(options, request, kind, tmp_path, monkeypatch):
    monkeypatch.setattr(experiment, "run_isolated", lambda call: call())
    folder = request.getfixturevalue("roomy" if kind == "causal" else kind)
    methods = ("self-debias-gender", "self-debias-religion")
    options = replace(options, texts=(), model=str(folder), methods=methods, self_debias=Rescaling(decay=5000.0))
    shifts = experiment.run(options, tmp_path / "out", say=lambda message: None)
    assert tuple(shift["method"] for shift in shifts) == methods
    (judged,) = (tmp_path / "out/self-debias-religion/0").glob("judged-*.json")
    assert "+self-debias-religion-5000-0.01|" in json.loads(judged.read_text())["signature"]
    assert not (tmp_path / "out/self-debias-religion/0/best").exists()
    with pytest.raises(ResumeError, match=r"self_debias\.decay"):
        experiment.run(replace(options, self_debias=Rescaling(decay=10.0)), tmp_path / "out")


@pytest.fixture
def roomy(masked, tmp_path):
    """A causal model with room for a prompt in letters."""
    tokenizer = load(str(masked)).tokenizer
    config = GPT2Config(vocab_size=len(tokenizer), n_positions=256, n_embd=32, n_layer=2, n_head=2)
    GPT2LMHeadModel(config).save_pretrained(tmp_path / "roomy")
    tokenizer.save_pretrained(tmp_path / "roomy")
    return tmp_path / "roomy"


@pytest.fixture
def options(bias_sets, masked, wino, tmp_path):
    text, gap = tmp_path / "text.txt", tmp_path / "gap.txt"
    text.write_text(TEXT)
    gap.write_text("Zoe said that she saw her brother in the garden of the old house .\n" * 30)
    training = TrainingOptions(steps=3, batch=2, learning_rate=1e-4, save_every=2, device="cpu", precision="fp32")
    return DebiasExperiment(
        (str(text),),
        str(masked),
        training=training,
        block=32,
        inlp=Inlp(40, 2),
        sample=8,
        cds=Cds((str(gap),), epochs=1, batch=4),
        debiasing_loss=LossTraining((str(wino),), epochs=1, batch=2),
        suites=("crows", "blimp_supplement_fast"),
    )


@pytest.mark.slow
def test_a_model_is_debiased_by_every_method_and_models_are_compared(options, tmp_path, monkeypatch):
    monkeypatch.setattr(experiment, "run_isolated", lambda call: call())
    shifts = experiment.run(options, tmp_path / "one", say=lambda message: None)
    assert tuple(shift["method"] for shift in shifts) == PAPER_METHODS
    base = load(options.model).model.state_dict()
    for method in PAPER_METHODS:
        model_ = load(str(tmp_path / "one" / method / "0/best"))
        inner = {name.removeprefix("model."): value for name, value in model_.model.state_dict().items()}
        same = all(torch.equal(inner[name], value) for name, value in base.items())
        assert same == (method in ("sent-debias", "inlp-gender", "inlp-race")), method
    config = json.loads((tmp_path / "one/dropout/0/best/config.json").read_text())
    assert (config["hidden_dropout_prob"], config["attention_probs_dropout_prob"]) == (0.2, 0.15)
    monkeypatch.setattr(experiment, "debias_and_judge", None)  # all is done
    assert experiment.run(options, tmp_path / "one", say=lambda message: None) == shifts
    assert read(tmp_path / "one").shifts["cds"] == (np.mean(shifts[5]["performance"]), np.mean(shifts[5]["bias"]))
    done = command("babylm", "agree", tmp_path / "one", tmp_path / "one", "-o", tmp_path / "agreement")
    assert done.code == 0, done.stderr
    assert "95th percentile" in done.stdout
    assert "BERT ↔ LTG-Baseline, BabyLM bias dynamics" in done.stdout
    assert (tmp_path / "agreement/figures/changes.png").exists()
    rows = json.loads(command("babylm", "agree", tmp_path / "one", tmp_path / "one", "--json").stdout)
    assert rows["agreement"] == json.loads((tmp_path / "agreement/tables/agreement.json").read_text())


def test_a_folder_belongs_to_one_model_and_a_methods_own_options(options, tmp_path, monkeypatch):
    monkeypatch.setattr(experiment, "run_isolated", lambda call: call())
    out, race = tmp_path / "out", replace(options, methods=("inlp-race",))
    experiment.run(race, out, say=lambda message: None)
    for path in (out / "inlp-race/0").glob("judged-*.json"):  # killed before it was judged
        path.unlink()
    more = replace(options, methods=("inlp-race", "sent-debias"), dropout=replace(options.dropout, hidden=0.3))
    experiment.run(more, out, say=lambda message: None)  # dropout is not options for
    with pytest.raises(ResumeError, match=r"inlp\.classifiers \(2 → 3\)"):
        experiment.run(replace(race, inlp=Inlp(40, 3)), out)
    with pytest.raises(ResumeError, match=r"base holds a run with other model \(content differs\)"):
        experiment.run(replace(race, model=str(out / "sent-debias/0/best")), out)
    (out / "inlp-race/0/job.json").write_text("[")
    with pytest.raises(ResumeError, match="not a record written by gec-fair"):
        experiment.run(race, out)


def test_what_was_judged_by_other_suites_stays_and_models_that_are_gone_are_told(options, tmp_path, monkeypatch):
    monkeypatch.setattr(experiment, "run_isolated", lambda call: call())
    lean = replace(options, methods=("dropout",), keep_models=False)
    first = experiment.run(lean, tmp_path / "out", say=lambda message: None)
    assert not (tmp_path / "out/dropout/0/best").exists()
    with pytest.raises(CellsFailed):
        experiment.run(replace(lean, sample=9), tmp_path / "out", say=(heard := []).append)
    assert "the model was removed (keep_models: false)" in heard[-1]
    assert experiment.run(lean, tmp_path / "out", say=lambda message: None) == first


def test_a_causal_model_may_be_projected_and_not_trained_on(options, causal, tmp_path, monkeypatch):
    monkeypatch.setattr(experiment, "run_isolated", lambda call: call())
    options = replace(options, model=str(causal), methods=("sent-debias",))
    (shift,) = experiment.run(options, tmp_path / "out", say=lambda message: None)
    assert shift["method"] == "sent-debias"
    assert load(str(tmp_path / "out/sent-debias/0/best")).kind == "causal"
    with pytest.raises(InputError, match="is a causal model, and dropout are for masked ones"):
        experiment.run(replace(options, methods=("dropout",)), tmp_path / "out")


@pytest.mark.slow(4)
def test_an_encoder_without_a_head_may_be_projected_where_nothing_is_judged(options, tmp_path, monkeypatch):
    monkeypatch.setattr(experiment, "run_isolated", lambda call: call())
    start = tiny_models.encoder(tmp_path / "encoder")
    options = replace(options, model=str(start), methods=("sent-debias",), suites=())
    experiment.run(options, tmp_path / "out", say=lambda message: None)
    before, after = (load_for_vectors(str(folder)) for folder in (start, tmp_path / "out/sent-debias/0/best"))
    assert after.kind == "encoder"
    vectors = before.vectors(["he goes home ."], unit=False) @ after.model.projection.double().numpy()
    np.testing.assert_allclose(after.vectors(["he goes home ."], unit=False), vectors, atol=1e-5)


@pytest.mark.slow(60)
def test_an_encoder_that_others_trained_is_debiased_and_judged_by_seat(weights, data, tmp_path, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_DATA", str(data))
    with lzma.open(data / "babylm/mixed7m/dev.fairytales.txt.xz", "rt") as tales:
        text = _written(tmp_path / "tales.txt", "".join(islice(tales, 500)))
    debiased = gf.babylm.debias(str(weights("minilm")), tmp_path / "out", texts=text, suites="seat")
    (table,) = debiased.shifts
    rows = {(row["part"], row["measure"]): row for row in table.records}
    gender = rows["gender", "mean abs(d)"]
    assert gender["method"] == "Sent-Debias"
    assert gender["before"] == pytest.approx(0.958, abs=0.005)
    assert 0 < gender["after"] < gender["before"], gender
    assert "Every figure before and after" in (tmp_path / "out/report.html").read_text()


LACKS = [
    ({"suites": ("crows",)}, "performance and of bias", "suites of one kind"),
    ({"texts": (), "methods": ("dropout",)}, "dropout trains on with it", "no text to train on"),
    ({"texts": (), "methods": ("inlp-race",)}, "inlp-race is found in it", "no text to look in"),
    ({"cds": Cds()}, r"cds\.texts names no file", "no texts of CDS"),
    ({"debiasing_loss": LossTraining()}, r"debiasing_loss\.texts names no file", "no WinoBias"),
]


@pytest.mark.parametrize(("change", "message", "why"), LACKS, ids=[row[2] for row in LACKS])
def test_what_a_method_lacks_is_told_before_anything_is_made(change, message, why, options, tmp_path):
    with pytest.raises(UsageError, match=message):
        experiment.run(replace(options, **change), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_another_models_tokenizer_is_told(masked, tmp_path):
    for path in masked.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    config = LtgBertConfig(
        vocab_size=300,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=24,
        position_layout="split",
    )
    LtgBertForMaskedLM(config).save_pretrained(tmp_path)
    with pytest.raises(InputError, match="they are not of one model"):
        load(str(tmp_path))


def test_agreement_needs_models_and_methods():
    draw = np.random.default_rng(0)
    one = Shifted("a", {name: tuple(draw.normal(size=2)) for name in (*PAPER_METHODS, "inlp-religion")})
    mixed = Shifted("b", {name: (2 * p + b, b) for name, (p, b) in one.shifts.items()})
    ((_, _, common, rho),) = pairs([one, mixed])
    assert (common, rho.rho) == (PAPER_METHODS, pytest.approx(1))
    assert rho.p < 0.001
    table, shifts = tables([one, mixed], ["a", "b"])
    assert table.records[0]["models"] == "a ↔ b"
    assert table.records[-1]["ρ₁"] == 0.772
    assert [row["method"] for row in shifts.records][-2:] == ["dropout", "INLP religion"]
    with pytest.raises(UsageError, match="two or more"):
        pairs([one])
    with pytest.raises(InputError, match="at least two methods more"):
        pairs([one, Shifted("c", {"cds": (1.0, 2.0)})])
    with pytest.raises(UsageError, match="judged by other suites"):
        pairs([one, Shifted("c", mixed.shifts, {"sample": 9})])


def test_a_folder_without_shifts_is_told(tmp_path):
    done = command("babylm", "agree", tmp_path, tmp_path)
    assert (done.code, "make it with gec-fair babylm debias" in done.stderr) == (2, True)


MISTAKES = [
    ("methods=[cdss]", "did you mean cds", "a method that does not exist"),
    ("dropout.hidden=2", "hidden is 2", "a share"),
    ("inlp.classifiers=0", "classifiers", "no classifier"),
    ("self_debias.epsilon=0", "epsilon 0.0", "an impossible word"),
    ("model=''", "names no masked language model", "no model"),
]


@pytest.mark.parametrize(("change", "message", "why"), MISTAKES, ids=[row[2] for row in MISTAKES])
def test_what_cannot_be_meant_is_refused_first(change, message, why, tmp_path):
    done = command("babylm", "debias", "training/babylm-debias.yaml", "--set", change, "-o", tmp_path / "out")
    assert (done.code, message in done.stderr) == (2, True), done.stderr


@pytest.mark.parametrize("name", ["debias", *METHODS])
def test_the_settings_that_are_shipped_are_read(name, pytestconfig):
    options = read_settings(pytestconfig.rootpath / f"training/babylm-{name}.yaml", DebiasExperiment)
    assert set(options.methods) == (set(PAPER_METHODS) if name == "debias" else {name})


def test_without_texts_a_model_is_debiased_with_winobias_and_the_error_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_DATA", str(tmp_path))
    monkeypatch.setenv("GEC_FAIR_CACHE", str(tmp_path / "cache"))
    with pytest.raises(MissingResource, match=r"winobias is not here .*; gec-fair data fetch winobias"):
        gf.babylm.debias("model", tmp_path / "out")
    folder = tmp_path / "bias/winobias"
    folder.mkdir(parents=True)
    (folder / "pro_stereotyped_type1.txt.dev").write_text(WINO)
    lines = api._default_text(tmp_path / "out").read_text().splitlines()
    assert lines[0] == "The mechanic baked the clerk a cake because she had the time."
    assert len(lines) == 4


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"methods": ("self-debias-gender",), "suites": ()}, "self-debias-gender makes no model"),
        ({"methods": ("sent-debias",), "suites": ("crows",)}, "a shift is of performance and of bias"),
    ],
)
def test_what_makes_no_model_or_no_shift_is_refused(tmp_path, changes, message):
    with pytest.raises(UsageError, match=message):
        experiment.run(DebiasExperiment(model="m", texts=("t.txt",), **changes), tmp_path / "out")
