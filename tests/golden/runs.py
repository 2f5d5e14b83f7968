"""The frozen runs: one table that the tests and `compare.py` share.

Commands are those of the command line, for what is behind it moves. `frozen` names the files whose content is
committed: `exact` by sha256 (texts, edits, counts); `close` as a skeleton and numbers of six digits (scores);
`rough` with 1e-4 (losses and logits, which other processors round otherwise). `compare.py` compares every file.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Run:
    """`said/N.stdout` is what the N-th command printed, `said/N.logits` what its model's layers gave."""

    name: str
    system: str
    inputs: tuple[str, ...]
    commands: tuple[str, ...]
    exact: tuple[str, ...] = ()
    close: tuple[str, ...] = ()
    rough: tuple[str, ...] = ()
    models: bool = field(default=False, kw_only=True)
    """Whether it calls PyTorch."""
    committed: bool = field(default=True, kw_only=True)
    """Whether it is a test too; those that start several processes are for `compare.py` alone."""


EAGER = "--min-error-probability 0 --confidence -1 --iterations 2"
"""A GECToR that has learned nothing corrects something so."""

RUNS = (
    Run(
        "augment-st-tsv",
        "augment",
        ("learner_pairs",),
        ("augment st pairs.tsv -o st", "augment st pairs.tsv -o again --explain --limit 12"),
        ("st/pairs.tsv", "st/ledger.jsonl", "said/2.stdout"),
    ),
    Run(
        "augment-st-parallel",
        "augment",
        ("learner_pairs",),
        ("augment st pairs.src pairs.tgt -o st --gate none --mirror --reflexive themselves",),
        ("st/pairs.*", "st/ledger.jsonl"),
    ),
    Run("augment-fm-m2", "augment", ("probe",), ("augment fm probe.m2 -o fm",), ("fm/pairs.*", "fm/ledger.jsonl")),
    Run(
        "augment-fm-drawn-names",
        "augment",
        ("learner_pairs",),
        ("augment fm pairs.tsv -o fm --names draw --seed 3",),
        ("fm/pairs.tsv", "fm/ledger.jsonl"),
    ),
    Run(
        "augment-neo-jsonl",
        "augment",
        ("learner_pairs",),
        ("augment neo pairs.jsonl -o neo --paradigm xe --fields source,target",),
        ("neo/pairs.*", "neo/ledger.jsonl"),
    ),
    Run(
        "mix",
        "augment",
        ("learner_pairs",),
        (
            "augment st pairs.tsv -o st",
            "augment fm pairs.tsv -o mf",
            "mix pairs.tsv --st st --mf mf --per-kind 10 --seed 1 -o mix",
        ),
        ("mix/system*/*.tsv", "said/3.stdout"),
    ),
    Run(
        "rewrite",
        "augment",
        ("people",),
        ("rewrite st < people.txt", "rewrite fm --tokenised < people.txt", "rewrite neo --paradigm ze < people.txt"),
        ("said/*.stdout",),
    ),
    Run(
        "pairs-from-text",
        "augment",
        ("text", "learner_pairs"),
        (
            "sentences text.txt -o sentences.txt",
            "noise sentences.txt -o noise.tsv --copies 2",
            "audit-pairs pairs.tsv noise.tsv -o clean",
        ),
        ("sentences.txt", "noise.tsv", "said/3.stdout", "clean/*.tsv"),
    ),
    Run(
        "perturb",
        "perturb",
        ("people", "text"),
        (
            "perturb people.txt -o lines",
            "perturb text.txt -o chunks --tokens 40 --sampling axes --seed 2",
            "perturb tokenised.txt -o gender --tokenised --axes gender",
        ),
        ("*/rewritten.txt", "*/ledger.jsonl"),
    ),
    Run(
        "score",
        "evaluate",
        ("probe",),
        (
            "score --hyp runs/partial/0/orig.txt --hyp runs/fair/1/orig.txt --ref probe.m2 --cat 2",
            "score --hyp runs/fair/1/orig.txt --ref probe.m2 --measure typed --reference errant --cat 3",
            "score --hyp runs/partial/1/orig.txt --ref probe.m2 --measure tokens --json",
        ),
        ("said/*.stdout",),
    ),
    Run(
        "gap",
        "evaluate",
        ("probe",),
        (
            "gap --evalset set --hyp runs/partial/0/orig.txt runs/partial/0/aug.txt "
            "--hyp runs/partial/1/orig.txt runs/partial/1/aug.txt --resamples 400 --seed 3",
            "gap --evalset set --hyp runs/fair/1/orig.txt runs/fair/1/aug.txt --resamples 400 --json",
        ),
        ("said/*.stdout",),
    ),
    Run(
        "compare",
        "evaluate",
        ("probe",),
        ("compare runs --evalset set --resamples 300 -o report",),
        ("report/tables/*", "said/*.stdout"),
    ),
    Run(
        "counterfactual",
        "evaluate",
        ("probe", "text"),
        (
            "counterfactual --evalset set --hyp runs/partial/0/orig.txt runs/partial/0/aug.txt "
            "--resamples 200 -o d.jsonl",
            "counterfactual tokenised.txt --system identity --transform fm --resamples 100 --json",
        ),
        ("d.jsonl", "said/*.stdout"),
    ),
    Run(
        "evalset",
        "evaluate",
        ("probe",),
        tuple(f"evalset build --transform {kind} --from probe.m2 -o {kind}" for kind in ("st", "fm", "neo")),
        ("*/*.txt", "*/*.m2", "*/queue.jsonl", "said/*.stdout"),
    ),
    Run(
        "razor-score",
        "razor",
        ("claims",),
        (
            "razor score claims.jsonl --words 3 -o scores.jsonl",
            "razor score claims.jsonl --scoring paper --top 5 -o paper.jsonl",
        ),
        ("said/1.stdout",),
        ("scores.jsonl", "paper.jsonl"),
    ),
    Run(
        "razor-run",
        "razor",
        ("claims",),
        ("razor run claims.jsonl -o rules --rewriter rules --verifier none --top 9 --turns 2",),
        ("*/rewritten.jsonl",),
        ("*/ledger.jsonl", "said/1.stdout"),
    ),
    Run(
        "razor-evaluate",
        "razor",
        ("claims",),
        (
            "razor evaluate --train claims.jsonl --test other=test.jsonl --methods original,eda,poe --seeds 2 "
            "-o results.json",
        ),
        (),
        ("results.json", "said/1.stdout"),
    ),
    Run(
        "safety-audit",
        "safety",
        ("safety",),
        (
            "safety audit remediated.csv --against baseline.csv --resamples 200 -o audit",
            "safety audit baseline.csv --resamples 100 --json",
        ),
        (),
        ("audit/tables/*", "said/*.stdout"),
    ),
    Run(
        "safety-tables",
        "safety",
        ("safety",),
        (
            "safety mentions texts.csv -o mentions.csv",
            "safety fill templates.csv --category Religion -o filled.csv",
            "safety split train.csv -o split",
        ),
        ("mentions.csv", "filled.csv", "split/*"),
    ),
    Run(
        "safety-train",
        "safety",
        ("safety", "safety-settings"),
        ("safety train safety-settings.yaml -o out", "safety predict out/remediated test.csv -o predicted.csv"),
        (),
        ("out/tables/*.csv", "predicted.csv", "said/1.stdout"),
    ),
    Run(
        "fairscore",
        "fairscore",
        ("reviews",),
        (
            "fairscore --task reviews.csv --train learned.csv --model tfidf -o fair.json",
            "fairscore --task sst2 --model tfidf --axes gender --check-labels",
        ),
        (),
        ("fair.json", "said/*.stdout"),
    ),
    Run(
        "fairtune",
        "fairscore",
        ("reviews",),
        ("fairtune sst2 --seeds 2 --tuning original,replaced,appended -o out",),
        (),
        ("said/1.stdout",),
    ),
    Run(
        "corpus-report",
        "corpus",
        ("text",),
        ("corpus report text.txt second=tokenised.txt -o report --pos 4",),
        (),
        ("report/tables/*.csv", "said/1.stdout"),
    ),
    Run(
        "gector",
        "gector",
        ("encoder", "gector"),
        (
            "gector train gector.yaml --seed 1 -o out",
            f"gector predict out/best toy.txt {EAGER} -o said.txt",
            "gector vocab toy-train.tsv --size 30 -o vocabulary",
        ),
        ("vocabulary/*.txt", "said/3.stdout"),
        (),
        ("said/1.stdout", "said/2.logits"),
        models=True,
    ),
    Run(
        "experiment",
        "gector",
        ("encoder", "experiment", "experiment-settings"),
        (
            "experiment run experiment-settings.yaml -o out",
            "experiment status experiment-settings.yaml -o out",
            "experiment table experiment-settings.yaml -o out --resamples 50",
        ),
        ("out/cells/*/*/bea-195-first30/*.txt",),
        ("said/1.stdout", "said/2.stdout", "said/3.stdout"),
        models=True,
    ),
    Run(
        "bart",
        "bart",
        ("bart", "encoder", "bart-settings"),
        ("bart train bart-settings.yaml -o out", "bart predict out/best toy.txt --beam 2 -o said.txt"),
        (),
        (),
        ("said/1.stdout", "said/2.logits"),
        models=True,
    ),
    Run(
        "editscorer",
        "editscorer",
        ("encoder", "candidates", "editscorer"),
        (
            "editscorer train editscorer.yaml -o out",
            "editscorer predict out/best toy.txt --list toy.flip.txt --list toy.junk.txt --threshold 0.1 -o said.txt",
        ),
        (),
        (),
        ("said/1.stdout", "said/2.logits"),
        models=True,
    ),
    Run(
        "perturber",
        "perturber",
        ("bart", "panda", "perturber"),
        (
            "perturber train perturber.yaml -o out",
            "perturber evaluate panda.csv --systems rules,copy --limit 8",
            "perturber score panda.csv --limit 6",
        ),
        ("said/3.stdout",),
        ("said/2.stdout",),
        ("said/1.stdout", "said/1.logits"),
        models=True,
    ),
    Run(
        "pretrain",
        "pretrain",
        ("corpora", "mlm"),
        ("pretrain mlm mlm.yaml -o out",),
        ("out/best/tokenizer.json",),
        (),
        ("said/1.stdout", "said/1.logits"),
        models=True,
    ),
    Run(
        "babylm",
        "babylm",
        ("corpora", "suites", "babylm"),
        (
            "babylm corpora babylm.yaml --set corpora=[original,cda] -o made",
            "babylm experiment babylm.yaml -o out",
            "lmbias run --model out/runs/original/0/best --suite crows,grammar -o bias.json",
        ),
        ("made/corpora/*", "said/1.stdout"),
        (),
        ("bias.json", "out/tables/*.csv", "said/3.logits"),
        models=True,
    ),
    Run(
        "debias",
        "babylm",
        ("corpora", "suites", "encoder", "masked", "debias"),
        ("babylm debias debias.yaml -o out", "lmbias run --model out/sent-debias/0/best --suite crows -o bias.json"),
        (),
        (),
        ("bias.json", "said/1.stdout", "said/2.logits"),
        models=True,
        committed=False,
    ),
    Run(
        "survey",
        "babylm",
        ("suites", "encoder", "masked"),
        ("lmbias survey --models models.tsv --suite crows,blimp_supplement_fast -o out",),
        (),
        (),
        ("out/tables/*.csv", "said/1.stdout"),
        models=True,
        committed=False,
    ),
    Run(
        "fairtune-encoder",
        "fairscore",
        ("reviews", "encoder", "fairtune"),
        ("fairtune sst2 --model encoder --settings fairtune.yaml --seeds 1 --tuning replaced -o out",),
        (),
        (),
        ("said/1.stdout", "said/1.logits"),
        models=True,
    ),
)
