"""A whole experiment in small: an encoder, the mixes of systems 1 and 2, two sets of twins, a development set."""

from __future__ import annotations

import json
from pathlib import Path

from tests.gec.gector import tiny

STEPS = 60
EVERY = 10
SETS = {"bea-195-first30": "st", "bea-556-first30": "mf"}
"""Called as parts of the paper's sets are, so that its figures are printed beside ours."""


def make(folder: Path) -> None:
    tiny.encoder(folder / "encoder")
    tiny.labels(folder)
    for number in (1, 2):
        (folder / f"mix/system{number}").mkdir(parents=True)
        tiny.write_pairs(folder / f"mix/system{number}/train.tsv", 200, seed=number)
    systems = {"system1": {"orig": 200}, "system2": {"orig": 160, "st": 40}}  # as `gec-fair mix` writes it
    (folder / "mix/manifest.json").write_text(json.dumps({"job": "mix", "systems": systems}))
    tiny.write_pairs(folder / "dev.tsv", 40, seed=3)
    for name, kind in SETS.items():
        twins(folder / name, kind)
    (folder / "dev.m2").write_text("".join(m2(a, b) for a, b in tiny.pairs(30, 5)))
    (folder / "toy.yaml").write_text(f"""\
model: gector
mix: {folder}/mix
systems: ["1", "2"]
seeds: 2
sets: [{", ".join(str(folder / name) for name in SETS)}]
full: {folder}/dev.m2
settings:
  start: {folder}/encoder
  labels: {folder}/labels.txt
  dev: {folder}/dev.tsv
  dropout: 0.1
  training:
    steps: {STEPS}
    batch: 16
    learning_rate: 8.0e-3
    save_every: {EVERY}
    device: cpu
    precision: fp32
""")


def m2(source: str, target: str) -> str:
    lines = [f"S {source}"]
    for at, (a, b) in enumerate(zip(source.split(), target.split(), strict=True)):
        if a != b:
            lines.append(f"A {at} {at + 1}|||R:VERB:SVA|||{b}|||REQUIRED|||-NONE-|||0")
    return "\n".join(lines) + "\n\n"


def twins(folder: Path, kind: str) -> None:
    """he/she sentences and the same with *they*, or with the other of the two, as `evalset build` writes them."""
    folder.mkdir()
    orig = [(a, b) for a, b in tiny.pairs(300, 9) if a.split()[0] in ("he", "she")][:30]
    third = {right: wrong for wrong, right in tiny.VERBS.items()}
    replacements = {"st": {"he": "they", "she": "they", **third, **tiny.VERBS}, "mf": {"he": "she", "she": "he"}}[kind]
    turned = [tuple(" ".join(replacements.get(w, w) for w in side.split()) for side in pair) for pair in orig]
    for name, pairs in (("toy_orig", orig), (f"toy_{kind}_aug", turned)):
        (folder / f"{name}.src.txt").write_text("".join(a + "\n" for a, _ in pairs))
        (folder / f"{name}.tgt.txt").write_text("".join(b + "\n" for _, b in pairs))
        (folder / f"{name}.m2").write_text("".join(m2(a, b) for a, b in pairs))


def words(place: Path, verb: str, out: Path, *more: object) -> list[str]:
    return ["experiment", verb, str(place / "toy.yaml"), "-o", str(out), *map(str, more)]


def results(out: Path) -> dict[str, bytes]:
    """Every output and every score, and nothing that tells the time."""
    files = [*out.glob("cells/*/*/scores.json"), *out.glob("cells/**/*.txt")]
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(files) if "best" not in path.parts}
