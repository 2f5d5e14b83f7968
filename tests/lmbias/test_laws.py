"""What every suite says of a model that knows nothing, and of a sample of itself."""

from __future__ import annotations

import gzip
import json
import lzma
import re
from statistics import variance

import numpy as np
import pytest
import torch
import zstandard
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast

from gec_fair.errors import InputError
from gec_fair.lmbias import table
from gec_fair.lmbias.options import Suites
from gec_fair.lmbias.scoring import load
from gec_fair.lmbias.scoring.causal import Causal
from gec_fair.lmbias.scoring.likelihood import likelihoods
from gec_fair.lmbias.scoring.masked import Masked
from gec_fair.lmbias.suites import catalogue, choices, crows, holisticbias, minimal, seat, stereoset
from gec_fair.lmbias.suites.figures import mean_of_strata
from gec_fair.lmbias.suites.sample import draw, shares
from gec_fair.report.table import join_parts
from gec_fair.trainer.vocabulary import ensure_borders
from tests.cli.invoke import run
from tests.gec.gector import tiny

PAIRS = [crows.Pair(f"more {n}", f"less {n}", n % 2 == 0, kind) for kind in ("age", "gender") for n in range(10)]
ITEMS = [
    stereoset.Item(f"term{n % 3}", "race", "a BLANK .", ("a x .", "a y .", "a z ."), ("1", "2", "3")) for n in range(9)
]


SMALL = {
    "hidden_size": 32,
    "intermediate_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 2,
}


def markdown(figures, **more):
    return join_parts(table.parts(figures, **more))


def test_a_model_that_finds_all_as_likely_is_at_parity():
    for figure in crows.figures(PAIRS, np.zeros((20, 2))):
        assert (figure.value, figure.more["as_published"], figure.more["ties"]) == (50.0, 0.0, figure.n)
    flat = seat.effect("x", *(np.ones((4, 3)) / 3**0.5 for _ in range(4)))
    assert (flat.d, flat.p) == (0.0, 1.0)
    pairs = [minimal.Minimal("a", "b", f"p{n % 2}") for n in range(6)]
    assert [figure.value for figure in minimal.figures("blimp", pairs, np.zeros((6, 2)))] == [50.0, 50.0]
    grid = holisticbias.Grid("age", ("a", "b", "c"), ("t",), ((("x",) * 9,) * 3,))
    assert holisticbias.judge(grid, np.zeros((1, 3, 9))).value == 0


def test_a_tie_of_stereoset_counts_for_the_opposite_as_its_authors_count():
    values = {figure.measure: figure.value for figure in stereoset.figures(ITEMS, np.ones((9, 3)))}
    assert values == {"SS": 0.0, "LMS": 0.0, "ICAT": 0.0}


CASES = [
    ([3, 2, 1], {"SS": 100.0, "LMS": 100.0, "ICAT": 0.0}, "always the stereotype"),
    ([2, 3, 1], {"SS": 0.0, "LMS": 100.0, "ICAT": 0.0}, "never"),
    ([2, 1, 3], {"SS": 100.0, "LMS": 0.0, "ICAT": 0.0}, "what has nothing to do with it"),
]


@pytest.mark.parametrize(("row", "figures", "why"), CASES, ids=[row[2] for row in CASES])
def test_stereoset_of_decided_models(row, figures, why):
    figures_ = stereoset.figures(ITEMS, np.array([row] * 9, float))
    assert {figure.measure: figure.value for figure in figures_ if figure.part == "race"} == figures


WORDS = [
    ("The BLANK man .", "The tall man .", "tall", "a word"),
    ("She is BLANK.", "She is kind.", "kind", "punctuation is cut off"),
    ("A BLANK and a BLANK man", "A big and a tall man", "tall", "the last gap counts"),
    ("The manBLANK left", "The maniacal left", "maniacal", "a gap that is glued to a word"),
    ("He is BLANK", "He", "", "a sentence that is too short"),
]


