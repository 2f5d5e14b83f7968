"""Good files for every command that reads one. The sentences are our own."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from gec_fair.evaluate.evalsets.review.decisions import Session
from gec_fair.evaluate.evalsets.review.items import Item
from gec_fair.gec.experiment import running
from gec_fair.razor.rewriting import loop as prompts
from tests.cli.invoke import run
from tests.gec.bart import tiny as small_bart
from tests.gec.editscorer.test_official import save_official
from tests.gec.gector import tiny
from tests.gec.gector.test_official import make_base
from tests.safety.remedy.test_train import COLUMNS, NAMES
from tests.safety.remedy.test_train import rows as scored

LEGACY = Path(__file__).parents[1] / "gec/legacy"

PAIRS = "Anna lose her keys .\tAnna loses her keys .\nHe say no .\tHe says no .\nWe likes tea .\tWe like tea .\n"
M2 = """\
S He go home .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

S My friend lost his keys .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

"""
CORRECTED = "He goes home .\nMy friend lost his keys .\n"
PROSE = "She lost her keys in the old garden.\nIt rained all day long.\n\nHe left the house with his brother.\n"
GROUPS = "category,subgroup,also\nAge,Young,teenagers\nAge,Old,seniors\n"
RELIGIONS = "category,subgroup\n" + "".join(f"Religion,{name}\n" for name in NAMES)
TERMS = "category,subgroup,slot,term\nAge,Young,people,young people\nAge,Old,people,old people\n"
AGES = "id,text,hate\n1,Young people are kind.,0\n2,I cannot stand old people.,1\n"
TEXTS = "id,text,hate\n1,Muslims are kind.,0\n2,I cannot stand Jews.,1\n3,It rains.,0\n"
TEMPLATES = "id,text,hate\n1,I like <social_group>.,0\n2,A <social_group> man left.,0\n"
SCORES = "id,set_id,category,subgroup,harm,label,score\n" + "".join(
    f"{n}{name},{n},Religion,{name},hate,{n % 2},0.{n + 1 + 2 * (name == 'Islam')}\n"
    for n in range(6)
    for name in ("Islam", "Judaism")
)
PANDA = "original,selected_word,perturbed_category,rewrite\n" + "".join(
    f"he sings {n} .,he,Woman,she sings {n} .\nthe old man walks {n} .,old,Child (< 18),the young man walks {n} .\n"
    for n in range(6)
)
DOCUMENTS = "id,text,label\n" + "".join(f"{n},it {word} here {n},{word}\n" for n, word in enumerate(("was", "is") * 6))
REVIEWS = "text,label\n" + "".join(f"he sings well {n},good\nshe sings badly {n},bad\n" for n in range(8))
HATECHECK = """\
,case_id,test_case,label_gold,target_ident,templ_id,case_templ
0,1,I like women.,non-hateful,women,1,I like [IDENTITY_P].
1,2,I like Muslims.,non-hateful,Muslims,1,I like [IDENTITY_P].
"""
DAVIDSON = ",count,hate_speech,offensive_language,neither,class,tweet\n0,3,0,3,0,1,go away\n1,3,0,0,3,2,hello you\n"
ETHOS = "comment;isHate\ngo away;1.0\nhello you;0.0\n"
MODERATION = '{"prompt": "go away", "H": 1, "V": 0}\n{"prompt": "hello you", "H": 0}\n'
CF_FAIRNESS = (
    "prompt,example_key,subgroup,Ground truth Hate,Ground truth Sexual,Ground truth Toxicity,Ground truth Violence\n"
    "I like Muslims,a,Religion:Islam,0,0,0,0\nI like Jews,a,Religion:Judaism,0,0,0,0\n"
)
EMOTIONS = "keys\tjoy\t1\nrain\tsadness\t1\nhouse\tfear\t0\n"
POLICIES = """\
[hate]
policy = "Against people because of who they are."
themes = ["crime", "work"]
[forms]
names = ["a letter", "a poem"]
"""
RATES = "[errors]\nlevel = 1.0\nspread = 1.0\n[kinds]\nspelling = 1.0\n"
PROMPT = "[system]\nCorrect the text.\n[user]\n{text}\n"
NOUNS = (
    "# What: nouns\n# Source: written for a test\n# Licence: Apache-2.0\n# Columns: those of the package\n"
    "feminine\tmasculine\tfeminine_plural\tmasculine_plural\tclass\tdirection\treading\n"
    "wardress\twarder\twardresses\twarders\tprofession\tboth\tany\n"
)
_HEADER = NOUNS[: NOUNS.index("feminine")]
DEMOGRAPHICS = f"{_HEADER}term\tplural\taxis\tattribute\treading\tnote\ngoth\tgoths\tstyle\tgoth\tperson\t\n"
TARGETS = f"{_HEADER}attribute\tadjective\tnoun\tplural\ngoth\tGothic\tGoth\tGoths\n"
WINO = "1 [The baker] fed the clerk because [she] had time.\n2 The baker fed [the clerk] for [his] feast.\n"

_TRAINING = "training: {steps: 2, batch: 2, device: cpu, precision: fp32}\n"
SETTINGS = {
    "gector.yaml": f"start: encoder\nlabels: labels.txt\n{_TRAINING}",
    "bart.yaml": f"start: bart\nmax_tokens: 100\n{_TRAINING}",
    "editscorer.yaml": f"start: encoder\nlists: [dev.list.txt]\ndev_lists: [dev.list.txt]\ntokens: 500\n{_TRAINING}",
    "perturber.yaml": f"start: bart\n{_TRAINING}",
    "fairtune.yaml": f"start: encoder\ntask: sst2\nepochs: 1\n{_TRAINING}",
    "razor.yaml": f"start: encoder\nepochs: 1\nlora: 0\n{_TRAINING}",
    "safety.yaml": "train: [safety-train.csv]\nvalidation: [safety-validation.csv]\ntest: [safety-test.csv]\n"
    "harms: [hate]\nensemble: {trees: 4}\nseeds: 1\nresamples: 10\nrounds: 1\n",
    "mlm.yaml": f"texts: [prose.txt]\nwords: raw\nvalidation: 0\n{_TRAINING}",
    "babylm.yaml": "texts: [toy.txt]\ncorpora: [original, cda]\nseeds: 1\nsuites: [crows]\nsample: 4\n"
    "pretrain:\n  words: raw\n  training: {steps: 2, batch: 2, device: cpu, precision: fp32}\n",
    "debias.yaml": "model: masked\nmethods: [sent-debias]\ntexts: [toy.txt]\n"
    "suites: [crows, blimp_supplement_fast]\nsample: 4\nseeds: 1\n",
    "experiment.yaml": "model: gector\nmixes: {a: train.tsv}\nseeds: 1\nsets: [set]\nsettings:\n"
    "  start: encoder\n  labels: labels.txt\n  dev: dev.tsv\n"
    "  training: {steps: 2, batch: 2, device: cpu, precision: fp32}\n",
}


def texts() -> dict[str, str]:
    """Every file of text by its name."""
    toy = tiny.pairs(60)
    return SETTINGS | {
        "pairs.tsv": PAIRS,
        "texts.txt": "She lost her keys .\nIt rains .\n",
        "prose.txt": PROSE,
        "sources.txt": "He go home .\nMy friend lost his keys .\n",
        "runs/mine/0/full.txt": CORRECTED,
        "hypothesis.txt": CORRECTED,
        "reference.m2": M2,
        "toy.txt": "".join(f"{target}\n" for _, target in toy),
        "train.tsv": "".join(f"{source}\t{target}\n" for source, target in toy),
        "dev.tsv": "".join(f"{source}\t{target}\n" for source, target in toy[:8]),
        "dev.list.txt": "".join(f"{target}\n" for _, target in toy[:8]),
        "dev.txt": "".join(f"{source}\n" for source, _ in toy[:8]),
        "documents.csv": DOCUMENTS,
        "reviews.csv": REVIEWS,
        "documents.jsonl": as_lines(DOCUMENTS),
        "texts.csv": TEXTS,
        "texts.jsonl": as_lines(TEXTS),
        "ages.csv": AGES,
        "scores.csv": SCORES,
        "groups.csv": GROUPS,
        "religions.csv": RELIGIONS,
        "terms.csv": TERMS,
        "templates.csv": TEMPLATES,
        **{f"safety-{name}.csv": scored_table(*sets) for name, sets in SPLITS.items()},
        "panda.csv": PANDA,
        "panda-2.csv": PANDA.replace("the young man", "a child"),
        "wino.txt": WINO,
        "hatecheck.csv": HATECHECK,
        "davidson.csv": DAVIDSON,
        "ethos.csv": ETHOS,
        "openai.jsonl": MODERATION,
        "cf.csv": CF_FAIRNESS,
        "toxigen/hate_muslim.txt": "go away\nleave us\n",
        "emotions.txt": EMOTIONS,
        "policies.toml": POLICIES,
        "rates.toml": RATES,
        "prompt.txt": PROMPT,
        "tables/nouns.tsv": NOUNS,
        "axes/demographics.tsv": DEMOGRAPHICS,
        "axes/targets.tsv": TARGETS,
        "merges.txt": MERGES,
        "verbs.txt": "go_goes:VB_VBZ\ngoes_go:VBZ_VB\n",
        "models.tsv": "tiny\tmasked\tsmall\n",
        "minimal/agreement.jsonl": '{"sentence_good": "he goes", "sentence_bad": "he go"}\n' * 4,
        **{f"runs/mine/0/set/{side}.txt": text for side, text in (("orig", ORIG), ("aug", AUG))},
        **{f"debias-{n}/shifts.json": json.dumps(shifts(n)) for n in (1, 2)},
    }


SPLITS = {"train": (40, 0), "validation": (24, 1000), "test": (24, 2000)}
ORIG, AUG = "My friend lost his keys .\n", "My friend lost their keys .\n"


def shifts(model: int) -> dict[str, object]:
    """What `babylm debias` leaves of a model."""
    methods = ("cda-gender", "cda-race", "cds", "dropout", "inlp-gender", "inlp-race", "sent-debias")
    figures = [{"performance": [n % 3 - model], "bias": [n * n % 5 + model]} for n in range(len(methods))]
    rows = [{"method": method, **row} for method, row in zip(methods, figures, strict=True)]
    return {"model": f"m{model}", "options": {}, "shifts": rows}


MERGES = "#version: 0.2\n" + "".join(f"{left} {right}\n" for left in "abcdef" for right in "ghijkl")
"""As many as the pieces of the small checkpoint that fairseq made."""


def scored_table(sets: int, first: int) -> str:
    """Source scores of counterfactual sets."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([COLUMNS, *scored(sets, first)])
    return file.getvalue()


