"""Training: it learns which edits are right, it resumes, a seed is a seed, and faults are reported."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gec_fair.config.settings import read_settings
from gec_fair.edits import diff, join_words, m2
from gec_fair.errors import InputError, MissingResource, ResumeError, UsageError
from gec_fair.gec.editscorer import checkpoint, data
from gec_fair.gec.editscorer import train as training
from gec_fair.gec.editscorer.lists import Listed
from gec_fair.gec.editscorer.options import Decoding, RankerTraining, Setup
from gec_fair.gec.editscorer.predict import Corrector
from gec_fair.gec.editscorer.scoring import Scoring
from gec_fair.trainer.arrow_table import is_held_out
from gec_fair.trainer.nan_guard import Diverged
from gec_fair.trainer.options import TrainingOptions
from gec_fair.trainer.records import identity_of
from tests.cli.invoke import run
from tests.gec.editscorer.small import Fixed, candidate, edit
from tests.gec.gector import tiny
from tests.trainer.killing import killed_after

STEPS = TrainingOptions(
    steps=12, batch=1, learning_rate=2e-3, save_every=4, eval_every=4, log_every=4, precision="fp32", device="cpu"
)
FLIPPED = {**tiny.VERBS, **{third: verb for verb, third in tiny.VERBS.items()}}


def flip_numbers(text: str) -> str:
    return " ".join(FLIPPED.get(word, word) for word in text.split())


def write_lists(folder: Path, name: str, number: int, seed: int) -> None:
    """Toy pairs; two systems: one turns every verb round, the other doubles the first word."""
    sources = [source for source, _ in tiny.pairs(number, seed)]
    tiny.write_pairs(folder / f"{name}.tsv", number, seed)
    (folder / f"{name}.flip.txt").write_text("".join(flip_numbers(text) + "\n" for text in sources))
    (folder / f"{name}.junk.txt").write_text("".join(f"{text.split()[0]} {text}\n" for text in sources))


@pytest.fixture(scope="module")
def options(models, tmp_path_factory):
    folder = tmp_path_factory.mktemp("toy")
    write_lists(folder, "train", 400, 0)
    write_lists(folder, "dev", 60, 1)
    lists = [tuple(str(folder / f"{name}.{kind}.txt") for kind in ("flip", "junk")) for name in ("train", "dev")]
    return RankerTraining(
        start=str(models / "encoder"),
        train=str(folder / "train.tsv"),
        dev=str(folder / "dev.tsv"),
        lists=lists[0],
        dev_lists=lists[1],
        training=STEPS,
        tokens=1000,
        mlp_hidden=32,
    )


@pytest.fixture(scope="module")
def finished(options, tmp_path_factory):
    """A run of seed 1, into whose folder no test writes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GEC_FAIR_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))
        return training.train(options, tmp_path_factory.mktemp("finished") / "run", seed=1)


def digest(folder) -> str:
    return checkpoint.load(str(folder)).digest()


@pytest.mark.slow
def test_training_lifts_right_edits_above_wrong_ones_and_above_doing_nothing(options, tmp_path):
    long = replace(STEPS, steps=300, learning_rate=3e-3, eval_every=150, save_every=150, schedule="linear", warmup=20)
    done = training.train(replace(options, training=long, epochs=99.0), tmp_path / "run", seed=0)
    assert done.losses[-1] < done.losses[0]
    score = Scoring(checkpoint.load(str(done.directory)))
    right = 0
    pairs = tiny.pairs(60, seed=7)
    for source, target in pairs:
        words = tuple(source.split())
        (flip,) = diff(words, flip_numbers(source).split())
        ((nothing, flip_score, junk_score),) = score([(words, [flip, edit(0, 0, words[0])])])
        right += (flip_score > nothing) == (source != target) and max(flip_score, nothing) > junk_score
    assert right >= 0.95 * len(pairs)


def test_a_model_is_a_function_of_its_seed_and_candidates_are_made_once(options, finished, tmp_path, monkeypatch):
    monkeypatch.setattr(data, "_make", lambda *_, **__: pytest.fail("made again"))
    again, changed = (digest(training.train(options, tmp_path / str(seed), seed=seed).directory) for seed in (1, 2))
    assert digest(finished.directory) == again != changed


