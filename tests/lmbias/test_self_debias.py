"""Self-Debias: the formula beside a plain reference, what changes no score, how long a text may be, whose scores they
are."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from transformers import GPT2Config, GPT2LMHeadModel

import gec_fair as gf
from gec_fair.errors import InputError, UsageError
from gec_fair.lmbias.scoring import load
from gec_fair.lmbias.scoring.likelihood import geometric_means, likelihoods
from gec_fair.lmbias.scoring.masked import Masked
from gec_fair.lmbias.scoring.self_debias import AXES, SelfDebias
from gec_fair.models.ltg_bert.config import LtgBertConfig
from gec_fair.models.ltg_bert.model import LtgBertForMaskedLM
from gec_fair.trainer.vocabulary import ensure_borders
from tests.cli.invoke import run

TEXTS = ["She lost her keys .", "He writes a letter today .", "The nurses sang .", "x"]
STRONG = SelfDebias("gender", decay=5000.0)
"""Probabilities of a random model hardly differ, so that the authors' λ would hide a mistake."""


@pytest.fixture(scope="module")
def causal(tmp_path_factory, masked):
    """Of more positions than the other tests' model, so that texts fit behind the prompt."""
    torch.manual_seed(2)
    folder, tokenizer = tmp_path_factory.mktemp("long"), load.load(str(masked)).tokenizer
    config = GPT2Config(vocab_size=len(tokenizer), n_positions=256, n_embd=32, n_layer=2, n_head=2)
    GPT2LMHeadModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def rescaled(plain, prompted, token, settings):
    """log p̃(token), word by word, from two lists of scores."""
    p, q = (torch.softmax(scores.double(), -1).tolist() for scores in (plain, prompted))
    weights = []
    for with_text, with_prompt in zip(p, q, strict=True):
        delta = with_text - with_prompt
        alpha = 1.0 if delta >= 0 else max(settings.epsilon, math.exp(settings.decay * delta))
        weights.append(alpha * with_text)
    return math.log(weights[token] / sum(weights))


def scores_at(model, ids, place):
    with torch.no_grad():
        return model.model(torch.tensor([ids])).logits[0, place]


def masked_reference(model, text, settings):
    """One question and two passes for each sub-word; the prompt stands behind the first special sub-word."""
    encoded = model.tokenizer(text, return_special_tokens_mask=True)
    ids, special = encoded["input_ids"], encoded["special_tokens_mask"]
    prompt = model.tokenizer(settings.prompt, add_special_tokens=False)["input_ids"]
    total = 0.0
    for at in (place for place, is_special in enumerate(special) if not is_special):
        hidden = [*ids[:at], model.tokenizer.mask_token_id, *ids[at + 1 :]]
        prompted = [*hidden[: special[0]], *prompt, *hidden[special[0] :]]
        plain = scores_at(model, hidden, at - model.ahead)
        after_prompt = scores_at(model, prompted, at + len(prompt) - model.ahead)
        total += rescaled(plain, after_prompt, ids[at], settings)
    return total


def causal_reference(model, text, settings):
    """Two passes for each sub-word, over what precedes it alone."""
    ids = model.tokenizer(text, add_special_tokens=False)["input_ids"]
    prompt = model.tokenizer(settings.prompt, add_special_tokens=False)["input_ids"]
    total = 0.0
    for at, token in enumerate(ids):
        plain = scores_at(model, [model.start, *ids[:at]], -1)
        after_prompt = scores_at(model, [model.start, *prompt, *ids[:at]], -1)
        total += rescaled(plain, after_prompt, token, settings)
    return total


def debiased(name, settings=STRONG):
    return load.load(str(name), device="cpu", self_debias=settings)


@pytest.mark.parametrize("settings", [STRONG, SelfDebias("religion", 300.0, 0.5), SelfDebias("race")])
def test_a_masked_model_scores_as_the_formula_says(masked, settings):
    model = debiased(masked, settings)
    expected = [masked_reference(model, text, settings) for text in TEXTS]
    np.testing.assert_allclose(likelihoods(model, TEXTS), expected, rtol=1e-5)