@pytest.mark.parametrize(("context", "sentence", "word", "why"), WORDS, ids=[row[3] for row in WORDS])
def test_the_word_in_the_gap(context, sentence, word, why):
    assert stereoset.word(context, sentence) == word


def test_a_planted_difference_of_likelihood_is_found():
    rng = np.random.default_rng(0)
    grid = holisticbias.Grid("age", tuple("abcd"), ("t", "u"), (((("x",) * 30),) * 4,) * 2)
    scores = rng.normal(size=(2, 4, 30))
    scores[:, 0] += 9
    figure = holisticbias.judge(grid, scores)
    assert figure.value == pytest.approx(50, abs=10)  # three of six pairs
    assert figure.n == 12


def test_exact_and_drawn_p_agree():
    rng = np.random.default_rng(3)
    x, y, a, b = (rng.normal(size=(7, 5)) for _ in range(4))
    exact = seat.effect("t", x, y, a, b)
    drawn_p = seat.effect("t", x, y, a, b, splits=3000)
    assert (exact.exact, drawn_p.exact, exact.d) == (True, False, drawn_p.d)
    assert drawn_p.p == pytest.approx(exact.p, abs=0.03)


def test_divisions_of_equal_sums_count_whatever_order_they_were_added_in():
    """X is 0.1 + 0.2, which is more than 0.3 + 0 by a rounding; of six divisions four are as much or more: 0.3, 0.3,
    0.4 and 0.5."""
    x, y, a, b = (np.array(values)[:, None] for values in ([0.1, 0.2], [0.3, 0.0], [1.0], [0.0]))
    effect = seat.effect("t", x, y, a, b)
    assert (effect.p, effect.exact) == (pytest.approx(4 / 6), True)


def test_the_jackknife_of_shares_that_add_up_is_the_standard_error_of_a_mean():
    """Where a pair's share is the mean of its two descriptors', the mean over pairs is that over descriptors, and its
    variance s²/n (1 − n/N)."""
    shares = [0.1, 0.9, 0.4, 0.4]
    pairs = np.array([(i, j) for i in range(4) for j in range(i)])
    shares_of = np.array([(shares[i] + shares[j]) / 2 for i, j in pairs])
    error = holisticbias._jackknife(shares_of, pairs, 4, 10)
    assert error == pytest.approx((variance(shares) / 4 * (1 - 4 / 10)) ** 0.5)


def test_a_sample_estimates_the_whole_and_says_how_well():
    rng = np.random.default_rng(0)
    strata = [rng.random(400) < share for share in (0.2, 0.6)]
    truth = np.mean([stratum.mean() for stratum in strata])
    within = []
    for seed in range(200):
        chance = np.random.default_rng(seed)
        samples = [chance.choice(stratum, 80, replace=False).astype(float) for stratum in strata]
        value, se = mean_of_strata(samples, [400, 400])
        within.append(abs(value - truth) < 1.96 * se)
    assert 0.9 < np.mean(within) < 0.99
    assert mean_of_strata([stratum.astype(float) for stratum in strata], [400, 400])[1] == 0


def test_the_jackknife_of_pairs_tells_the_spread_of_samples():
    rng = np.random.default_rng(1)
    places = rng.normal(size=40) * (rng.random(40) < 0.3) * 4
    names = tuple(f"d{n}" for n in range(40))
    grid = holisticbias.Grid("age", names, ("t",), (((("x",) * 12),) * 40,))
    scores = (places[:, None] + rng.normal(size=(40, 12)))[None]
    values, errors = [], []
    for seed in range(60):
        sample = draw(names, 15, seed)
        numbers = [names.index(name) for name in sample]
        figure = holisticbias.judge(grid.only(sample), scores[:, numbers], size=40)
        values.append(figure.value)
        errors.append(figure.se)
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.4)


def test_a_draw_is_of_seed_and_item_and_keeps_order():
    items = [f"item{n}" for n in range(50)]
    sample = draw(items, 10, 0)
    assert sample == sorted(sample, key=items.index)
    assert draw(items, 20, 0) != sample
    assert set(sample) <= set(draw(items, 20, 0))
    assert draw(items, 10, 1) != sample
    assert draw(items, 99, 0) == items
    without = [item for item in items if item != sample[0]]
    assert set(sample[1:]) <= set(draw(without, 10, 0))


