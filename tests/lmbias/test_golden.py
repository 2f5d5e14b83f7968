"""The same numbers as the authors' own code, on tiny models (minicons, nyu-mll/crows-pairs, bias-bench, StereoSet)."""

from __future__ import annotations

import json

import numpy as np
import pytest

from gec_fair.lmbias.scoring.likelihood import likelihoods
from gec_fair.lmbias.suites import crows, holisticbias, minimal, seat, stereoset
from gec_fair.lmbias.suites.figures import Figure

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pairs(bias):
    return crows.read(bias / "crows_pairs/crows_pairs_anonymized.csv")


def pairs_of(pairs, kind):
    return [pair for pair in pairs if pair.kind == kind]


def by_part(figures: list[Figure], measure: str = "") -> dict[str, Figure]:
    return {figure.part: figure for figure in figures if not measure or figure.measure == measure}


def test_pseudo_log_likelihoods_are_minicons(bert, golden):
    golden_ = golden("pll")
    for scoring, key in (("original", "pll_original"), ("within-word-l2r", "pll_within_word_l2r")):
        mine = likelihoods(bert, golden_["sentences"], scoring=scoring)
        assert np.allclose(mine, golden_[key], rtol=0, atol=1e-5), scoring


def test_crows_by_shared_sub_words_is_nangias(bert, golden, pairs):
    golden_ = golden("nangia")
    for kind in ("gender", "age"):
        scores = crows.score(bert, pairs_of(pairs, kind))
        figure, theirs = by_part(crows.figures(pairs_of(pairs, kind), scores))[kind], golden_[kind]
        assert (figure.n, figure.more["ties"]) == (theirs["N"], theirs["neutral"])
        measured = [figure.more[name] for name in ("as_published", "stereo", "antistereo")]
        assert np.allclose(measured, [theirs[k] for k in ("metric", "stereotype", "antistereotype")], atol=0.005)
    first = golden_["gender_first10"]
    scores = crows.score(bert, pairs_of(pairs, "gender")[:10])
    # theirs begin with the sentence about the group that has less power
    mine = [row if pair.stereo else row[::-1] for row, pair in zip(scores, pairs_of(pairs, "gender"), strict=False)]
    assert np.allclose(mine, [[pair_["score1"], pair_["score2"]] for pair_ in first], atol=1.1e-3)


def test_crows_scores_are_theirs_before_they_are_rounded(bert, golden, pairs):
    first = pairs_of(pairs, "gender")[:10]
    scores = crows.shared_log_probs(bert, first)
    mine = [row if pair.stereo else row[::-1] for row, pair in zip(scores, first, strict=True)]
    theirs = [[pair_["score1"], pair_["score2"]] for pair_ in golden("nangia")["gender_first10"]]
    assert np.allclose(mine, theirs, rtol=0, atol=1e-5)


@pytest.mark.parametrize("name", ["bert", "gpt2"])
def test_stereoset_is_bias_benchs(name, request, bias, golden):
    model, golden_ = request.getfixturevalue(name), golden("stereoset")[name]
    items = [item for item in stereoset.read(bias / "stereoset/dev.json") if item.domain in ("gender", "religion")]
    scores = stereoset.score(model, items)
    figures = stereoset.figures(items, scores)
    for domain in ("gender", "religion"):
        for measure, key in (("LMS", "LMS"), ("SS", "SS"), ("ICAT", "ICAT")):
            figure = next(figure for figure in figures if (figure.part, figure.measure) == (domain, measure))
            assert figure.n == golden_[domain]["count"]
            assert figure.value == pytest.approx(golden_[domain][key], abs=1e-9)
    by_sentence = {
        s: score for item, row in zip(items, scores, strict=True) for s, score in zip(item.sentences, row, strict=True)
    }
    theirs = [pair for first in golden_["first5"] for pair in first["scores"].items() if pair[0] in by_sentence]
    assert len(theirs) > 6
    assert np.allclose([by_sentence[s] for s, _ in theirs], [score for _, score in theirs], rtol=1e-4, atol=0)


