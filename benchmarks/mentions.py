"""Whom `gec-fair safety mentions` finds: precision and recall on texts of our own, shares found of public sets.

    GEC_FAIR_DATA=../shared/data python benchmarks/mentions.py -o benchmarks/results/mentions.json
    python benchmarks/mentions.py --code ../older -o benchmarks/results/mentions-before.json    # another checkout

`benchmarks/mentions/built.tsv` holds the texts that the tables were built on; `held-out.tsv` was written before the
tables grew, `second-held-out.tsv` after. Neither was built on when it was first measured. HateCheck (Röttger et al.
2021): the cases whose group is one of Table 2's; *plain* leaves out those with a slur and those that are misspelt.
HolisticBias (Smith et al. 2022): its nouns in each of three frames, and its descriptors before *person*. No text is
kept.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from report import FOLDER, record

from gec_fair.english import pipeline
from gec_fair.safety.counterfactuals.identities import Identities, load
from gec_fair.safety.counterfactuals.identity_terms import SLUR
from gec_fair.safety.counterfactuals.mentions import slices_of

SETS = Path(__file__).parent / "mentions"
TEXTS = ("built", "held-out", "second-held-out", "third-held-out")
HATECHECK = {
    "women": "Gender Identity: Female",
    "trans people": "Gender Identity: NonCisgender",
    "gay people": "Sexual Orientation: NonHeterosexual",
    "black people": "Race/Ethnicity: Black",
    "Muslims": "Religion: Islam",
}
NOUNS = {"female": "Gender Identity: Female", "male": "Gender Identity: Male"}
FRAMES = ("I met {} yesterday.", "{} live next door.", "What do you think of {}?")
DESCRIPTORS = {
    ("race_ethnicity", "asian"): "Race/Ethnicity: Asian",
    ("race_ethnicity", "black"): "Race/Ethnicity: Black",
    ("race_ethnicity", "latinx"): "Race/Ethnicity: LatinX",
    ("race_ethnicity", "white"): "Race/Ethnicity: White",
    ("race_ethnicity", "indigenous"): "Race/Ethnicity: Indigenous",
    ("race_ethnicity", "alaska_native"): "Race/Ethnicity: Indigenous",
    ("race_ethnicity", "native_hawaiian"): "Race/Ethnicity: Indigenous",
    ("race_ethnicity", "pacific_islander"): "Race/Ethnicity: Indigenous",
    ("sexual_orientation", "bi"): "Sexual Orientation: NonHeterosexual",
    ("sexual_orientation", "gay"): "Sexual Orientation: NonHeterosexual",
    ("sexual_orientation", "lesbian"): "Sexual Orientation: NonHeterosexual",
    ("sexual_orientation", "pansexual"): "Sexual Orientation: NonHeterosexual",
    ("sexual_orientation", "asexual_or_aromantic"): "Sexual Orientation: NonHeterosexual",
    ("sexual_orientation", "straight"): "Sexual Orientation: Heterosexual",
    ("gender_and_sex", "non_binary_or_gnc"): "Gender Identity: NonCisgender",
    ("gender_and_sex", "transgender"): "Gender Identity: NonCisgender",
}


def without_slurs(identities: Identities) -> Identities:
    """The same tables without those of `slurs.tsv`."""
    terms = {word: tuple(said for said in every if said.slot != SLUR) for word, every in identities.starting.items()}
    return replace(identities, starting=terms)


Namer = Callable[[Sequence[str]], list[set[str]]]  # the subgroups that each text names


def with_tables(identities: Identities) -> Namer:
    """This code, with these tables."""

    def name(texts: Sequence[str]) -> list[set[str]]:
        docs = pipeline.load_shared("embedded").pipe(texts)
        return [{str(who) for who in slices_of(doc, identities)} for doc in docs]

    return name


def by_command(code: Path, texts: Sequence[str]) -> list[set[str]]:
    """The subgroups that each text names, by the command of another checkout."""
    with tempfile.TemporaryDirectory() as folder:
        table, named = Path(folder, "texts.csv"), Path(folder, "named.csv")
        with table.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([("id", "text"), *enumerate(texts)])
        command = [sys.executable, "-m", "gec_fair", "safety", "mentions", str(table), "-o", str(named)]
        environment = {**os.environ, "PYTHONPATH": str(code.resolve())}
        subprocess.run(command, check=True, capture_output=True, env=environment, cwd=code)
        with named.open(encoding="utf-8", newline="") as file:
            return [set(row["slices"].split("; ")) - {""} for row in csv.DictReader(file)]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))


def score(path: Path, name_subgroups: Namer) -> dict[str, Any]:
    """Precision and recall over subgroups, and recall without gender; by class, what was missed and what was wrong."""
    counts: Counter[str] = Counter()
    classes: dict[str, Counter[str]] = {}
    every = rows(path)
    for row, named_in_text in zip(every, name_subgroups([row["text"] for row in every]), strict=True):
        wanted = set(row["slices"].split("; ")) - {""}
        for name, subgroups in (
            ("right", wanted & named_in_text),
            ("missed", wanted - named_in_text),
            ("wrong", named_in_text - wanted),
        ):
            counts[name] += len(subgroups)
            counts[f"{name}, gender"] += sum(who.startswith("Gender") for who in subgroups)
            classes.setdefault(row["class"], Counter())[name] += len(subgroups)
    ungendered = {name: counts[name] - counts[f"{name}, gender"] for name in ("right", "missed", "wrong")}
    return {
        "texts": len(every),
        **{name: counts[name] for name in ("right", "missed", "wrong")},
        "precision": _share(counts["right"], counts["right"] + counts["wrong"]),
        "recall": _share(counts["right"], counts["right"] + counts["missed"]),
        "recall without gender": _share(ungendered["right"], ungendered["right"] + ungendered["missed"]),
        "classes": {name: dict(counted) for name, counted in classes.items()},
    }


def hatecheck(path: Path, name_subgroups: Namer) -> dict[str, Any]:
    """Of the cases of a group, the share that is found."""
    with path.open(encoding="utf-8", newline="") as file:
        cases = [row for row in csv.DictReader(file) if row["target_ident"] in HATECHECK]
    subgroups = name_subgroups([case["test_case"] for case in cases])
    return {
        kind: _shares(
            (case["target_ident"], HATECHECK[case["target_ident"]] in who)
            for case, who in zip(cases, subgroups, strict=True)
            if wanted(case)
        )
        for kind, wanted in (("every case", lambda case: True), ("plain", _is_plain))
    }


def _is_plain(case: Mapping[str, str]) -> bool:
    return not ("SLUR" in case["case_templ"] or case["functionality"].startswith(("slur", "spell")))


def holisticbias(folder: Path, name_subgroups: Namer) -> dict[str, Any]:
    """Shares of nouns in both numbers, and of descriptors."""
    nouns = json.loads((folder / "nouns.json").read_text(encoding="utf-8"))
    texts = [(group, text) for group in NOUNS for pair in nouns[group] for text in _framed(pair)]
    subgroups = name_subgroups([text for _, text in texts])
    descriptors = json.loads((folder / "descriptors.json").read_text(encoding="utf-8"))
    people = [
        (subgroup, f"My neighbour is a {word} person.")
        for (axis, bucket), subgroup in DESCRIPTORS.items()
        for word in (one if isinstance(one, str) else one["descriptor"] for one in descriptors[axis][bucket])
    ]
    described = name_subgroups([text for _, text in people])
    return {
        "nouns": _shares((group, NOUNS[group] in who) for (group, _), who in zip(texts, subgroups, strict=True)),
        "descriptors": _shares(
            (subgroup, subgroup in who) for (subgroup, _), who in zip(people, described, strict=True)
        ),
    }


def _framed(pair: Sequence[str]) -> Iterator[str]:
    one, many = pair
    yield FRAMES[0].format(f"a {one}")
    yield FRAMES[1].format(many.capitalize())
    yield FRAMES[2].format(many)


def _shares(outcomes: Iterator[tuple[str, bool]]) -> dict[str, Any]:
    every: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for group, is_found in outcomes:
        every[group] += 1
        right[group] += is_found
    shares = {group: [right[group], every[group], _share(right[group], every[group])] for group in every}
    return {"all": [right.total(), every.total(), _share(right.total(), every.total())], **shares}


def _share(part: int, total: int) -> float:
    return round(part / total, 3) if total else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=(*TEXTS, "public"), help="measure one part")
    parser.add_argument("--code", type=Path, help="measure the command of another checkout")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    data = Path(os.environ.get("GEC_FAIR_DATA", "../shared/data"))
    cases = data / "safety/hatecheck/test_suite_cases.csv"
    identities = load()
    name_subgroups = partial(by_command, options.code) if options.code else with_tables(identities)
    figures: dict[str, Any] = {
        name: score(SETS / f"{name}.tsv", name_subgroups) for name in TEXTS if options.only in (None, name)
    }
    if options.only in (None, "public"):
        figures["hatecheck"] = hatecheck(cases, name_subgroups)
        if options.code is None:
            figures["hatecheck, slurs unknown"] = hatecheck(cases, with_tables(without_slurs(identities)))
        figures["holisticbias"] = holisticbias(data / "bias/holisticbias/v1.1", name_subgroups)
    print(json.dumps(figures, indent=1))
    record(options.output, "mentions", figures, checkout=options.code or FOLDER)


if __name__ == "__main__":
    main()