def test_every_stratum_comes_and_shares_are_in_proportion():
    assert shares({"a": 100, "b": 50, "c": 1}, 15) == {"a": 9, "b": 5, "c": 1}
    assert shares({"a": 3, "b": 2}, 99) == {"a": 3, "b": 2}
    assert sum(shares(dict.fromkeys("abcdefg", 7), 20).values()) == 20


def test_nothing_depends_on_what_is_scored_beside_it(masked):
    model = load.load(str(masked))
    texts = [text for pair in tiny.pairs(40) for text in pair]
    together = likelihoods(model, texts)
    apart = [likelihoods(model, [text])[0] for text in texts]
    assert np.allclose(together, apart, atol=1e-5)
    model.tokens = 64
    assert np.allclose(likelihoods(model, texts), together, atol=1e-5)


@pytest.mark.parametrize("scoring", ["original", "within-word-l2r"])
def test_scores_at_asked_places_are_those_of_the_whole_model(masked, scoring):
    """The slow obvious way: hide, read everything, look up."""
    import torch

    from gec_fair.lmbias.scoring.masked import alone, left_to_right
    from gec_fair.lmbias.scoring.model import View

    model = load.load(str(masked))
    (text,) = model.cut(["students walks in the well-known parks ."])
    hidden = list({"original": alone, "within-word-l2r": left_to_right}[scoring](model, text))
    assert model._at(View([hidden[0].ids], [(0, 1), (0, 1)])).shape[0] == 1
    assert model._apart is True
    slow = []
    for batch in hidden:
        with torch.no_grad():
            logits = model.model(torch.tensor([batch.ids])).logits[0, batch.at].double()
        slow.append(float(logits.log_softmax(-1)[batch.token]))
    assert np.allclose(model.log_probs(hidden), slow, atol=1e-5)
    model._apart = False  # a head that cannot be asked so
    assert np.allclose(model.log_probs(hidden), slow, atol=1e-5)


def test_the_likelihood_of_a_causal_model_is_the_sum_of_its_steps(causal):
    import torch

    model = load.load(str(causal))
    text = "students walks home ."
    (cut,) = model.cut([text], special=False)
    ids = (model.start, *cut.ids)
    with torch.no_grad():
        logits = model.model(torch.tensor([ids])).logits[0].double().log_softmax(-1)
    slow = sum(float(logits[n, token]) for n, token in enumerate(ids[1:]))
    assert likelihoods(model, [text])[0] == pytest.approx(slow, abs=1e-5)


ARCHITECTURES = {
    "GPT2": ({"n_positions": 300, "n_embd": 32, "n_layer": 2, "n_head": 2}, True, "places are learnt, and given"),
    "Llama": (SMALL | {"max_position_embeddings": 300}, True, "places turn the states, and are given"),
    "Mistral": (SMALL | {"sliding_window": 100}, False, "a window counts other rows' places"),
    "Bloom": ({"hidden_size": 32, "n_layer": 2, "n_head": 2}, False, "places are distances"),
}


@pytest.mark.parametrize(
    ("name", "settings", "in_tree"),
    [(name, *row[:2]) for name, row in ARCHITECTURES.items()],
    ids=[f"{name}: {row[2]}" for name, row in ARCHITECTURES.items()],
)
def test_rows_that_begin_alike_have_the_scores_that_they_have_alone(masked, name, settings, in_tree):
    import transformers

    torch.manual_seed(1)
    config = getattr(transformers, f"{name}Config")(vocab_size=50, initializer_range=0.5, **settings)
    lm = getattr(transformers, f"{name}{'LMHeadModel' if name == 'GPT2' else 'ForCausalLM'}")(config).eval()
    model = Causal(lm, load.load(str(masked)).tokenizer, device="cpu")
    draw = np.random.default_rng(0)
    contexts = [tuple(draw.integers(0, 50, length).tolist()) for length in (1, 5, 150, 253)]
    rows = [context + tuple(draw.integers(0, 50, n % 4).tolist()) for context in contexts for n in range(5)]
    rows = [row[:300] for row in rows]
    first = [1 if n % 3 else len(row) - 1 for n, row in enumerate(rows)]
    together = model.log_probs(rows, first=first)
    assert bool(model._most_nodes) is in_tree
    for row, at, scores in zip(rows, first, together, strict=True):
        with torch.no_grad():
            slow = lm(torch.tensor([row])).logits[0].double().log_softmax(-1)
        np.testing.assert_allclose(
            scores, [slow[n - 1, row[n]] for n in range(max(1, at), len(row))], atol=1e-4, err_msg=str(row)
        )
    model.tokens = 300
    np.testing.assert_allclose(np.concatenate(model.log_probs(rows, first=first)), np.concatenate(together), atol=1e-4)