@pytest.mark.parametrize("settings", [STRONG, SelfDebias("religion", 300.0, 0.5), SelfDebias("race")])
def test_a_causal_model_scores_as_the_formula_says(causal, settings):
    model = debiased(causal, settings)
    expected = [causal_reference(model, text, settings) for text in TEXTS]
    np.testing.assert_allclose(likelihoods(model, TEXTS), expected, rtol=1e-5)


@pytest.mark.parametrize("name", ["bert", "gpt2"])
def test_other_vocabularies_score_as_the_formula_says(bias, name):
    model = debiased(bias / "golden_tiny" / name)
    reference = masked_reference if name == "bert" else causal_reference
    np.testing.assert_allclose(likelihoods(model, TEXTS), [reference(model, text, STRONG) for text in TEXTS], rtol=1e-5)


def test_a_model_that_is_asked_one_place_before_scores_as_the_formula_says(masked):
    tokenizer = load.load(str(masked)).tokenizer
    ensure_borders(tokenizer)
    torch.manual_seed(3)
    config = LtgBertConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=24,
        position_layout="split",
        predicts_next=True,
    )
    model = Masked(LtgBertForMaskedLM(config), tokenizer, device="cpu", self_debias=STRONG)
    assert model.ahead == 1
    expected = [masked_reference(model, text, STRONG) for text in TEXTS]
    np.testing.assert_allclose(likelihoods(model, TEXTS), expected, rtol=1e-5)


def test_a_row_without_a_start_has_its_prompt_first(causal):
    """Meade et al. score all sub-words but the first so."""
    model = debiased(causal)
    ids = tuple(model.tokenizer(TEXTS[0], add_special_tokens=False)["input_ids"])
    first = rescaled(
        scores_at(model, [model.start], -1), scores_at(model, [model.start, *model.prompt], -1), ids[0], STRONG
    )
    rest = sum(
        rescaled(scores_at(model, ids[:at], -1), scores_at(model, [*model.prompt, *ids[:at]], -1), ids[at], STRONG)
        for at in range(1, len(ids))
    )
    np.testing.assert_allclose(geometric_means(model, [ids]), [math.exp((first + rest) / len(ids))], rtol=1e-5)


RESCALED = [
    (SelfDebias(decay=0.0), [0.5, 0.3, 0.2], "λ of 0 changes nothing"),
    (SelfDebias(epsilon=1.0), [0.5, 0.3, 0.2], "nor does ε of 1"),
    (SelfDebias(decay=5.0), [0.6745, 0.0548, 0.2698], "exp(−2) of 0.3 is 0.0406, of 0.7406 in all"),
    (SelfDebias(decay=1e6), [0.7112, 0.0043, 0.2845], "ε is the least factor: 0.003 of 0.703"),
]


@pytest.mark.parametrize(("settings", "expected", "why"), RESCALED, ids=[row[2] for row in RESCALED])
def test_only_words_that_the_prompt_makes_likelier_lose(settings, expected, why):
    plain, prompted = torch.tensor([0.5, 0.3, 0.2]).log(), torch.tensor([0.2, 0.7, 0.1]).log()
    values = settings.rescale(plain.double(), prompted.double()).exp()
    assert float(values.sum()) == pytest.approx(1)
    assert values.tolist() == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("kind", ["masked", "causal"])
def test_without_decay_all_scores_stay_and_with_it_some_change(request, kind):
    name = request.getfixturevalue(kind)
    plain = likelihoods(load.load(str(name), device="cpu"), TEXTS)
    np.testing.assert_allclose(likelihoods(debiased(name, replace(STRONG, decay=0.0)), TEXTS), plain, rtol=1e-9)
    assert np.abs(likelihoods(debiased(name), TEXTS) - plain).max() > 0.01


@pytest.mark.parametrize("kind", ["masked", "causal"])
def test_texts_are_scored_together_as_alone(request, kind):
    model = debiased(request.getfixturevalue(kind))
    lasts = ("He sings .", "She sings .", "We walk", "You talk", "They run", "I read")
    texts = [f"{text} {last}" for last in lasts for text in (*TEXTS, " ".join(TEXTS))]
    together = likelihoods(model, texts)
    assert kind == "masked" or sum(len(cut.ids) for cut in model.cut(texts[8:24])) > 256, "rows enough for trees"
    model.tokens = 1  # a row a batch
    np.testing.assert_allclose([likelihoods(model, [text])[0] for text in texts], together, rtol=1e-6)