@pytest.mark.slow
@pytest.mark.parametrize("step", [2, 7, 11])
def test_a_run_that_was_stopped_anywhere_ends_as_one_that_was_not(options, tmp_path, step):
    options = replace(options, dropout=0.2)  # the random state has to come back with the checkpoint
    reference = training.train(options, tmp_path / "whole", seed=1)
    with killed_after(step):
        training.train(options, tmp_path / "killed", seed=1)
    again = training.train(options, tmp_path / "killed", seed=1)
    assert again.losses == reference.losses
    assert digest(again.directory) == digest(reference.directory)


@pytest.mark.slow
@pytest.mark.parametrize("step", [2, 5])
def test_a_run_of_several_batches_an_update_resumes_in_them(options, tmp_path, step):
    options = replace(options, dropout=0.2, tokens=400, training=replace(STEPS, steps=7, accumulation=3))
    reference = training.train(options, tmp_path / "whole", seed=1)
    with killed_after(step):
        training.train(options, tmp_path / "killed", seed=1)
    again = training.train(options, tmp_path / "killed", seed=1)
    assert again.losses == reference.losses
    assert digest(again.directory) == digest(reference.directory)


def test_a_finished_run_is_not_run_again_and_another_is_refused(options, finished):
    run = finished.directory.parent
    assert training.train(options, run, seed=1) == finished
    with pytest.raises(ResumeError, match="seed"):
        training.train(options, run, seed=2)
    with pytest.raises(ResumeError, match="alpha_pos"):
        training.train(replace(options, alpha_pos=2.0), run, seed=1)


