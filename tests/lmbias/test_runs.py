"""A run from its options to its figures: what is refused before anything is scored, what a stopped run keeps, what is
said of a model that cannot be asked."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer

import gec_fair as gf
from gec_fair.errors import ArgumentError, GecFairError, InputError, ResumeError, UsageError
from gec_fair.lmbias.options import Suites
from gec_fair.lmbias.scoring import load
from gec_fair.lmbias.scoring.likelihood import likelihoods
from gec_fair.lmbias.suites import catalogue, choices, crows, minimal, seat, stereoset
from gec_fair.lmbias.suites.cache import SuiteCache
from tests.cli.invoke import run
from tests.gec.gector import tiny

PAIR = {"sentence_good": "he goes home .", "sentence_bad": "he go home ."}
EWOK = {"Context1": "he writes", "Context2": "she sings", "Target1": "a word .", "Target2": "a song .", "Domain": "d"}


@pytest.fixture
def folders(tmp_path):
    """Two suites of one's own."""
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "agreement.jsonl").write_text(json.dumps(PAIR) + "\n")
    return tmp_path / "first", tmp_path / "second"


def stopped_at(name, started):
    """A progress that hears which suites begin, and is interrupted where one of them does."""

    def begin(title):
        started.append(title)
        if title == name:
            raise KeyboardInterrupt

    return begin


@pytest.fixture
def stopped(masked, folders):
    """A run that was interrupted in its second suite: the model, its options, what was kept, its output to be."""
    model, options = load.load(str(masked)), Suites(suites=tuple(map(str, folders)))
    output = folders[0].parent / "bias.json"
    cache = SuiteCache.for_output(output)
    with pytest.raises(KeyboardInterrupt):
        catalogue.run(model, options, progress=stopped_at("second", []), cache=cache)
    return model, options, cache, output


@pytest.mark.slow
def test_a_stopped_run_goes_on_with_the_suite_that_it_was_stopped_in(stopped):
    model, options, cache, _ = stopped
    started: list[str] = []
    scores = catalogue.run(model, options, progress=stopped_at("", started), cache=cache)
    assert started == ["second"]
    assert scores == catalogue.run(model, options)


@pytest.mark.slow
def test_the_same_command_goes_on_and_ends_with_the_same_bytes(stopped, masked, folders):
    _, _, cache, output = stopped
    words = ["lmbias", "run", "--model", masked, "--suite", ",".join(map(str, folders)), "-o"]
    fresh = run(*words, output.with_name("fresh.json"))
    done = run(*words, output)
    assert (fresh.code, done.code) == (0, 0), done.stderr
    assert "note: first: as" not in fresh.stderr
    assert f"note: first: as {cache.path} has it" in done.stderr
    assert output.read_bytes() == output.with_name("fresh.json").read_bytes()
    assert not list(output.parent.glob("*.suites"))


@pytest.mark.parametrize("change", ["data", "option", "model", "configuration"])
def test_what_was_found_otherwise_is_not_taken_up(stopped, folders, masked, causal, change):
    model, options, cache, _ = stopped
    if change == "data":
        (folders[0] / "agreement.jsonl").write_text(json.dumps({**PAIR, "sentence_bad": "he going home ."}) + "\n")
    if change == "option":
        options = Suites(suites=options.suites, scoring="within-word-l2r")
    if change == "model":
        model = load.load(str(causal))
    if change == "configuration":  # the same weights, read by other heads
        heads = shutil.copytree(masked, folders[0].parent / "heads")
        config = json.loads((heads / "config.json").read_text())
        (heads / "config.json").write_text(json.dumps({**config, "num_attention_heads": 4}))
        model = load.load(str(heads))
    started: list[str] = []
    catalogue.run(model, options, progress=stopped_at("", started), cache=cache)
    assert started == ["first", "second"]


@pytest.mark.parametrize("text", ["{", "[]", '{"x": 5}'])
def test_a_record_that_is_none_is_named(stopped, text):
    model, options, cache, _ = stopped
    name = next(iter(json.loads(cache.path.read_text())))
    cache.path.write_text(text.replace("x", name))
    with pytest.raises(ResumeError, match=r"bias.json.suites: not a record written by gec-fair.*remove it"):
        catalogue.run(model, options, cache=cache)


NO_USE = [
    ("causal", {"scoring": "within-word-l2r"}, "a causal one has none hidden; leave --scoring out"),
]