@pytest.mark.parametrize("kind", ["masked", "causal"])
def test_a_text_may_be_as_long_as_the_room_behind_the_prompt(request, kind):
    model = debiased(request.getfixturevalue(kind))
    plain = load.load(str(request.getfixturevalue(kind)), device="cpu")
    assert model.longest == plain.longest - len(model.prompt)
    special = model.tokenizer.num_special_tokens_to_add() if kind == "masked" else 1
    texts = ["x" * n for n in range(1, 2 * plain.longest)]
    sizes = [special + len(model.tokenizer(text, add_special_tokens=False)["input_ids"]) for text in texts]
    at = sizes.index(model.longest)
    assert np.isfinite(likelihoods(model, [texts[at]])).all()
    with pytest.raises(InputError, match=r"sub-words, and the model reads .* behind the prompt of Self-Debias"):
        likelihoods(model, [next(text for text, size in zip(texts, sizes, strict=True) if size > model.longest)])


def test_a_model_without_room_for_the_prompt_is_refused(masked):
    model = load.load(str(masked), device="cpu")
    model.tokenizer.model_max_length = 8
    with pytest.raises(InputError, match="no room for a text behind it"):
        Masked(model.model, model.tokenizer, device="cpu", self_debias=STRONG)


def test_vectors_stay(masked):
    plain = load.load(str(masked), device="cpu")
    np.testing.assert_array_equal(debiased(masked).vectors(TEXTS), plain.vectors(TEXTS))


def test_the_digest_names_axis_and_settings(causal):
    plain = load.load(str(causal), device="cpu").digest()
    every = [SelfDebias(axis) for axis in AXES] + [SelfDebias(decay=10.0), SelfDebias(epsilon=0.1)]
    digests = [debiased(causal, settings).digest() for settings in every]
    assert digests[0] == f"{plain}+self-debias-gender-50-0.01"
    assert len({plain, *digests}) == len(every) + 1


def test_a_suite_is_run_with_it_and_the_signature_says_so(bias_sets, causal, tmp_path):
    words = ["lmbias", "run", "--model", causal, "--suite", "crows", "--sample", "12"]
    plain, done = run(*words), run(*words, "--self-debias", "religion", "-o", tmp_path / "bias.json")
    assert (plain.code, done.code) == (0, 0), done.stderr
    assert "+self-debias-religion-50-0.01|kind:causal" in done.stdout
    assert "self-debias" not in plain.stdout
    again = gf.lmbias.score(str(causal), "crows", sample=12, self_debias="religion")
    assert again.json() + "\n" == (tmp_path / "bias.json").read_text()


def test_a_stopped_run_takes_up_no_figures_of_another_axis(bias_sets, causal, tmp_path):
    from gec_fair.lmbias.options import Suites
    from gec_fair.lmbias.suites import catalogue
    from gec_fair.lmbias.suites.cache import SuiteCache

    cache, options = SuiteCache(tmp_path / "x.suites"), Suites(("crows",), sample=12)
    figures = [
        catalogue.run(load.load(str(causal), self_debias=settings), options, cache=cache).figures
        for settings in (None, STRONG, replace(STRONG, axis="race"))
    ]
    assert len(cache.path.read_text().split('"suite"')) > 3 * len(figures[0])


REFUSED = [
    (lambda: SelfDebias("religon"), "did you mean religion", "an axis that does not exist"),
    (lambda: SelfDebias(decay=-1.0), "decay is -1.0", "words would become likelier"),
    (lambda: SelfDebias(epsilon=0.0), "epsilon 0.0", "a word would become impossible"),
]


@pytest.mark.parametrize(("make", "message", "why"), REFUSED, ids=[row[2] for row in REFUSED])
def test_what_cannot_be_meant_is_refused(make, message, why):
    with pytest.raises(UsageError, match=message):
        make()


def test_it_is_refused_where_it_decides_nothing(bias_sets, causal):
    done = run("lmbias", "run", "--model", causal, "--suite", "seat", "--self-debias", "gender")
    assert (done.code, "--self-debias is for holisticbias, crows" in done.stderr) == (2, True), done.stderr
