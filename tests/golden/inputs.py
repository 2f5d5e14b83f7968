"""What the frozen runs read: files of the repository, and small ones that are written here, always the same bytes.

All sentences are the project's own. A run names its inputs (`runs.py`); `make` writes them into the folder that the
run is called in, so that every path in its outputs is a relative one.
"""

from __future__ import annotations

import csv
import json
import random
import shutil
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROBE = ROOT / "evalsets/they-probe/they-probe"
PEOPLE = (
    ("He", "his", "him"),
    ("She", "her", "her"),
    ("My brother", "his", "him"),
    ("My aunt", "her", "her"),
    ("The waitress", "her", "her"),
    ("The old king", "his", "him"),
)
DEEDS = (
    "lost {his} keys near the station , and a neighbour brought them back to {him} .",
    "wrote a long letter to {his} cousin , who never answered {him} .",
    "painted {his} kitchen green because nobody had stopped {him} .",
    "took {his} bicycle to the market and sold it for very little .",
    "said that the rain would not keep {him} from {his} garden .",
    "showed {his} friends the small house where the baker taught {him} to read .",
)
OTHERS = (
    "The train was late again .",
    "An Asian student and a Black teacher shared the last table in the library .",
    "Nobody knows why the bridge was closed that winter .",
    "The young nurse helped an elderly man across the road .",
)


def sentences(number: int, seed: int = 0) -> list[str]:
    """Tokenised; two of three are about a man or a woman."""
    chance = random.Random(seed)
    lines = []
    for n in range(number):
        if n % 3 == 2:
            lines.append(chance.choice(OTHERS))
            continue
        (subject, his, him), deed = chance.choice(PEOPLE), chance.choice(DEEDS)
        lines.append(f"{subject} {deed.format(his=his, him=him)}")
    return lines


def prose(number: int, seed: int = 0) -> str:
    """The same as plain text, two sentences a line."""
    plain = [text.replace(" ,", ",").replace(" .", ".") for text in sentences(number, seed)]
    return "".join(" ".join(plain[n : n + 2]) + "\n" for n in range(0, number, 2))


