"""Without extras every command works, or says before it reads or writes anything which extra it needs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gec_fair import shipped
from tests.cli.test_help import LEAVES

SCRIPT = Path(__file__).parent / "light.py"
PYTHON = os.environ.get("GEC_FAIR_LIGHT_PYTHON", sys.executable)
"""`make test-light` sets it to that of an environment made from the wheel alone."""
M2 = "S He go home .\nA 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n\n"
SCORES = "set_id,category,subgroup,harm,label,score\n1,Religion,Islam,hate,0,0.7\n1,Religion,Judaism,hate,0,0.1\n"
BABYLM = """texts: [prose.txt]
corpora: [original, cda]
pretrain: {block: 16, training: {steps: 2, batch: 2, eval_every: 1}}
"""
FILES = {
    "pairs.tsv": "Anna lose her keys .\tAnna loses her keys .\n" * 3,
    "texts.txt": "She lost her keys .\nIt rains .\n",
    "prose.txt": "She lost her keys. It rains.\n\nHe left.\n",
    "hyp.txt": "He goes home .\n",
    "ref.m2": M2,
    "rows.csv": "id,text,label\n" + "".join(f"{n},it {w} was,{w}\n" for n, w in enumerate(("not", "yes") * 4)),
    "texts.csv": "id,text,hate\n1,Muslims are kind.,0\n2,I hate Jews.,1\n",
    "scores.csv": SCORES,
    "reviews.csv": "text,label\nhe sings,good\n",
    "panda.csv": "original,selected_word,target_attribute,perturbed\nhe sings,he,woman,she sings\n",
    "babylm.yaml": BABYLM,
    "templates.csv": "id,text,hate\n1,I like <social_group>.,0\n",
}
COMMANDS = {
    "augment fm": "pairs.tsv -o out",
    "augment neo": "pairs.tsv --paradigm xe -o out",
    "augment st": "pairs.tsv -o out",
    "rewrite fm": "",
    "rewrite neo": "--paradigm xe",
    "rewrite st": "",
    "show": "they-probe --plain",
    "score": "--hyp hyp.txt --ref ref.m2",
    "gap": "--evalset they-probe --hyp hyp.txt hyp.txt",
    "compare": "--system identity --evalset they-probe -o out",
    "mix": "pairs.tsv --st missing-run --mf out --per-kind 1 -o mix",
    "explain": "fm",
    "lexicon check": "",
    "lexicon lookup": "Anna",
    "audit-pairs": "pairs.tsv",
    "counterfactual": "texts.txt --system identity",
    "evalset build": "--transform st --from ref.m2 -o set",
    "evalset export": "they-probe -o sides",
    "evalset fetch": "they-probe",
    "evalset list": "",
    "review": "set",
    "correct": "texts.txt --system identity",
    "gector import": "model.th --encoder roberta-base --labels labels -o out",
    "gector predict": "model texts.txt",
    "gector train": "TRAINING/gector-clang8.yaml -o out",
    "gector vocab": "pairs.tsv -o out",
    "bart import": "model.pt -o out",
    "bart predict": "model texts.txt",
    "bart train": "TRAINING/bart.yaml -o out",
    "editscorer import": "model.pt --encoder roberta-base -o out",
    "editscorer predict": "model texts.txt",
    "editscorer train": "TRAINING/editscorer.yaml -o out",
    "experiment run": "TRAINING/gector-clang8.yaml -o out",
    "experiment status": "TRAINING/gector-clang8.yaml -o out",
    "experiment table": "TRAINING/gector-clang8.yaml -o out",
    "noise": "texts.txt -o out.tsv",
    "sentences": "prose.txt -o out.txt",
    "perturb": "texts.txt -o out",
    "perturber agreement": "rows.csv rows.csv",
    "perturber annotate": "texts.txt -o out",
    "perturber evaluate": "rows.csv",
    "perturber score": "texts.txt",
    "perturber train": "TRAINING/perturber.yaml -o out",
    "fairscore": "--task rows.csv --model tfidf --train rows.csv",
    "fairtune": "rte -o out",
    "lmbias run": "--model bert --suite crows",
    "lmbias surprisal": "bert texts.txt",
    "lmbias survey": "-o out",
    "babylm agree": "out out",
    "babylm corpora": "babylm.yaml -o out",
    "babylm debias": "TRAINING/babylm-debias.yaml -o out",
    "babylm experiment": "babylm.yaml -o out",
    "pretrain mlm": "TRAINING/from-scratch/encoder.yaml -o out",
    "razor evaluate": "--train rows.csv --test rows.csv",
    "razor explain": "rows.csv 1 --model tfidf --part it",
    "razor run": "rows.csv --rewriter rules -o out",
    "razor score": "rows.csv",
    "safety audit": "scores.csv",
    "safety counterfactuals": "texts.csv -o out.csv",
    "safety fill": "templates.csv -o out.csv",
    "safety generate": "hate --model openai:gpt-4o-mini -o out.csv",
    "safety mentions": "texts.csv -o out.csv",
    "safety predict": "model rows.csv -o out.csv",
    "safety scores": "texts.csv --source toxicity -o out.csv",
    "safety split": "texts.csv -o out",
    "safety texts": "davidson texts.csv -o out.csv",
    "safety train": "TRAINING/safety.yaml -o out",
    "corpus report": "prose.txt -o out",
    "data fetch": "crows_pairs",
    "data list": "",
    "settings list": "",
    "settings show": "gector-clang8",
}


NEEDS = {
    "babylm agree": "lm",
    "babylm debias": "train",
    "babylm experiment": "train",
    "bart import": "train",
    "bart predict": "train",
    "bart train": "train",
    "compare": "evaluate",
    "corpus report": "corpus",
    "data fetch": "evaluate",
    "editscorer import": "train",
    "editscorer predict": "train",
    "editscorer train": "train",
    "fairscore": "fairscore",
    "fairtune": "fairscore",
    "gap": "evaluate",
    "gector import": "train",
    "gector predict": "train",
    "gector train": "train",
    "lmbias run": "lm",
    "lmbias surprisal": "lm",
    "lmbias survey": "lm",
    "perturber agreement": "perturber",
    "perturber evaluate": "perturber",
    "perturber train": "train",
    "pretrain mlm": "train",
    "razor evaluate": "razor",
    "razor run": "razor",
    "razor score": "razor",
    "safety audit": "safety",
    "safety generate": "llm",
    "safety predict": "safety",
    "safety scores": "fairscore",
    "safety train": "safety",
    "score": "evaluate",
}
"""Commands that need extras for what they are given here."""
ASKS_FOR_MORE = {
    "evalset build",
    "experiment run",
    "experiment status",
    "experiment table",
    "mix",
    "razor explain",
    "review",
    "safety split",
    "safety texts",
}
"""Commands whose input here cannot be used."""


def test_every_command_is_here():
    assert set(COMMANDS) == set(LEAVES)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_without_extras_works_or_names_the_extra(name, tmp_path):
    for file, text in FILES.items():
        (tmp_path / file).write_text(text)
    words = [*name.split(), *COMMANDS[name].replace("TRAINING", str(shipped.find_shipped("training"))).split()]
    if name == "explain":
        words += ["She lose her keys .", "She loses her keys ."]
    done = subprocess.run(
        [PYTHON, SCRIPT, *words],
        cwd=tmp_path,
        env={**os.environ, "GEC_FAIR_CACHE": str(tmp_path / "cache"), "HF_HUB_OFFLINE": "1"},
        input="She lost her keys.\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 2), done.stderr
    missing = re.search(r"needs .+; pip install 'gec-fair\[(\w+)\]'", done.stderr)
    assert (name in NEEDS) == bool(missing), done.stderr
    if missing:
        assert missing[1] == NEEDS[name]
        assert {path.name for path in tmp_path.iterdir()} <= {*FILES, "cache"}
    elif name in ASKS_FOR_MORE:
        assert done.returncode == 2
    else:
        assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_a_run_is_shown_without_extras(tmp_path):
    """None of the readers of runs imports what only its own system needs."""

    def light(*words):
        return subprocess.run(
            [PYTHON, SCRIPT, *words], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
        )

    (tmp_path / "pairs.tsv").write_text(FILES["pairs.tsv"])
    assert light("augment", "st", "pairs.tsv", "-o", "out").returncode == 0
    done = light("show", "out", "--plain")
    assert done.returncode == 0, done.stderr
    assert "{+their+}" in done.stdout
    assert light("show", "out").returncode == 0
    assert "<ins>their</ins>" in (tmp_path / "out/show.html").read_text()