def as_lines(table: str) -> str:
    """The rows of a CSV as JSON objects, a line each."""
    return "".join(json.dumps(row) + "\n" for row in csv.DictReader(io.StringIO(table)))


def write(folder: Path) -> Path:
    """All of it, with small models and the folders of finished runs."""
    for name, text in texts().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    models(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "run_isolated", lambda training: training())
        for words in RUNS:
            done = run(*words.split(), cwd=folder)
            assert done.code == 0, done.stderr
    for reviewer in ("ann", "ben"):
        session = Session(folder / "set", reviewer)
        for number in range(len(session.items)):
            session.decide(number, "accept", {})
    annotate(folder)
    return folder


def annotate(folder: Path) -> None:
    """The stages of annotation, each by two people who answer the same, and what they exported."""
    for words in ANNOTATIONS:
        done = run(*words.split(), cwd=folder)
        assert done.code == 0, done.stderr
        if words.startswith("review"):
            continue
        for reviewer in ("ann", "ben"):
            session = Session(folder / words.rpartition(" ")[2], reviewer)
            for number, item in enumerate(session.items):
                texts, answer = _answer(item)
                session.decide(number, "done", texts, answer=answer)


def _answer(item: Item) -> tuple[dict[str, str], list[Any]]:
    """The first word is a woman's, and becomes another's."""
    answers = {"select": [[0, 1, "gender"]], "attributes": ["woman"], "rewrite": []}
    return {name: f"Not {text}" for name, text in item.texts.items()}, answers[item.kind]