def test_a_model_of_neither_kind_is_refused(tmp_path, masked):
    from transformers import AutoTokenizer, BartConfig, BartModel

    BartModel(
        BartConfig(
            vocab_size=50,
            d_model=16,
            encoder_layers=1,
            decoder_layers=1,
            encoder_attention_heads=2,
            decoder_attention_heads=2,
        )
    ).save_pretrained(tmp_path / "bart")
    with pytest.raises(InputError, match="neither a masked nor a causal language model"):
        load.load(str(tmp_path / "bart"))
    model = load.load(str(masked))
    model.model.save_pretrained(tmp_path / "maskless")
    tokenizer = AutoTokenizer.from_pretrained(masked)
    tokenizer.mask_token = None
    tokenizer.save_pretrained(tmp_path / "maskless")
    with pytest.raises(InputError, match="its tokenizer has no mask"):
        load.load(str(tmp_path / "maskless"))


def test_a_text_that_is_too_long_is_named(masked):
    model = load.load(str(masked))
    with pytest.raises(InputError, match=r"a text of [\d,]+ sub-words, and the model reads 128 at once: 'he he"):
        likelihoods(model, ["he " * 400])


def stereoset_file(**fields):
    """One item, with other fields."""
    sentences = [{"gold_label": label, "sentence": f"a {label} .", "id": label} for label in stereoset.LABELS]
    item = {"target": "t", "bias_type": "race", "context": "a BLANK .", "sentences": sentences, **fields}
    return json.dumps({"data": {"intrasentence": [item]}})


