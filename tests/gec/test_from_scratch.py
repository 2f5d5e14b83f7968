"""`make experiment-small`, on so little data and so few updates that nothing is learned: every step runs, once."""

from __future__ import annotations

import json
import lzma
import random
import shutil
import subprocess
import sys
import tarfile
from dataclasses import replace
from functools import partial
from itertools import product
from types import SimpleNamespace

import pytest

from gec_fair.errors import UsageError
from gec_fair.evaluate.evalsets import catalogue
from gec_fair.gec.experiment import running
from gec_fair.gec.gector import checkpoint
from tests import scripts
from tests.cli import invoke
from tests.evaluate import twin_sets
from tests.gec.gector import tiny


@pytest.fixture(scope="module")
def script():
    return scripts.module("from-scratch/run.py")


PEOPLE = ("My teacher", "The old king", "A student", "Her sister", "Tom", "Anna", "The driver", "Everybody")
DEEDS = {"lose": "loses", "find": "finds", "wash": "washes", "sell": "sells", "bring": "brings", "want": "wants"}
NOUNS = ("hat", "keys", "book", "dog", "money")
PLACES = ("in the garden", "after the long war", "at school", "near the river", "every day", "on the train")
SETS = {"bea-195-first95": "st", "bea-556-first273": "mf"}


def learners(number: int, seed: int = 0) -> list[tuple[str, str]]:
    """Sources, all of them others, and targets: in every other source the verb does not agree."""
    chance = random.Random(seed)
    every = list(product(PEOPLE, DEEDS, ("his", "her", "the"), NOUNS, PLACES))
    sentences = []
    for n, (who, verb, whose, noun, place) in enumerate(chance.sample(every, number)):
        said = f"{who} {{}} {whose} {noun} {place} ."
        sentences.append((said.format(verb if n % 2 else DEEDS[verb]), said.format(DEEDS[verb])))
    return sentences


def m2(pairs) -> str:
    """Blocks whose first annotator changes the one word that differs."""
    blocks = []
    for source, target in pairs:
        both = enumerate(zip(source.split(), target.split(), strict=True))
        edits = [f"A {n} {n + 1}|||R:VERB:SVA|||{b}|||REQUIRED|||-NONE-|||0\n" for n, (a, b) in both if a != b]
        blocks.append(f"S {source}\n{''.join(edits)}\n")
    return "".join(blocks)


def prose(number: int, seed: int) -> bytes:
    """Paragraphs of a book, packed."""
    paragraphs = (target.replace(" .", ".") for _, target in learners(number, seed))
    return lzma.compress("\n\n".join(paragraphs).encode())