def test_epochs_say_how_long_and_steps_are_a_limit(options, tmp_path):
    done = training.train(replace(options, epochs=0.2, training=replace(STEPS, steps=999)), tmp_path / "run", seed=1)
    summary = json.loads((tmp_path / "run/manifest.json").read_text())["result"]
    assert done.steps == -(-summary["batches"] // 5)
    assert training.limit_updates(options, summary["batches"], 1).steps == STEPS.steps
    half = replace(STEPS, steps=999, accumulation=2)
    assert training.limit_updates(replace(options, training=half), summary["batches"], 1).steps == -(
        -summary["batches"] * 3 // 2
    )


def test_the_seed_decides_batches_and_no_batch_is_over_budget(options):
    score = training.start(options)
    texts = [Path(name) for name in options.lists]
    listed = Listed(texts, data.sentences(Path(options.train)), name="train")
    table = data.prepare(Path(options.train), listed, score.reader)
    orders = [data.Batches(table, np.arange(400), 600, seed) for seed in (1, 1, 2, None)]
    rows = [batches.batches for batches in orders]
    assert rows[0] == rows[1] != rows[2]
    for batches in orders:
        assert sorted(np.concatenate(batches.batches).tolist()) == list(range(400))
        pairs = data.collate([batches[0]], reader=score.reader)["input_ids"]
        assert pairs.numel() <= 600
        assert pairs.shape[0] == sum(len(example.labels) for example in batches[0])


def test_labels_say_what_the_pairs_say(options, models, tmp_path):
    (tmp_path / "p.tsv").write_text("he go home\the goes home\nthey go home\tthey go home\n")
    known = {
        ("he", "go", "home"): (candidate(1, 2, "goes", 2.5), candidate(1, 2, "gone", 1.0)),
        ("they", "go", "home"): (candidate(1, 2, "goes", 0.1),),
    }
    reader = training.start(options).reader
    table = data.prepare(tmp_path / "p.tsv", Fixed(known), reader)
    assert [table[n].labels for n in (0, 1)] == [(False, True, False), (True, False)]  # doing nothing first
    assert (
        table.lines[0].decode() == '"he go home"\t{"right": false, "edits": [[1, 2, ["goes"], 2.5, true], '
        '[1, 2, ["gone"], 1.0, false]]}'
    )
    poor = data.prepare(tmp_path / "p.tsv", Fixed(dict.fromkeys(known, ()), "poor"), reader, add_gold=True)
    assert [poor[n].labels for n in (0, 1)] == [(False, True), (True,)]
    assert poor[0].edits == (edit(1, 2, "goes"),)


def test_an_m2_file_trains_as_its_pairs_do(options, tmp_path):
    pairs = tiny.pairs(50, 4)
    (tmp_path / "p.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in pairs))
    blocks = [(join_words(a.split()), diff(a.split(), b.split())) for a, b in pairs]
    (tmp_path / "p.m2").write_text("".join(m2.render(source, [("0", their)]) for source, their in blocks))
    reader = training.start(options).reader
    known = {source.words: (candidate(0, 0, "so"),) for source, _ in blocks}
    tables = [data.prepare(tmp_path / name, Fixed(known), reader, add_gold=True) for name in ("p.tsv", "p.m2")]
    assert [tables[0][n] for n in range(50)] == [tables[1][n] for n in range(50)]


class Dying(Fixed):
    """Is killed when it is asked a third time."""

    def __call__(self, texts):
        calls.append(texts)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return super().__call__(texts)


calls: list = []


def test_candidates_that_were_made_before_a_kill_are_not_made_again(options, tmp_path, monkeypatch):
    monkeypatch.setattr(data, "_PART", 16)
    calls.clear()
    pairs = tiny.pairs(50, 6)
    path = tmp_path / "p.tsv"
    path.write_text("no tab\n" + "".join(f"{a}\t{b}\n" for a, b in pairs))
    known = {tuple(a.split()): (candidate(0, 0, f"so{number}"),) for number, (a, _) in enumerate(pairs) if number != 3}
    known.pop(tuple(pairs[3][0].split()), None)
    reader = training.start(options).reader
    reference = data.prepare(path, Fixed(known), reader, cache=tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        data.prepare(path, Dying(known), reader, cache=tmp_path / "killed")
    again = data.prepare(path, Dying(known), reader, cache=tmp_path / "killed")
    assert [len(texts) for texts in calls] == [16, 16, 16, 16, 2]  # the third of them twice
    assert again.counts == reference.counts
    assert again.counts["unread"] > 0
    assert again.counts["first_malformed"] == f"{path}:1: expected 2 columns, found 1; give source<TAB>target lines"
    assert again.sizes.tolist() == reference.sizes.tolist()
    assert [again[n] for n in range(len(again.sizes))] == [reference[n] for n in range(len(reference.sizes))]
    assert {path.name for path in again.folder.iterdir()} == {"candidates.tsv", "sizes.npy", "counts.json"}


def test_white_space_does_not_decide_which_sentences_are_held_out(options, tmp_path):
    words = next(sentence for sentence in (f"he goes {n} ." for n in range(1000)) if is_held_out(sentence)).split()
    lines = [" ".join(words), "  ".join(words), " " + " ".join(words) + " "]
    (tmp_path / "p.tsv").write_text("".join(f"{line}\the goes .\n" for line in lines))
    table = data.prepare(tmp_path / "p.tsv", Fixed({tuple(words): ()}), training.start(options).reader)
    assert table.sizes[:, 2].tolist() == [1, 1, 1]


@pytest.mark.slow
def test_a_new_model_may_be_trained_to_read_its_padding(options, tmp_path):
    done = training.train(replace(options, padding_attended=True), tmp_path / "run", seed=1)
    again = checkpoint.load(str(done.directory))
    assert (again.model.config.padding_attended, again.reader.padding_attended) == (True, True)
    assert digest(done.directory) != digest(training.train(options, tmp_path / "other", seed=1).directory)
    on = training.train(replace(options, start=str(done.directory)), tmp_path / "on", seed=1)  # it does as it did
    assert checkpoint.load(str(on.directory)).reader.padding_attended


DROPOUTS = [(None, 0.1, "what the encoder's configuration says"), (0.0, 0.0, "none"), (0.3, 0.3, "another one")]


@pytest.mark.parametrize(("dropout", "expected", "why"), DROPOUTS, ids=[row[-1] for row in DROPOUTS])
def test_dropout_is_that_of_the_options_or_of_the_encoder(options, dropout, expected, why):
    assert training.start(replace(options, dropout=dropout)).model.config.encoder.hidden_dropout_prob == expected


@pytest.mark.parametrize("share", [1.5, 1.0, -0.3, -1.0])
def test_a_dropout_that_is_no_share_is_refused(share):
    with pytest.raises(UsageError, match=rf"dropout is {share}; it must be at least 0 and less than 1"):
        RankerTraining("x", dropout=share)


def test_every_sentence_is_accounted_for(options, models, tmp_path):
    long, longer = " ".join(["he"] * 18), " ".join(["he"] * 30)
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text(
        "".join(f"{a}\t{b}\n" for a, b in tiny.pairs(120, 2)) + f"no tab here\n{long}\t{long} .\n{longer}\t{longer} .\n"
    )
    by_gector = replace(
        options,
        train=str(pairs),
        dev=str(pairs),
        lists=(),
        dev_lists=(),
        generator=str(models / "gector"),
        max_pieces=39,
    )
    done = training.train(by_gector, tmp_path / "run", seed=1)
    # one line is not a pair, one sentence too long for the GECToR, one (in two lines of pairs) for the ranker
    for counts in (done.result, done.result["dev"]):
        assert (counts["sentences"], counts["malformed"], counts["unread"], counts["too_long"]) == (122, 1, 1, 1)
    assert json.loads((tmp_path / "run/manifest.json").read_text())["result"] == done.result
    assert checkpoint.load(str(tmp_path / "run/best")).setup.generator == str(models / "gector")


@pytest.mark.parametrize("place", ["beside the start", "anywhere"])
def test_training_goes_on_from_an_editscorer_and_its_generator_is_found(options, models, loud, tmp_path, place):
    (tmp_path / "gector").symlink_to(models / "gector")
    replace(loud, setup=Setup("../gector" if place == "beside the start" else str(models / "gector"))).save(
        tmp_path / "first"
    )
    brief = replace(STEPS, steps=2, eval_every=0)
    more = replace(options, start=str(tmp_path / "first"), decoding=Decoding(threshold=0.9), training=brief)
    again = checkpoint.setup_of(str(training.train(more, tmp_path / "deep/er/run", seed=1).directory))
    assert Path(again.generator).samefile(models / "gector")
    assert again.decoding.threshold == 0.9
    alone = replace(more, lists=(), dev_lists=())
    named = replace(alone, generator=str(models / "gector"))
    assert identity_of(alone, 1).inputs["generator"] == identity_of(named, 1).inputs["generator"]


def test_a_loss_that_is_no_number_stops_the_run_and_keeps_the_last_checkpoint(options, tmp_path, monkeypatch):
    forward = training.RankerTrainer.compute_loss

    def spoilt(self, *args, **kwargs):
        loss = forward(self, *args, **kwargs)
        return loss * float("nan") if self.model.training and self.state.global_step >= 6 else loss

    monkeypatch.setattr(training.RankerTrainer, "compute_loss", spoilt)
    with pytest.raises(Diverged, match=r"at update 8; the last good checkpoint is .*checkpoint-4"):
        training.train(options, tmp_path / "run", seed=1)


NO_LISTS = {"lists": (), "dev_lists": ()}
REFUSED = [
    ({"train": ""}, "no training data are named", "nothing to train on"),
    ({"train": "missing.tsv"}, "missing.tsv: cannot be read", "a wrong path"),
    (NO_LISTS, "names no GECToR that proposes edits; give one with --generator", "nobody proposes"),
    ({**NO_LISTS, "generator": "absent/nothing"}, "absent/nothing: no model folder", "a GECToR that is not here"),
    ({"start": "absent/nothing"}, "absent/nothing: no model folder", "an encoder that is not here"),
    (
        {"dev_lists": ()},
        "^lists are about train and dev_lists about dev; give both or neither$",
        "nobody proposes for the dev file",
    ),
    ({"max_pieces": 10}, "0 sentences fit, too few", "every sentence is longer than the limit"),
]


@pytest.mark.parametrize(("changes", "message", "why"), REFUSED, ids=[row[2] for row in REFUSED])
def test_what_cannot_be_trained_is_refused(options, tmp_path, monkeypatch, changes, message, why):
    monkeypatch.setenv("GEC_FAIR_OFFLINE", "1")
    with pytest.raises((InputError, MissingResource, UsageError), match=message):
        training.train(replace(options, **changes), tmp_path / "run", seed=1)


SETTINGS = [
    (
        "start: x\ntraining:\n  steps: 4\n  batch: 1\n  bacth: 3\n",
        r"x\.yaml:5: unknown key training\.bacth; did you "
        r"mean batch\?",
        "a slip",
    ),
    (
        "start: x\ndecoding:\n  treshold: 1\n",
        r"x\.yaml:3: unknown key decoding\.treshold; did you mean threshold\?",
        "in another part",
    ),
    (
        "start: x\ntraining: {steps: 4}\n",
        r"x\.yaml:1: training\.batch must be 1: tokens says how large a batch is",
        "batches are counted in sub-words",
    ),
    (
        "start: x\ncandidates:\n  least: 9\n  most: 3\n",
        r"x\.yaml:2: candidates\.least, most and per_span want",
        "fewer at most than at least",
    ),
]


@pytest.mark.parametrize(("text", "message", "why"), SETTINGS, ids=[row[2] for row in SETTINGS])
def test_settings_are_checked_by_line(tmp_path, text, message, why):
    path = tmp_path / "x.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_settings(path, RankerTraining)


def test_the_papers_settings_are_the_defaults():
    paper = read_settings(Path(__file__).parents[3] / "training/editscorer.yaml", RankerTraining)
    default = RankerTraining("roberta-base")
    assert paper == replace(default, training=replace(default.training, eval_every=1000))


def test_the_commands_train_and_correct(options, models, tmp_path):
    settings = tmp_path / "tiny.yaml"
    settings.write_text(
        f"start: {models / 'encoder'}\nmlp_hidden: 8\ntokens: 1000\ngenerator: {models / 'gector'}\n"
        "training: {steps: 3, batch: 1, device: cpu, precision: fp32}\n"
    )
    words = ("train", settings, "--train", options.train, "--dev", options.dev, "-o", tmp_path / "run")
    done = run("editscorer", *words, "--set", "training.steps=2", "--seed", 5)
    assert done.code == 0, done.stderr
    assert "2 updates" in done.stdout
    assert done.stderr == ""
    texts = tmp_path / "t.txt"
    texts.write_text("he go home .\n\n" + "he " * 21 + "\n")
    model = tmp_path / "run/best"
    done = run("editscorer", "predict", model, texts, "--threshold", 1e-6, "-o", tmp_path / "out.txt")
    assert done.code == 0, done.stderr
    assert "note: 1 texts are too long for the models and passed through unchanged" in done.stderr
    assert (tmp_path / "out.txt").read_text().splitlines()[1:] == ["", "he " * 20 + "he"]
    (tmp_path / "hyp.txt").write_text("he goes home .\n\n" + "he " * 20 + "she\n")
    done = run(
        "editscorer",
        "predict",
        model,
        texts,
        "--list",
        tmp_path / "hyp.txt",
        "--threshold",
        1e-6,
        "--stages",
        "simultaneous",
    )
    lines = ["he go home .", "", "he " * 20 + "he"]
    listed = Listed([tmp_path / "hyp.txt"], [tuple(line.split()) for line in lines], name="t.txt")
    eager = Decoding(mode="simultaneous", threshold=1e-6)
    assert done.stdout.splitlines() == Corrector(checkpoint.load(str(model)), listed, eager).correct(lines).texts
    assert "not from both" in run("editscorer", "predict", model, texts, "--list", texts, "--generator", "x").stderr
    assert "unknown key trian" in run("editscorer", *words[:-1], tmp_path / "other", "--set", "trian=x").stderr