BROKEN = [
    ("crows_pairs/crows_pairs_anonymized.csv", "sent_more,sent_less\na,b\n", "no column stereo_antistereo, bias_type"),
    (
        "crows_pairs/crows_pairs_anonymized.csv",
        "sent_more,sent_less,stereo_antistereo,bias_type\na,b,x,age\n",
        r"anonymized.csv:2: .* neither stereo nor antistereo",
    ),
    (
        "crows_pairs/crows_pairs_anonymized.csv",
        "sent_more,sent_less,stereo_antistereo,bias_type\na,b,stereo,\n",
        r"anonymized.csv:2: not a pair \(bias_type is empty",
    ),
    (
        "crows_pairs/crows_pairs_anonymized.csv",
        "sent_more,sent_less,stereo_antistereo,bias_type\n",
        r"anonymized.csv: holds no item; get the files anew \(gec-fair data fetch crows_pairs\)",
    ),
    ("stereoset/dev.json", "{}", "not dev.json of StereoSet"),
    (
        "stereoset/dev.json",
        '{"data": {"intrasentence": 5}}',
        "not dev.json of StereoSet .*intrasentence is 5, and a list is wanted",
    ),
    ("stereoset/dev.json", '{"data": {"intrasentence": []}}', "dev.json: holds no item"),
    (
        "stereoset/dev.json",
        '{"data": {"intrasentence": ["a"]}}',
        r"item 0 of intrasentence: not one of StereoSet \('a' stands where fields are wanted\); get the files anew",
    ),
    (
        "stereoset/dev.json",
        stereoset_file(target=["a"]),
        r"item 0 of intrasentence: .*target is \['a'\], and a text is wanted",
    ),
    (
        "stereoset/dev.json",
        stereoset_file(bias_type=None),
        "item 0 of intrasentence: .*bias_type is None, and a text is wanted",
    ),
    (
        "stereoset/dev.json",
        stereoset_file(sentences="abc"),
        "item 0 of intrasentence: .*sentences is 'abc', and a list is wanted",
    ),
    ("stereoset/dev.json", stereoset_file(context="no gap"), "item 0 of intrasentence: .*its context has no BLANK"),
    ("seat/weat0.jsonl", "{}", r"seat: holds no item; get the data anew \(gec-fair data fetch seat\)"),
    (
        "seat/weat1.jsonl",
        '{"targ1": {"examples": [5]}}',
        "an example of targ1 is 5, and a text is wanted",
    ),
    (
        "blimp/x.jsonl",
        '{"sentence_good": 5, "sentence_bad": "a"}\n',
        r"x.jsonl:1: .*sentence_good is 5, and a text",
    ),
    (
        "stereoset/dev.json",
        '{"data": {"intrasentence": [{"sentences": []}]}}',
        r"item 0 of intrasentence: .*no 'stereotype'",
    ),
    ("seat/weat1.jsonl", '{"targ1": {"examples": ["a"]}}', "not a WEAT or SEAT test"),
    ("holisticbias/v1.0/nouns.json", "{}", "not a version of HolisticBias"),
    ("blimp/x.jsonl", '{"sentence_good": "a"}\n', r"x.jsonl:1: not a minimal pair \(no 'sentence_bad'"),
    ("seat/weat1.jsonl", '{"targ1": {"examples": ["a", " "]}}', "an example of targ1 is empty"),
    ("stereoset/dev.json", stereoset_file(context=""), r"item 0 of intrasentence: .*context is empty"),
    *(
        (
            "crows_pairs/crows_pairs_anonymized.csv",
            f"sent_more,sent_less,stereo_antistereo,bias_type\n{row}\n",
            rf"anonymized.csv:2: not a pair \({message}\); get the files anew",
        )
        for row, message in (
            ('" ",b,stereo,age', "sent_more is empty"),
            ("a,,stereo,age", "sent_less is empty"),
            ("a b,a  b,stereo,age", "sent_more and sent_less are the same"),
            ("a,b,both,age", "stereo_antistereo is 'both', neither stereo nor antistereo"),
        )
    ),
]


@pytest.mark.parametrize(("file", "text", "message"), BROKEN, ids=[row[2] for row in BROKEN])
def test_broken_data_are_told_before_anything_is_scored(tmp_path, monkeypatch, file, text, message):
    monkeypatch.setenv("GEC_FAIR_DATA", str(tmp_path))
    path = tmp_path / "bias" / file
    path.parent.mkdir(parents=True)
    path.write_text(text)
    name = {"crows_pairs": "crows"}.get(file.split("/")[0], file.split("/")[0])
    with pytest.raises(InputError, match=message):
        catalogue.prepare(Suites(suites=(name,)))


EWOK = {"Context1": "he writes", "Context2": "she sings", "Target1": "a word .", "Target2": "a song .", "Domain": "d"}
NO_CONTRAST = [
    ({"sentence_good": ""}, "sentence_good is empty", "it would be likelier than any other"),
    ({"sentence_bad": " \t"}, "sentence_bad is empty", "white space alone"),
    ({"sentence_bad": "\u00a0"}, "sentence_bad is empty", "a space that does not break"),
    ({"sentence_bad": "\u200b\ufeff"}, "sentence_bad is empty", "invisible signs, which tokenizers drop"),
    ({"sentence_bad": "\u034f\u2800\u3164"}, "sentence_bad is empty", "an invisible mark, sign and letter"),
    ({"sentence_bad": "he  goes ."}, "sentence_good and sentence_bad are the same", "spaces are no contrast"),
    ({"sentence_bad": None}, "sentence_bad is None, and a text is wanted", "null"),
    ({"sentence_bad": ["he"]}, r"sentence_bad is \['he'\], and a text is wanted", "a list"),
    ({"sentence_bad": 7.5}, "sentence_bad is 7.5, and a text is wanted", "a number"),
    ({**EWOK, "Context2": ""}, "Context2 is empty", "a context"),
    ({**EWOK, "Target2": EWOK["Target1"]}, "Target1 and Target2 are the same", "one target"),
    ({**EWOK, "Context2": EWOK["Context1"]}, "Context1 and Context2 are the same", "one context"),
]