def write_table(path: Path, columns: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([columns, *rows])


def write_lines(path: Path, rows: Iterable[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def learner_pairs(folder: Path) -> None:
    """The first 60 of the sample, as TSV, JSONL and two files."""
    lines = (ROOT / "samples/learner-pairs.tsv").read_text(encoding="utf-8").splitlines()[:60]
    pairs = [line.split("\t") for line in lines]
    (folder / "pairs.tsv").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    write_lines(folder / "pairs.jsonl", ({"source": a, "target": b, "id": n} for n, (a, b) in enumerate(pairs)))
    for side, name in enumerate(("pairs.src", "pairs.tgt")):
        (folder / name).write_text("".join(pair[side] + "\n" for pair in pairs), encoding="utf-8")


def people(folder: Path) -> None:
    shutil.copy(ROOT / "samples/people.txt", folder / "people.txt")


def probe(folder: Path) -> None:
    """The first 40 twins of they-probe with *they*, a set of one's own; and outputs of two systems: one corrects all
    that the references do, the other does so on one side, and then every third sentence only."""
    (folder / "set").mkdir()
    answers = {}
    for side, name in (("orig", "orig"), ("aug", "st_aug")):
        m2 = (PROBE.with_name(f"they-probe_{name}.m2")).read_text(encoding="utf-8").split("\n\n")[:40]
        (folder / f"set/probe_{name}.m2").write_text("\n\n".join(m2) + "\n\n", encoding="utf-8")
        texts = {}
        for end in ("src", "tgt"):
            lines = PROBE.with_name(f"they-probe_{name}.{end}.txt").read_text(encoding="utf-8").splitlines()[:40]
            texts[end] = lines
            (folder / f"set/probe_{name}.{end}.txt").write_text("".join(f"{one}\n" for one in lines), encoding="utf-8")
        answers[side] = texts
    shutil.copy(folder / "set/probe_orig.m2", folder / "probe.m2")
    for system, seed, leaves in (("fair", 0, 0), ("fair", 1, 7), ("partial", 0, 3), ("partial", 1, 2)):
        out = folder / f"runs/{system}/{seed}"
        out.mkdir(parents=True)
        for side, texts in answers.items():
            every = leaves if side == "aug" or system == "fair" else 0
            rows = zip(texts["src"], texts["tgt"], strict=True)
            lines = [a if every and n % every == 0 else b for n, (a, b) in enumerate(rows)]
            lines = [turned(line) if system == "partial" and n % 5 == 1 else line for n, line in enumerate(lines)]
            (out / f"{side}.txt").write_text("".join(f"{one}\n" for one in lines), encoding="utf-8")


def turned(line: str) -> str:
    """An explicitly biased answer: *their* becomes *his*."""
    return line.replace(" their ", " his ").replace(" they ", " he ")


def text(folder: Path) -> None:
    (folder / "text.txt").write_text("\n".join(prose(60)[:-1].splitlines()) + "\n", encoding="utf-8")
    (folder / "tokenised.txt").write_text("".join(f"{one}\n" for one in sentences(24)), encoding="utf-8")


def claims(folder: Path) -> None:
    """Claims of two labels; *not* gives one of them away."""
    nouns, verbs, places = ("film", "band", "city", "book"), ("made", "seen"), ("Rome", "Oslo")
    facts = [f"the {noun} was {verb} in {place}" for noun in nouns for verb in verbs for place in places]
    rows = [{"id": f"s{n}", "label": "SUPPORTS", "claim": fact} for n, fact in enumerate(facts)]
    rows += [
        {"id": f"r{n}", "label": "REFUTES", "claim": fact.replace("was", "was not")}
        for n, fact in enumerate(facts[:12])
    ]
    write_lines(
        folder / "claims.jsonl", ({**row, "evidence": f"it is so in {n} letters"} for n, row in enumerate(rows))
    )
    test = [
        {
            "id": f"t{n}",
            "label": "REFUTES" if n % 2 else "SUPPORTS",
            "evidence": f"it is so in {n} letters",
            "claim": f"{fact} on day {n}".replace("was", "was not" if n % 4 else "was"),
        }
        for n, fact in enumerate(facts)
    ]
    write_lines(folder / "test.jsonl", test)


RELIGIONS = ("Christianity", "Islam", "Judaism", "Buddhism")


SCORED = ("id", "set_id", "slices", "copy_of", "hate", "biased", "neutral", "noise")
JUDGED = ("set_id", "category", "subgroup", "harm", "label", "score")


def safety(folder: Path) -> None:
    """Sets over four religions with three sources' scores, of which one leans on the religion; and two tables of
    scores to audit."""
    for split, sets, first in (("train", 60, 0), ("validation", 40, 1000), ("test", 40, 2000)):
        write_table(folder / f"{split}.csv", SCORED, _scored(sets, first))
    for name, swing, seed in (("baseline", 0.3, 0), ("remediated", 0.1, 1)):
        write_table(folder / f"{name}.csv", JUDGED, _judged(swing, seed))
    said = [f"The {one} neighbours {does} ." for one in ("Muslim", "Jewish", "old") for does in ("sing", "bake bread")]
    write_table(folder / "texts.csv", ("id", "text"), enumerate(said))
    templates = [(1, "I cannot stand <social_group> .", 1), (2, "A meal with <social_group> is a joy .", 0)]
    write_table(folder / "templates.csv", ("id", "text", "hate"), templates)


def _scored(sets: int, first: int) -> Iterable[tuple[object, ...]]:
    chance = random.Random(first)
    for n in range(first, first + sets):
        label = int(chance.random() < 0.5)
        drawn = chance.choices(range(4), (1, 6, 6, 1) if label else (6, 1, 1, 6))[0]
        base, fair = chance.gauss(0.3 + 0.2 * label, 0.1), chance.gauss(0.35 + 0.3 * label, 0.15)
        for m, name in enumerate(RELIGIONS):
            scores = (base + 0.3 * (m in (1, 2)) + chance.gauss(0, 0.02), fair + chance.gauss(0, 0.02), chance.random())
            yield (
                f"t{n}~{name}",
                f"t{n}",
                f"Religion: {name}",
                "" if m == drawn else f"t{n}~{RELIGIONS[drawn]}",
                label,
                *(round(min(max(score, 0.0), 1.0), 4) for score in scores),
            )


def _judged(swing: float, seed: int) -> Iterable[tuple[object, ...]]:
    labels, chance = random.Random(7), random.Random(seed)
    for n in range(40):
        label = int(labels.random() < 0.4)
        base = 0.4 * labels.random() + 0.2 * label
        for m, name in enumerate(RELIGIONS[:3]):
            yield f"s{n}", "Religion", name, "hate", label, round(base + swing * m / 2 * chance.random(), 6)


def reviews(folder: Path) -> None:
    """Short reviews in which women's films are the dull ones."""

    def rows(number: int, seed: int) -> Iterable[tuple[object, ...]]:
        chance = random.Random(seed)
        for n in range(number):
            good = chance.random() < 0.5
            man = good == (chance.random() < 0.8)
            who = chance.choice(("he", "the actor", "her father") if man else ("she", "the actress", "his mother"))
            yield n, f"{who} sings in {chance.choice(('a fine', 'a dull', 'an old'))} film {n % 7}", int(good)

    for name, number, seed in (("reviews", 30, 1), ("learned", 60, 0)):
        write_table(folder / f"{name}.csv", ("id", "text", "label"), rows(number, seed))
    glue = folder / "data/glue/sst2"
    glue.mkdir(parents=True)
    for name, number, seed in (("train", 40, 0), ("dev", 12, 1)):
        lines = [f"{said}\t{label}\n" for _, said, label in rows(number, seed)]
        (glue / f"{name}.tsv").write_text("".join(lines), encoding="utf-8")


def suites(folder: Path) -> None:
    """CrowS-Pairs and two suites of minimal pairs in form, a few rows of the project's own."""
    place = folder / "data/bias/crows_pairs"
    place.mkdir(parents=True)
    rows = []
    for n, deed in enumerate(DEEDS):
        for kind, more, less in (
            ("gender", "She", "He"),
            ("race-color", "The Black man", "The white man"),
            ("age", "The old man", "The young man"),
        ):
            said = deed.format(his="the", him="them").replace(" ,", ",").replace(" .", ".")
            rows.append((f"{more} {said}", f"{less} {said}", "antistereo" if n % 4 == 3 else "stereo", kind))
    write_table(
        place / "crows_pairs_anonymized.csv", ("sent_more", "sent_less", "stereo_antistereo", "bias_type"), rows
    )
    for name in ("grammar", "blimp_supplement_fast"):
        at = folder / ("grammar" if name == "grammar" else f"data/bias/{name}")
        at.mkdir(parents=True)
        for paradigm, good, bad in (("agreement", "goes {}.", "go {}."), ("order", "goes {} today.", "today {} goes.")):
            subjects = [(who, where) for who in ("He", "She", "The baker") for where in ("home", "to the market")]
            rows = [
                {"sentence_good": f"{who} {good.format(where)}", "sentence_bad": f"{who} {bad.format(where)}"}
                for who, where in subjects
            ]
            write_lines(at / f"{paradigm}.jsonl", rows)


def encoder(folder: Path) -> None:
    """A RoBERTa of two layers with random weights, its tags, and toy pairs."""
    from tests.gec.gector import tiny

    tiny.encoder(folder / "encoder", hidden=16)
    tiny.labels(folder)
    for name, number, seed in (("toy-train", 64, 0), ("toy-dev", 16, 1)):
        tiny.write_pairs(folder / f"{name}.tsv", number, seed=seed)
    (folder / "toy.txt").write_text("".join(f"{a}\n" for a, _ in tiny.pairs(12, 2)), encoding="utf-8")


def masked(folder: Path) -> None:
    """The encoder with a head for hidden words; and a table with it, as a survey reads one."""
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    torch.manual_seed(1)
    AutoModelForMaskedLM.from_pretrained(folder / "encoder").save_pretrained(folder / "masked")
    AutoTokenizer.from_pretrained(folder / "encoder").save_pretrained(folder / "masked")
    (folder / "models.tsv").write_text("# name model group\ntiny\tmasked\tgroup\n")


def bart(folder: Path) -> None:
    """A BART of one layer with random weights."""
    from tests.gec.bart import tiny

    words = tiny.tokenizer()
    tiny.model(len(words), width=16).save_pretrained(folder / "bart")
    words.save_pretrained(folder / "bart")


def panda(folder: Path) -> None:
    """Rewritings by people, in form."""
    rows = [(f"he sings every day {n} .", "he", "Woman", f"she sings every day {n} .") for n in range(12)]
    rows += [
        (f"the old teacher walks home {n} .", "old", "Child (< 18)", f"the young teacher walks home {n} .")
        for n in range(12)
    ]
    write_table(folder / "panda.csv", ("original", "selected_word", "perturbed_category", "rewrite"), rows)


def candidates(folder: Path) -> None:
    """What two systems made of the toy pairs: one turns each verb round, the other doubles the first word."""
    from tests.gec.gector import tiny

    flipped = {**tiny.VERBS, **{third: verb for verb, third in tiny.VERBS.items()}}
    for name, number, seed in (("toy-train", 64, 0), ("toy-dev", 16, 1), ("toy", 12, 2)):
        sources = [source for source, _ in tiny.pairs(number, seed)]
        turned_round = [" ".join(flipped.get(word, word) for word in one.split()) for one in sources]
        (folder / f"{name}.flip.txt").write_text("".join(f"{one}\n" for one in turned_round), encoding="utf-8")
        doubled = "".join(f"{one.split()[0]} {one}\n" for one in sources)
        (folder / f"{name}.junk.txt").write_text(doubled, encoding="utf-8")


def experiment(folder: Path) -> None:
    """Mixes of systems 1 and 2, twins and a development set, of toy pairs."""
    from tests.gec.experiment import toy
    from tests.gec.gector import tiny

    for number in (1, 2):
        (folder / f"mix/system{number}").mkdir(parents=True)
        tiny.write_pairs(folder / f"mix/system{number}/train.tsv", 48, seed=number)
    systems = {"system1": {"orig": 48}, "system2": {"orig": 40, "st": 8}}
    (folder / "mix/manifest.json").write_text(json.dumps({"job": "mix", "systems": systems}))
    toy.twins(folder / "bea-195-first30", "st")
    (folder / "dev.m2").write_text("".join(toy.m2(a, b) for a, b in tiny.pairs(12, 5)))


def corpora(folder: Path) -> None:
    """A text to pretrain on, sentences as GAP and WinoBias have them."""
    (folder / "corpus.txt").write_text(prose(120, 3), encoding="utf-8")
    (folder / "gap.txt").write_text("Zoe said that she saw her brother in the garden of the old house .\n" * 8)
    (folder / "wino.txt").write_text(
        "1 [The mechanic] gave the clerk a present because [she] had won a prize.\n"
        "2 [The clerk] thanked the construction worker because [he] was kind.\n"
    )


def make(names: Iterable[str], folder: Path) -> None:
    """Write the inputs that are named; a settings file is an input too."""
    for name in names:
        if name in SETTINGS:
            (folder / f"{name}.yaml").write_text(SETTINGS[name], encoding="utf-8")
        else:
            globals()[name](folder)


TRAINING = """\
training:
  steps: 3
  batch: 8
  learning_rate: 1.0e-3
  log_every: 1
  eval_every: 3
  save_every: 3
  device: cpu
  precision: fp32
"""
INDENTED = "".join(f"  {line}\n" for line in TRAINING.splitlines())
SETTINGS = {
    "gector": f"""\
start: encoder
labels: labels.txt
train: toy-train.tsv
dev: toy-dev.tsv
dropout: 0.1
{TRAINING}""",
    "bart-settings": f"""\
start: bart
train: toy-train.tsv
dev: toy-dev.tsv
max_tokens: 200
{TRAINING}""",
    "editscorer": f"""\
start: encoder
train: toy-train.tsv
dev: toy-dev.tsv
lists: [toy-train.flip.txt, toy-train.junk.txt]
dev_lists: [toy-dev.flip.txt, toy-dev.junk.txt]
mlp_hidden: 16
tokens: 400
{TRAINING.replace("batch: 8", "batch: 1")}""",
    "perturber": f"""\
start: bart
train: panda.csv
{TRAINING}""",
    "fairtune": f"""\
start: x
task: sst2
epochs: 2
{TRAINING.replace("  eval_every: 3", "  eval_every: 0")}""",
    "razor": f"""\
start: x
epochs: 2
lora: 0
max_pieces: 64
{TRAINING.replace("  eval_every: 3", "  eval_every: 0")}""",
    "experiment-settings": f"""\
model: gector
mix: mix
systems: ['1']
seeds: 1
sets: [bea-195-first30]
full: dev.m2
settings:
  start: encoder
  labels: labels.txt
  dev: toy-dev.tsv
  decoding: {{min_error_probability: 0, confidence: -1}}
  dropout: 0.1
{INDENTED}""",
    "mlm": f"""\
texts: [corpus.txt]
words: raw
vocabulary: 300
block: 16
validation: 0.1
encoder: {{architecture: modernbert, hidden: 16, layers: 1, heads: 2, intermediate: 24}}
{TRAINING}""",
    "babylm": f"""\
texts: [corpus.txt]
corpora: [original]
seeds: 1
suites: [crows, blimp_supplement_fast]
sample: 8
pretrain:
  words: raw
  vocabulary: 300
  block: 16
  validation: 0.1
  unit: pieces
  keep_at: [0]
  encoder: {{architecture: ltg-bert, hidden: 16, layers: 1, heads: 2, intermediate: 24, positions: 128}}
{INDENTED}""",
    "debias": f"""\
model: masked
texts: [corpus.txt]
methods: [sent-debias]
sent_debias: {{sentences: 40}}
block: 16
suites: [crows, blimp_supplement_fast]
sample: 8
{TRAINING}""",
    "safety-settings": """\
train: [train.csv]
validation: [validation.csv]
test: [test.csv]
harms: [hate]
ensemble: {trees: 8}
seeds: 1
rounds: 1
resamples: 50
sweeps: {beta_safe: [1, 5]}
""",
}
