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
        "errors",
        "evaluate",
        ("probe",),
        ("errors probe.m2 --cat 3", "errors probe.m2 --json"),
        ("said/*.stdout",),
    ),
    Run(
        "score",
        "evaluate",
        ("probe",),
        (
            "score --hyp runs/partial/0/orig.txt --hyp runs/fair/1/orig.txt --ref probe.m2 --cat 2 --also gleu "
            "--also chrf",
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
            "gap --set set --hyp runs/partial/0/orig.txt runs/partial/0/aug.txt "
            "--hyp runs/partial/1/orig.txt runs/partial/1/aug.txt --resamples 400 --seed 3",
            "gap --set set --hyp runs/fair/1/orig.txt runs/fair/1/aug.txt --resamples 400 --json",
        ),
        ("said/*.stdout",),
    ),
    Run(
        "compare",
        "evaluate",
        ("probe",),
        ("compare runs --set set --resamples 300 -o report", "report report -o again"),
        ("report/tables/*", "said/*.stdout", "again/tables/*"),
    ),
    Run(
        "counterfactual",
        "evaluate",
        ("probe", "text"),
        (
            "counterfactual --set set --hyp runs/partial/0/orig.txt runs/partial/0/aug.txt --resamples 200 -o d.jsonl",
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
)


def of(system: str) -> list[Run]:
    return [run for run in RUNS if run.system == system]


def named(name: str) -> Run:
    return next(run for run in RUNS if run.name == name)