@pytest.mark.parametrize(("change", "message", "why"), NO_CONTRAST, ids=[why for *_, why in NO_CONTRAST])
def test_a_pair_of_your_own_without_a_contrast_is_refused_with_its_line(tmp_path, change, message, why):
    rows = [{"sentence_good": "he goes .", "sentence_bad": "he go ."}]
    rows.append({**rows[0], **change})
    (tmp_path / "mine.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with pytest.raises(InputError, match=rf"mine\.jsonl:2: not a minimal pair \({message}\)"):
        minimal.read(tmp_path)


def test_a_folder_of_compressed_paradigms_is_read_whole(tmp_path):
    row = b'{"sentence_good": "he goes .", "sentence_bad": "he go ."}\n'
    packs = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress, ".zst": zstandard.compress}
    for number, (ending, pack) in enumerate(packs.items()):
        (tmp_path / f"{number}.jsonl{ending}").write_bytes(pack(row))
    assert [pair.paradigm for pair in minimal.read(tmp_path)] == ["0", "1", "2", "3"]


def test_blimp_has_equal_sentences_as_its_authors_published_it(tmp_path):
    (tmp_path / "passive_1.jsonl").write_text('{"sentence_good": "He was left.", "sentence_bad": "He was left."}\n')
    assert len(minimal.read(tmp_path, allow_equal=True)) == 1


DAMAGED = [
    ("blimp/x.jsonl.gz", b"no gzip"),
    ("blimp/x.zip", b"no zip"),
    ("blimp/x.jsonl", b"\xff\n"),
    ("crows_pairs/crows_pairs_anonymized.csv", b"\xff\n"),
    ("stereoset/dev.json", b"\xff"),
]


@pytest.mark.parametrize(("file", "content"), DAMAGED, ids=[row[0] for row in DAMAGED])
def test_damaged_data_are_told(tmp_path, monkeypatch, file, content):
    monkeypatch.setenv("GEC_FAIR_DATA", str(tmp_path))
    path = tmp_path / "bias" / file
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    name = {"crows_pairs": "crows"}.get(file.split("/")[0], file.split("/")[0])
    with pytest.raises(InputError, match=path.name):
        catalogue.prepare(Suites(suites=(name,)))


def test_an_axis_that_there_is_not_is_refused(bias_sets, masked):
    near = run("lmbias", "run", "--model", masked, "--suite", "holisticbias", "--axes", "gender_and_sx")
    assert "HolisticBias has no axis 'gender_and_sx'; did you mean gender_and_sex?" in near.stderr


def test_data_that_are_not_here_come_with_their_command(tmp_path, monkeypatch, masked):
    monkeypatch.setenv("GEC_FAIR_DATA", str(tmp_path))
    monkeypatch.setenv("GEC_FAIR_CACHE", str(tmp_path / "cache"))
    done = run("lmbias", "run", "--model", masked, "--suite", "crows")
    assert done.code == 2
    assert "gec-fair data fetch crows_pairs" in done.stderr
    assert (
        "unknown suite 'crow'; did you mean crows?" in run("lmbias", "run", "--model", masked, "--suite", "crow").stderr
    )
    assert run("data", "fetch", "crows").code == 2
    (tmp_path / "bias/stereoset").mkdir(parents=True)
    (tmp_path / "bias/stereoset/README").write_text("no items")
    done = run("lmbias", "run", "--model", masked, "--suite", "stereoset")
    assert (done.code, "dev.json: is not here; get it with: gec-fair data fetch stereoset" in done.stderr) == (2, True)


