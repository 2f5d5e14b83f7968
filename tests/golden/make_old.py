"""Make `tests/golden/old/`: one finished run of each system, as version 0.1.0 wrote it before records were unified.

Kept for the record. Not to be run on newer code, unless a format is meant to change: the folder's worth is that newer
code did not write it.

    python tests/golden/make_old.py DIR      a new folder
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = "cache"
INPUTS = (
    "learner_pairs",
    "people",
    "probe",
    "text",
    "claims",
    "safety",
    "reviews",
    "suites",
    "encoder",
    "masked",
    "bart",
    "panda",
    "candidates",
    "experiment",
    "corpora",
    "gector",
    "bart-settings",
    "editscorer",
    "perturber",
    "fairtune",
    "razor",
    "experiment-settings",
    "mlm",
    "babylm",
    "debias",
    "safety-settings",
)
_GAP = "gap --set set --hyp runs/partial/0/orig.txt runs/partial/0/aug.txt --resamples 50"
_RAZOR = "razor evaluate --train claims.jsonl --test other=test.jsonl"
_BACKBONE = "--backbone encoder --settings razor.yaml --methods original,poe --runs razor-trainings"
COMMANDS = {
    "augment-st": "augment st pairs.tsv -o st-run",
    "augment-fm": "augment fm pairs.tsv -o fm-run",
    "mix": "mix pairs.tsv --st st-run --mf fm-run --per-kind 10 -o mix-run",
    "perturb": "perturb people.txt -o perturb-run",
    "evalset": "evalset build --transform st --from probe.m2 -o evalset-run",
    "gap": _GAP,
    "compare": "compare runs --set set --resamples 50 -o compare-run",
    "counterfactual": "counterfactual people.txt --system command:cat --resamples 20",
    "razor-run": "razor run claims.jsonl -o razor-run --rewriter rules --verifier none --top 9 --turns 2",
    "razor-evaluate": f"{_RAZOR} {_BACKBONE} -o razor-evaluated.json",
    "safety-audit": "safety audit remediated.csv --against baseline.csv --resamples 50 -o audit-run",
    "safety-train": "safety train safety-settings.yaml -o safety-run",
    "fairscore": "fairscore --task reviews.csv --train learned.csv --model tfidf -o fairscore.json",
    "fairtune": "fairtune sst2 --model tfidf --model encoder --settings fairtune.yaml --seeds 1 --tuning replaced "
    "-o fairtune-run",
    "gector": "gector train gector.yaml --seed 1 -o gector-run",
    "experiment": "experiment run experiment-settings.yaml -o experiment-run",
    "bart": "bart train bart-settings.yaml -o bart-run",
    "editscorer": "editscorer train editscorer.yaml -o editscorer-run",
    "perturber": "perturber train perturber.yaml -o perturber-run",
    "pretrain": "pretrain mlm mlm.yaml -o mlm-run",
    "babylm": "babylm experiment babylm.yaml --set keep_models=false -o babylm-run",
    "debias": "babylm debias debias.yaml --set methods=[sent-debias,dropout,cds,debiasing-loss] "
    "--set cds.texts=[gap.txt] --set cds.epochs=1 --set debiasing_loss.texts=[wino.txt] --set debiasing_loss.epochs=1 "
    "-o debias-run",
    "lmbias": "lmbias run --model masked --suite crows,grammar -o lmbias.json",
    "survey": "lmbias survey --models models.tsv --suite crows,blimp_supplement_fast -o survey-run",
}
"""Also what `test_old.py` calls once more: there is nothing left to do, or it is refused."""
USELESS = ("figures", "checkpoints", "report.html", ".lock", ".preparing")
"""Large or empty, and read by nobody."""


def main(place: Path) -> None:
    sys.path.insert(0, str(ROOT))
    from tests.cli.invoke import run
    from tests.golden import inputs
    from tests.golden.running import within

    place.mkdir(parents=True)
    inputs.make(INPUTS, place)
    with within(place, place / CACHE):
        for name, command in COMMANDS.items():
            done = run(*command.split())
            print(f"{name}: {'done' if done.code == 0 else done.stderr}", flush=True)
        _review(Path("evalset-run"))
    sets = place / "experiment-run/cells/runs.json"  # the only record with absolute paths
    sets.write_text(sets.read_text().replace(f"{place}/", ""))
    for path in sorted(place.rglob("*"), reverse=True):
        if path.name in USELESS:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        elif path.suffix == ".tex":
            path.unlink()


def _review(folder: Path) -> None:
    """Two reviewers, who disagree about the last item; as the page saves it."""
    from gec_fair.evaluate.evalsets.review.decisions import Session

    for reviewer, last in (("anna", "accept"), ("ben", "reject")):
        session = Session(folder, reviewer)
        for number in range(len(session.items) - 1):
            session.decide(number, "drop" if number == 2 else "accept", {})
        session.decide(len(session.items) - 1, last, {}, "a note")


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main(Path(sys.argv[1]).resolve())
