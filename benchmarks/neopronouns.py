"""Forms and agreement of *they* and of neopronouns, against TANGO and MISGENDERED as gold.

    python benchmarks/neopronouns.py DATA/rewrite

TANGO has each prompt with he, she, they, xe, ey and fae: the he and she versions are rewritten (gate none) and compared
word for word. MISGENDERED has templates with one form masked: filled with he/him/… and rewritten, every family
(the templates have *was* after a masked *they*, so *They were* counts as right there).
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

from report import record

from gec_fair.augmentation.options import Options
from gec_fair.augmentation.rewriter import Rewriter

# TANGO writes xe/xir/xir/xirs/xirself
TANGO = {"they": "they", "xe": "xe-xir", "ey": "ey", "fae": "fae"}
FORMS = {"nom": "nom", "acc": "acc", "pos_dep": "pos_dep", "pos_ind": "pos_indep", "ref": "ref"}


def rewriter(paradigm: str) -> Rewriter:
    if paradigm == "they":
        return Rewriter(Options("st", gate="none"))
    return Rewriter(Options("neo", gate="none", paradigm=paradigm))


def tango(path: Path, errors: int) -> dict[str, dict[str, float]]:
    rows: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for row in csv.DictReader(path.open(encoding="utf-8")):
        rows[row["template_idx"], row["ante"]][row["pronoun_family"]] = row["template"]
    figures: dict[str, dict[str, float]] = {}
    for family, paradigm in TANGO.items():
        figures[family] = {}
        for origin in ("he", "she"):
            pairs = [(r[origin], r[family]) for r in rows.values() if origin in r and family in r]
            got = list(rewriter(paradigm)(source for source, _ in pairs))
            wrong = [(s, g, w) for (s, g), w in zip(pairs, got, strict=True) if g.lower() != w.lower()]
            figures[family][f"from {origin}"] = round(100 * (1 - len(wrong) / len(pairs)), 1)
            for source, gold, mine in wrong[:errors]:
                print(f"  {source}\n  gold {gold}\n  ours {mine}")
    return figures


def misgendered(folder: Path, errors: int) -> dict[str, float]:
    families = {row["nom"]: row for row in csv.DictReader((folder / "pronouns.csv").open(encoding="utf-8"))}
    templates = list(csv.DictReader((folder / "templates_templates.csv").open(encoding="utf-8")))
    texts = {nom: [_filled(t, family) for t in templates] for nom, family in families.items()}
    figures: dict[str, float] = {}
    for nom, family in families.items():
        if nom in ("he", "she"):
            continue
        paradigm = (
            "they" if nom == "they" else "/".join(family[c] for c in ("nom", "acc", "pos_dep", "pos_indep", "ref"))
        )
        right: Counter[str] = Counter()
        for origin in ("he", "she"):
            for gold, mine in zip(texts[nom], rewriter(paradigm)(texts[origin]), strict=True):
                same = gold == (mine.replace("They were", "They was") if nom == "they" else mine)
                right[origin] += same
                if not same and errors:
                    print(f"  gold {gold}\n  ours {mine}")
        figures[nom] = round(100 * right.total() / (2 * len(templates)), 1)
    return figures


def _filled(template: dict[str, str], family: dict[str, str]) -> str:
    """The template with a name, this family's forms, and the verb of *they* where a template has one."""
    word = family[FORMS[template["form"].strip()]]
    text = template["template"]
    start = text.replace("{mask_token}", "\0")
    at = start.find("\0")
    before = start[:at].rstrip()
    word = word.capitalize() if not before or before[-1] in ".?!" else word
    text = start.replace("\0", word).replace("{name}", "Robin")
    for slot, column in (("{nom}", "nom"), ("{acc}", "acc"), ("{pos_dep}", "pos_dep"), ("{pos_ind}", "pos_indep")):
        text = text.replace(slot, family[column])
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="holds tango/ and misgendered/")
    parser.add_argument("--errors", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    figures: dict[str, Mapping[str, object]] = {
        "tango": tango(arguments.folder / "tango" / "misgendering_prompts.csv", arguments.errors),
        "misgendered": misgendered(arguments.folder / "misgendered", arguments.errors),
    }
    for name, rows in figures.items():
        print(name)
        for family, numbers in rows.items():
            print(f"  {family:6} {numbers}")
    record(arguments.output, "neopronouns", figures)


if __name__ == "__main__":
    main()