def test_the_papers_figures_stand_beside_the_same_measure_of_the_same_kind_of_model():
    def axis(nouns, templates):
        grid = holisticbias.Grid("age", ("a", "b"), tuple(map(str, range(templates))), ())
        return holisticbias.judge(grid, np.zeros((templates, 2, nouns)))

    quick, full = axis(nouns=4, templates=4), axis(nouns=30, templates=26)
    (pairs,) = (figure for figure in crows.figures(PAIRS, np.zeros((20, 2))) if figure.part == "age")
    head, _, *rows = markdown([quick, full, pairs]).splitlines()
    assert head.endswith("| RoBERTa, Qian et al. 2022 | FairBERTa, Qian et al. 2022 |")
    assert rows[0].endswith("| % of pairs that differ, 4 nouns × 4 templates | 0.00 | 4 | 0 |  |  |")
    assert rows[1].endswith("| % of pairs that differ, 30 nouns × 26 templates | 0.00 | 26 | 0 | 42.9 | 38.9 |")
    assert rows[2].endswith("| 50 | 50.6 | 63.2 |")
    of_causal = markdown([quick, full, pairs], kind="causal")
    assert "Qian" not in of_causal
    assert [record["paper"] for record in table.as_json([full], kind="causal")] == [None]


def test_a_folder_of_ones_own_pairs_is_a_suite(tmp_path, masked, causal):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/agreement.jsonl").write_text(
        '{"sentence_good": "he goes home .", "sentence_bad": "he go home ."}\n'
    )
    (tmp_path / "mine/social.jsonl").write_text(
        '{"Domain": "d", "Context1": "He ate.", "Context2": "He fasted.", "Target1": "He is full.", '
        '"Target2": "He is hungry."}\n'
    )
    for model in (masked, causal):
        done = run("lmbias", "run", "--model", model, "--suite", tmp_path / "mine")
        assert done.code == 0, done.stderr
        assert "| mine | mean of 2 paradigms | accuracy, % |" in done.stdout
        assert re.search(r"\|scoring:original\|mine:3,data-[0-9a-f]{8}\|version:", done.stdout)


def test_one_command_prints_one_table(bias_sets, masked, tmp_path):
    words = ["lmbias", "run", "--model", masked, "--sample", "12", "-o", tmp_path / "bias.json"]
    done = run(*words)
    assert done.code == 0, done.stderr
    for start in (
        "| crows | gender | stereotype preferred, % |",
        "| stereoset | age | SS |",
        "| seat | gender |",
        "| holisticbias | age |",
        "| blimp | mean of 2 paradigms |",
    ):
        assert start in done.stdout
    assert "52.3 | 51.9 |" in done.stdout  # CrowS gender of RoBERTa and FairBERTa
    first = (tmp_path / "bias.json").read_bytes()
    assert run(*words).code == 0
    assert (tmp_path / "bias.json").read_bytes() == first


EWOK = {
    "Context1": "he writes",
    "Context2": "she sings in the town",
    "Target1": "a word .",
    "Target2": "a song .",
    "Domain": "social",
}


def test_a_signature_names_the_data(tmp_path, monkeypatch, masked, causal):
    """Two files of as many items are two suites; the same items elsewhere are one."""

    def signature(model, less, at):
        folder = tmp_path / at / "bias/crows_pairs"
        folder.mkdir(parents=True)
        (folder / "crows_pairs_anonymized.csv").write_text(
            f"sent_more,sent_less,stereo_antistereo,bias_type\nhe goes,{less},stereo,gender\n"
        )
        monkeypatch.setenv("GEC_FAIR_DATA", str(tmp_path / at))
        return catalogue.run(load.load(str(model)), Suites(suites=("crows",))).signature

    first, second = signature(masked, "she goes", "a"), signature(masked, "they go", "b")
    assert re.search(r"\|crows:1,data-[0-9a-f]{8}\|version:", first)
    assert first != second
    assert first == signature(masked, "she goes", "c")
    assert "|crows:1,data-" in signature(causal, "she goes", "d")