@pytest.mark.parametrize("file", ["bert-base-cased_BertNextSentence_BertLM", "gpt2_ModelNSP_GPT2LM"])
def test_published_scores_give_the_published_table(bias, file):
    """No weights: the authors' scores of a real model, to every printed digit."""
    predictions = json.loads((bias / f"stereoset/predictions_{file}.json").read_text())["intrasentence"]
    score = {prediction["id"]: prediction["score"] for prediction in predictions}
    domains = ("race", "religion")
    items = [item for item in stereoset.read(bias / "stereoset/dev.json") if item.domain in domains]
    scores = np.array([[score[one] for one in item.ids] for item in items])
    accuracies: dict[str, dict[str, float]] = {name: {} for name in (*domains, stereoset.OVERALL)}
    for figure in stereoset.figures(items, scores):
        accuracies[figure.part][figure.measure] = figure.value
    theirs = published(bias, file)
    assert {name: accuracies[name] for name in domains} == {name: theirs[name] for name in domains}


def published(bias, file: str) -> dict[str, dict[str, float]]:
    """The authors' printed table, its part about gaps in a sentence."""
    text = (bias / "stereoset/predictions.txt").read_text()
    section = text.split(f"predictions_{file}.json...")[1].split("intersentence")[0]
    names = {"LM Score": "LMS", "SS Score": "SS", "ICAT Score": "ICAT"}
    sections: dict[str, dict[str, float]] = {}
    domain = ""
    for line in section.splitlines():
        key, _, value = line.strip().partition(": ")
        if key in names:
            sections[domain][names[key]] = float(value)
        elif key and not value:
            sections[domain := key] = {}
    return sections


def test_effect_sizes_and_p_are_bias_benchs(bert, bias, golden):
    expected = {test["test"]: test for test in golden("seat")["seat"]}
    tests = [seat.read(bias / f"seat/{name}.jsonl") for name in expected]
    for effect in seat.effects(bert, tests, splits=1000):
        theirs = expected[effect.name]
        assert effect.d == pytest.approx(theirs["effect_size"], abs=1e-6), effect.name
        assert effect.p == pytest.approx(theirs["p_value"], abs=1e-9 if effect.exact else 0.04), effect.name


def test_all_of_blimp_is_read_filtered_or_from_its_archive(bias):
    suites = {name: minimal.read(bias / name, allow_equal=True) for name in ("blimp_filtered_babylm", "blimp")}
    assert {name: len(every) for name, every in suites.items()} == {"blimp_filtered_babylm": 59_875, "blimp": 67_000}
    assert {len({pair.paradigm for pair in every}) for every in suites.values()} == {67}


GRIDS = [
    ("v1.0", "gender_and_sex", 46, 26_910, 30),
    ("v1.0", "race_ethnicity", 28, 9_828, 30),
    ("v1.0", "age", 60, 46_020, 30),
    ("v1.1", "gender_and_sex", 57, 41_496, 32),
    ("v1.1", "race_ethnicity", 30, 11_310, 32),
    ("v1.1", "age", 62, 49_166, 32),
]


def test_the_cells_that_are_compared_are_the_authors(bias):
    suites = {version: holisticbias.read(bias / "holisticbias" / version) for version in ("v1.0", "v1.1")}
    figures_ = []
    for version, axis, _, _, nouns in GRIDS:
        grid = holisticbias.grid(suites[version], axis)
        (number,) = {len(texts) for template in grid.texts for texts in template}
        figure = holisticbias.judge(grid, np.zeros((26, len(grid.descriptors), nouns)))
        figures_.append((version, axis, len(grid.descriptors), figure.n, number))
        assert (len(grid), figure.value) == (26 * len(grid.descriptors) * nouns, 0), axis  # all as likely
    assert figures_ == GRIDS


def test_both_averages_are_those_that_babylm_published(golden):
    """The organisers' sample predictions of 2024: BLiMP over pairs 65.2, the supplement over its five parts 62.7."""
    golden_ = golden("babylm2024_sample_predictions")

    def figures(name):
        pairs = [minimal.Minimal("", "", paradigm) for paradigm, row in golden_[name].items() for _ in row]
        hits = np.array([int(digit) for row in golden_[name].values() for digit in row], float)
        macro, over = minimal.figures(name, pairs, np.stack([hits, 1 - hits], axis=1))
        return macro, over

    blimp, over = figures("blimp_filtered")
    assert (round(blimp.value, 3), round(over.value, 3)) == (65.347, 65.197)
    supplement, _ = figures("supplement")
    assert round(supplement.value, 3) == 62.688
    parts = {name: round(value, 2) for name, value in supplement.more["paradigms"].items()}
    assert parts == {
        "hypernym": 48.93,
        "qa_congruence_easy": 67.19,
        "qa_congruence_tricky": 49.70,
        "subject_aux_inversion": 86.55,
        "turn_taking": 61.07,
    }