@pytest.mark.parametrize(("kind", "changes", "message"), NO_USE, ids=[row[2] for row in NO_USE])
def test_an_option_that_is_not_for_this_model_is_refused_before_anything_is_scored(
    request, folders, kind, changes, message
):
    started: list[str] = []
    model, options = (
        load.load(str(request.getfixturevalue(kind))),
        Suites(tuple(map(str, folders)), **changes),
    )
    with pytest.raises(UsageError, match=re.escape(message)):
        catalogue.run(model, options, progress=stopped_at("", started))
    assert not started


@pytest.mark.parametrize("option", ["--suite", "--axes"])
def test_no_suite_is_no_run(masked, option):
    done = run("lmbias", "run", "--model", masked, option, "")
    assert (done.code, f"{option[2:]} names none" in done.stderr) == (2, True)


@pytest.mark.parametrize("option", ["--suite", "--axes"])
def test_what_is_named_twice_is_refused(masked, option):
    words = ("--suite", "holisticbias") if option == "--axes" else ()
    done = run("lmbias", "run", "--model", masked, *words, option, "crows,crows")
    assert (done.code, f"{option[2:]} has crows twice; once is enough" in done.stderr) == (2, True)


def test_a_suite_is_read_from_the_data_folder_whatever_the_current_one_holds(tmp_path, monkeypatch):
    """A folder of the suite's name is read when it is given as a path."""
    public, mine = tmp_path / "data" / "bias" / "blimp", tmp_path / "blimp"
    for place, count in ((public, 2), (mine, 1)):
        place.mkdir(parents=True)
        rows = [{**PAIR, "sentence_good": f"{number} goes home ."} for number in range(count)]
        (place / "agreement.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.setenv("GEC_FAIR_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    for name, count in (("blimp", "2"), ("./blimp", "1"), (str(mine), "1")):
        (part,) = catalogue.prepare(Suites((name,)))
        assert (part.name, part.description) == ("blimp", count)


def test_two_folders_of_one_name_are_refused_for_their_figures_would_be():
    with pytest.raises(UsageError, match="suite has mine twice"):
        Suites(suites=("a/mine", "b/mine/"))


@pytest.mark.parametrize("option", ["sample", "seed"])
def test_a_number_below_nothing_is_named(masked, option):
    done = run("lmbias", "run", "--model", masked, f"--{option}", "-3")
    assert (done.code, f"Invalid value for '--{option}': -3 is not in the range x>=0" in done.stderr) == (2, True)


IDLE = [
    ("crows", ("--axes", "gender_and_sex"), "--axes is for holisticbias; --suite has crows"),
    ("crows", ("--holisticbias", "v1.1"), "--holisticbias is for holisticbias"),
    ("crows", ("--pool", "first"), "--pool is for seat"),
    (
        "crows,stereoset,seat",
        ("--scoring", "original"),
        "--scoring is for holisticbias, winobias, bbq, entity_tracking, minimal pairs",
    ),
    ("seat", ("--size", "full"), "--size is for holisticbias, bbq, entity_tracking, minimal pairs"),
    ("winobias", ("--size", "full"), "--size is for holisticbias, bbq, entity_tracking, minimal pairs"),
    ("winobias", ("--seed", "1"), "--seed decides nothing where all items are taken"),
    (
        "seat",
        ("--sample", "9"),
        "--sample is for holisticbias, crows, stereoset, winobias, bbq, entity_tracking, minimal pairs",
    ),
    ("blimp", ("--sample", "9", "--size", "full"), "--size says nothing of minimal pairs with --sample"),
    ("crows", ("--seed", "1"), "--seed decides nothing where all items are taken"),
    ("blimp", ("--size", "full", "--seed", "1"), "--seed decides nothing where all items are taken"),
]


@pytest.mark.parametrize(("suite", "words", "message"), IDLE, ids=[row[2] for row in IDLE])
def test_an_option_that_decides_nothing_of_these_suites_is_refused(masked, suite, words, message):
    done = run("lmbias", "run", "--model", masked, "--suite", suite, *words)
    assert (done.code, message in done.stderr) == (2, True), done.stderr


def test_a_kind_that_a_model_is_not_is_refused(masked, causal):
    for folder, kind, message in (
        (masked, "causal", "is a masked model (roberta) and no causal one; leave --kind out"),
        (causal, "masked", "is a causal model (gpt2) and no masked one; leave --kind out"),
    ):
        done = run("lmbias", "run", "--model", folder, "--kind", kind)
        assert (done.code, message in done.stderr) == (2, True), done.stderr
    assert (load.load(str(masked), kind="masked").kind, load.load(str(causal), kind="causal").kind) == (
        "masked",
        "causal",
    )


@pytest.mark.parametrize("suite", ["crows", "stereoset", "likelihoods", "seat"])
def test_how_far_a_suite_is_is_told_after_a_few_items(masked, suite):
    model, reports = load.load(str(masked)), []
    three, labels = ("he goes", "she goes", "they go"), ("1", "2", "3")
    hear = lambda done, total: reports.append((done, total))  # noqa: E731
    {
        "crows": lambda: crows.score(model, [crows.Pair("he goes", "she goes", True, "age")] * 40, progress=hear),
        "stereoset": lambda: stereoset.score(
            model, [stereoset.Item("t", "age", "BLANK goes", three, labels)] * 40, progress=hear
        ),
        "likelihoods": lambda: likelihoods(model, [f"he {n}" for n in range(40)], progress=hear),
        "seat": lambda: seat.effects(
            model, [seat.Test("t", ("he", "man"), ("she", "woman"), ("a",), ("b",))] * 40, progress=hear
        ),
    }[suite]()
    assert (reports[0][0] <= 8, reports[-1]) == (True, (40, 40))


TERMINAL = """
import os, pty, sys
pid, fd = pty.fork()
if not pid:
    os.execv(sys.executable, [sys.executable, "-c", sys.argv[1]])
shown = b""
try:
    while piece := os.read(fd, 1024):
        shown += piece
except OSError:  # the end, on Linux
    pass
sys.stdout.buffer.write(shown)
"""
BARRED = """
import time
from gec_fair.progress import bar
with bar("crows") as tell:
    time.sleep(2.1)
    tell(8, 80)
"""


def test_a_bar_is_shown_on_a_terminal_that_nobody_gave_a_size():
    done = subprocess.run([sys.executable, "-c", TERMINAL, BARRED], capture_output=True, text=True, check=True)
    assert "| 8/80 [00:0" in done.stdout


def test_an_error_names_its_suite(masked, folders):
    (folders[1] / "agreement.jsonl").write_text(json.dumps({**PAIR, "sentence_bad": "he " * 400}) + "\n")
    with pytest.raises(InputError, match=r"^second: a text of [\d,]+ sub-words"):
        catalogue.run(load.load(str(masked)), Suites(suites=tuple(map(str, folders))))


@pytest.mark.parametrize("kind", ["masked", "causal"])
def test_a_model_that_gives_no_number_is_refused(request, kind):
    model = load.load(str(request.getfixturevalue(kind)), device="cpu")
    with torch.no_grad():
        next(model.model.parameters()).fill_(float("nan"))
    three = ("he", "she"), ("man", "woman")
    for score in (
        lambda: crows.score(model, [crows.Pair("he goes", "she goes", True, "gender")]),
        lambda: likelihoods(model, ["he goes"]),
        lambda: seat.effects(model, [seat.Test("t", *three, *three)]),
    ):
        with pytest.raises(GecFairError, match="answers with what is not a number"):
            score()


@pytest.fixture(scope="module")
def in_python(tmp_path_factory):
    """A masked model whose tokenizer is one in Python alone, as BERTweet's is."""
    from transformers import BertweetTokenizer, RobertaConfig, RobertaForMaskedLM

    folder = tmp_path_factory.mktemp("bertweet")
    (folder / "vocab.txt").write_text("".join(f"{word} 9\n" for word in ("he", "goes", "home", "writes", ".")))
    (folder / "bpe.codes").write_text("#version: 0.2\n")
    tokenizer = BertweetTokenizer(str(folder / "vocab.txt"), str(folder / "bpe.codes"))
    torch.manual_seed(0)
    RobertaForMaskedLM(
        RobertaConfig(
            vocab_size=len(tokenizer),
            hidden_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=16,
            max_position_embeddings=64,
            pad_token_id=1,
        )
    ).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return load.load(str(folder), device="cpu")


def test_a_tokenizer_in_python_alone_will_do_where_no_places_are_asked_for(in_python, tmp_path):
    assert np.isfinite(likelihoods(in_python, ["he goes home .", "he"])).all()
    (tmp_path / "ewok.jsonl").write_text(json.dumps(EWOK) + "\n")
    for ask in (
        lambda: likelihoods(in_python, ["he goes home ."], scoring="within-word-l2r"),
        lambda: choices.score(in_python, minimal.read(tmp_path)),
    ):
        with pytest.raises(InputError, match=r"give a model with a fast one \(tokenizer.json\)"):
            ask()


@pytest.mark.slow
def test_nothing_is_written_to_a_stderr_that_is_no_terminal(masked, folders):
    words = [sys.executable, "-m", "gec_fair.cli", "lmbias", "run", "--model", masked, "--suite", folders[0]]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_seat_needs_no_head_and_what_needs_one_says_how_it_is_made(bias_sets, masked, tmp_path):
    encoder = str(tiny.encoder(tmp_path))
    results = gf.lmbias.score(encoder, "seat")
    assert results.kind == "encoder"
    assert "|kind:encoder|" in results.signature
    # make_masked draws a head over an encoder of the same seed
    assert results.figures == gf.lmbias.score(str(masked), ["seat"]).figures
    refused = run("lmbias", "run", "--model", encoder, "--suite", "crows,seat")
    assert refused.code == 2
    assert f"gec-fair pretrain mlm SETTINGS --set start={encoder} trains one" in refused.stderr


def test_a_model_in_memory_is_scored_as_its_folder_is_and_stays_as_it_was(bias_sets, masked, causal):
    for folder, kind in ((masked, AutoModelForMaskedLM), (causal, AutoModelForCausalLM), (masked, AutoModel)):
        model, tokenizer = kind.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
        suites = ["seat"] if kind is AutoModel else ["seat", "blimp_fast_babylm"]
        results = gf.lmbias.score(model.train(), suites, tokenizer=tokenizer)
        by_name = gf.lmbias.score(str(folder), suites)
        assert results.figures == by_name.figures
        assert model.training
        if kind is not AutoModel:
            assert (results.signature, results.model) == (by_name.signature, str(folder))
    with pytest.raises(InputError, match="crows: needs a language model's head, and this model has none"):
        gf.lmbias.score(model, ["crows", "seat"], tokenizer=tokenizer)
    with pytest.raises(ArgumentError, match="tokenizer is None; give the tokenizer of the model"):
        gf.lmbias.score(model, "seat")
    with pytest.raises(ArgumentError, match=r"model is .*; give a folder, a name of the hub, or a model"):
        gf.lmbias.score(tokenizer, "seat")


ENCODERS = {
    "minilm": (1.02, True, "men's names are nearer to careers (Caliskan et al. 2017: 1.81)"),
    "distilbert": (-0.29, False, "one that was tuned to correct grammar shows nothing of it"),
}


@pytest.mark.parametrize("name", ENCODERS)
def test_of_encoders_that_others_trained_one_has_seats_known_bias(weights, data, name):
    d, is_significant, why = ENCODERS[name]
    reader = load.load_for_vectors(str(weights(name)))
    (effect,) = seat.effects(reader, [seat.read(data / "bias/seat/weat6.jsonl")])
    assert reader.kind == "encoder"
    assert effect.d == pytest.approx(d, abs=0.01), why
    assert (effect.p < 0.05) is is_significant


@pytest.mark.slow(20)
def test_a_chat_model_reads_texts_that_begin_alike_as_it_reads_each_alone(weights, data):
    model = load.load(str(weights("smollm2")), device="cpu")
    pairs = minimal.read(data / "bias/blimp", allow_equal=True)[::8000]
    cuts = model.cut([text for pair in pairs for text in (pair.good, pair.bad)] * 2, special=False)
    rows = [(start, *cut.ids) for start, cut in zip([0] * len(pairs) * 2 + [1] * len(pairs) * 2, cuts, strict=True)]
    together = [values.sum() for values in model.log_probs(rows)]
    assert model.__dict__["_most_nodes"], "trees were read"
    np.testing.assert_allclose(together, [model.log_probs([row])[0].sum() for row in rows], atol=1e-3)


@pytest.mark.slow(30)
def test_a_chat_model_that_others_trained_knows_english(weights, data, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_DATA", str(data))
    results = gf.lmbias.score(str(weights("smollm2")), ["crows", "blimp"], sample=12)
    assert results.kind == "causal"
    assert results.value("blimp", "over pairs", "accuracy, %") == pytest.approx(79.1, abs=2)
    assert results.value("crows", "all", "stereotype preferred, %") == pytest.approx(54.0, abs=8)