@pytest.fixture
def little(tmp_path, monkeypatch):
    """The data of the experiment, a few hundred lines of each; the sentences are our own."""
    folder = tmp_path / "data"
    for name in ("gec/wi_train", "bea", "babylm/mixed7m"):
        (folder / name).mkdir(parents=True)
    (folder / "gec/wi_train/A.train.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in learners(400)))
    (folder / "bea/bea-dev.first2192.m2").write_text(m2(learners(20, seed=1)))
    for name, kind in SETS.items():  # the shipped ones by name, with files of ours
        twin_sets.write_set(tmp_path / "sets" / name, kind=kind)
    entries = {name: {"kind": kind, "orig": "mine_orig", "aug": f"mine_{kind}_aug"} for name, kind in SETS.items()}
    monkeypatch.setattr(catalogue, "read_known", partial(dict, catalogue.read_known(), **entries))
    (folder / "bea/evalsets").symlink_to(tmp_path / "sets")
    (folder / "babylm/gutenberg100.txt.xz").write_bytes(prose(800, seed=2))
    for seed, (part, kind) in enumerate(product(("train", "dev"), ("fairytales", "wikipedia")), 3):
        (folder / f"babylm/mixed7m/{part}.{kind}.txt.xz").write_bytes(prose(100, seed))
    monkeypatch.setenv("GEC_FAIR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("GEC_FAIR_EVALSETS", "")
    return folder


def test_a_sentence_is_held_out_wherever_it_stands(script, little, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    script.split([little / "gec/wi_train/A.train.tsv"] * 2, out)
    sources = {
        name: {line.split("\t")[0] for line in script.lines(out / f"wi-{name}.tsv")}
        for name in ("held", "dev", "train")
    }
    assert not sources["held"] & (sources["dev"] | sources["train"])
    assert not sources["dev"] & sources["train"]
    assert 20 < len(sources["held"]) < 60


def test_what_training_saw_is_not_unseen_and_nothing_counts_twice(script, tmp_path, monkeypatch):
    (tmp_path / "novels.txt").write_text("He saw the sea .\n")
    (tmp_path / "other.txt").write_text("He saw the sea !\nA king lived .\nA king lived !\nShe left .\nIt rained .\n")
    for name in ("step", "m2"):
        monkeypatch.setattr(script, name, lambda *_: None)
    script.unseen([], 2, tmp_path, 1)
    first = set(script.lines(tmp_path / "unseen.txt"))
    assert len(first) == 2
    (tmp_path / "unseen.txt").unlink()
    script.unseen([], 9, tmp_path, 1)
    assert set(script.lines(tmp_path / "unseen.txt")) == {"A king lived .", "She left .", "It rained ."} > first


MISSING = [
    ("babylm/gutenberg100.txt.xz", "babylm/gutenberg100.txt.xz"),
    ("bea/bea-dev.first2192.m2", "bea/bea-dev.first2192.m2"),
    ("gec/wi_train/A.train.tsv", "A.train.tsv or A.train.gold.bea19.m2, and B, C"),
    ("bea/evalsets", "the set bea-195 (gec-fair evalset fetch bea-195)"),
    ("babylm/mixed7m/dev.wikipedia.txt.xz", "babylm/mixed7m/dev.wikipedia.txt.xz"),
]


@pytest.mark.parametrize(("file", "message"), MISSING, ids=[file for file, _ in MISSING])
def test_what_is_lacking_is_told_before_anything_is_made(script, little, tmp_path, monkeypatch, capsys, file, message):
    monkeypatch.setenv("GEC_FAIR_DATA", str(little))
    monkeypatch.setattr(sys, "argv", ["run.py", "full", "-o", str(tmp_path / "out")])
    (little / file).unlink()
    with pytest.raises(SystemExit) as end:
        script.main()
    assert end.value.code == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_the_official_files_do_as_well(script, little, tmp_path):
    ours = script.inputs(script.SIZES["full"], little)
    (little / "gec/wi_train/A.train.tsv").unlink()
    (little / "gec/wi_train/A.train.gold.bea19.m2").write_text(
        "S he go .\nA 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n\nS fine .\n\n"
    )
    (little / "bea/bea-dev.first2192.m2").unlink()
    half = m2(learners(script.FIRST))
    (little / "bea/ABCN.dev.gold.bea19.m2").write_text(half * 2)
    inputs = script.inputs(script.SIZES["full"], little)
    assert inputs.sets == ours.sets == list(script.SETS)
    assert list(script.pairs(*inputs.learners)) == ["he go .\the goes .", "fine .\tfine ."]
    tmp_path.joinpath("out").mkdir()
    assert script.development(inputs.dev, tmp_path / "out").read_text() == half


@pytest.mark.parametrize(("f05", "failed"), [(4.99, True), (5.0, False)])
def test_a_base_tagger_that_learned_nothing_fails_the_command(script, tmp_path, monkeypatch, f05, failed):
    monkeypatch.setenv("GEC_FAIR_DATA", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["run.py", "small", "-o", str(tmp_path / "out")])
    monkeypatch.setattr(script, "inputs", lambda *_: None)
    monkeypatch.setattr(script, "run", lambda *_: (tmp_path / "out").mkdir() or f05)
    try:
        script.main()
        message = None
    except SystemExit as end:
        message = end.code
    assert bool(message) is failed
    assert not message or "F0.5 is under 5" in message  # Python prints a text and exits with 1
    assert json.loads((tmp_path / "out/told.json").read_text())["f0.5"] == f05


@pytest.fixture
def in_process(script, monkeypatch):
    """Commands and trainings in this process: starting one takes longer than what it does."""

    def run(words, **_):
        assert words[:3] == [sys.executable, "-m", "gec_fair.cli"]
        done = invoke.run(*words[3:])
        print(done.stdout, done.stderr)
        return subprocess.CompletedProcess(words, done.code, done.stdout)

    monkeypatch.setattr(script, "subprocess", SimpleNamespace(run=run, PIPE=subprocess.PIPE))
    monkeypatch.setattr(running, "run_isolated", lambda call: call())


@pytest.fixture
def size(script):
    steps = ("training.steps=2", "training.eval_every=0", "training.warmup=0", "training.batch=4")
    return script.Size(
        200,
        1,
        50,
        5,
        from_all=False,
        judge_all=False,
        unseen=300,
        seeds=1,
        base=steps,
        tuned=tuple(f"settings.{step}" for step in steps),
    )


@pytest.mark.slow
def test_every_step_runs_once_and_another_experiment_is_refused(script, size, in_process, little, tmp_path, capfd):
    tiny.encoder(tmp_path / "encoder")
    args = (script.inputs(size, little), tmp_path / "out", str(tmp_path / "encoder"), 1)
    first = script.run(size, *args)
    printed = capfd.readouterr().out
    assert printed.count("gec-fair gector train") == 1
    assert "Table 4" in printed or "bea-195" in printed
    stamps = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("best/model.safetensors")}
    assert len(stamps) == 5  # the base tagger and systems 1-4
    assert script.run(size, *args) == first
    assert "gec-fair gector train" not in capfd.readouterr().out
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("best/model.safetensors")} == stamps
    with pytest.raises(UsageError, match="was made at another size or from other files"):
        script.run(replace(size, novels=100), *args)


@pytest.mark.slow
def test_every_step_runs_from_a_pretrained_encoder(script, size, in_process, little, weights, tmp_path):
    size = replace(size, seeds=1)
    script.run(size, script.inputs(size, little), tmp_path / "out", str(weights("distilbert")), 1)
    model = checkpoint.load(str(tmp_path / "out/systems/cells/4/0/best")).model
    assert (model.encoder.config.model_type, model.encoder.config.n_layers) == ("distilbert", 6)


@pytest.mark.slow
def test_another_machine_trains_without_the_data_and_this_one_scores(
    script, size, in_process, little, tmp_path, monkeypatch
):
    data_folder, gpu_folder = tmp_path / "data_folder", tmp_path / "gpu_folder"
    packed, outputs = tmp_path / "packed.tar.xz", tmp_path / "outputs.tar.xz"

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["run.py", "small", *map(str, words)])
        script.main()

    def unpack(file, folder):
        with tarfile.open(file) as archive:
            archive.extractall(folder, filter="data")

    tiny.encoder(tmp_path / "encoder")
    monkeypatch.setitem(script.SIZES, "small", size)
    monkeypatch.setenv("GEC_FAIR_DATA", str(little))
    call("-o", data_folder, "--encoder", tmp_path / "encoder", "--prepare", packed)
    assert not (data_folder / "base").exists()
    unpack(packed, gpu_folder)
    data_folder.rename(tmp_path / "elsewhere")
    little.rename(tmp_path / "nowhere")
    monkeypatch.delenv("GEC_FAIR_DATA")
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "spacy", None)
        without.setitem(sys.modules, "errant", None)
        call("-o", gpu_folder, "--outputs", outputs)
    shutil.rmtree(gpu_folder)
    (tmp_path / "elsewhere").rename(data_folder)
    unpack(outputs, data_folder)
    assert not list(data_folder.rglob("systems/**/model.safetensors"))
    monkeypatch.setenv("GEC_FAIR_EVALSETS", str(data_folder / "evalsets"))
    compared = invoke.run("compare", data_folder / "systems/cells", "-o", data_folder / "systems/report")
    assert compared.code == 0, compared.stderr
    rows = json.loads((data_folder / "systems/report/results.json").read_text())["rows"]
    sets = ("bea-195-first95", "they-probe", "wi-held-st", "unseen-st")
    assert {(row["set"], row["system"]) for row in rows} == set(product(sets, "01234"))


def test_an_encoder_of_few_values_travels_in_few_bytes_and_comes_back_as_it_was(script, tmp_path):
    torch, safe = pytest.importorskip("torch"), pytest.importorskip("safetensors.torch")
    chance = torch.Generator().manual_seed(0)
    few = (torch.randint(-128, 128, (64, 64), generator=chance) * 0.013).half()
    weights = {"few": few, "many": torch.rand(40, 40, generator=chance), "short": torch.ones(3)}
    for name in ("whole", "small"):
        (tmp_path / name).mkdir()
    safe.save_file(weights, tmp_path / "whole/model.safetensors")
    (tmp_path / "whole/config.json").write_text("{}")
    script.shrink(tmp_path / "whole", tmp_path / "small")
    assert safe.load_file(tmp_path / "small/small.safetensors")["few|places"].dtype == torch.uint8
    script.grow(tmp_path / "small")
    again = safe.load_file(tmp_path / "small/model.safetensors")
    assert {path.name for path in (tmp_path / "small").iterdir()} == {
        "config.json",
        "model.safetensors",
        "small.safetensors",
    }
    assert set(again) == set(weights)
    assert all(torch.equal(again[name], weights[name]) and again[name].dtype == weights[name].dtype for name in weights)
