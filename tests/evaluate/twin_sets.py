"""A small evaluation set and systems' outputs for it, written into a folder."""

from __future__ import annotations

from pathlib import Path

ORIG = [
    ("My boss lose his hat .", "A 2 3|||R:VERB:TENSE|||lost|||REQUIRED|||-NONE-|||0"),
    ("He have a dog .", "A 1 2|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0"),
    (
        "Anna put her keys in table .",
        "A 4 5|||R:PREP|||on|||REQUIRED|||-NONE-|||0\nA 5 5|||M:DET|||the|||REQUIRED|||-NONE-|||0",
    ),
]
AUG = [
    ("My boss lose their hat .", ORIG[0][1]),
    ("They has a dog .", "A 1 2|||R:VERB:SVA|||have|||REQUIRED|||-NONE-|||0"),
    ("Anna put their keys in table .", ORIG[2][1]),
]
PERFECT = {
    "orig": "My boss lost his hat .\nHe has a dog .\nAnna put her keys on the table .\n",
    "aug": "My boss lost their hat .\nThey have a dog .\nAnna put their keys on the table .\n",
}
BIASED = {"orig": PERFECT["orig"], "aug": "My boss lost his hat .\nThey have a dog .\nAnna put their keys in table .\n"}


def write_set(folder: Path, *, stem: str = "mine", kind: str = "st") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in ((f"{stem}_orig", ORIG), (f"{stem}_{kind}_aug", AUG)):
        (folder / f"{name}.m2").write_text("".join(f"S {source}\n{edits}\n\n" for source, edits in rows))
        (folder / f"{name}.src.txt").write_text("\n".join(source for source, _ in rows))
    return folder


def write_output(runs: Path, system: str, seed: str, texts: dict[str, str], *, name: str = "") -> None:
    folder = runs / system / seed / name
    folder.mkdir(parents=True)
    for side, text in texts.items():
        (folder / f"{side}.txt").write_text(text)