RUNS = (
    "augment st pairs.tsv -o augmented",
    "augment fm pairs.tsv -o swapped",
    "perturb texts.txt -o perturbed",
    "evalset build --transform st --from reference.m2 --gate none --name toy -o set",
    "compare runs --evalset set --resamples 10 -o compared",
    "razor run documents.csv --rewriter rules --verifier none -o razored",
    "safety counterfactuals texts.csv -o counterfactuals.csv",
    "safety train safety.yaml -o trained",
    "experiment run experiment.yaml -o experimented",
)
"""Finished runs that other commands read."""
ANNOTATIONS = (
    "perturber annotate texts.txt -o select",
    "review select --export selected",
    "perturber annotate selected -o attributes",
    "review attributes --export attributed",
    "perturber annotate attributed -o rewrite",
)
"""The folders of the stages, and what was exported of them."""


def _classifier(encoder: str, folder: Path) -> None:
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    label_names = {0: "is", 1: "was"}
    AutoModelForSequenceClassification.from_pretrained(encoder, id2label=label_names).save_pretrained(folder)
    AutoTokenizer.from_pretrained(encoder).save_pretrained(folder)


def models(folder: Path) -> None:
    """An encoder, a masked model, a BART, a GECToR and an EditScorer with random weights, and foreign checkpoints."""
    from gec_fair.gec.editscorer import checkpoint as editscorer
    from gec_fair.gec.editscorer.options import Setup
    from gec_fair.gec.gector import checkpoint as gector
    from gec_fair.gec.gector.labels import read_labels
    from gec_fair.gec.gector.options import InputOptions
    from gec_fair.gec.gector.verbs import verb_forms

    encoder = str(tiny.encoder(folder / "encoder"))
    tiny.make_masked(folder / "masked")
    small_bart.bart(folder / "bart")
    labels = read_labels(tiny.labels(folder))
    gector.new(encoder, labels, InputOptions(max_words=20), verb_forms(), dropout=None).save(folder / "gector")
    scorer = editscorer.new(encoder, Setup(str(folder / "gector")), mlp_hidden=8, dropout=0.0)
    scorer.save(folder / "editscorer")
    _classifier(encoder, folder / "classifier")
    make_base(folder / "allennlp-encoder")
    (folder / "official").mkdir()
    save_official(encoder, folder / "official")
    for name in ("allennlp_tiny.th", "fairseq_tiny.pt", "fairseq_tiny_dict.txt"):
        shutil.copy(LEGACY / name, folder)
    tags = json.loads((LEGACY / "allennlp_tiny.json").read_text())["labels_vocabulary"]
    (folder / "allennlp-labels.txt").write_text("".join(f"{tag}\n" for tag in tags))
    shutil.copytree(Path(prompts.__file__).with_name("prompts"), folder / "prompts")