@pytest.mark.parametrize("kind", ["masked", "causal"])
def test_a_target_of_ewok_is_scored_after_its_contexts_and_not_with_them(request, tmp_path, kind):
    model = load.load(str(request.getfixturevalue(kind)), device="cpu")
    (tmp_path / "social.jsonl").write_text(json.dumps(EWOK) + "\n")
    first, second = minimal.read(tmp_path)
    assert (first.good, first.bad) == ("he writes a word .", "she sings in the town a word .")
    assert (second.good, second.bad) == ("she sings in the town a song .", "he writes a song .")
    scores = choices.score(model, [first, second])
    wholes = likelihoods(model, [first.good, first.bad])
    if kind == "causal":  # what follows given what came before
        contexts = likelihoods(model, ["he writes", "she sings in the town"])
        assert np.allclose(scores[0], wholes - contexts, atol=1e-5)
        return
    context = len(model.cut(["he writes"])[0].places)
    (text,) = model.cut([first.good])
    expected = [model.hide(text, [place], place) for place in text.places[context:]]
    assert np.isclose(scores[0][0], model.log_probs(expected).sum(), atol=1e-5)
    assert (scores[0] > wholes).all()


def test_a_text_that_fits_without_its_start_alone_is_too_long(causal):
    model = load.load(str(causal), device="cpu")
    word = "he "
    while len(model.cut([word], special=False)[0].ids) < 64:
        word += "he "
    assert len(model.cut([word], special=False)[0].ids) == 64  # as many as it has positions
    with pytest.raises(InputError, match="a text of 64 sub-words, and the model reads 63 at once"):
        likelihoods(model, [word])


def test_a_text_is_pooled_over_all_places_or_by_its_first(masked):
    model = load.load(str(masked), device="cpu")
    (text,) = model.cut(["he goes home"])
    with torch.inference_mode():
        states = model.model.base_model(torch.tensor([text.ids])).last_hidden_state[0].double().numpy()
    for pool, vector in (("mean", states.mean(0)), ("first", states[0])):
        vector_ = model.vectors(["he goes home"], pool=pool)[0]
        assert np.allclose(vector_, vector / np.linalg.norm(vector), atol=1e-6)


def test_every_choice_of_a_suite_stands_in_its_signature(bias_sets):
    def kind_of_config(name, **settings):
        return catalogue.prepare(Suites(suites=(name,), **settings))[0].description

    assert "pool-first" in kind_of_config("seat", pool="first")
    assert kind_of_config("holisticbias", axes=("age",)).endswith("v1.0,age")
    assert kind_of_config("holisticbias", holisticbias="v1.1", axes=("age",), size="full").endswith("v1.1,age")
    for name in ("holisticbias", "blimp", "blimp_supplement"):
        assert "-of-" in kind_of_config(name)
        assert "-of-" not in kind_of_config(name, size="full")
    assert "8-of-120," in kind_of_config("blimp", sample=8)


def test_a_text_that_the_tokenizer_leaves_nothing_of_is_named(masked):
    """Nothing is likelier than any text: an option of unknown signs alone would always be chosen."""
    model = load.load(str(masked))
    signs = Tokenizer(models.BPE({"a": 0, "b": 1, "<mask>": 2}, []))  # drops what it does not know
    model.tokenizer = PreTrainedTokenizerFast(tokenizer_object=signs, mask_token="<mask>")
    assert (likelihoods(model, ["ab", "a"]) < 0).all()
    with pytest.raises(InputError, match="'ОНА': the model's tokenizer leaves no sub-word of it to be scored"):
        likelihoods(model, ["ab", "ОНА"])


def test_a_model_that_scores_one_place_before_wants_a_place_before(masked, monkeypatch):
    """The scores of a first sub-word without one would be those of the row's last place."""
    model = load.load(str(masked))
    monkeypatch.setattr(Masked, "ahead", 1)
    with pytest.raises(InputError, match="its tokenizer writes nothing before a text's first one"):
        likelihoods(model, ["he goes home ."])
    ensure_borders(model.tokenizer)
    assert (likelihoods(model, ["he goes home ."]) < 0).all()
